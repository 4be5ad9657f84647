"""The numbers that cells represent: the number itself, or the bounds of the numbers that a generalized cell covers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metrics.counting.counts import Combinations
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.hierarchies.intervals import Interval, is_code
from metrics.hierarchies.labels import intervals_of
from metrics.tables.table import SUPPRESSED, Column, Floats
from metrics.tables.values import parse_number


@dataclass(frozen=True, eq=False)
class Bounds:
    """Per distinct value of a column the smallest and largest number it represents; NaN if it represents none."""

    low: Floats
    high: Floats

    @property
    def middle(self) -> Floats:
        """The middle between them."""
        middle: Floats = self.low / 2 + self.high / 2
        return middle


def unit_of(numbers: Floats) -> float:
    """A power of two near the largest of the numbers: in such units nothing is rounded and no square overflows."""
    largest = float(np.abs(numbers).max())
    return math.ldexp(1.0, math.frexp(largest)[1] - 1) if largest else 1.0


def is_numeric(original: Column) -> bool:
    """Whether the original values are numbers, apart from missing and suppressed ones; codes such as 00123 are not."""
    if original.numbers is None:
        labels = [label for label in original.labels if label not in (None, "", SUPPRESSED)]
        return bool(labels) and all(_number(label, original.decimal) is not None for label in labels)
    return not any(label is not None and is_code(label) for label in original.labels)


def bounds(column: Column, original: Column, hierarchy: Hierarchy | None = None) -> Bounds:
    """Return the bounds of the numbers that the values of a column, original or anonymized, represent.

    A number for itself; an interval for its ends, an open end for the original's smallest or largest number; a masked
    number (476**) for the smallest and largest it can be; any other label that stands in the hierarchy for the smallest
    and largest leaf under it. A suppressed or missing cell represents none.
    """
    if column.numbers is not None and is_numeric(column):
        return Bounds(column.numbers.copy(), column.numbers.copy())
    numbers = [number for label in original.labels if (number := _number(label, original.decimal)) is not None]
    smallest, largest = min(numbers, default=np.nan), max(numbers, default=np.nan)
    intervals = intervals_of(column, original)
    leaf_bounds = _leaves(column, hierarchy, intervals)
    ranges = []
    for label, interval in zip(column.labels, intervals, strict=True):
        if not label or label == SUPPRESSED:
            ranges.append((np.nan, np.nan))
        elif (number := _number(label, column.decimal)) is not None:
            ranges.append((number, number))
        elif interval is not None:
            low = interval.low if np.isfinite(interval.low) else min(smallest, interval.high)
            ranges.append((low, interval.high if np.isfinite(interval.high) else max(largest, low)))
        elif label in leaf_bounds:
            ranges.append(leaf_bounds[label])
        else:
            ranges.append(_range_of_masked_number(label, column.decimal))
    pairs = np.array(ranges, dtype=np.float64).reshape(-1, 2)
    return Bounds(pairs[:, 0].copy(), pairs[:, 1].copy())


def middles(pair: Combinations, hierarchy: Hierarchy | None = None) -> tuple[Floats, Floats]:
    """Return the number of each distinct value before and after.

    An anonymized cell that tells no number counts as the middle of the original's range, whatever it holds.
    """
    original, anonymized = pair.columns
    before = bounds(original, original).middle
    after = bounds(anonymized, original, hierarchy).middle
    known_numbers = before[~np.isnan(before)]
    after[np.isnan(after)] = known_numbers.min() / 2 + known_numbers.max() / 2
    return before, after


def _number(label: str | None, decimal: str) -> float | None:
    return None if label is None or is_code(label) else parse_number(label, decimal)


def _range_of_masked_number(label: str, decimal: str) -> tuple[float, float]:
    if SUPPRESSED in label:
        ends = [parse_number(label.replace(SUPPRESSED, digit), decimal) for digit in "09"]
        if ends[0] is not None and ends[1] is not None and not is_code(label):
            return min(ends[0], ends[1]), max(ends[0], ends[1])
    return np.nan, np.nan


def _leaves(
    column: Column, hierarchy: Hierarchy | None, intervals: Sequence[Interval | None]
) -> dict[str, tuple[float, float]]:
    """Smallest and largest leaf under each label of the column that has only numbers under it."""
    if hierarchy is None:
        return {}
    group_labels = {
        label
        for label, interval in zip(column.labels, intervals, strict=True)
        if label and interval is None and _number(label, column.decimal) is None
    }
    bounds_of_label: dict[str, tuple[float, float]] = {}
    for row in hierarchy.rows:
        number = _number(row[0], column.decimal)
        for label in group_labels.intersection(row):
            low, high = bounds_of_label.get(label, (np.inf, -np.inf))
            # NaN stays: a group with a leaf that is not a number has no bounds.
            leaf = np.nan if number is None else number
            bounds_of_label[label] = (float(np.minimum(low, leaf)), float(np.maximum(high, leaf)))
    return bounds_of_label
