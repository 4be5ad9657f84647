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
from metrics.utility.cells.changes import positions_in_hierarchy


def non_uniform_entropy_by_record(aggregates: Aggregates) -> float:
    """Non-uniform entropy, 0 to 1, added in the tables' order; takes tables for which the metric is available.

    The metric of `metrics.utility.non_uniform_entropy` up to the rounding of that sum: about 1e-14 on 30,000 records.
    """
    assert aggregates.original is not None
    lost_bits, max_bits = [], []
    for name in aggregates.roles.quasi_identifiers:
        before, after = aggregates.original[name], aggregates.anonymized[name]
        ones = np.ones(len(before.codes), dtype=np.int64)
        records = Combinations((before, after), (before.codes, after.codes), ones)
        hierarchy = aggregates.hierarchies.get(name) or implied_hierarchy(aggregates.comparison.pair(name))
        placement = positions_in_hierarchy(records, hierarchy)
        terms, lower_level = [], 0
        for level in np.unique(placement.level).tolist():
            leaves = placement.leaf[placement.level >= level]
            terms.append(_bits(hierarchy.nodes(lower_level), hierarchy.nodes(level), leaves))
            lower_level = level
        lost_bits.append(_sum_in_order(np.concatenate(terms)))
        root_nodes = np.zeros(len(hierarchy.rows), dtype=np.int64)
        max_bits.append(_sum_in_order(_bits(np.arange(len(hierarchy.rows)), root_nodes, placement.leaf)))
    return 1 - math.fsum(lost_bits) / math.fsum(max_bits) if any(max_bits) else 1.0


def _bits(before: Integers, after: Integers, leaves: Integers) -> Floats:
    """Bits that each record loses from one node to the other; nodes are by leaf, `leaves` by record."""
    used_leaves, inverse = np.unique(leaves, return_inverse=True)
    counts_before, counts_after = (
        np.bincount(before[leaves])[before[used_leaves]],
        np.bincount(after[leaves])[after[used_leaves]],
    )
    bits = [
        -math.log(n / total) / math.log(2)
        for n, total in zip(counts_before.tolist(), counts_after.tolist(), strict=True)
    ]
    return np.array(bits)[inverse]


def _sum_in_order(terms: Floats) -> float:
    """One after the other: numpy's own sum adds in pairs."""
    return float(np.cumsum(terms)[-1])
