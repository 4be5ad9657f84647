"""Figures of one candidate that a comparison rests on, and what it says of each: its change, and its rank."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from metrics.attacks.rates import highest_success
from metrics.errors import InputError
from metrics.metric import Family
from metrics.scoring.catalog import BY_ID
from metrics.scoring.caveats import MayUnderstateRisk
from metrics.scoring.compared_records import perturbed_columns_of
from metrics.scoring.metric_score import Score
from metrics.scoring.scorecard import Scorecard, finite


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


def check_weights(weights: Mapping[str, float]) -> None:
    """Raise InputError if a weight is negative, not finite, or of no metric.

    Parameters
    ----------
    weights : mapping of str to float
        By metric id.
    """
    for identifier, weight in weights.items():
        if identifier not in BY_ID:
            raise InputError(f'there is no metric "{identifier}"', remedy=f"use {', '.join(BY_ID)}")
        if not 0 <= weight < math.inf:
            raise InputError(f"the weight of {identifier} is {weight}", remedy="set a number of at least 0")


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
