"""Checks that every kind of file needs on its way to a Table: unique column names, and its plan applied to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from metrics.errors import InputError
from metrics.reading.proposal import Row
from metrics.tables.conventions import decimal_mark, declare_missing
from metrics.tables.dictionary_codes import BLANKS
from metrics.tables.names import unique_names
from metrics.tables.read_plan import ReadPlan
from metrics.tables.table import Column, Source, Table


def header_names(rows: Sequence[Row], width: int) -> list[str]:
    """One name for every column from the rows of a header: those above each other joined by a blank."""
    parts = (
        [row.cells[index].strip(BLANKS) if index < len(row.cells) else "" for row in rows] for index in range(width)
    )
    return [" ".join(dict.fromkeys(filter(None, cells))) for cells in parts]


def names_by_plan(plan: ReadPlan, header: Sequence[str], file: str) -> tuple[list[str], tuple[str, ...]]:
    """Names of the columns that the plan keeps, and notes on them; `header` has one name per column of the file.

    Raises InputError where the plan names another number of columns, or leaves out one that is not there.
    """
    given_names = header if plan.names is None else plan.names
    if len(given_names) != len(header):
        raise InputError(
            f"the reading plan names {len(given_names):,} columns, the file has {len(header):,}",
            remedy="name every column once",
            file=file,
        )
    if any(not 1 <= position <= len(header) for position in plan.omitted_columns):
        raise InputError(
            f"the reading plan leaves out a column that is not among the {len(header):,} of the file",
            remedy="change its omitted_columns",
            file=file,
        )
    names, notes = unique_names(given_names, plan.omitted_columns)
    if not names:
        raise refuse_no_records(file, "")
    return names, notes if plan.header_lines else ()


def refuse_no_records(file: str, has: str = "a header") -> InputError:
    """The error for a table without records, or without columns either."""
    problem = f"the table has {has} but no records" if has else "the table has no columns"
    return InputError(problem, remedy="export it with its records, or change how it is read", file=file)


def assemble(
    name: str,
    columns: Sequence[Column],
    plan: ReadPlan,
    notes: Sequence[str] = (),
    sheets: tuple[str, ...] = (),
    *,
    decimal_known: bool = True,
) -> Table:
    """A Table of columns of text as read, with the plan's missing markers and decimal mark applied.

    Markers are trimmed like cells. Unless `decimal_known`, the mark is detected (`decimal_mark`).
    """
    markers = tuple(marker.strip(BLANKS) for marker in plan.missing)
    declared_columns = [declare_missing(column, markers) for column in columns] if markers else list(columns)
    mark = plan.decimal if decimal_known else decimal_mark([column.values for column in declared_columns])
    if mark != ".":
        declared_columns = [replace(column, decimal=mark) for column in declared_columns]
    plan = replace(plan, decimal=mark, missing=markers)
    return Table(name, tuple(declared_columns), len(declared_columns[0].codes), Source(plan, tuple(notes), sheets))
