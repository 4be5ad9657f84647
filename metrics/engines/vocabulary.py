"""The values of one column as an engine holds them, and the codes they have in every count of that column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from metrics.tables.conventions import declare_missing
from metrics.tables.dictionary_codes import int32_of, text_array
from metrics.tables.table import Codes, Column, Flags, Integers
from metrics.tables.typed_text import arrow_text


@dataclass(frozen=True)
class CellFormat:
    """How cells are read: the decimal separator, and the texts that mean missing."""

    decimal: str = "."
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """A column's values in canonical order, so that codes sort like values, and the engine's values they come from.

    Surrounding blanks, missing markers and types are resolved here, once per distinct value and by the rules of
    reading: several of the engine's values may become one value of the column.
    """

    column: Column
    """Without codes: it holds no record."""
    raw: pa.Array
    """The engine's distinct values, none of them null."""
    code_of_raw: Codes
    """Code of each raw value, followed by the code of null, -1 if no cell is null."""

    @property
    def width(self) -> int:
        """Number of distinct values, at least 1."""
        return max(self.column.distinct, 1)

    def codes_of(self, cells: pa.ChunkedArray) -> Codes:
        """Codes of dictionary-encoded engine values, all of which must be known."""
        dictionary, indices = _dictionary_and_indices(cells)
        indices_in_raw = pc.index_in(dictionary, value_set=self.raw)
        codes = np.append(self.code_of_raw[int32_of(indices_in_raw)], self.code_of_raw[-1])
        return codes[indices]

    def raw_of(self, codes: Flags) -> tuple[pa.Array, bool]:
        """The engine's values of the marked codes, and whether null is one of them."""
        is_marked = np.append(codes, False)[self.code_of_raw]
        return self.raw.take(pa.array(np.flatnonzero(is_marked[:-1]))), bool(is_marked[-1])

    def relabelled(self, labels: Sequence[str | None]) -> Vocabulary:
        """Give the engine values new labels, in the order of the codes; equal labels are merged."""
        old_column = self.column
        codes = np.arange(len(labels), dtype=np.int32)
        new_column = Column.from_codes(old_column.name, codes, text_array(labels), old_column.decimal)
        new_codes = np.append(new_column.rank.astype(np.int32)[new_column.codes], np.int32(-1))
        column = Column(
            old_column.name, old_column.codes, new_column.values.take(pa.array(new_column.order)), old_column.decimal
        )
        return Vocabulary(column, self.raw, new_codes[self.code_of_raw])


def vocabulary(file: str, name: str, cells: pa.ChunkedArray, cell_format: CellFormat) -> Vocabulary:
    """The vocabulary of a column, from dictionary-encoded cells that contain all its values."""
    dictionary, indices = _dictionary_and_indices(cells)
    has_null = bool(len(indices) and indices.max() == len(dictionary))
    all_values = pa.concat_arrays([dictionary, pa.nulls(1, dictionary.type)]) if has_null else dictionary
    texts = arrow_text(pa.chunked_array([all_values]).dictionary_encode(), file, name)
    text_column = declare_missing(Column.from_arrow(name, texts, cell_format.decimal), cell_format.missing)
    codes = text_column.rank.astype(np.int32)[text_column.codes]
    column = Column(
        name, np.empty(0, dtype=np.int32), text_column.values.take(pa.array(text_column.order)), cell_format.decimal
    )
    return Vocabulary(column, dictionary, codes if has_null else np.append(codes, np.int32(-1)))


def count_by(frame: nw.LazyFrame[Any], places: Sequence[str]) -> nw.LazyFrame[Any]:
    """SELECT columns, COUNT(*) GROUP BY columns."""
    return frame.group_by(*places).agg(nw.len().alias("records")).select(*places, "records")


def sum_counts(counted: nw.LazyFrame[Any], places: Sequence[str]) -> nw.LazyFrame[Any]:
    """Count like `count_by`, from counts of combinations of more columns."""
    return counted.group_by(*places).agg(nw.col("records").sum()).select(*places, "records")


def dictionary_columns(batches: Iterable[pa.RecordBatch], width: int) -> tuple[list[pa.ChunkedArray], Integers]:
    """Columns of counted combinations, dictionary-encoded batch by batch, and their counts, the last column."""
    chunks: list[list[pa.DictionaryArray]] = [[] for _ in range(width)]
    counts = [np.empty(0, dtype=np.int64)]
    for batch in batches:
        for index, column_chunks in enumerate(chunks):
            column_chunks.append(_dictionary(batch.column(index)))
        counts.append(batch.column(width).cast(pa.int64()).to_numpy(zero_copy_only=False))
    columns = [
        pa.chunked_array(column_chunks).unify_dictionaries()
        if column_chunks
        else pa.chunked_array([], pa.dictionary(pa.int32(), pa.string()))
        for column_chunks in chunks
    ]
    return columns, np.concatenate(counts)


def _dictionary(cells: pa.Array) -> pa.DictionaryArray:
    kind = cells.type
    if pa.types.is_dictionary(kind):
        cells = cells.cast(kind.value_type)
    if pa.types.is_string_view(cells.type) or pa.types.is_large_string(cells.type) or pa.types.is_null(cells.type):
        cells = cells.cast(pa.string())
    return cells.dictionary_encode()


def _dictionary_and_indices(cells: pa.ChunkedArray) -> tuple[pa.Array, Codes]:
    """The dictionary, and for each cell its index in it; one past the end if the cell is null."""
    if cells.num_chunks == 0:
        return pa.array([], cells.type.value_type), np.empty(0, dtype=np.int32)
    dictionary = cells.chunk(0).dictionary
    indices = pa.concat_arrays([chunk.indices for chunk in cells.chunks]).cast(pa.int32())
    if indices.null_count:
        indices = indices.fill_null(len(dictionary))
    return dictionary, int32_of(indices)
