"""Hierarchies of numbers: intervals of equal width, of equally many records, or between given bounds."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext
from enum import StrEnum
from itertools import accumulate, pairwise
from math import prod
from operator import mul

import numpy as np

from metrics.errors import InputError
from metrics.hierarchies.builders.leaves import build_hierarchy, check_merge, values_of
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.tables.table import Column, Floats
from metrics.tables.values import parse_number

Number = str | int | float | Decimal
"""A number as the user gives it; text may have a decimal point or comma."""

_MAX = 100_000
_DIGITS = 1_500
"""Digits that sums of any two finite doubles need."""
_EXACT = 2**53


class IntervalForm(StrEnum):
    """How an interval is written. `metrics.hierarchies.intervals.parse_interval` reads both."""

    BRACKETS = "[a, b["
    DASH = "a-b"


def equal_width(
    column: Column,
    width: Number,
    *,
    merge: Sequence[int] = (),
    start: Number = 0,
    lowest: Number | None = None,
    highest: Number | None = None,
    form: IntervalForm = IntervalForm.BRACKETS,
    keep_others: bool = False,
) -> Hierarchy:
    """Intervals `width` wide that begin at `start` plus a multiple of it; each level above joins `merge[i]` of them.

    A level that would hold one interval is left out: the root `*` says the same. Missing cells stay apart until the
    root.

    Parameters
    ----------
    column : Column
        Of a table; its values are numbers.
    width : number
        Above 0.
    merge : sequence of int
        For each level above the first, how many intervals of the level below it joins, at least 2.
    start : number
        Where an interval begins.
    lowest, highest : number, optional
        Numbers below `lowest` are together in one interval open to below, those from `highest` on in one open to above;
        both stay unchanged on every level.
    form : IntervalForm
        How an interval is written.
    keep_others : bool
        Whether values that are not numbers stay apart until the root, instead of being refused.

    Returns
    -------
    Hierarchy
        One leaf per distinct value.

    Raises
    ------
    InputError
        If a value is not a number (without `keep_others`), the width is not above 0, a factor is below 2, there are
        more than 30 factors, or the width gives more than 100,000 intervals.
    """
    step, origin = _number_as_decimal(width, column), _number_as_decimal(start, column)
    check_merge(merge, column)
    if step <= 0:
        raise InputError("the width is not above 0", remedy="choose a larger one", column=column.name)
    numbers = _numbers(column)
    with localcontext(prec=_DIGITS):
        low, high = min(numbers.values()), max(numbers.values())
        block = step * prod(merge)
        first_bound = origin + _floor((low - origin) / block) * block
        last_bound = first_bound + (_floor((high - first_bound) / block) + 1) * block
        if lowest is not None:
            first_bound = _number_as_decimal(lowest, column)
        if highest is not None:
            last_bound = _number_as_decimal(highest, column)
        if last_bound <= first_bound:
            raise InputError(
                "the intervals would end before they begin", remedy="choose other ends", column=column.name
            )
        n_intervals = -_floor((first_bound - last_bound) / step)
        if n_intervals > _MAX:
            raise InputError(
                f"the width gives more than {_MAX:,} intervals", remedy="choose a larger one", column=column.name
            )
        bounds = [*(first_bound + i * step for i in range(n_intervals)), last_bound]
    open_sides = (lowest is not None, highest is not None)
    return _intervals(column, numbers, bounds, open_sides, merge, form, keep_others)


def quantiles(
    column: Column,
    number: int,
    *,
    merge: Sequence[int] = (),
    form: IntervalForm = IntervalForm.BRACKETS,
    keep_others: bool = False,
) -> Hierarchy:
    """Intervals that hold as equally many records as the values allow; the last includes its end.

    Parameters
    ----------
    column : Column
        Of a table; its values are numbers.
    number : int
        Intervals, at most.
    merge, form, keep_others
        As of `equal_width`.

    Returns
    -------
    Hierarchy
        One leaf per distinct value.

    Raises
    ------
    InputError
        As `equal_width` does, and if `number` is below 1.
    """
    check_merge(merge, column)
    if number < 1:
        raise InputError("the number of intervals is below 1", remedy="choose a larger number", column=column.name)
    numbers = _numbers(column)
    counts = dict(zip(column.labels, column.counts().tolist(), strict=True))
    records: dict[Decimal, int] = {}
    for value, amount in numbers.items():
        records[amount] = records.get(amount, 0) + counts[value]
    distinct_numbers = sorted(records)
    n_below = np.cumsum([0, *(records[amount] for amount in distinct_numbers)])
    cuts = {int(np.abs(n_below[:-1] - n_below[-1] * i / number).argmin()) for i in range(1, number)} - {0}
    bounds = [distinct_numbers[0], *(distinct_numbers[cut] for cut in sorted(cuts)), distinct_numbers[-1]]
    return _intervals(column, numbers, bounds, (False, False), merge, form, keep_others)


def bounded(
    column: Column,
    bounds: Sequence[Number],
    *,
    merge: Sequence[int] = (),
    open_ends: bool = True,
    form: IntervalForm = IntervalForm.BRACKETS,
    keep_others: bool = False,
) -> Hierarchy:
    """Intervals between ascending bounds, each without its upper one.

    Parameters
    ----------
    column : Column
        Of a table; its values are numbers.
    bounds : sequence of number
        In ascending order.
    open_ends : bool
        Whether numbers outside are in `<first` and `>=last`, which stay so on every level; without them the last
        interval includes its end, and numbers outside are refused.
    merge, form, keep_others
        As of `equal_width`.

    Returns
    -------
    Hierarchy
        One leaf per distinct value.

    Raises
    ------
    InputError
        As `equal_width` does, and if bounds do not ascend.
    """
    check_merge(merge, column)
    decimal_bounds = [_number_as_decimal(bound, column) for bound in bounds]
    if not decimal_bounds or (len(decimal_bounds) < 2 and not open_ends):
        raise InputError("there are too few bounds", remedy="give two or more", column=column.name)
    if any(low >= high for low, high in pairwise(decimal_bounds)):
        raise InputError("the bounds do not ascend", remedy="sort them and drop repeated ones", column=column.name)
    return _intervals(column, _numbers(column), decimal_bounds, (open_ends, open_ends), merge, form, keep_others)


def format_decimal(number: Decimal, decimal: str = ".") -> str:
    """A number without exponent and needless zeros."""
    text = format(number, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text.replace(".", decimal)


def decimal_of(text: str | None, decimal: str) -> Decimal | None:
    """The number of a cell, exactly as written; None if it represents no finite number."""
    if text is None or parse_number(text, decimal) is None:
        return None
    return Decimal(text.replace(",", "."))


def _numbers(column: Column) -> dict[str, Decimal]:
    """The column's values that are numbers. Raises InputError if none is."""
    pairs = ((value, decimal_of(value, column.decimal)) for value in values_of(column))
    numbers = dict(sorted(((value, number) for value, number in pairs if number is not None), key=lambda pair: pair[1]))
    if not numbers:
        raise InputError("no value is a number", remedy="make another kind of hierarchy", column=column.name)
    return numbers


