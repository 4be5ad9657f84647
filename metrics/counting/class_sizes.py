"""How many equivalence classes there are of each size: few numbers, however many classes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from metrics.counting.counts import count_keys
from metrics.tables.table import Integers


@dataclass(frozen=True, eq=False)
class ClassSizes:
    """The classes by size; N records have at most the square root of 2 N different sizes."""

    sizes: Integers
    """Different class sizes, ascending."""
    counts: Integers
    """Classes of each size, at least 1."""
    suppressed: int
    """Records with `*` in every quasi-identifier; they are in no class."""

    @cached_property
    def count(self) -> int:
        """Number of classes."""
        return int(self.counts.sum())

    @cached_property
    def kept(self) -> int:
        """Records in classes."""
        return int(self.sizes @ self.counts)

    @property
    def rows(self) -> int:
        """All records, suppressed ones included."""
        return self.kept + self.suppressed

    @property
    def smallest(self) -> int:
        """Records of the smallest class, of which there is at least one."""
        return int(self.sizes[0])

    @property
    def largest(self) -> int:
        """Records of the largest class, of which there is at least one."""
        return int(self.sizes[-1])

    def of_size(self, size: int) -> int:
        """Classes of that size."""
        index = int(np.searchsorted(self.sizes, size))
        return int(self.counts[index]) if index < len(self.sizes) and self.sizes[index] == size else 0


def class_sizes(sizes: Integers, suppressed: int = 0) -> ClassSizes:
    """Count the sizes of classes, one number each."""
    return ClassSizes(*count_keys(sizes, int(sizes.max(initial=0)) + 1), suppressed)


def sum_class_sizes(parts: Iterable[ClassSizes]) -> ClassSizes:
    """The sizes of the classes of all parts together."""
    all_parts = list(parts)
    sizes = np.concatenate([np.empty(0, dtype=np.int64), *(part.sizes for part in all_parts)])
    counts = np.concatenate([np.empty(0, dtype=np.int64), *(part.counts for part in all_parts)])
    distinct, inverse = np.unique(sizes, return_inverse=True)
    total_counts = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(total_counts, inverse, counts)
    return ClassSizes(distinct, total_counts, sum(part.suppressed for part in all_parts))
