"""Classes and histograms after classes are merged or deleted, computed from the counts alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from metrics.counting.classes import Histogram
from metrics.tables.table import Integers

DELETED = -1
"""The group of a class that is deleted."""


@dataclass(frozen=True, eq=False)
class Grouping:
    """Sizes and histograms of the groups that classes were put into."""

    group_of_class: Integers
    """For each former class the group it is in, 0 upwards without gaps, or DELETED."""
    sizes: Integers
    histograms: Mapping[str, Histogram]


def regroup(histograms: Mapping[str, Histogram], sizes: Integers, group_of_class: Integers) -> Grouping:
    """Sum the histograms of classes that share a group; classes in the group DELETED are left out.

    `group_of_class` may number its groups in any way; the result numbers them by the order of their smallest number.
    """
    kept = group_of_class != DELETED
    _, compact = np.unique(group_of_class[kept], return_inverse=True)
    groups = np.full(len(group_of_class), DELETED, dtype=np.int64)
    groups[kept] = compact
    number = int(compact.max()) + 1 if len(compact) else 0
    summed = np.zeros(number, dtype=np.int64)
    np.add.at(summed, compact, sizes[kept])
    return Grouping(groups, summed, {name: _sum(histogram, groups, summed) for name, histogram in histograms.items()})


def _sum(histogram: Histogram, groups: Integers, sizes: Integers) -> Histogram:
    group = groups[histogram.group]
    kept = group != DELETED
    width = max(histogram.column.distinct, 1)
    keys, inverse = np.unique(group[kept] * width + histogram.code[kept], return_inverse=True)
    count = np.zeros(len(keys), dtype=np.int64)
    np.add.at(count, inverse, histogram.count[kept])
    return Histogram(histogram.column, sizes, keys // width, keys % width, count)