def _number_as_decimal(number: Number, column: Column) -> Decimal:
    text = str(number).strip()
    parsed_number = decimal_of(text, "," if "," in text else ".")
    if parsed_number is None:
        raise InputError("a bound or width is not a number", remedy="write a number there", column=column.name)
    return parsed_number


def _floor(number: Decimal) -> int:
    return number.__floor__()


def _intervals(
    column: Column,
    numbers: dict[str, Decimal],
    bounds: Sequence[Decimal],
    open_sides: tuple[bool, bool],
    merge: Sequence[int],
    form: IntervalForm,
    keep_others: bool,
) -> Hierarchy:
    """The hierarchy of the intervals between the bounds; `opened` says whether numbers below and above have one too.

    Numbers are compared as the doubles that readers of the labels make of them.
    """
    ends = np.array([float(bound) for bound in bounds])
    values = np.array([float(number) for number in numbers.values()])
    if (np.diff(ends[:-1]) <= 0).any() or (len(ends) > 1 and open_sides[1] and ends[-1] <= ends[-2]):
        raise InputError(
            "the intervals are too narrow to be distinguished", remedy="choose wider ones", column=column.name
        )
    _check_inside(values, ends, open_sides, column)
    naming = _Naming(bounds, values, ends, open_sides, form, column)
    indices = np.searchsorted(ends, values, side="right") - 1
    if not open_sides[1]:
        indices = np.minimum(indices, len(bounds) - 2)
    labels_of_value: dict[str, list[str]] = {value: [] for value in numbers}
    for n_joined in accumulate(merge, mul, initial=1):
        labels = [naming.label(int(index), n_joined) for index in indices]
        if n_joined > 1 and len(set(labels)) == 1:
            break
        for row, label in zip(labels_of_value.values(), labels, strict=True):
            row.append(label)
    return build_hierarchy(column, labels_of_value, keep_others, "number")


def _check_inside(values: Floats, ends: Floats, open_sides: tuple[bool, bool], column: Column) -> None:
    n_outside = int(
        ((values < ends[0]) & (not open_sides[0])).sum() + ((values > ends[-1]) & (not open_sides[1])).sum()
    )
    if n_outside:
        raise InputError(
            f"{n_outside:,} of its numbers lie outside the bounds",
            remedy="widen the bounds or leave their ends open",
            column=column.name,
        )


class _Naming:
    """The labels of intervals, by the place of their lower bound; place -1 is below all bounds."""

    def __init__(
        self,
        bounds: Sequence[Decimal],
        values: Floats,
        ends: Floats,
        open_sides: tuple[bool, bool],
        form: IntervalForm,
        column: Column,
    ) -> None:
        self.bounds, self.form, self.decimal = bounds, form, column.decimal
        self.closed = not open_sides[1] and bool((values == ends[-1]).any())
        numbers = np.concatenate([values, ends])
        if form is IntervalForm.DASH and ((numbers != np.floor(numbers)) | (np.abs(numbers) > _EXACT)).any():
            raise InputError(
                "the form a-b includes both ends and so needs whole numbers",
                remedy='choose the form "[a, b["',
                column=column.name,
            )
        self.between = " - " if ends[0] < 0 else "-"

    def label(self, index: int, n_joined: int) -> str:
        last_index = len(self.bounds) - 1
        if index < 0:
            return f"<{self.text(self.bounds[0])}"
        if index >= last_index:
            return f">={self.text(self.bounds[last_index])}"
        start = index // n_joined * n_joined
        stop = min(start + n_joined, last_index)
        is_closed = self.closed and stop == last_index
        low, high = self.bounds[start], self.bounds[stop]
        if self.form is IntervalForm.DASH:
            return f"{self.text(low)}{self.between}{self.text(high if is_closed else high - 1)}"
        return f"[{self.text(low)}, {self.text(high)}{']' if is_closed else '['}"

    def text(self, number: Decimal) -> str:
        return format_decimal(number, self.decimal)
