"""Non-uniform entropy: how much information about the quasi-identifiers generalization has left."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.counting.counts import Combinations
from metrics.errors import Unavailable
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.hierarchies.implied import implied_hierarchy
from metrics.metric import Basis, Direction, Family, Finding, FindingKind, Metric, MetricChart, Result, Severity
from metrics.tables.table import Floats, Integers
from metrics.texts import text
from metrics.utility.cells.caveats import with_caveat
from metrics.utility.cells.changes import CHANGES, Change, changes_of, positions_in_hierarchy
from metrics.utility.cells.misread_labels import misread_shares, with_misread
from metrics.utility.non_uniform_entropy import working


@dataclass(frozen=True)
class ColumnLoss:
    """Information lost in one column, in bits."""

    loss: float
    largest: float
    """Loss if the whole column were suppressed."""
    by_level: Mapping[int, float]
    """The part of the loss that generalizing to each level adds."""
    perturbed: int
    """Records whose anonymized value is not an ancestor of the original."""

    @property
    def is_changed(self) -> bool:
        """Whether a value was generalized or suppressed, even if no loss is counted for it."""
        return any(level > 0 for level in self.by_level)

    @property
    def score(self) -> float:
        """1 less the share lost; 1 where there was nothing to lose."""
        return 1 - self.loss / self.largest if self.largest else 1.0


@dataclass(frozen=True)
class NonUniformEntropy(Result):
    """`value` is 1 less the share of information lost over all columns."""

    value: float
    columns: Mapping[str, ColumnLoss]
    deleted: int
    ambiguous: Mapping[str, int]
    """Per column with any: labels that occur on two levels of its hierarchy."""

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """The score of each column alone."""
        return {name: None if name in self.not_generalized else column.score for name, column in self.columns.items()}

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
            "not_generalized": dict(self.not_generalized),
            "ambiguous_labels": dict(self.ambiguous),
            "deleted_records": self.deleted,
        }

    def summary(self) -> str:
        return with_misread(with_caveat(self.brief(), self.not_generalized), self.misread)

    @property
    def _loses(self) -> bool:
        return any(column.loss for column in self.columns.values())

    @property
    def is_changed(self) -> bool:
        """Whether a value was generalized or suppressed, even if no loss is counted for it."""
        return any(column.is_changed for name, column in self.columns.items() if name not in self.not_generalized)

    def brief(self) -> str:
        """The finding without the caveat on perturbed columns."""
        worst = max(self.columns, key=lambda name: self.columns[name].loss)
        if not self._loses:
            return self._no_loss()
        share = self.columns[worst].loss / math.fsum(column.loss for column in self.columns.values())
        if {*self.not_generalized, *self.misread} == {worst}:  # what is not counted would only add to its loss
            return text("non_uniform_entropy.preserved_at_most_there", value=self.value, column=worst, share=share)
        if self.is_bound:
            return text("non_uniform_entropy.preserved_at_most", value=self.value, column=worst, share=share)
        return text("non_uniform_entropy.lost", value=self.value, column=worst, share=share)

    def _no_loss(self) -> str:
        """Say that no loss is counted, and what is not counted: changed values, and labels read as more specific."""
        if self.is_changed:
            return text("non_uniform_entropy.uncounted")
        if self.not_generalized:
            return text("non_uniform_entropy.unchanged_others", columns=list(self.not_generalized))
        if self.misread:
            return text("non_uniform_entropy.unchanged_misread", columns=list(self.misread))
        return text("non_uniform_entropy.unchanged")

    @property
    def is_bound(self) -> bool:
        """Whether the value is only an upper bound, because changed or misread values count as kept."""
        return bool(self.not_generalized or self.misread)


def column_loss(pair: Combinations, hierarchy: Hierarchy) -> ColumnLoss:
    """Loss of one column, from how often each (original, anonymized) pair of values occurs.

    With l_1 < ... < l_m the levels present in the anonymized column and R_i the records at level l_i or above, each
    record of R_i loses -log2 of the share that R_i's records with its value on level l_(i-1) have among those with its
    value on level l_i, counted on the original column. Raises Unavailable where the hierarchy misses a value.
    """
    placement = positions_in_hierarchy(pair, hierarchy)
    leaf_of_pair, level_of_pair = placement.leaf, placement.level
    by_level: dict[int, float] = {}
    previous = 0
    for current in np.flatnonzero(np.bincount(level_of_pair)):
        at_or_above = level_of_pair >= current
        leaves, counts = leaf_of_pair[at_or_above], pair.counts[at_or_above]
        before = _bits(hierarchy.nodes(previous)[leaves], counts)
        after = _bits(hierarchy.nodes(int(current))[leaves], counts)
        by_level[int(current)] = max(after - before, 0.0)
        previous = int(current)
    change = changes_of(pair, placement)
    largest = _bits(np.zeros(len(leaf_of_pair), dtype=np.int64), pair.counts) - _bits(leaf_of_pair, pair.counts)
    return ColumnLoss(
        loss=math.fsum(by_level.values()),
        largest=max(largest, 0.0),
        by_level=by_level,
        perturbed=int(pair.counts[change == CHANGES.index(Change.PERTURBED)].sum()),
    )


def _bits(nodes: Integers, counts: Integers) -> float:
    """Sum over nodes of n log2 n, n the records at a node."""
    per_node = np.bincount(nodes, weights=counts).astype(np.float64)
    records: Floats = per_node[per_node > 0]
    return math.fsum(records * np.log2(records))


def non_uniform_entropy(
    pairs: Mapping[str, Combinations], hierarchies: Mapping[str, Hierarchy], deleted: int = 0
) -> NonUniformEntropy:
    """Non-uniform entropy: 1 less the information lost, as a share of the largest loss; 0 to 1, higher is better.

    It is 1 if there was nothing to lose.

    The score, and the loss of every column in bits. `pairs`: counts of (original, anonymized) values by
    quasi-identifier; deleted records count as suppressed. `hierarchies`: hierarchies by column; where one is missing,
    the pairs imply it. Raises Unavailable if a hierarchy lacks a value, or none can be implied.
    Source: A. Gionis, T. Tassa, "k-Anonymization with Minimal Loss of Information", IEEE TKDE 21(2), 2009, doi
    10.1109/tkde.2008.129; counted on the original column as in ARX.
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
    return NonUniformEntropy(
        1 - loss / largest if largest else 1.0, columns, deleted, ambiguous, misread=misread_shares(pairs, hierarchies)
    )


