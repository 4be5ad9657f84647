"""Figures that make a table look better than it is, shown as the bounds that they are."""

from __future__ import annotations

from metrics.metric import Direction
from metrics.scoring.caveats import MayUnderstateRisk
from metrics.scoring.metric_score import Score


def as_bound(score: Score, shown: str) -> str:
    """A figure ready for display, marked as a mere bound where perturbed values count as unchanged, or risk as less."""
    understated = isinstance(score.result, MayUnderstateRisk) and score.result.understates_risk
    if score.value is None or (score.not_judged is None and not understated):
        return shown
    return bounded(shown, score.metric.direction)


def bounded(shown: str, direction: Direction) -> str:
    """A figure that makes a table look better than it is, as the bound that it is."""
    return f"{'≤' if direction is Direction.HIGHER else '≥'} {shown}"
