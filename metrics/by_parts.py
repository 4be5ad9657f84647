"""Metrics of a table whose classes are looked at some at a time: the totals of all, and the worst classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from metrics.class_ranking import Ranking, ranking
from metrics.class_sizes import ClassSizes, added_up
from metrics.counts import Combinations
from metrics.evidence import Evidence
from metrics.parameters import Parameters
from metrics.parts import PartEvidence, parts_of
from metrics.privacy.p29 import P29
from metrics.privacy.t_closeness import TCloseness
from metrics.specification import Metric, Result, Totals, Unavailable
from metrics.table import Integers

LISTED_CLASSES = 10_000
"""Classes that are told one by one where there are too many to hold all."""

Progress = Callable[[int, int], None]
"""Told how many parts are done, and of how many."""


@dataclass(frozen=True, eq=False)
class _Kept:
    """Some classes in their canonical order, with all that was counted of them."""

    ranking: Ranking
    counted: Combinations
    place: Integers
    """For each counted combination, its class among these."""

    def worst(self, most: int) -> _Kept:
        """The worst of them."""
        if len(self.ranking.sizes) <= most:
            return self
        chosen = np.sort(self.ranking.order[:most])
        number = np.full(len(self.ranking.sizes), -1, dtype=np.int64)
        number[chosen] = np.arange(len(chosen))
        place = number[self.place]
        kept = place >= 0
        codes = tuple(code[kept] for code in self.counted.codes)
        return _Kept(
            self.ranking.take(chosen), Combinations(self.counted.columns, codes, self.counted.counts[kept]), place[kept]
        )

    def followed_by(self, later: _Kept) -> _Kept:
        """These and classes that come after them."""
        both = zip(self.counted.codes, later.counted.codes, strict=True)
        return _Kept(
            self.ranking.followed_by(later.ranking),
            Combinations(
                self.counted.columns,
                tuple(np.concatenate(codes) for codes in both),
                np.concatenate([self.counted.counts, later.counted.counts]),
            ),
            np.concatenate([self.place, later.place + len(self.ranking.sizes)]),
        )


@dataclass(eq=False)
class _Found:
    """What was found of the parts so far."""

    totals: dict[str, Totals] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    """Why a metric is unavailable, by its id."""
    sizes: ClassSizes | None = None
    worst: _Kept | None = None

    def add(self, part: PartEvidence, asked: Mapping[Metric, Parameters]) -> None:
        """Look at some more classes."""
        ranked_by: dict[str, Any] = {}
        for metric, parameters in asked.items():
            if metric.id in self.refused or metric.by_class is None:
                continue
            try:
                judged = metric.by_class.judge(part, parameters)
            except Unavailable as reason:
                if part.classes.count:  # else it has nothing to say of suppressed records alone
                    self.refused[metric.id] = str(reason)
                continue
            known = self.totals.get(metric.id)
            self.totals[metric.id] = judged.totals if known is None else known.merged(judged.totals)
            if isinstance(judged, P29 | TCloseness):  # the others' arrays are not needed any more
                ranked_by[metric.id] = judged
        own = part.classes.by_size
        self.sizes = own if self.sizes is None else added_up([self.sizes, own])
        rank = ranking(part.classes.sizes, ranked_by)
        chosen = np.sort(rank.order[:LISTED_CLASSES])
        kept = _Kept(rank.take(chosen), *part.records_of(chosen))
        self.worst = kept if self.worst is None else self.worst.followed_by(kept).worst(LISTED_CLASSES)


@dataclass(frozen=True, eq=False)
class ByParts:
    """What metrics say of all classes, by id: a result, or why there is none."""

    results: Mapping[str, Result | str]
    listed: PartEvidence
    """The worst classes: arrays of the results are theirs."""


def judge_by_parts(evidence: Evidence, asked: Mapping[Metric, Parameters], progress: Progress | None = None) -> ByParts:
    """Metrics that look at one class after the other, computed from some classes at a time.

    Memory does not grow with the number of classes.
    """
    found = _Found()
    with parts_of(evidence) as parts:
        for done, part in enumerate(parts):
            if progress is not None:
                progress(done, len(parts))
            found.add(part, asked)
        assert found.sizes is not None
        assert found.worst is not None
        evidence.class_sizes = found.sizes
        listed = PartEvidence(evidence, found.worst.counted)
        results = {metric.id: _concluded(metric, found, listed, parameters) for metric, parameters in asked.items()}
    if progress is not None:
        progress(len(parts), len(parts))
    return ByParts(results, listed)


def _concluded(metric: Metric, found: _Found, listed: PartEvidence, parameters: Parameters) -> Result | str:
    assert metric.by_class is not None
    if metric.id in found.refused:
        return found.refused[metric.id]
    try:
        judged = metric.by_class.judge(listed, parameters)
        everything = replace(judged, totals=found.totals[metric.id])
        return metric.by_class.conclude(everything, listed.whole, parameters)
    except Unavailable as reason:
        return str(reason)
