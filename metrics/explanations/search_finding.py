"""Progress of a search for the best generalization, with the bound that it has proven, in one sentence."""

from __future__ import annotations

import math

from metrics.candidates.limits.figures import FIGURES
from metrics.candidates.search.exploration import Exploration
from metrics.metric import Direction
from metrics.wording import format_number, percent, sentence_case, within_sentence

_INFORMATION = "non_uniform_entropy"
_ALL = 0.9995
"""A bound on a share says nothing from this value on."""
_OTHERS = "under this suppression rule, no full-domain generalization that meets the limits"


def search_finding(found: Exploration) -> str:
    """The best so far, and the bound that is proven for all generalizations within the limits."""
    if found.best is None:
        if found.proven:
            return "Proven: under this suppression rule, no full-domain generalization meets the limits."
        return "No generalization that meets the limits has been found yet; one may exist."
    value = found.figures[found.measure][found.best].item()
    if found.proven:
        return _optimal(found.measure, value)
    if found.bound is None or (found.measure == _INFORMATION and found.bound >= _ALL):
        return f"This one {_own(found.measure, value)}; a better one may exist."
    others = sentence_case(_OTHERS)
    return f"{others} {_better(found.measure, found.bound)}; this one {_own(found.measure, value)}."


def _optimal(measure: str, figure: float) -> str:
    """The figure that no other reaches."""
    if measure == _INFORMATION:
        return f"Optimal: {percent(figure)} of the information is preserved; {_OTHERS} preserves more."
    better = "lower" if FIGURES[measure].direction is Direction.LOWER else "higher"
    return f"Optimal: {_title(measure)} {format_number(figure)}; {_OTHERS} has a {better} one."


def _better(measure: str, figure: float) -> str:
    """Better than a figure; a share is rounded so that this stays true."""
    if measure == _INFORMATION:
        return f"preserves more than {math.ceil(round(1000 * figure, 6)) / 10:.1f}% of the information"
    figure_of = FIGURES[measure]
    side = "below" if figure_of.direction is Direction.LOWER else "above"
    return f"has a {_title(measure)} {side} {format_number(figure)}"


def _own(measure: str, figure: float) -> str:
    if measure == _INFORMATION:
        return f"preserves {math.floor(round(1000 * figure, 6)) / 10:.1f}%"
    return f"has {format_number(figure)}"


def _title(measure: str) -> str:
    return within_sentence(FIGURES[measure].title)
