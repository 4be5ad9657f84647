"""Writes tables to files for other programs; text that a spreadsheet would run as a formula is escaped in CSV."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
import pyarrow.parquet as papq

from metrics.errors import InputError
from metrics.tables.atomic_write import write_file
from metrics.tables.formula_guard import neutralized


def to_csv(table: pa.Table) -> bytes:
    """A table as UTF-8 CSV, its text and column names neutralized for spreadsheets."""
    columns = [_neutral(column) for column in table.columns]
    names = [str(neutralized(name)) for name in table.column_names]
    sink = pa.BufferOutputStream()
    pacsv.write_csv(pa.Table.from_arrays(columns, names=names), sink)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def _neutral(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Text cells neutralized, each distinct value once; other columns unchanged."""
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        column = column.dictionary_encode()
    if not pa.types.is_dictionary(column.type):
        return column
    unified = column.unify_dictionaries().combine_chunks()
    texts = pa.array([neutralized(text) for text in unified.dictionary.to_pylist()], pa.string())
    return pa.chunked_array([texts.take(unified.indices)])


def write_table(table: pa.Table, path: str | Path, inputs: Sequence[str | Path] = ()) -> None:
    """Write CSV or Parquet, by suffix, completely or not at all.

    Raises InputError if the suffix is neither, the path is one of the `inputs`, or the file cannot be written.
    """
    if require_suffix(path, ".csv", ".parquet") == ".csv":
        write_file(lambda file: file.write(to_csv(table)), path, inputs)
    else:
        write_file(lambda file: papq.write_table(_encoded_anew(table), file), path, inputs)


def to_parquet(table: pa.Table) -> bytes:
    """A table as Parquet."""
    sink = pa.BufferOutputStream()
    papq.write_table(_encoded_anew(table), sink)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def _encoded_anew(table: pa.Table) -> pa.Table:
    """The values of dictionaries in the order in which the records hold them, so that equal cells give equal bytes."""
    columns = [_encoded_column(column) if pa.types.is_dictionary(column.type) else column for column in table.columns]
    return pa.Table.from_arrays(columns, names=table.column_names)


def _encoded_column(column: pa.ChunkedArray) -> pa.DictionaryArray:
    """The column with missing cells among the codes: Parquet has none among the values."""
    unified = column.unify_dictionaries().combine_chunks()
    missing = unified.dictionary.is_null().take(unified.indices)
    indices = pc.if_else(missing, None, unified.indices).dictionary_encode()
    return pa.DictionaryArray.from_arrays(indices.indices, unified.dictionary.take(indices.dictionary))


def require_suffix(path: str | Path, *suffixes: str) -> str:
    """The path's suffix in lower case. Raises InputError if it is not one of `suffixes`."""
    suffix = Path(path).suffix.lower()
    if suffix in suffixes:
        return suffix
    if len(suffixes) == 1:
        raise InputError(
            f"the file name does not end in {suffixes[0]}",
            remedy=f"choose a name that ends in {suffixes[0]}",
            file=str(path),
        )
    raise InputError(
        f"the file name ends in neither {' nor '.join(suffixes)}",
        remedy="choose one of the two endings",
        file=str(path),
    )
