"""Progress of a search for the best generalization, with the bound that it has proven, in one sentence."""

from __future__ import annotations

import math

from metrics.candidates.limits.measures import NODE_MEASURES
from metrics.candidates.search.exploration import Exploration
from metrics.formatting import percent, within_sentence
from metrics.metric import Direction
from metrics.scoring.catalog import INFORMATION
from metrics.texts import text

_ALL = 0.9995
"""A bound on a share says nothing from this value on."""


def search_finding(exploration: Exploration) -> str:
    """The best so far, and the bound that is proven for all generalizations within the limits."""
    if exploration.proven:
        finding, proof = proven_finding(exploration)
        return f"{finding}. {proof}" if proof else finding
    if exploration.best is None:
        return text("search.none_found")
    value = exploration.figures[exploration.measure][exploration.best].item()
    measure, bound = exploration.measure, exploration.bound
    if measure == INFORMATION and (bound is None or bound >= _ALL):
        return text("search.unbounded_information", share=percent(value))
    if bound is None:
        return text("search.unbounded", measure=_title(measure), figure=value)
    return text("search.bounded", better=_better(measure, bound), own=_own(measure, value))


def proven_finding(exploration: Exploration) -> tuple[str, str]:
    """The best figure of a search that has proven it, and a sentence with the proof; empty where there is no best."""
    if exploration.best is None:
        return text("search.none_proven"), ""
    measure = exploration.measure
    value = exploration.figures[measure][exploration.best].item()
    if measure == INFORMATION:
        return text("search.best_information", information=value), text("search.none_keeps_more")
    finding = text("search.best", measure=_title(measure), figure=value)
    if NODE_MEASURES[measure].direction is Direction.LOWER:
        return finding, text("search.none_lower", measure=_title(measure))
    return finding, text("search.none_higher", measure=_title(measure))


def _better(measure: str, figure: float) -> str:
    """Better than a figure; a share is rounded so that this stays true."""
    if measure == INFORMATION:
        return text("search.more_information", share=f"{math.ceil(round(1000 * figure, 6)) / 10:.1f}%")
    if NODE_MEASURES[measure].direction is Direction.LOWER:
        return text("search.below", measure=_title(measure), figure=figure)
    return text("search.above", measure=_title(measure), figure=figure)


def _own(measure: str, figure: float) -> str:
    if measure == INFORMATION:
        return text("search.own_information", share=percent(figure))
    return text("search.own", figure=figure)


def _title(measure: str) -> str:
    return within_sentence(NODE_MEASURES[measure].title)