def pairs_of(aggregates: Aggregates, columns: Sequence[str]) -> dict[str, Combinations]:
    """Counts of (original, anonymized) values of each column; raises Unavailable without an original or a record."""
    pairs = {name: aggregates.comparison.pair(name) for name in columns}
    if not aggregates.anonymized.rows:
        raise Unavailable(text("unavailable.no_records"))
    return pairs


def _compute(aggregates: Aggregates, parameters: Parameters) -> NonUniformEntropy:
    pairs = pairs_of(aggregates, aggregates.roles.quasi_identifiers)
    result = non_uniform_entropy(pairs, aggregates.hierarchies, aggregates.comparison.deleted)
    suppressed = aggregates.perturbed.suppressed
    columns = {
        name: replace(loss, perturbed=loss.perturbed + suppressed.get(name, 0)) for name, loss in result.columns.items()
    }
    return replace(result, columns=columns, not_generalized=aggregates.perturbed.not_generalized)


def _finding(result: NonUniformEntropy, aggregates: Aggregates) -> Finding:
    """The information kept, and the column that lost most."""
    return Finding(FindingKind.INFORMATION_LOSS, Severity.NOTE, result.brief())


def _chart(result: Any, aggregates: Aggregates) -> Any:
    from metrics.utility.non_uniform_entropy.chart import loss_by_column

    return loss_by_column(result)


NON_UNIFORM_ENTROPY = Metric(
    id="non_uniform_entropy",
    family=Family.UTILITY,
    minimum=0,
    maximum=1,
    direction=Direction.HIGHER,
    is_share=True,
    formula=r"1 - \frac{\sum_c \sum_i \sum_{r \in R_i} -\log_2 \frac{n_{l_{i-1}}(r)}{n_{l_i}(r)}}"
    r"{\sum_c \sum_r -\log_2 \frac{n(v_r)}{N}}",
    reference="A. Gionis and T. Tassa, k-Anonymization with Minimal Loss of Information, IEEE TKDE 21(2), 2009, doi "
    "10.1109/tkde.2008.129",
    compute=_compute,
    loss_basis=Basis.GENERALIZED,
    charts=(MetricChart(_chart),),
    working=working.WORKING,
    finding=_finding,
    is_headline=True,
)
