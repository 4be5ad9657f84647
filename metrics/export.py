"""Tables to files that other programs open; formulas made harmless in CSV."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as papq

from metrics.errors import InputError
from metrics.values import parse_number
from metrics.whole_files import write_file

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def neutralized(text: str | None) -> str | None:
    """Text that a spreadsheet would take for a formula gets an apostrophe in front; numbers stay as they are."""
    if text is None or not text.startswith(_FORMULA_STARTS):
        return text
    return text if parse_number(text) is not None else f"'{text}"


def to_csv(table: pa.Table) -> bytes:
    """A table as UTF-8 CSV, its text and column names neutralized for spreadsheets."""
    columns = [_neutral(column) for column in table.columns]
    names = [str(neutralized(name)) for name in table.column_names]
    sink = pa.BufferOutputStream()
    pacsv.write_csv(pa.Table.from_arrays(columns, names=names), sink)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def _neutral(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Text cells neutralized by way of their distinct values; other columns as they are."""
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        column = column.dictionary_encode()
    if not pa.types.is_dictionary(column.type):
        return column
    unified = column.unify_dictionaries().combine_chunks()
    texts = pa.array([neutralized(text) for text in unified.dictionary.to_pylist()], pa.string())
    return pa.chunked_array([texts.take(unified.indices)])


def write_table(table: pa.Table, path: str | Path, inputs: Sequence[str | Path] = ()) -> None:
    """Write CSV or Parquet by suffix, whole or not at all.

    Raises InputError where the suffix is neither, the path is one of the `inputs`, or the file cannot be written.
    """
    if require_suffix(path, ".csv", ".parquet") == ".csv":
        write_file(lambda file: file.write(to_csv(table)), path, inputs)
    else:
        write_file(lambda file: papq.write_table(table, file), path, inputs)


def to_parquet(table: pa.Table) -> bytes:
    """A table as Parquet."""
    sink = pa.BufferOutputStream()
    papq.write_table(table, sink)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def require_suffix(path: str | Path, *suffixes: str) -> str:
    """The path's suffix in small letters; raises InputError where it is none of those."""
    suffix = Path(path).suffix.lower()
    if suffix in suffixes:
        return suffix
    if len(suffixes) == 1:
        raise InputError(f"the suffix is not {suffixes[0]}", remedy="name such a file", file=str(path))
    raise InputError(f"the suffix is neither {' nor '.join(suffixes)}", remedy="choose one of the two", file=str(path))
