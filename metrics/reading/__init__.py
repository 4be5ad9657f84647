"""Files and data frames to Tables: CSV in its dialects, Parquet, Excel, and tables in memory."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, BinaryIO, Protocol, TypeAlias

from metrics.errors import InputError
from metrics.matching_values import resolved
from metrics.reading.delimited import Rows, read_delimited, read_delimited_rows
from metrics.reading.layout import Choices
from metrics.reading.origin import UNNAMED, Origin, origin
from metrics.table import Table

__all__ = ["MOST_LINES", "Frame", "Rows", "TableLike", "as_table", "read_rows", "read_table"]

Bytes = bytes | bytearray | memoryview
MOST_LINES = 1_000_000_000
"""Lines that can be chosen to stand before, in or after a table."""


class Frame(Protocol):
    """A table in memory that Arrow can read, as pandas, Polars and Arrow have it."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The Arrow C stream interface."""


TableLike: TypeAlias = Table | Frame


def read_table(
    source: str | os.PathLike[str] | Bytes | BinaryIO | Any,
    *,
    name: str | None = None,
    delimiter: str | None = None,
    quote: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    missing: Sequence[str] = (),
    sheet: str | None = None,
    escape: str | None = None,
    skip_lines: int | None = None,
    header_lines: int | None = None,
    footer_lines: int | None = None,
    blank_lines: str | None = None,
    renamed: Sequence[tuple[str, str]] = (),
    same_values: Sequence[tuple[str, str, str]] = (),
) -> Table:
    """The table in a file, in bytes, or in a pandas, Polars or Arrow table; its content tells the kind.

    Args:
        source: a path, bytes, a binary file object (read from where it stands, not closed), or a table in memory.
        name: what messages and headings call it; a path's file name by default.
        delimiter, quote, encoding: of a text file; detected by default. `quote=""` if it quotes nothing,
            `delimiter=""` if it has one column; a delimiter may have several signs.
        decimal: "." or ","; detected by default. Cells stay text either way.
        missing: texts that mean a missing cell; by default none does.
        sheet: of a workbook; by default its first visible one that is not empty.
        escape: of a text file: the sign that makes the next one text, "" for none; detected by default. A backslash
            makes of n, t, r, b, f and v the control characters they stand for, and leaves \\N as it is.
        skip_lines: lines before the header, as rows of a sheet; by default titles and comments, where they are evident.
        header_lines: lines that together name the columns, 0 if none does; 1 by default.
        footer_lines: lines after the last record, blank ones not counted; by default evident totals and notes.
        blank_lines: "cells" or "nothing": what empty lines are in a table of one column, and lines of delimiters alone
            in others, where it is in doubt.
        renamed: names of columns in the file, each with the one to give it.
        same_values: column (as it is named then), value, and the value to read it as.

    What was detected stands in `Table.source`. Choices that a kind of file does not have are ignored. Typed columns
    become text by the rule of `metrics.reading.typed`.

    Raises:
        InputError: one sentence, if the source is no table with a header of distinct names and at least one record.
    """
    if decimal not in (None, ".", ","):
        raise InputError("the decimal sign must be a point or a comma", remedy='choose "." or ","', file=name)
    if blank_lines not in (None, "cells", "nothing"):
        raise InputError("blank lines are either cells or nothing", remedy='choose "cells" or "nothing"', file=name)
    if any(lines is not None and not 0 <= lines <= MOST_LINES for lines in (skip_lines, header_lines, footer_lines)):
        raise InputError("a number of lines is out of all bounds", remedy=f"choose 0 to {MOST_LINES:,}", file=name)
    if escape not in (None, "", "\\"):
        raise InputError("the escape sign must be a backslash or none", remedy='choose "\\" or ""', file=name)
    choices = Choices(
        delimiter, quote, encoding, decimal, missing, escape, skip_lines, header_lines, footer_lines, blank_lines
    )
    table = _read(source, name, sheet, choices)
    return resolved(table, renamed, same_values) if renamed or same_values else table


def _read(source: Any, name: str | None, sheet: str | None, choices: Choices) -> Table:
    decimal, missing = choices.decimal, choices.missing
    if hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__"):
        from metrics.reading.memory import read_memory

        return read_memory(source, name or UNNAMED, decimal, missing)
    file = origin(source, name)
    kind = file.kind()
    if kind == "parquet":
        from metrics.reading.parquet import read_parquet

        return read_parquet(file, decimal, missing)
    if kind in ("zip", "ole2"):
        from metrics.reading.excel import read_excel, refuse_ole2

        if kind == "ole2":
            raise refuse_ole2(file)
        return read_excel(file, sheet, choices)
    return read_delimited(file, choices, "gzip" if kind == "gzip" else None)


def as_table(source: TableLike, name: str) -> Table:
    """A Table as it is, and any other table in memory as `read_table` reads it, under that name. Raises InputError."""
    return source if isinstance(source, Table) else read_table(source, name=name)


def read_rows(source: str | os.PathLike[str] | Bytes | BinaryIO, *, name: str | None = None) -> Rows:
    """A small delimited file without a header, such as a hierarchy: trimmed cells and their lines.

    Delimiter, quote and encoding are detected as by `read_table`; rows need not be equally long; blank lines are
    left out. Raises InputError.
    """
    file = origin(source, name)
    kind = file.kind()
    if kind not in ("text", "gzip"):
        raise _not_text(file)
    return read_delimited_rows(file, "gzip" if kind == "gzip" else None)


def _not_text(file: Origin) -> InputError:
    return InputError("the file is not delimited text", remedy="save it as CSV", file=file.name)
