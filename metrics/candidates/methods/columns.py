"""Which columns a method changes, and how numbers are written where it makes new ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from metrics.candidates.methods.method import parameter
from metrics.config.roles import Roles
from metrics.errors import InputError
from metrics.hierarchies.builders.intervals import decimal_of
from metrics.hierarchies.numerals import unit_of
from metrics.matching.released_values import holds_numbers, plain_numbers
from metrics.tables.dictionary_codes import text_array
from metrics.tables.table import Column, Floats, Integers, Table

_MAX_PLACES = 12
_MAX = 1e300
"""Larger numbers would overflow when they are rounded."""


def columns_parameter(which: str) -> tuple[str, ...]:
    """The field of a method that changes the named columns; `which` says which ones without a choice."""
    field: tuple[str, ...] = parameter((), "Columns", f"Columns to change; by default {which}.")
    return field


def numeric_columns(original: Table, roles: Roles, chosen: Sequence[str]) -> list[Column]:
    """The chosen columns, all of numbers; without a choice the quasi-identifiers that are. Raises InputError."""
    return _columns(original, roles, chosen, holds_numbers, "numbers")


def category_columns(original: Table, roles: Roles, chosen: Sequence[str]) -> list[Column]:
    """The chosen columns; without a choice the quasi-identifiers that hold no numbers. Raises InputError."""
    if chosen:
        return _chosen_columns(original, roles, chosen)
    return _columns(original, roles, (), lambda column: not holds_numbers(column), "categories")


def _columns(
    original: Table, roles: Roles, names: Sequence[str], fits: Callable[[Column], bool], content: str
) -> list[Column]:
    columns = _chosen_columns(original, roles, names)
    fitting = [column for column in columns if fits(column)]
    if names and len(fitting) < len(columns):
        unsuitable = next(column.name for column in columns if column not in fitting)
        raise InputError(
            f"the column does not contain {content}",
            remedy="choose other columns",
            file=original.name,
            column=unsuitable,
        )
    if not fitting:
        raise InputError(
            f"no quasi-identifier contains {content}",
            remedy="choose another method or other columns",
            file=original.name,
        )
    return fitting


def _chosen_columns(original: Table, roles: Roles, names: Sequence[str]) -> list[Column]:
    roles.check(original)
    return list(original.select(tuple(dict.fromkeys(names)) or roles.quasi_identifiers))


def numbers_by_record(column: Column) -> Floats:
    """The number in each record; NaN if there is none."""
    return plain_numbers(column)[column.codes]


def mean_and_deviation(column: Column) -> tuple[float, float]:
    """Mean and sample standard deviation (n - 1) of the column's numbers; to the last bit the same on every machine."""
    values, counts = plain_numbers(column), column.counts()
    has_number = ~np.isnan(values)
    numbers, records = values[has_number], counts[has_number]
    total = int(records.sum())
    if total < 2:
        return (float(numbers[0]), 0.0) if total else (0.0, 0.0)
    unit = unit_of(numbers)
    mean = math.fsum(numbers / unit * records) / total
    variance = math.fsum((numbers / unit - mean) ** 2 * records) / (total - 1)
    return mean * unit, math.sqrt(variance) * unit


def decimal_places(column: Column) -> int:
    """Decimal places that the column's numbers are written with, at most 12."""
    exact = [decimal_of(label, column.decimal) for label in column.labels]
    exponents = [int(number.as_tuple().exponent) for number in exact if number is not None]
    return (
        min(max((-exponent for exponent in exponents), default=0), _MAX_PLACES) if min(exponents, default=0) < 0 else 0
    )


def with_numbers(column: Column, numbers: Floats) -> Column:
    """The column with other numbers, rounded to its decimal places; cells without a number (NaN) stay."""
    has_number = ~np.isnan(numbers)
    decimals = decimal_places(column)
    finite = np.clip(numbers[has_number], -_MAX, _MAX)
    rounded, code = np.unique(np.round(finite, decimals) + 0.0, return_inverse=True)
    texts = [f"{number:.{decimals}f}".replace(".", column.decimal) for number in rounded.tolist()]
    codes: Integers = column.codes.astype(np.int64)
    codes[has_number] = column.distinct + code
    return Column.from_codes(column.name, codes.astype(np.int32), text_array([*column.labels, *texts]), column.decimal)
