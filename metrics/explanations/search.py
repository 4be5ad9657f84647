"""What a search for the best generalization has found and proven, in one sentence."""

from __future__ import annotations

import math

from metrics.candidates.limits.figures import FIGURES
from metrics.candidates.search.exploration import Exploration
from metrics.metric import Direction
from metrics.wording import format_number

_INFORMATION = "non_uniform_entropy"


def search_finding(found: Exploration) -> str:
    """The best so far beside the bound that is proven for all generalizations within the limits."""
    if found.best is None:
        if found.proven:
            return "Proven: no full-domain generalization meets the limits."
        return "No generalization that meets the limits was found yet; one may exist."
    value = found.figures[found.measure][found.best].item()
    if found.proven:
        return f"Proven: no full-domain generalization within the limits {_better(found.measure, value)}."
    if found.bound is None:
        return f"This one {_own(found.measure, value)}; a better one may exist."
    return (
        f"No full-domain generalization within the limits {_better(found.measure, found.bound)}; "
        f"this one {_own(found.measure, value)}."
    )


def _better(measure: str, figure: float) -> str:
    """Better than a figure; a share is rounded so that this stays true."""
    if measure == _INFORMATION:
        return f"keeps more than {math.ceil(round(1000 * figure, 6)) / 10:.1f}% of the information"
    figure_of = FIGURES[measure]
    side = "below" if figure_of.direction is Direction.LOWER else "above"
    return f"has a {_title(measure)} {side} {format_number(figure)}"


def _own(measure: str, figure: float) -> str:
    if measure == _INFORMATION:
        return f"keeps {math.floor(round(1000 * figure, 6)) / 10:.1f}%"
    return f"has {format_number(figure)}"


def _title(measure: str) -> str:
    title = FIGURES[measure].title
    return title[0].lower() + title[1:]
