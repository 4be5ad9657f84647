"""The last digits that PETWorks prints: sums added one record after the other, as ARX adds them.

The catalog's figure is exact to the last bits whatever the order of the records; a sum of 30,000 rounded terms is not,
and the digits in PETWorks' documents are those of such a sum. Same definition, same placement in the hierarchies.
"""

from __future__ import annotations

import math

import numpy as np

from metrics.aggregates import Aggregates
from metrics.counting.counts import Combinations
from metrics.hierarchies.implied import implied_hierarchy
from metrics.tables.table import Floats, Integers
from metrics.utility.changes import place


def non_uniform_entropy_by_record(aggregates: Aggregates) -> float:
    """Non-uniform entropy, 0 to 1, added in the tables' order; takes tables for which the metric is available.

    The metric of `metrics.utility.non_uniform_entropy` up to the rounding of that sum: about 1e-14 on 30,000 records.
    """
    assert aggregates.original is not None
    lost, largest = [], []
    for name in aggregates.roles.quasi_identifiers:
        before, after = aggregates.original[name], aggregates.anonymized[name]
        one_each = np.ones(len(before.codes), dtype=np.int64)
        records = Combinations((before, after), (before.codes, after.codes), one_each)
        hierarchy = aggregates.hierarchies.get(name) or implied_hierarchy(aggregates.comparison.pair(name))
        placement = place(records, hierarchy)
        terms, below = [], 0
        for level in np.unique(placement.level).tolist():
            leaves = placement.leaf[placement.level >= level]
            terms.append(_bits(hierarchy.nodes(below), hierarchy.nodes(level), leaves))
            below = level
        lost.append(_sum_in_order(np.concatenate(terms)))
        whole = np.zeros(len(hierarchy.rows), dtype=np.int64)
        largest.append(_sum_in_order(_bits(np.arange(len(hierarchy.rows)), whole, placement.leaf)))
    return 1 - math.fsum(lost) / math.fsum(largest) if any(largest) else 1.0


def _bits(before: Integers, after: Integers, leaves: Integers) -> Floats:
    """Bits that each record loses from one node to the other; nodes are by leaf, `leaves` by record."""
    held, kept = np.unique(leaves, return_inverse=True)
    here, there = np.bincount(before[leaves])[before[held]], np.bincount(after[leaves])[after[held]]
    bits = [-math.log(n / total) / math.log(2) for n, total in zip(here.tolist(), there.tolist(), strict=True)]
    return np.array(bits)[kept]


def _sum_in_order(terms: Floats) -> float:
    """One after the other: numpy's own sum adds in pairs."""
    return float(np.cumsum(terms)[-1])
