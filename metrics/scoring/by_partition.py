"""Metrics of a table whose classes are processed in batches: the totals of all, and the worst classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates, PartitionAggregates, TableAggregates, partitions_of
from metrics.config.parameters import Parameters
from metrics.counting.class_sizes import ClassSizes, sum_class_sizes
from metrics.counting.counts import Combinations
from metrics.errors import Unavailable
from metrics.metric import Metric, Result, Totals
from metrics.scoring.class_ranking import Ranking, ranking
from metrics.tables.table import Integers

LISTED_CLASSES = 10_000
"""Classes that are listed one by one where there are too many to hold all."""

Progress = Callable[[int, int], None]
"""Called with the number of parts done, and of all parts."""


@dataclass(frozen=True, eq=False)
class _WorstClasses:
    """Some classes in their canonical order, with all that was counted of them."""

    ranking: Ranking
    counted: Combinations
    place: Integers
    """For each counted combination, its class among these."""

    def worst(self, max_classes: int) -> _WorstClasses:
        """Select the worst of these classes."""
        if len(self.ranking.sizes) <= max_classes:
            return self
        selected = np.sort(self.ranking.order[:max_classes])
        number = np.full(len(self.ranking.sizes), -1, dtype=np.int64)
        number[selected] = np.arange(len(selected))
        position = number[self.place]
        is_selected = position >= 0
        codes = tuple(code[is_selected] for code in self.counted.codes)
        return _WorstClasses(
            self.ranking.take(selected),
            Combinations(self.counted.columns, codes, self.counted.counts[is_selected]),
            position[is_selected],
        )

    def followed_by(self, later: _WorstClasses) -> _WorstClasses:
        """Append classes that come after these."""
        code_pairs = zip(self.counted.codes, later.counted.codes, strict=True)
        return _WorstClasses(
            self.ranking.followed_by(later.ranking),
            Combinations(
                self.counted.columns,
                tuple(np.concatenate(codes) for codes in code_pairs),
                np.concatenate([self.counted.counts, later.counted.counts]),
            ),
            np.concatenate([self.place, later.place + len(self.ranking.sizes)]),
        )


@dataclass(eq=False)
class _PartitionFindings:
    """Findings on the partitions so far."""

    totals: dict[str, Totals] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    """Why a metric is unavailable, by its id."""
    sizes: ClassSizes | None = None
    worst: _WorstClasses | None = None

    def add(self, partition: PartitionAggregates, metrics: Sequence[Metric], parameters: Parameters) -> None:
        """Examine the classes of one more partition."""
        ranked_by: dict[str, Any] = {}
        for metric in metrics:
            if metric.id in self.refused or metric.by_class is None:
                continue
            try:
                judged = metric.by_class.judge(partition, parameters)
            except Unavailable as reason:
                if partition.classes.count:  # else it has nothing to say of suppressed records alone
                    self.refused[metric.id] = str(reason)
                continue
            earlier_totals = self.totals.get(metric.id)
            self.totals[metric.id] = judged.totals if earlier_totals is None else earlier_totals.merged(judged.totals)
            if metric.per_class is not None and metric.per_class.ranks:  # other arrays are not needed any more
                ranked_by[metric.id] = judged
        sizes = partition.classes.by_size
        self.sizes = sizes if self.sizes is None else sum_class_sizes([self.sizes, sizes])
        rank = ranking(partition.classes.sizes, ranked_by)
        indices = np.sort(rank.order[:LISTED_CLASSES])
        worst_classes = _WorstClasses(rank.take(indices), *partition.records_of(indices))
        self.worst = (
            worst_classes if self.worst is None else self.worst.followed_by(worst_classes).worst(LISTED_CLASSES)
        )


@dataclass(frozen=True, eq=False)
class ByPartition:
    """Findings of metrics on all classes, by id: a result, or why there is none."""

    results: Mapping[str, Result | str]
    listed: PartitionAggregates
    """The worst classes: arrays of the results are theirs."""


def judge_by_partition(
    aggregates: Aggregates, metrics: Sequence[Metric], parameters: Parameters, progress: Progress | None = None
) -> ByPartition:
    """Metrics that look at one class after the other, computed from some classes at a time.

    Memory does not grow with the number of classes.
    """
    findings = _PartitionFindings()
    with partitions_of(aggregates) as partitions:
        for done, partition in enumerate(partitions):
            if progress is not None:
                progress(done, len(partitions))
            findings.add(partition, metrics, parameters)
        assert findings.worst is not None
        if findings.sizes is not None and isinstance(aggregates, TableAggregates):
            aggregates.class_sizes = findings.sizes  # they would be counted once more otherwise
        listed_classes = PartitionAggregates(aggregates, findings.worst.counted)
        results = {metric.id: _metric_result(metric, findings, listed_classes, parameters) for metric in metrics}
    if progress is not None:
        progress(len(partitions), len(partitions))
    return ByPartition(results, listed_classes)


def _metric_result(
    metric: Metric, findings: _PartitionFindings, listed_classes: PartitionAggregates, parameters: Parameters
) -> Result | str:
    assert metric.by_class is not None
    if metric.id in findings.refused:
        return findings.refused[metric.id]
    try:
        judged = metric.by_class.judge(listed_classes, parameters)
        complete = replace(judged, totals=findings.totals[metric.id])
        return metric.by_class.conclude(complete, listed_classes.whole, parameters)
    except Unavailable as reason:
        return str(reason)
