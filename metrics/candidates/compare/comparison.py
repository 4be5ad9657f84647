"""Compares candidates: the best by each metric, changes, dominance, and a ranking by weights."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from metrics.candidates.compare.candidate_measures import (
    DIGITS,
    CandidateMeasures,
    MeasureChange,
    Ranked,
    answers,
    check_weights,
)
from metrics.candidates.pareto import pareto_front
from metrics.metric import Family
from metrics.scoring.catalog import BY_ID
from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import Flags


def compare(cards: Mapping[str, Scorecard]) -> CandidateComparison:
    """Compare the scorecards of several candidates.

    Parameters
    ----------
    cards : mapping of str to Scorecard
        The candidates by label, scored with the same roles and parameters.

    Returns
    -------
    CandidateComparison
        The best by each metric, changes from a baseline, dominance, and ranking by weights.
    """
    return CandidateComparison({label: answers(card) for label, card in cards.items()})


@dataclass(frozen=True, eq=False)
class CandidateComparison(CandidateMeasures):
    """What the figures of candidates say of them: the best, the dominated, and their order by weights.

    Parameters
    ----------
    answers : mapping of str to mapping of str to CandidateMeasure
        As `answers` returns them for each scorecard.
    """

    def best(self, metric_id: str) -> tuple[str, ...]:
        """The candidates with the best figure by a metric.

        Parameters
        ----------
        metric_id : str
            Id of one of `metrics`.

        Returns
        -------
        tuple of str
            Their labels, in the order given; empty if all figures are equal, if one that looks better than it is looks
            better than theirs, or if the metric does not rank tables.

        Raises
        ------
        KeyError
            If the candidates have no metric of this id.
        """
        figures, all_figures = self.comparable(metric_id), self.upwards(metric_id)
        if not BY_ID[metric_id].ranks_tables or not self.differs(metric_id) or figures.max() < all_figures.max():
            return ()
        return self._labels_at(np.flatnonzero(figures == figures.max()).tolist())

    def change(self, label: str, baseline: str, metric_id: str) -> MeasureChange | None:
        """The difference of a candidate's figure from the baseline's.

        Parameters
        ----------
        label : str
            The candidate.
        baseline : str
            The candidate that it is compared with.
        metric_id : str
            Id of one of `metrics`.

        Returns
        -------
        MeasureChange or None
            None if either has no figure.

        Raises
        ------
        KeyError
            If there is no such candidate or baseline, or the candidates have no metric of this id.
        """
        value, base = self.value(label, metric_id), self.value(baseline, metric_id)
        if value is None or base is None:
            return None
        figures = dict(zip(self.labels, self.upwards(metric_id).tolist(), strict=True))
        gain = figures[label] - figures[baseline]
        return MeasureChange(float(value) - float(base) if gain else 0.0, gain > 0 if gain else None)

    def pareto_front(self, first: str, second: str) -> tuple[str, ...]:
        """The candidates that no other dominates in two metrics.

        Parameters
        ----------
        first, second : str
            Ids of two of `metrics`.

        Returns
        -------
        tuple of str
            Their labels, the best by the first metric first. Candidates that lack either figure, or have one that looks
            better than it is, are left out.

        Raises
        ------
        KeyError
            If the candidates have no metric of one of these ids.
        """
        return self._labels_at(pareto_front(self.comparable(first), self.comparable(second)).tolist())

    def dominated(self, metric_ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The dominated candidates: another is worse by no metric, and better by at least one.

        A candidate that lacks one of the figures neither dominates nor is dominated. One whose figure looks better than
        it is dominates nothing, and is dominated where the figure as it looks is.

        Parameters
        ----------
        metric_ids : sequence of str
            Ids of those of `metrics` that count.

        Returns
        -------
        dict of str to tuple of str
            By dominated candidate, those that dominate it; empty without any metric.

        Raises
        ------
        KeyError
            If the candidates have no metric of one of these ids.
        """
        if not metric_ids:
            return {}
        figures = np.array([self.comparable(identifier) for identifier in metric_ids])
        all_figures = np.array([self.upwards(identifier) for identifier in metric_ids])
        has_all: Flags = np.logical_and.reduce(figures > -np.inf)
        dominating = {}
        for index, label in enumerate(self.labels):
            judged = all_figures[:, [index]]
            dominates = has_all & (figures >= judged).all(axis=0) & (figures > judged).any(axis=0)
            if (judged > -np.inf).all() and dominates.any():
                dominating[label] = self._labels_at(np.flatnonzero(dominates).tolist())
        return dominating

    def rank(self, weights: Mapping[str, float]) -> tuple[Ranked, ...]:
        """The candidates by the weighted mean of their `parts`, the best first.

        A candidate without a figure counts as the worst there: what was not measured cannot speak for it. Without any
        weight all share the first place.

        Parameters
        ----------
        weights : mapping of str to float
            By metric id, 0 or more; only their proportions count. Metrics that no candidate has a comparable figure of
            are left out.

        Returns
        -------
        tuple of Ranked
            One per candidate.

        Raises
        ------
        InputError
            If a weight is negative or not finite, or of no metric.
        """
        check_weights(weights)
        counts = {identifier: weight for identifier, weight in weights.items() if weight and self.is_scored(identifier)}
        total = math.fsum(counts.values())
        parts = {identifier: self.parts(identifier) for identifier in counts}
        scores = [
            math.fsum(counts[identifier] / total * float(parts[identifier][index]) for identifier in counts)
            for index in range(len(self.labels))
        ]
        rounded = [round(score, DIGITS) for score in scores]
        order = sorted(range(len(scores)), key=lambda index: -rounded[index])
        return tuple(
            Ranked(
                self.labels[index],
                1 + sum(other > rounded[index] for other in rounded),
                scores[index],
                {identifier: float(parts[identifier][index]) for identifier in counts},
            )
            for index in order
        )

    def first_differing(self, family: Family, preferred: Collection[str] = ()) -> str:
        """The first metric of a family by which candidates differ.

        Parameters
        ----------
        family : Family
            Family of the metrics to choose from.
        preferred : collection of str, optional
            Ids of metrics that come before the others.

        Returns
        -------
        str
            Id of the metric; if candidates differ by none, the first.

        Raises
        ------
        IndexError
            If the candidates have no metric of this family.
        """
        of_family = sorted(
            (spec.id for spec in self.metrics if spec.family is family), key=lambda name: name not in preferred
        )
        return next((identifier for identifier in of_family if self.differs(identifier)), of_family[0])

    def _labels_at(self, indices: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.labels[index] for index in indices)
