"""Non-uniform entropy: how much information about the quasi-identifiers generalization has left."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics.counts import Combinations
from metrics.evidence import Evidence
from metrics.hierarchy import Hierarchy
from metrics.parameters import Parameters
from metrics.specification import Direction, Family, Metric, Unavailable
from metrics.table import Floats, Integers
from metrics.utility.changes import CHANGES, Change, changes_of, place
from metrics.utility.implied import implied_hierarchy


@dataclass(frozen=True)
class ColumnLoss:
    """Information lost in one column, in bits."""

    loss: float
    largest: float
    """What suppressing the whole column would lose."""
    by_level: Mapping[int, float]
    """The part of the loss that generalizing to each level adds."""
    perturbed: int
    """Records whose anonymized value is no ancestor of their original."""

    @property
    def score(self) -> float:
        """1 less the share lost; 1 where there was nothing to lose."""
        return 1 - self.loss / self.largest if self.largest else 1.0


@dataclass(frozen=True)
class NonUniformEntropy:
    """`value` is 1 less the share of information lost over all columns."""

    value: float
    columns: Mapping[str, ColumnLoss]
    deleted: int
    ambiguous: Mapping[str, int]
    """Per column with any: labels that stand on two levels of its hierarchy."""

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """The score of each column alone."""
        return {name: column.score for name, column in self.columns.items()}

    def details(self) -> dict[str, Any]:
        """Losses in bits, per column and level."""
        return {
            "loss": math.fsum(column.loss for column in self.columns.values()),
            "largest_loss": math.fsum(column.largest for column in self.columns.values()),
            "loss_by_column": {name: column.loss for name, column in self.columns.items()},
            "loss_by_level": {
                name: {str(level): loss for level, loss in column.by_level.items()}
                for name, column in self.columns.items()
            },
            "perturbed_cells": {name: column.perturbed for name, column in self.columns.items()},
            "ambiguous_labels": dict(self.ambiguous),
            "deleted_records": self.deleted,
        }

    def in_words(self) -> str:
        """The finding."""
        worst = max(self.columns, key=lambda name: self.columns[name].loss)
        if not self.columns[worst].loss:
            return "Nothing was lost: every quasi-identifier tells as much as before."
        share = self.columns[worst].loss / math.fsum(column.loss for column in self.columns.values())
        return f"{self.value:.0%} of the information is left; {worst} accounts for {share:.0%} of what was lost."


def column_loss(pair: Combinations, hierarchy: Hierarchy) -> ColumnLoss:
    """Loss of one column, from how often each (original, anonymized) pair of values occurs.

    With l_1 < ... < l_m the levels present in the anonymized column and R_i the records at level l_i or above, each
    record of R_i loses -log2 of the share that R_i's records with its value on level l_(i-1) have among those with its
    value on level l_i, counted on the original column. Raises Unavailable where the hierarchy misses a value.
    """
    placement = place(pair, hierarchy)
    leaf_of_pair, level_of_pair = placement.leaf, placement.level
    by_level: dict[int, float] = {}
    below = 0
    for current in np.flatnonzero(np.bincount(level_of_pair)):
        reached = level_of_pair >= current
        leaves, counts = leaf_of_pair[reached], pair.counts[reached]
        before = _bits(hierarchy.nodes(below)[leaves], counts)
        after = _bits(hierarchy.nodes(int(current))[leaves], counts)
        by_level[int(current)] = max(after - before, 0.0)
        below = int(current)
    largest = _bits(np.zeros(len(leaf_of_pair), dtype=np.int64), pair.counts) - _bits(leaf_of_pair, pair.counts)
    return ColumnLoss(
        loss=math.fsum(by_level.values()),
        largest=max(largest, 0.0),
        by_level=by_level,
        perturbed=int(pair.counts[changes_of(pair, placement) == CHANGES.index(Change.PERTURBED)].sum()),
    )


def _bits(nodes: Integers, counts: Integers) -> float:
    """Sum over nodes of n log2 n, n the records at a node."""
    per_node = np.bincount(nodes, weights=counts).astype(np.float64)
    records: Floats = per_node[per_node > 0]
    return math.fsum(records * np.log2(records))


def non_uniform_entropy(
    pairs: Mapping[str, Combinations],
    hierarchies: Mapping[str, Hierarchy],
    deleted: int = 0,
) -> NonUniformEntropy:
    """1 less the information lost over the most that could be lost, over all columns: 0 to 1, higher is better.

    `pairs` are counts of (original, anonymized) values by column, deleted records as suppressed. A column without
    a hierarchy gets the one its pairs imply. 1 where there was nothing to lose. Raises Unavailable where a hierarchy
    misses a value or none can be implied.

    Source: A. Gionis, T. Tassa, "k-Anonymization with Minimal Loss of Information", IEEE TKDE 21(2), 2009,
    doi 10.1109/tkde.2008.129; counted on the original column as ARX does.
    """
    columns: dict[str, ColumnLoss] = {}
    ambiguous: dict[str, int] = {}
    for name, pair in pairs.items():
        hierarchy = hierarchies.get(name) or implied_hierarchy(pair)
        columns[name] = column_loss(pair, hierarchy)
        if hierarchy.ambiguous_labels:
            ambiguous[name] = len(hierarchy.ambiguous_labels)
    loss = math.fsum(column.loss for column in columns.values())
    largest = math.fsum(column.largest for column in columns.values())
    return NonUniformEntropy(1 - loss / largest if largest else 1.0, columns, deleted, ambiguous)


def pairs_of(evidence: Evidence, columns: Sequence[str]) -> dict[str, Combinations]:
    """Counts of (original, anonymized) values of each column; raises Unavailable without an original or a record."""
    pairs = {name: evidence.pair(name) for name in columns}
    if not evidence.anonymized.rows:
        raise Unavailable("the table has no records")
    return pairs


def _compute(evidence: Evidence, parameters: Parameters) -> NonUniformEntropy:
    pairs = pairs_of(evidence, evidence.roles.quasi_identifiers)
    return non_uniform_entropy(pairs, evidence.hierarchies, evidence.deleted)


NON_UNIFORM_ENTROPY = Metric(
    id="non_uniform_entropy",
    title="Non-uniform entropy",
    family=Family.UTILITY,
    unit="share of information",
    minimum=0,
    maximum=1,
    direction=Direction.HIGHER,
    meaning="The share of the quasi-identifiers' information that is left after generalization.",
    good="Near 1; 0 means that every quasi-identifier is fully suppressed.",
    formula=r"1 - \frac{\sum_c \sum_i \sum_{r \in R_i} -\log_2 \frac{n_{l_{i-1}}(r)}{n_{l_i}(r)}}"
    r"{\sum_c \sum_r -\log_2 \frac{n(v_r)}{N}}",
    reference="A. Gionis and T. Tassa, k-Anonymization with Minimal Loss of Information, IEEE TKDE 21(2), 2009",
    doi="10.1109/tkde.2008.129",
    compute=_compute,
)
