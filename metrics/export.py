"""Tables to files that other programs open: written beside, then renamed; formulas made harmless in CSV."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as papq

from metrics.errors import InputError
from metrics.values import parse_number

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
    if pa.types.is_string(column.type):
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
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in (".csv", ".parquet"):
        raise InputError("the suffix is neither .csv nor .parquet", remedy="choose one of the two", file=str(path))
    if any(Path(source).exists() and path.exists() and path.samefile(source) for source in inputs):
        raise InputError("the output would overwrite an input", remedy="name another file", file=str(path))
    try:
        handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError:
        raise InputError(
            "the folder cannot be written to", remedy="check the path and its permissions", file=str(path)
        ) from None
    try:
        with os.fdopen(handle, "wb") as file:
            if suffix == ".csv":
                file.write(to_csv(table))
            else:
                papq.write_table(table, file)
        Path(beside).replace(path)
    except OSError:
        raise InputError(
            "the file cannot be written", remedy="check free space and permissions", file=str(path)
        ) from None
    finally:
        Path(beside).unlink(missing_ok=True)
