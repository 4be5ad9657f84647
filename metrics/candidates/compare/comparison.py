"""Compares versions: the best by each metric, changes, dominance, and a ranking by weights."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from metrics.candidates.pareto import pareto_front
from metrics.config.former_names import ByName, unknown_metric
from metrics.errors import InputError
from metrics.formatting import short_percent
from metrics.metric import Direction, Family, Metric
from metrics.policy.limitable_measures import measure_text
from metrics.scoring.catalog import BY_ID
from metrics.scoring.compared_records import perturbed_columns_of
from metrics.scoring.scorecard import Scorecard, finite
from metrics.tables.table import Flags, Floats

DIGITS = 12
"""Values equal to this many significant digits count as equal: rounding makes no version better."""


@dataclass(frozen=True)
class VersionMeasure:
    """One metric's figure for one version."""

    value: float | bool | None
    shown: str = ""
    """What readers see first, for display."""
    unavailable: str | None = None
    """Why the metric could not be computed."""
    misstated: bool = False
    """Whether perturbed values make it look better than it is, guessing succeeds more often than the attack, or it is a
    share of too few trials; it then wins no comparison."""
    order: float | bool | None = None
    """The figure by which versions are ordered, where it is not the value."""
    first: float | bool | None = None
    """Of an attack the figure that readers see first."""
    about: str = ""
    """The attribute that `first` is of, where there are several."""

    @property
    def ordered_by(self) -> float | bool | None:
        """The figure by which versions are ordered."""
        return self.value if self.order is None else self.order


Answers = Mapping[str, VersionMeasure]
"""Answers of one version, by metric id."""


@dataclass(frozen=True)
class MeasureChange:
    """The difference of a value from the baseline's."""

    difference: float
    """In the metric's own unit; "yes" counts as 1."""
    better: bool | None
    """None if nothing changed, or by no more than chance explains."""


@dataclass(frozen=True)
class Ranked:
    """One version's rank by the weights."""

    label: str
    place: int
    """From 1; equal scores share a rank, and the next rank is skipped accordingly."""
    score: float
    """Weighted mean of its parts, 0 to 1, higher is better."""
    parts: Mapping[str, float]
    """By metric: 1 for the best of the versions, 0 for the worst."""


def check_weights(weights: Mapping[str, float]) -> None:
    """Raise InputError if a weight is negative, not finite, or of no metric."""
    for identifier, weight in weights.items():
        if identifier not in BY_ID:
            raise unknown_metric(identifier, BY_ID)
        if not 0 <= weight < math.inf:
            raise InputError(f"the weight of {identifier} is {weight}", remedy="set a number of at least 0")


def answers(card: Scorecard) -> dict[str, VersionMeasure]:
    """The values of a scorecard and the reasons for missing ones, without its arrays."""
    perturbed = bool(perturbed_columns_of(card.aggregates))
    return {
        score.metric.id: VersionMeasure(
            finite(score.figure),
            score.shown_text(),
            score.unavailable,
            score.is_bound(perturbed=perturbed),
            None if score.result is None else finite(score.result.order),
            None if score.attack is None or score.metric.known_quantity else finite(score.attack.shown),
            "" if score.attack is None else score.attack.about,
        )
        for score in card
    }


def compare(cards: Mapping[str, Scorecard]) -> VersionComparison:
    """Compare the scorecards of several versions."""
    return VersionComparison({label: answers(card) for label, card in cards.items()})


