"""How records fall into groups by a few of the quasi-identifiers: counted on classes, for many subsets of columns."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from metrics.counting.classes import EquivalenceClasses
from metrics.counting.counts import compact
from metrics.errors import Unavailable
from metrics.tables.table import Integers
from metrics.texts import text

MAX_SUBSETS = 200_000
"""More subsets than this are not counted: it would take hours."""
_LARGEST_KEY = 2**62
_DENSE_SPACE = 2**20


class SubsetCounts:
    """Groups of classes that agree in some of the quasi-identifiers, identified by their positions."""

    def __init__(self, classes: EquivalenceClasses) -> None:
        self._classes = classes
        self._codes = [codes.astype(np.int64) for codes in classes.codes]
        self._widths = [max(column.distinct, 1) for column in classes.columns]

    def groups(self, columns: Sequence[int]) -> tuple[Integers, Integers]:
        """For each class the number of its group, and for each group its records (0 for a number not in use)."""
        keys, space = np.zeros(self._classes.count, dtype=np.int64), 1
        for column in columns:
            if space * self._widths[column] >= _LARGEST_KEY:
                numbers, space = compact(keys)
                keys = numbers.astype(np.int64)
            keys = keys * self._widths[column] + self._codes[column]
            space *= self._widths[column]
        if space > max(_DENSE_SPACE, 4 * len(keys)):
            numbers, space = compact(keys)
            keys = numbers.astype(np.int64)
        # Doubles hold whole numbers exactly far beyond any number of records.
        return keys, np.bincount(keys, weights=self._classes.sizes, minlength=space).astype(np.int64)


def number_of_subsets(columns: int, max_columns: int, parameter: str) -> int:
    """How many subsets of up to `max_columns` columns there are; raises Unavailable where they are too many."""
    number = sum(math.comb(columns, size) for size in range(1, min(max_columns, columns) + 1))
    if number > MAX_SUBSETS:
        raise Unavailable(text("unavailable.too_many_subsets", subsets=number, limit=MAX_SUBSETS, parameter=parameter))
    return number
