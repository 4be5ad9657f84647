"""Figures of candidates that a comparison rests on, and what it says of each: its change, and its rank."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from metrics.errors import InputError
from metrics.formatting import short_percent
from metrics.metric import Direction, Metric
from metrics.policy.limitable_measures import measure_text
from metrics.scoring.catalog import BY_ID
from metrics.scoring.compared_records import perturbed_columns_of
from metrics.scoring.scorecard import Scorecard, finite
from metrics.tables.table import Floats

DIGITS = 12
"""Values equal to this many significant digits count as equal: rounding makes no candidate better."""


@dataclass(frozen=True)
class CandidateMeasure:
    """One metric's figure for one candidate.

    Parameters
    ----------
    value : float, bool or None
        None if it has none.
    unavailable : str or None
        Why the metric could not be computed.
    misstated : bool
        Whether perturbed values make it look better than it is, guessing succeeds more often than the attack, or it is
        a share of too few trials; it then wins no comparison.
    """

    value: float | bool | None
    unavailable: str | None = None
    misstated: bool = False


Answers = Mapping[str, CandidateMeasure]
"""Answers of one candidate, by metric id."""


@dataclass(frozen=True)
class MeasureChange:
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


def check_weights(weights: Mapping[str, float]) -> None:
    """Raise InputError if a weight is negative, not finite, or of no metric."""
    for identifier, weight in weights.items():
        if identifier not in BY_ID:
            raise InputError(f'there is no metric "{identifier}"', remedy=f"use {', '.join(BY_ID)}")
        if not 0 <= weight < math.inf:
            raise InputError(f"the weight of {identifier} is {weight}", remedy="set a number of at least 0")


def answers(card: Scorecard) -> dict[str, CandidateMeasure]:
    """The values of a scorecard and the reasons for missing ones, without its arrays.

    Parameters
    ----------
    card : Scorecard
        Scores of one candidate.

    Returns
    -------
    dict of str to CandidateMeasure
        By metric id, in the order of the catalog.
    """
    perturbed = bool(perturbed_columns_of(card.aggregates))
    return {
        score.metric.id: CandidateMeasure(finite(score.figure), score.unavailable, score.is_bound(perturbed=perturbed))
        for score in card
    }


@dataclass(frozen=True, eq=False)
class CandidateMeasures:
    """The figures of every candidate, by label and metric id; every candidate has the same metrics.

    Parameters
    ----------
    answers : mapping of str to mapping of str to CandidateMeasure
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
        answers = next(iter(self.answers.values()), {})
        return tuple(spec for identifier, spec in BY_ID.items() if identifier in answers)

    def value(self, label: str, metric_id: str) -> float | bool | None:
        """A candidate's figure by a metric.

        Parameters
        ----------
        label : str
            The candidate.
        metric_id : str
            Id of one of `metrics`.

        Returns
        -------
        float, bool or None
            None if it has none.

        Raises
        ------
        KeyError
            If there is no such candidate, or the candidates have no metric of this id.
        """
        return self.answers[label][metric_id].value

    def upwards(self, metric_id: str) -> Floats:
        """The figures turned so that higher is better, rounded to twelve significant digits.

        Parameters
        ----------
        metric_id : str
            Id of one of `metrics`.

        Returns
        -------
        array of float, shape (candidates,)
            In the order of `labels`; minus infinity where there is none.

        Raises
        ------
        KeyError
            If the candidates have no metric of this id.
        """
        factor = -1.0 if BY_ID[metric_id].direction is Direction.LOWER else 1.0
        values = [answers[metric_id].value for answers in self.answers.values()]
        rounded = [-np.inf if value is None else factor * float(f"{float(value):.{DIGITS}g}") for value in values]
        return np.array(rounded, dtype=np.float64)

    def measure_text(self, label: str, metric_id: str) -> str:
        """A figure for display, marked as a bound where the table looks better by it than it is.

        Parameters
        ----------
        label : str
            The candidate.
        metric_id : str
            Id of one of `metrics`.

        Returns
        -------
        str
            Such as "25%", or "at least 25%" where lower is better and the true figure may be higher.

        Raises
        ------
        KeyError
            If there is no such candidate, or the candidates have no metric of this id.
        """
        figure = measure_text(metric_id, self.value(label, metric_id), short_percent)
        if not self.answers[label][metric_id].misstated:
            return figure
        return f"at {'least' if BY_ID[metric_id].direction is Direction.LOWER else 'most'} {figure}"

    def comparable(self, metric_id: str) -> Floats:
        """The figures as `upwards` gives them, without those that look better than they are.

        Parameters
        ----------
        metric_id : str
            Id of one of `metrics`.

        Returns
        -------
        array of float, shape (candidates,)
            In the order of `labels`; minus infinity where there is none, or where it looks better than it is.

        Raises
        ------
        KeyError
            If the candidates have no metric of this id.
        """
        misstated = [answers[metric_id].misstated for answers in self.answers.values()]
        return np.where(misstated, -np.inf, self.upwards(metric_id))

    def measured(self, metric_id: str) -> bool:
        """Whether at least one candidate has a figure.

        Parameters
        ----------
        metric_id : str
            Id of one of `metrics`.

        Returns
        -------
        bool
            False if no candidate has one.

        Raises
        ------
        KeyError
            If the candidates have no metric of this id.
        """
        return bool((self.upwards(metric_id) > -np.inf).any())

    def is_scored(self, metric_id: str) -> bool:
        """Whether at least one candidate has a figure that does not look better than it is.

        Parameters
        ----------
        metric_id : str
            Id of one of `metrics`.

        Returns
        -------
        bool
            False if no candidate has one.

        Raises
        ------
        KeyError
            If the candidates have no metric of this id.
        """
        return bool((self.comparable(metric_id) > -np.inf).any())

    @property
    def has_misstated(self) -> bool:
        """Whether perturbed values make some candidate's figure look better than it is."""
        return any(answer.misstated for answers in self.answers.values() for answer in answers.values())

    def differs(self, metric_id: str) -> bool:
        """Whether at least two candidates have different figures.

        Parameters
        ----------
        metric_id : str
            Id of one of `metrics`.

        Returns
        -------
        bool
            False also if fewer than two candidates have one.

        Raises
        ------
        KeyError
            If the candidates have no metric of this id.
        """
        figures = self.upwards(metric_id)
        return len(np.unique(figures[figures > -np.inf])) > 1

    def parts(self, metric_id: str) -> Floats:
        """The figures on a scale from 0, the worst of these candidates, to 1, the best; 0 if there is none.

        Measured between the candidates rather than the metric's bounds: many have none, and candidates of one table
        often lie in a small part of them. So a further candidate can change the order of the others. Where the metric
        tells no two apart, all that have a figure are at 1. A figure that looks better than it is counts as none.

        Parameters
        ----------
        metric_id : str
            Id of one of `metrics`.

        Returns
        -------
        array of float, shape (candidates,)
            In the order of `labels`.

        Raises
        ------
        KeyError
            If the candidates have no metric of this id.
        """
        figures = self.comparable(metric_id)
        has_figure = figures > -np.inf
        parts = np.zeros(len(figures))
        if has_figure.any():
            low, high = figures[has_figure].min(), figures[has_figure].max()
            parts[has_figure] = (figures[has_figure] - low) / (high - low) if high > low else 1.0
        return parts