@dataclass(frozen=True, eq=False)
class VersionComparison:
    """The figures of versions by the same metrics, and what follows: the best, the dominated, and the order."""

    answers: Mapping[str, Answers]

    def __post_init__(self) -> None:
        by_name = {label: ByName(answers) for label, answers in self.answers.items()}
        object.__setattr__(self, "answers", by_name)

    @property
    def labels(self) -> tuple[str, ...]:
        """The versions, in the order given."""
        return tuple(self.answers)

    @cached_property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics, in the order of the catalog."""
        answers = next(iter(self.answers.values()), {})
        return tuple(spec for identifier, spec in BY_ID.items() if identifier in answers)

    def value(self, label: str, metric_id: str) -> float | bool | None:
        """A version's figure by a metric."""
        return self.answers[label][metric_id].value

    def upwards(self, metric_id: str) -> Floats:
        """The figures turned so that higher is better, rounded to twelve digits; minus infinity where there is none.

        Where versions are not ordered by the value, the figures that order them.
        """
        return self._upwards(metric_id, [answers[metric_id].ordered_by for answers in self.answers.values()])

    def _values_upwards(self, metric_id: str) -> Floats:
        return self._upwards(metric_id, [answers[metric_id].value for answers in self.answers.values()])

    def _shown_upwards(self, metric_id: str) -> Floats:
        """The figures that readers see first."""
        measures = [answers[metric_id] for answers in self.answers.values()]
        return self._upwards(metric_id, [one.ordered_by if one.first is None else one.first for one in measures])

    def is_of_one_attribute(self, metric_id: str) -> bool:
        """Whether the figures that readers see first are all of the same attribute."""
        measures = [answers[metric_id] for answers in self.answers.values()]
        return len({one.about for one in measures if one.value is not None}) == 1

    def _upwards(self, metric_id: str, values: Sequence[float | bool | None]) -> Floats:
        factor = -1.0 if BY_ID[metric_id].direction is Direction.LOWER else 1.0
        rounded = [-np.inf if value is None else factor * float(f"{float(value):.{DIGITS}g}") for value in values]
        return np.array(rounded, dtype=np.float64)

    def measure_text(self, label: str, metric_id: str) -> str:
        """A figure for display, marked as a bound where the table looks better by it than it is."""
        figure = measure_text(metric_id, self.value(label, metric_id), short_percent)
        if not self.answers[label][metric_id].misstated:
            return figure
        return f"at {'least' if BY_ID[metric_id].direction is Direction.LOWER else 'most'} {figure}"

    def comparable(self, metric_id: str) -> Floats:
        """The figures as `upwards` gives them, minus infinity also where one looks better than it is."""
        misstated = [answers[metric_id].misstated for answers in self.answers.values()]
        return np.where(misstated, -np.inf, self.upwards(metric_id))

    def measured(self, metric_id: str) -> bool:
        """Whether at least one version has a figure."""
        return bool((self.upwards(metric_id) > -np.inf).any())

    def reason(self, metric_id: str) -> str | None:
        """Why no version has the metric, for the first of them; None if one has."""
        reasons = [answers[metric_id].unavailable for answers in self.answers.values()]
        return None if None in reasons else reasons[0]

    def is_scored(self, metric_id: str) -> bool:
        """Whether at least one version has a figure that does not look better than it is."""
        return bool((self.comparable(metric_id) > -np.inf).any())

    def is_scored_for_all(self, metric_id: str) -> bool:
        """Whether every version has such a figure."""
        return bool((self.comparable(metric_id) > -np.inf).all())

    @property
    def has_misstated(self) -> bool:
        """Whether perturbed values make some version's figure look better than it is."""
        return any(answer.misstated for answers in self.answers.values() for answer in answers.values())

    def differs(self, metric_id: str) -> bool:
        """Whether at least two versions have different figures."""
        figures = self.upwards(metric_id)
        return len(np.unique(figures[figures > -np.inf])) > 1

    def parts(self, metric_id: str) -> Floats:
        """The figures on a scale from 0, the worst of these versions, to 1, the best; 0 if there is none.

        Measured between the versions rather than the metric's bounds: many have none, and versions of one table
        often lie in a small part of them. So a further version can change the order of the others. Where the metric
        tells no two apart, all that have a figure are at 1. A figure that looks better than it is counts as none.
        """
        figures = self.comparable(metric_id)
        has_figure = figures > -np.inf
        parts = np.zeros(len(figures))
        if has_figure.any():
            low, high = figures[has_figure].min(), figures[has_figure].max()
            parts[has_figure] = (figures[has_figure] - low) / (high - low) if high > low else 1.0
        return parts

    def best(self, metric_id: str) -> tuple[str, ...]:
        """The versions with the best figure by a metric that ranks tables.

        Empty if all figures are shown as equal, if those shown are of different attributes, or if one that looks better
        than it is, one that is shown, or a value that does not order the versions looks better than theirs.
        """
        figures, all_figures = self.comparable(metric_id), self.upwards(metric_id)
        if not BY_ID[metric_id].ranks_tables or not self.differs(metric_id) or figures.max() < all_figures.max():
            return ()
        values, shown = self._values_upwards(metric_id), self._shown_upwards(metric_id)
        is_best = (figures == figures.max()) & (shown == shown.max())
        if not self.is_of_one_attribute(metric_id) or not is_best.any() or values[is_best].max() < values.max():
            return ()
        # Figures that look alike are told apart by nobody.
        texts = [self.measure_text(label, metric_id) for label in self.labels]
        alike = np.isin(texts, [told for told, best in zip(texts, is_best, strict=True) if best])
        return () if alike[figures > -np.inf].all() else self._labels_at(np.flatnonzero(alike).tolist())

    def change(self, label: str, baseline: str, metric_id: str) -> MeasureChange | None:
        """The difference of a version's figure from the baseline's; None if either has none."""
        value, base = self.value(label, metric_id), self.value(baseline, metric_id)
        if value is None or base is None:
            return None
        at, base_at = self.labels.index(label), self.labels.index(baseline)
        gains = [
            figures[at] - figures[base_at] for figures in (self.upwards(metric_id), self._values_upwards(metric_id))
        ]
        is_told = gains[0] * gains[1] > 0
        return MeasureChange(float(value) - float(base) if gains[1] else 0.0, bool(gains[0] > 0) if is_told else None)

    def pareto_front(self, first: str, second: str) -> tuple[str, ...]:
        """The versions that no other dominates in two metrics, the best by the first metric first.

        Those that lack either figure, or have one that looks better than it is, are left out.
        """
        return self._labels_at(pareto_front(self.comparable(first), self.comparable(second)).tolist())

    def dominated(self, metric_ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The dominated versions: another is worse by no metric, and better by at least one.

        A version that lacks one of the figures neither dominates nor is dominated. One whose figure looks better than
        it is dominates nothing, and is dominated where the figure as it looks is.
        """
        if not metric_ids:
            return {}
        figures = np.array([self.comparable(identifier) for identifier in metric_ids])
        all_figures = np.array([self.upwards(identifier) for identifier in metric_ids])
        has_all: Flags = np.logical_and.reduce(figures > -np.inf)
        dominating = {}
        for index, label in enumerate(self.labels):
            compared = all_figures[:, [index]]
            dominates = has_all & (figures >= compared).all(axis=0) & (figures > compared).any(axis=0)
            if (compared > -np.inf).all() and dominates.any():
                dominating[label] = self._labels_at(np.flatnonzero(dominates).tolist())
        return dominating

    def rank(self, weights: Mapping[str, float]) -> tuple[Ranked, ...]:
        """The versions by the weighted mean of their `parts`, the best first.

        A version without a figure counts as the worst there: what was not measured cannot speak for it. Without any
        weight all share the first place. Only the proportions of weights count; metrics that no version has a
        comparable figure of are left out. Raises InputError for a weight that is negative, not finite, or of no metric.
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
        """The first metric of a family, `preferred` ones first, by which versions differ; if by none, the first."""
        of_family = sorted(
            (spec.id for spec in self.metrics if spec.family is family), key=lambda name: name not in preferred
        )
        return next((identifier for identifier in of_family if self.differs(identifier)), of_family[0])

    def _labels_at(self, indices: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.labels[index] for index in indices)
