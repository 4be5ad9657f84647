"""Classes and histograms after classes are merged or deleted, computed from the counts alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from metrics.counting.histograms import Histogram
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
    is_kept = group_of_class != DELETED
    _, compact = np.unique(group_of_class[is_kept], return_inverse=True)
    groups = np.full(len(group_of_class), DELETED, dtype=np.int64)
    groups[is_kept] = compact
    n_groups = int(compact.max()) + 1 if len(compact) else 0
    group_sizes = np.zeros(n_groups, dtype=np.int64)
    np.add.at(group_sizes, compact, sizes[is_kept])
    return Grouping(
        groups, group_sizes, {name: _sum(histogram, groups, group_sizes) for name, histogram in histograms.items()}
    )


def _sum(histogram: Histogram, groups: Integers, sizes: Integers) -> Histogram:
    group = groups[histogram.group]
    is_kept = group != DELETED
    width = max(histogram.column.distinct, 1)
    keys, inverse = np.unique(group[is_kept] * width + histogram.code[is_kept], return_inverse=True)
    count = np.zeros(len(keys), dtype=np.int64)
    np.add.at(count, inverse, histogram.count[is_kept])
    return Histogram(histogram.column, sizes, keys // width, keys % width, count)
