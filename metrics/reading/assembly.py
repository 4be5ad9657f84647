"""What every kind of file needs on its way to a Table: names checked, missing markers, the decimal sign."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from metrics.encoding import BLANKS, normalize
from metrics.errors import InputError
from metrics.reading.letters import COMMA_NUMBER
from metrics.table import Column, Source, Table

_DECIMAL_SAMPLE = 1000
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+", re.ASCII)
_POINT = re.compile(r"[+-]?\d*\.\d+", re.ASCII)


def check_names(
    names: Sequence[str],
    file: str,
    row: int | None,
    place: Callable[[int], str] = "column {}".format,
    *,
    divided: bool = True,
) -> list[str]:
    """The column names, trimmed.

    Raises InputError if one is blank or stands twice; `place` words the position (from 1) of a column without a name.
    `divided`: whether delimiters divide the lines.
    """
    trimmed = [name.strip(BLANKS) for name in names]
    for position, name in enumerate(trimmed, 1):
        if name:
            continue
        last = divided and position == len(trimmed) > 1
        raise InputError(
            f"{place(position)} has no name" + (", as if every line ended with a delimiter" if last else ""),
            remedy="name it in the header or remove it" + (" with its delimiter from every line" if last else ""),
            file=file,
            row=row,
        )
    seen: dict[str, int] = {}
    for position, name in enumerate(trimmed, 1):
        if name in seen:
            raise InputError(
                f"{place(seen[name])} and {place(position)} have the same name",
                remedy="give every column a name of its own",
                file=file,
                row=row,
                column=name,
            )
        seen[name] = position
    return trimmed


def refuse_no_records(file: str, has: str = "a header") -> InputError:
    """The error for a table without records, or without columns either."""
    problem = f"the table has {has} but no records" if has else "the table has no columns"
    return InputError(problem, remedy="export it with its records, or read the file in another way", file=file)


def assemble(
    name: str, columns: Sequence[Column], source: Source, decimal: str | None, missing: Sequence[str]
) -> Table:
    """A Table of columns of text as read, with missing markers and the decimal sign applied.

    Markers are trimmed like cells. The decimal sign is one for the table: a comma if cells among the first distinct
    values of its columns are numbers with a decimal comma and none with a point, unless `decimal` says which.
    """
    markers = tuple(marker.strip(BLANKS) for marker in missing)
    declared = [declare_missing(column, markers) for column in columns] if markers else list(columns)
    sign = decimal or decimal_sign(declared)
    if sign != ".":
        declared = [replace(column, decimal=sign) for column in declared]
    rows = len(declared[0].codes)
    return Table(name, tuple(declared), rows, replace(source, decimal=sign, missing=markers))


def declare_missing(column: Column, markers: tuple[str, ...]) -> Column:
    """The column with the trimmed texts that mean missing taken as such."""
    declared = pc.is_in(column.values, value_set=pa.array(markers, pa.string()))
    if not pc.any(declared).as_py():
        return column
    values = pc.if_else(declared, pa.scalar(None, pa.string()), column.values)
    codes, distinct = normalize(column.codes, values, dense=True)
    return Column(column.name, codes, distinct, column.decimal)


def decimal_sign(columns: Sequence[Column]) -> str:
    """The decimal sign of a table, told by the first distinct values of its columns."""
    comma = False
    for column in columns:
        for label in column.values[:_DECIMAL_SAMPLE].to_pylist():
            if label is None:
                continue
            if _POINT.fullmatch(label):
                return "."
            # "1,234" may be a thousand and more: it proves nothing.
            comma = comma or bool(COMMA_NUMBER.fullmatch(label) and not _GROUPED.fullmatch(label))
    return "," if comma else "."
