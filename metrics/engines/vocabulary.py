"""The values of one column as an engine holds them, and the codes they have in every count of that column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from metrics.encoding import int32_of
from metrics.reading.assembly import declare_missing
from metrics.reading.typed import arrow_text
from metrics.table import Codes, Column, Integers


@dataclass(frozen=True)
class Writing:
    """How a table's cells are to be understood: the decimal sign, and the texts that mean missing."""

    decimal: str = "."
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """A column's values in canonical order, so that codes sort as values do, and the engine's values behind them.

    Blanks around a text, markers of missing cells and types are dealt with here, once per distinct value and by the
    rules of reading: several of the engine's values may be one of the column's.
    """

    column: Column
    """Without codes: no record is held."""
    raw: pa.Array
    """The engine's distinct values, none of them null."""
    code_of_raw: Codes
    """Code of each, and one more: that of null, -1 where no cell is null."""

    @property
    def width(self) -> int:
        """Number of distinct values, at least 1."""
        return max(self.column.distinct, 1)

    def codes_of(self, cells: pa.ChunkedArray) -> Codes:
        """Codes of dictionary-encoded values of the engine, all of them known."""
        dictionary, indices = _parts(cells)
        place = pc.index_in(dictionary, value_set=self.raw)
        known = np.append(self.code_of_raw[int32_of(place)], self.code_of_raw[-1])
        return known[indices]

    def raw_of(self, codes: npt.NDArray[np.bool_]) -> tuple[pa.Array, bool]:
        """The engine's values behind the codes that are marked, and whether null is one of them."""
        chosen = np.append(codes, False)[self.code_of_raw]
        return self.raw.take(pa.array(np.flatnonzero(chosen[:-1]))), bool(chosen[-1])


def vocabulary(file: str, name: str, cells: pa.ChunkedArray, writing: Writing) -> Vocabulary:
    """The vocabulary of a column, all of whose values are among the dictionary-encoded cells."""
    dictionary, indices = _parts(cells)
    null = bool(len(indices) and indices.max() == len(dictionary))
    each = pa.concat_arrays([dictionary, pa.nulls(1, dictionary.type)]) if null else dictionary
    texts = arrow_text(pa.chunked_array([each]).dictionary_encode(), file, name)
    written = declare_missing(Column.from_arrow(name, texts, writing.decimal), writing.missing)
    codes = written.rank.astype(np.int32)[written.codes]
    column = Column(name, np.empty(0, dtype=np.int32), written.values.take(pa.array(written.order)), writing.decimal)
    return Vocabulary(column, dictionary, codes if null else np.append(codes, np.int32(-1)))


def grouped(frame: nw.LazyFrame[Any], places: Sequence[str]) -> nw.LazyFrame[Any]:
    """SELECT columns, COUNT(*) GROUP BY columns."""
    return frame.group_by(*places).agg(nw.len().alias("records")).select(*places, "records")


def added_up(counted: nw.LazyFrame[Any], places: Sequence[str]) -> nw.LazyFrame[Any]:
    """The same from combinations of more columns that are counted already."""
    return counted.group_by(*places).agg(nw.col("records").sum()).select(*places, "records")


def encoded(batches: Iterable[pa.RecordBatch], width: int) -> tuple[list[pa.ChunkedArray], Integers]:
    """Columns of counted combinations, dictionary-encoded batch by batch, and the counts, which come last."""
    chunks: list[list[pa.DictionaryArray]] = [[] for _ in range(width)]
    counts = [np.empty(0, dtype=np.int64)]
    for batch in batches:
        for place, held in enumerate(chunks):
            held.append(_dictionary(batch.column(place)))
        counts.append(batch.column(width).cast(pa.int64()).to_numpy(zero_copy_only=False))
    columns = [
        pa.chunked_array(held).unify_dictionaries()
        if held
        else pa.chunked_array([], pa.dictionary(pa.int32(), pa.string()))
        for held in chunks
    ]
    return columns, np.concatenate(counts)


def _dictionary(cells: pa.Array) -> pa.DictionaryArray:
    kind = cells.type
    if pa.types.is_dictionary(kind):
        cells = cells.cast(kind.value_type)
    if pa.types.is_string_view(cells.type) or pa.types.is_large_string(cells.type) or pa.types.is_null(cells.type):
        cells = cells.cast(pa.string())
    return cells.dictionary_encode()


def _parts(cells: pa.ChunkedArray) -> tuple[pa.Array, Codes]:
    """The dictionary, and for each cell its place in there, one past the end where it is null."""
    if cells.num_chunks == 0:
        return pa.array([], cells.type.value_type), np.empty(0, dtype=np.int32)
    dictionary = cells.chunk(0).dictionary
    indices = pa.concat_arrays([chunk.indices for chunk in cells.chunks]).cast(pa.int32())
    if indices.null_count:
        indices = indices.fill_null(len(dictionary))
    return dictionary, int32_of(indices)
