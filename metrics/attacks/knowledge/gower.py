"""Gower's distance between a known value and a released label."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import numpy as np

from metrics.hierarchies.covering import Covering
from metrics.hierarchies.intervals import Interval, is_code
from metrics.hierarchies.labels import intervals_of
from metrics.interruption import watched
from metrics.tables.table import Column, Floats, Integers
from metrics.tables.values import parse_number

_MAX = sys.float_info.max


class GowerDistance:
    """Distances in one column.

    Between a number and a number or numeric interval: the gap over the original column's range; otherwise 0 if the
    label covers the value and 1 if not.
    """

    def __init__(self, released: Column, values: Column, covering: Covering, original: Column) -> None:
        """`original` is the original column: its range is the unit, and its values are no labels of others."""
        self._covering = covering
        self._reach = range_of(original.labels, original.decimal)
        intervals = zip(released.labels, intervals_of(released, original), strict=True)
        ends = [_ends(label, interval, released.decimal) for label, interval in watched(intervals)]
        self._ends = np.array(ends).reshape(-1, 2)
        self._numbers = np.array([number_of(label, values.decimal) for label in watched(values.labels)])

    def matrix(self, values: Integers) -> Floats:
        """For each of the values (codes) the distance to each label."""
        uncovered = 1.0 - self._covering.matrix(self._covering.group[values], len(self._ends))
        number, (low, high) = self._numbers[values][:, None], self._ends.T
        with np.errstate(over="ignore"):
            gap = np.clip(np.maximum(low - number, number - high), 0.0, _MAX)
        gap = gap / self._reach if self._reach else (gap > 0).astype(np.float64)
        distance: Floats = np.where(np.isnan(number) | np.isnan(low), uncovered, gap)
        return distance


def number_of(label: str | None, decimal: str) -> float:
    """Return the number that a label writes; NaN if it writes none, or a code with leading zeros."""
    number = None if label is None or is_code(label) else parse_number(label, decimal)
    return np.nan if number is None else number


def range_of(labels: Iterable[str | None], decimal: str) -> float:
    """Return the largest number among the labels less the smallest, a finite number; 0 without any."""
    numbers = [number for number in (number_of(label, decimal) for label in watched(labels)) if not np.isnan(number)]
    return min(max(numbers) - min(numbers), _MAX) if numbers else 0.0


def _ends(label: str | None, interval: Interval | None, decimal: str) -> tuple[float, float]:
    number = number_of(label, decimal)
    return (number, number) if interval is None else (interval.low, interval.high)
