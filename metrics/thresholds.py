"""Limits that a user sets for metrics, and which of them a candidate keeps."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from metrics.catalog import BY_ID
from metrics.errors import InputError
from metrics.scorecard import Score, Scorecard
from metrics.specification import Direction, Metric


@dataclass(frozen=True)
class Thresholds:
    """The worst figure still accepted, by metric id; a metric that is not named has no limit.

    A limit is in the metric's own unit: the least where higher is better, the most where lower is better, True where
    yes is better. Raises InputError for a metric that does not exist and a limit outside the metric's range.
    """

    limits: Mapping[str, float | bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        checked = {identifier: _checked(identifier, limit) for identifier, limit in self.limits.items()}
        object.__setattr__(self, "limits", checked)

    def with_limit(self, identifier: str, limit: float | bool | None) -> Thresholds:
        """Thresholds with another limit for one metric, None for no limit. Raises InputError."""
        kept = {other: value for other, value in self.limits.items() if other != identifier}
        return Thresholds(kept if limit is None else {**kept, identifier: limit})

    def judge(self, card: Scorecard) -> dict[str, bool | None]:
        """Whether each metric that has a limit keeps it, in the card's order; None where its figure is unavailable."""
        return {
            score.metric.id: keeps(score, self.limits[score.metric.id])
            for score in card
            if score.metric.id in self.limits
        }


def keeps(score: Score, limit: float | bool) -> bool | None:
    """Whether a figure is at least as good as the limit; None where it is unavailable.

    A result without a figure, such as a (c,l)-diversity that no c reaches, keeps no limit.
    """
    if score.value is None:
        return None if score.result is None else False
    if score.metric.direction is Direction.LOWER:
        return score.value <= limit
    return score.value >= limit


def judgement(kept: bool | None) -> str:
    """Whether a limit is kept, in a word."""
    return "not measured" if kept is None else "passed" if kept else "failed"


def wanted(metric: Metric, limit: float | bool) -> str:
    """A limit in words: "at least 5", "at most 0.2", "yes"."""
    if metric.direction is Direction.TRUE:
        return "yes"
    side = "at most" if metric.direction is Direction.LOWER else "at least"
    return f"{side} {limit:,.10g}"


def _checked(identifier: str, limit: float | bool) -> float | bool:
    metric = BY_ID.get(identifier)
    if metric is None:
        raise InputError(f'there is no metric "{identifier}" to set a limit for', remedy=f"use {', '.join(BY_ID)}")
    if metric.direction is Direction.TRUE:
        if limit is not True:
            raise InputError(f"the limit of {identifier} is not true", remedy="write true, or leave it out")
        return True
    low = -math.inf if metric.minimum is None else metric.minimum
    high = math.inf if metric.maximum is None else metric.maximum
    if isinstance(limit, bool) or not math.isfinite(limit) or not low <= limit <= high:
        raise InputError(f"the limit of {identifier} is out of range", remedy=f"set a number from {metric.range}")
    return float(limit)
