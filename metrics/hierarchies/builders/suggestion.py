"""Suggestion of the kind of hierarchy that suits a column, from its values."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from itertools import pairwise
from typing import Any

from metrics.formatting import pluralize
from metrics.hierarchies.builders.dates import DateForm, dates, detect
from metrics.hierarchies.builders.groups import ordered_groups, suppression
from metrics.hierarchies.builders.intervals import decimal_of, equal_width, format_decimal
from metrics.hierarchies.builders.leaves import values_of
from metrics.hierarchies.builders.masking import masking
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.hierarchies.intervals import is_code, parse_interval
from metrics.tables.table import Column

_FEW = 6
_LEAST_NEIGHBOURS = 4
_INTERVALS = 20
"""About how many intervals a first level gets."""
_SHARE_OF_OTHERS = 0.1
_CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9 .-]*", re.ASCII)
_CODE_NAME = re.compile(r"zip|postal|post_?code|postcode|plz|icd", re.IGNORECASE)


class Kind(StrEnum):
    """A way of generalizing."""

    INTERVALS = "intervals"
    DATES = "dates"
    MASKING = "masking"
    NEIGHBOURS = "neighbours"
    SUPPRESSION = "suppression"


@dataclass(frozen=True)
class Suggestion:
    """A first hierarchy for a column, and how it was chosen.

    Attributes
    ----------
    kind : Kind
        The way of generalizing.
    arguments : mapping of str to object
        Those of the function that makes it.
    hierarchy : Hierarchy
        What came of them.
    because : str
        Why it was chosen, in words.
    """

    kind: Kind
    arguments: Mapping[str, Any]
    hierarchy: Hierarchy
    because: str


def suggest(column: Column) -> Suggestion:
    """A first hierarchy for a column; the user decides.

    Dates get periods, codes of equal length (letters with digits, leading zeros, or a postal code by the column's name)
    masks, numbers intervals, intervals wider ones, all else suppression alone. A tenth of the dates or numbers may be
    something else and stays unchanged.

    Parameters
    ----------
    column : Column
        Of a table.

    Returns
    -------
    Suggestion
        The hierarchy, its kind, and why it was chosen.

    Raises
    ------
    InputError
        If the column holds no value.
    """
    values = [value for value in values_of(column) if value]
    return (
        _dates(column, values)
        or _codes(column, values)
        or _numbers(column, values)
        or _neighbours(column, values)
        or _categories(column, values)
    )


def _dates(column: Column, values: list[str]) -> Suggestion | None:
    detected = detect(column)
    # Years are numbers as well: intervals suit them better than decades alone.
    if not detected.forms or detected.forms == (DateForm.YEAR,) or not _mostly(detected.others, values):
        return None
    arguments: dict[str, Any] = {"form": detected.forms[0], "keep_others": detected.others > 0}
    reason = f"the values are dates like {detected.forms[0]}"
    if detected.ambiguous:
        reason += "; whether the day or the month comes first is ambiguous, so check the result"
    return Suggestion(Kind.DATES, arguments, dates(column, **arguments), reason)


def _codes(column: Column, values: list[str]) -> Suggestion | None:
    lengths = {len(value) for value in values}
    if len(values) <= _FEW and not _CODE_NAME.search(column.name):
        return None
    if len(lengths) != 1 or lengths <= {1, 2} or not all(map(_CODE.fullmatch, values)):
        return None
    mixed = all(any(map(str.isdigit, value)) for value in values) and any(map(str.isalpha, "".join(values)))
    if not (mixed or any(map(is_code, values)) or _CODE_NAME.search(column.name)):
        return None
    reason = f"the values are codes of {pluralize(lengths.pop(), 'character')}"
    return Suggestion(Kind.MASKING, {}, masking(column), reason)


def _numbers(column: Column, values: list[str]) -> Suggestion | None:
    numbers = [number for value in values if (number := decimal_of(value, column.decimal)) is not None]
    n_others = len(values) - len(numbers)
    if len(set(numbers)) <= _FEW or not _mostly(n_others, values):
        return None
    width, merge = nice_width(numbers)
    arguments: dict[str, Any] = {"width": format_decimal(width), "merge": merge, "keep_others": n_others > 0}
    return Suggestion(Kind.INTERVALS, arguments, equal_width(column, **arguments), "the values are numbers")


def _neighbours(column: Column, values: list[str]) -> Suggestion | None:
    """Intervals joined with their neighbours, where every value is an interval and the next begins where it ends."""
    parsed = {value: parse_interval(value, column.decimal) for value in values}
    intervals = {
        value: interval
        for value, interval in parsed.items()
        if interval is not None and math.isfinite(interval.low + interval.high)
    }
    order = sorted(intervals, key=lambda value: (intervals[value].low, intervals[value].high))
    if len(order) < max(len(values), _LEAST_NEIGHBOURS):
        return None
    if any(intervals[value].high > intervals[next_value].low for value, next_value in pairwise(order)):
        return None
    arguments: dict[str, Any] = {"size": 2, "merge": (2, 2), "order": order}
    return Suggestion(Kind.NEIGHBOURS, arguments, ordered_groups(column, **arguments), "the values are intervals")


def _categories(column: Column, values: list[str]) -> Suggestion:
    reason = f"the column has {pluralize(len(values), 'category', 'categories')}"
    if len(values) > _FEW:
        reason += "; groups of them can be made by hand"
    return Suggestion(Kind.SUPPRESSION, {}, suppression(column), reason)


def _mostly(n_others: int, values: list[str]) -> bool:
    return bool(values) and n_others <= max(1, _SHARE_OF_OTHERS * len(values)) and n_others < len(values)


def nice_width(numbers: list[Decimal]) -> tuple[Decimal, tuple[int, ...]]:
    """A round width that gives about twenty intervals, and what to join for round ones above it.

    Whole numbers get a width of 2 or more.
    """
    spread = float(max(numbers)) - float(min(numbers))
    min_width = 2.0 if all(number == number.to_integral_value() for number in numbers) else 0.0
    target = max(spread / _INTERVALS, min_width)
    if not 0 < target < math.inf:
        return Decimal(1), (2, 2)
    power = Decimal(10) ** math.floor(math.log10(target))
    digit = next((digit for digit in (1, 2, 5) if digit * power >= Decimal(target)), 10)
    return digit * power, (2, 2) if digit == 5 else (5, 2)
