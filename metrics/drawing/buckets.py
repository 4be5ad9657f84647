"""Classes bucketed by their size, so that 300,000 of them make a few dozen marks. One definition for all figures."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from metrics.tables.table import Flags, Floats, Integers

MOST = 40
"""Most buckets, apart from those that thresholds split; fewer where there are few classes to fill them."""
_LEAST = 24
_FEW = 12
_TICKS = 5
_ONES = tuple(range(1, 10))
_ROUND = (
    (_ONES, (10, 12, 15, 20, 25, 30, 40, 50, 60, 80)),
    (_ONES, (10, 15, 25, 40, 60)),
    ((1, 2, 3, 4, 6), (10, 15, 25, 40, 60)),
    ((1, 2, 5), (10, 20, 50)),
    ((1,), (10,)),
)
"""Lower bounds below ten, and those that repeat with every further power of ten; finer ones first."""


@dataclass(frozen=True, eq=False)
class SizeBuckets:
    """Buckets in ascending order, each from `low` to `high` records a class, both included."""

    low: Integers
    high: Integers
    bucket: Integers
    """The bucket of each class."""
    classes: Integers
    """Classes per bucket; a bucket between others may be empty."""
    records: Integers
    """Records per bucket."""

    def __len__(self) -> int:
        return len(self.low)

    def total(self, per_class: Flags | Integers | Floats) -> Floats:
        """Sum over the classes of each bucket."""
        totals: Floats = np.bincount(self.bucket, weights=per_class, minlength=len(self)).astype(np.float64)
        return totals

    def position(self, size: int) -> float:
        """Find where classes of `size` records begin on an axis of buckets 0, 1, …, between two or at an end."""
        return bisect_left(self.low, size) - 0.5

    @property
    def axis_title(self) -> str:
        """What the axis of buckets shows, and whether they are of different widths."""
        widths = np.unique(self.high - self.low)
        return "size of class (records)" if len(widths) < 2 else "size of class (records; growing intervals)"

    @property
    def labels(self) -> list[str]:
        """Sizes in full: "7", "1,000 to 1,199"."""
        return [
            f"{low:,}" if low == high else f"{low:,} to {high:,}"
            for low, high in zip(self.low.tolist(), self.high.tolist(), strict=True)
        ]

    @property
    def ticks(self) -> list[str]:
        """Sizes in brief for evenly chosen buckets, nothing for the others."""
        step = -(-len(self) // _TICKS)
        pairs = zip(self.low.tolist(), self.high.tolist(), strict=True)
        return [
            "" if i % step else short_number(low) if low == high else f"{short_number(low)}–{short_number(high)}"
            for i, (low, high) in enumerate(pairs)
        ]


def short_number(number: int) -> str:
    """A whole number in few characters: 999, 1k, 1.2k, 3M; digits that do not fit are cut off."""
    for unit, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if number >= unit:
            whole, tenth = divmod(number * 10 // unit, 10)
            return f"{whole}.{tenth}{letter}" if tenth and whole < 100 else f"{whole}{letter}"
    return str(number)


def size_buckets(sizes: Integers, thresholds: Iterable[int] = ()) -> SizeBuckets:
    """Bucket classes by size; a bucket begins at each threshold, so that none lies on both sides of one.

    Every size has its own bucket where sizes are few or close together; else bounds are round numbers, evenly spaced or
    in steps that grow with size.
    """
    if not len(sizes):
        empty = np.zeros(0, dtype=np.int64)
        return SizeBuckets(empty, empty, empty, empty, empty)
    smallest, largest = int(sizes.min()), int(sizes.max())
    max_buckets = min(MOST, max(_LEAST, 2 * math.isqrt(len(sizes))))
    few_sizes = _few_sizes(sizes) if largest - smallest >= max_buckets else None
    if few_sizes is None:
        bounds = {
            *_bounds(smallest, largest, max_buckets),
            *(threshold for threshold in thresholds if smallest < threshold <= largest),
        }
        low = np.array([smallest, *sorted(bound for bound in bounds if bound > smallest)], dtype=np.int64)
        high = np.append(low[1:] - 1, largest)
    else:
        low = high = few_sizes
    bucket = np.searchsorted(low, sizes, side="right") - 1
    return SizeBuckets(
        low=low,
        high=high,
        bucket=bucket,
        classes=np.bincount(bucket, minlength=len(low)),
        records=np.bincount(bucket, weights=sizes, minlength=len(low)).astype(np.int64),
    )


def _few_sizes(sizes: Integers) -> Integers | None:
    """The distinct sizes if they are few; for most tables the first thousand decide, without sorting all."""
    if len(np.unique(sizes[:1000])) > _FEW:
        return None
    distinct = np.unique(sizes)
    return distinct if len(distinct) <= _FEW else None


def _bounds(smallest: int, largest: int, max_buckets: int) -> list[int]:
    """Round lower bounds of at most `max_buckets` buckets over the range."""
    if largest - smallest < max_buckets or largest < 4 * smallest:
        steps = (factor * 10**power for power in range(19) for factor in (1, 2, 5))
        step = next(step for step in steps if largest // step - smallest // step < max_buckets)
        return list(range(smallest // step * step, largest + 1, step))
    for ones, tens in _ROUND:
        larger = (factor * 10**power for power in range(18) for factor in tens)
        bounds = [bound for bound in (*ones, *larger) if smallest < bound <= largest]
        if len(bounds) < max_buckets:
            break
    return bounds
