"""Conventions of writing cells: texts that represent a missing value, and the decimal mark."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pyarrow as pa
import pyarrow.compute as pc

from metrics.tables.dictionary_codes import normalize
from metrics.tables.table import Column

DECIMAL_SAMPLE = 1000
"""Number of a column's values by which its decimal mark is judged."""
_EXPONENT = r"(?:[eE][+-]?\d+)?"
_COMMA_NUMBER = re.compile(rf"[+-]?\d+,\d+{_EXPONENT}", re.ASCII)
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+", re.ASCII)
_POINT = re.compile(rf"[+-]?\d*\.\d+{_EXPONENT}", re.ASCII)
_LONGEST_NUMBER = 40
_BOUND = r"[+-]?\d*(?:[.,]\d+)?"
_INTERVAL = re.compile(
    rf"(?:[\[\](]\s*+)?({_BOUND})\s*+(?:[,;]\s++|[;–—~-]|\.\.|to|bis)\s*+({_BOUND})(?:\s*+[\[\])])?|[<>≤≥]=?\s*+({_BOUND})",
    re.ASCII,
)
"""An interval whose bounds can be told from each other whatever the decimal mark: [-1,5, 2[ but not [1,5]."""


def declare_missing(column: Column, markers: tuple[str, ...]) -> Column:
    """The column with the trimmed texts that mean missing taken as such."""
    is_marker = pc.is_in(column.values, value_set=pa.array(markers, pa.string()))
    if not pc.any(is_marker).as_py():
        return column
    values = pc.if_else(is_marker, pa.scalar(None, pa.string()), column.values)
    codes, distinct = normalize(column.codes, values, dense=True)
    return Column(column.name, codes, distinct, column.decimal)


def decimal_mark(columns: Iterable[pa.StringArray]) -> str:
    """The decimal mark of a table, by the first distinct values of its columns.

    A comma if some are numbers with a decimal comma, or intervals of such, and none is one with a point. "1,234" may be
    more than a thousand and proves nothing.
    """
    comma = False
    for values in columns:
        for label in values[:DECIMAL_SAMPLE].to_pylist():
            if label is None or len(label) > _LONGEST_NUMBER:
                continue
            interval = _INTERVAL.fullmatch(label)
            for number in filter(None, interval.groups() if interval else (label,)):
                if _POINT.fullmatch(number):
                    return "."
                comma = comma or bool(_COMMA_NUMBER.fullmatch(number) and not _GROUPED.fullmatch(number))
    return "," if comma else "."
