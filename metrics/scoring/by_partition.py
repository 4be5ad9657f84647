"""Metrics of a table whose classes are processed in batches: the totals of all, and the worst classes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates, PartitionAggregates, TableAggregates, partitions_of
from metrics.aggregates.protocol import Examine
from metrics.config.parameters import Parameters
from metrics.counting.classes import ClassSizes, sum_class_sizes
from metrics.counting.counts import Combinations
from metrics.errors import Unavailable
from metrics.metric import Metric, merged
from metrics.scoring.class_ranking import Ranking, ranking
from metrics.scoring.compared_records import aggregates_for
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
class _Findings:
    """Findings on the partitions so far."""

    totals: dict[Examine, Any] = field(default_factory=dict)
    refused: dict[Examine, Unavailable] = field(default_factory=dict)
    """Why a metric is unavailable."""
    sizes: ClassSizes | None = None
    worst: _WorstClasses | None = None

    def add(self, partition: PartitionAggregates, metrics: Mapping[Examine, Metric], parameters: Parameters) -> None:
        """Examine the classes of one more partition."""
        ranked_by: dict[str, Any] = {}
        for examine, metric in metrics.items():
            if examine in self.refused:
                continue
            try:
                found = examine(partition, parameters)
            except Unavailable as reason:
                if partition.classes.count:  # else it has nothing to say of suppressed records alone
                    self.refused[examine] = reason
                continue
            totals = _totals_of(found)
            self.totals[examine] = merged(self.totals[examine], totals) if examine in self.totals else totals
            if metric.per_class is not None and metric.per_class.ranks:  # other arrays are not needed any more
                ranked_by[metric.id] = found
        sizes = partition.classes.by_size
        self.sizes = sizes if self.sizes is None else sum_class_sizes([self.sizes, sizes])
        rank = ranking(partition.classes.sizes, ranked_by)
        indices = np.sort(rank.order[:LISTED_CLASSES])
        worst_classes = _WorstClasses(rank.take(indices), *partition.records_of(indices))
        self.worst = (
            worst_classes if self.worst is None else self.worst.followed_by(worst_classes).worst(LISTED_CLASSES)
        )

    def of_all(self, examine: Examine, listed: PartitionAggregates, parameters: Parameters) -> Any:
        """What is found of the listed classes, with the totals of all; or why nothing is."""
        if examine in self.refused:
            return self.refused[examine]
        try:
            found, totals = examine(listed, parameters), self.totals[examine]
        except Unavailable as reason:
            return reason
        return replace(found, totals=totals) if hasattr(found, "totals") else totals


def _totals_of(found: Any) -> Any:
    return getattr(found, "totals", found)


def worst_by_basis(
    aggregates: Aggregates, metrics: Iterable[Metric], parameters: Parameters, progress: Progress | None
) -> dict[Aggregates, Aggregates]:
    """The worst classes of the aggregates, and of those that measures of loss are computed from."""
    examined: dict[Aggregates, list[Metric]] = {aggregates: []}
    for metric in metrics:
        with suppress(Unavailable):  # so is the metric then
            examined.setdefault(aggregates_for(metric, aggregates), []).append(metric)
    return {base: examine_by_partition(base, metrics, parameters, progress) for base, metrics in examined.items()}


def examine_by_partition(
    aggregates: Aggregates, metrics: Iterable[Metric], parameters: Parameters, progress: Progress | None = None
) -> PartitionAggregates:
    """The worst classes, from which metrics that examine each class by itself compute their results for all.

    Some classes are examined at a time, so that memory does not grow with their number.
    """
    examined, findings = {metric.examine: metric for metric in metrics if metric.examine is not None}, _Findings()
    with partitions_of(aggregates) as partitions:
        for done, partition in enumerate(partitions):
            if progress is not None:
                progress(done, len(partitions))
            findings.add(partition, examined, parameters)
        assert findings.worst is not None
        if findings.sizes is not None and isinstance(aggregates, TableAggregates):
            aggregates.keep_class_sizes(findings.sizes)
        listed = PartitionAggregates(aggregates, findings.worst.counted)
        listed.found |= {examine: findings.of_all(examine, listed, parameters) for examine in examined}
    if progress is not None:
        progress(len(partitions), len(partitions))
    return listed
