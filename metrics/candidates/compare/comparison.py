"""Compares candidates: the best by each metric, changes, dominance, and a ranking by weights."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from metrics.attacks.rates import highest_success
from metrics.candidates.pareto import pareto_front
from metrics.metric import Direction, Family, Metric
from metrics.scoring.basis import perturbed_columns_of
from metrics.scoring.catalog import BY_ID
from metrics.scoring.caveats import MayUnderstateRisk
from metrics.scoring.metric_score import Score
from metrics.scoring.scorecard import Scorecard, finite
from metrics.tables.table import Flags, Floats
from metrics.wording import format_number

_DIGITS = 12
"""Values equal to this many significant digits count as equal: rounding makes no candidate better."""


@dataclass(frozen=True)
class CandidateFigure:
    """One metric's figure for one candidate.

    Parameters
    ----------
    value : float, bool or None
        None if it has none.
    unavailable : str or None
        Why the metric could not be computed.
    misstated : bool
        Whether perturbed values make it look better than it is, or guessing succeeds more often than the attack;
        it then wins no comparison.
    strongest : float or None
        The success rate of the strongest attacker, where it is noticeably higher than the value.
    """

    value: float | bool | None
    unavailable: str | None = None
    misstated: bool = False
    strongest: float | None = None


Answers = Mapping[str, CandidateFigure]
"""Answers of one candidate, by metric id."""


@dataclass(frozen=True)
class FigureChange:
    """The difference of a value from the baseline's.

    Attributes
    ----------
    difference : float
        In the metric's own unit; "yes" counts as 1.
    better : bool or None
        Whether the value is better than the baseline's; None if nothing changed.
    """

    difference: float
    better: bool | None


@dataclass(frozen=True)
class Ranked:
    """One candidate's rank by the weights.

    Attributes
    ----------
    label : str
        The candidate.
    place : int
        Rank from 1; equal scores share a rank, and the next rank is skipped accordingly.
    score : float
        Weighted mean of its parts, 0 to 1, higher is better.
    parts : mapping of str to float
        By metric: 1 for the best of the candidates, 0 for the worst.
    """

    label: str
    place: int
    score: float
    parts: Mapping[str, float]


def answers(card: Scorecard) -> dict[str, CandidateFigure]:
    """The values of a scorecard and the reasons for missing ones, without its arrays.

    Parameters
    ----------
    card : Scorecard
        Scores of one candidate.

    Returns
    -------
    dict of str to CandidateFigure
        By metric id, in the order of the catalog.
    """
    perturbed = bool(perturbed_columns_of(card.aggregates))

    def misstated(score: Score) -> bool:
        if isinstance(score.result, MayUnderstateRisk) and score.result.understates_risk:
            return True
        return score.not_judged is not None or (perturbed and score.metric.family is Family.ATTACKS)

    return {
        score.metric.id: CandidateFigure(
            finite(score.value), score.unavailable, misstated(score), highest_success(score.result)
        )
        for score in card
    }


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
class CandidateComparison:
    """The answers of every candidate, by label and metric id; every candidate has the same metrics.

    Parameters
    ----------
    answers : mapping of str to mapping of str to CandidateFigure
        As `answers` returns them for each scorecard.
    """

    answers: Mapping[str, Answers]

    @property
    def labels(self) -> tuple[str, ...]:
        """The candidates, in the order given."""
        return tuple(self.answers)

    @cached_property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics, in the order of the catalog."""
        known = next(iter(self.answers.values()), {})
        return tuple(spec for identifier, spec in BY_ID.items() if identifier in known)

    def value(self, label: str, metric_id: str) -> float | bool | None:
        """A candidate's figure by a metric."""
        return self.answers[label][metric_id].value

    def upwards(self, metric_id: str) -> Floats:
        """The figures turned so that higher is better, one per candidate; minus infinity where there is none."""
        factor = -1.0 if BY_ID[metric_id].direction is Direction.LOWER else 1.0
        values = [of[metric_id].value for of in self.answers.values()]
        rounded = [-np.inf if value is None else factor * float(f"{float(value):.{_DIGITS}g}") for value in values]
        return np.array(rounded, dtype=np.float64)

    def shown(self, label: str, metric_id: str) -> str:
        """A figure for display, marked as a bound where the table looks better by it than it is."""
        figure = format_number(self.value(label, metric_id))
        if not self.answers[label][metric_id].misstated:
            return figure
        return f"at {'least' if BY_ID[metric_id].direction is Direction.LOWER else 'most'} {figure}"

    def comparable(self, metric_id: str) -> Floats:
        """Return `upwards`, with minus infinity also where perturbed values make the figure look better than it is."""
        misstated = [of[metric_id].misstated for of in self.answers.values()]
        return np.where(misstated, -np.inf, self.upwards(metric_id))

    def measured(self, metric_id: str) -> bool:
        """Whether at least one candidate has a figure."""
        return bool((self.upwards(metric_id) > -np.inf).any())

    @property
    def has_misstated(self) -> bool:
        """Whether perturbed values make some candidate's figure look better than it is."""
        return any(answer.misstated for of in self.answers.values() for answer in of.values())

    def differs(self, metric_id: str) -> bool:
        """Whether at least two candidates have different values."""
        figures = self.upwards(metric_id)
        return len(np.unique(figures[figures > -np.inf])) > 1

    def best(self, metric_id: str) -> tuple[str, ...]:
        """The candidates with the best value; empty if all are equal, or a misstated one looks better than they do."""
        figures, shown = self.comparable(metric_id), self.upwards(metric_id)
        if not self.differs(metric_id) or figures.max() < shown.max():
            return ()
        return self._labels_at(np.flatnonzero(figures == figures.max()).tolist())

    def change(self, label: str, baseline: str, metric_id: str) -> FigureChange | None:
        """A candidate's figure beside the baseline's; None if either has none."""
        value, base = self.value(label, metric_id), self.value(baseline, metric_id)
        if value is None or base is None:
            return None
        figures = dict(zip(self.labels, self.upwards(metric_id).tolist(), strict=True))
        gain = figures[label] - figures[baseline]
        return FigureChange(float(value) - float(base) if gain else 0.0, gain > 0 if gain else None)

    def pareto_front(self, first: str, second: str) -> tuple[str, ...]:
        """Candidates that no other dominates in two metrics, the best by the first metric first.

        Candidates without a value for both metrics are excluded.
        """
        return self._labels_at(pareto_front(self.comparable(first), self.comparable(second)).tolist())

    def dominated(self, metric_ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """For each dominated candidate, those that dominate it: never worse, and better by at least one metric.

        A candidate that lacks one of the values neither dominates nor is dominated. One whose figure looks better than
        it is dominates nothing, and is dominated where the figure as it looks is.
        """
        if not metric_ids:
            return {}
        figures = np.array([self.comparable(identifier) for identifier in metric_ids])
        shown = np.array([self.upwards(identifier) for identifier in metric_ids])
        known: Flags = np.logical_and.reduce(figures > -np.inf)
        found = {}
        for place, label in enumerate(self.labels):
            own = shown[:, [place]]
            above = known & (figures >= own).all(axis=0) & (figures > own).any(axis=0)
            if (own > -np.inf).all() and above.any():
                found[label] = self._labels_at(np.flatnonzero(above).tolist())
        return found

    def parts(self, metric_id: str) -> Floats:
        """The figures on a scale from 0, the worst of these candidates, to 1, the best; 0 if there is none.

        Measured between the candidates rather than the metric's bounds: many have none, and candidates of one table
        often lie in a small part of them. So a further candidate can change the order of the others. Where the metric
        tells no two apart, all that have a figure are at 1.
        """
        figures = self.comparable(metric_id)
        known = figures > -np.inf
        parts = np.zeros(len(figures))
        if known.any():
            low, high = figures[known].min(), figures[known].max()
            parts[known] = (figures[known] - low) / (high - low) if high > low else 1.0
        return parts

    def rank(self, weights: Mapping[str, float]) -> tuple[Ranked, ...]:
        """The candidates by the weighted mean of their `parts`, the best first.

        A candidate without a figure counts as the worst there: what was not measured cannot speak for it. Without any
        weight all share the first place.

        Parameters
        ----------
        weights : mapping of str to float
            By metric id, 0 or more; only their proportions count. Metrics that no candidate has a figure of are left
            out.

        Returns
        -------
        tuple of Ranked
            One per candidate.
        """
        counts = {identifier: weight for identifier, weight in weights.items() if weight and self.measured(identifier)}
        total = math.fsum(counts.values())
        parts = {identifier: self.parts(identifier) for identifier in counts}
        scores = [
            math.fsum(counts[identifier] / total * float(parts[identifier][place]) for identifier in counts)
            for place in range(len(self.labels))
        ]
        rounded = [round(score, _DIGITS) for score in scores]
        order = sorted(range(len(scores)), key=lambda place: -rounded[place])
        return tuple(
            Ranked(
                self.labels[place],
                1 + sum(other > rounded[place] for other in rounded),
                scores[place],
                {identifier: float(parts[identifier][place]) for identifier in counts},
            )
            for place in order
        )

    def first_differing(self, family: Family, preferred: Collection[str] = ()) -> str:
        """The first metric of a family by which candidates differ, of those preferred if one does; else the first."""
        own = sorted(
            (spec.id for spec in self.metrics if spec.family is family), key=lambda name: name not in preferred
        )
        return next((identifier for identifier in own if self.differs(identifier)), own[0])

    def _labels_at(self, places: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.labels[place] for place in places)
