"""Positions of a value, its limit and the values of other versions on a bar of the metric's range."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from metrics.metric import Direction, Metric


@dataclass(frozen=True)
class Bullet:
    """Positions along the bar, 0 at its left end and 1 at its right."""

    value: float
    limit: float | None
    others: tuple[float, ...]


def bullet(
    metric: Metric, value: float | bool | None, limit: float | bool | None = None, others: Sequence[float | bool] = ()
) -> Bullet | None:
    """The bar of one metric; None without a value, and where neither a range nor a limit gives its length a meaning.

    `metric`: its range, from 0 on, is the bar: linear where it has both ends; else, with a limit, logarithmic from its
    smallest value (or the smallest number given) to the largest number given.
    """
    if value is None or not math.isfinite(value) or metric.direction is Direction.TRUE:
        return None
    is_bounded = metric.maximum is not None and metric.minimum is not None
    if limit is None and not is_bounded:
        return None
    others = [other for other in others if math.isfinite(other)]
    numbers = [float(value), *map(float, others), *([] if limit is None else [float(limit)])]
    # A difference of shares begins at none, not at its most negative value.
    low = min(numbers) if metric.minimum is None else max(metric.minimum, 0.0)
    if is_bounded:
        scale, high = _linear, float(metric.maximum or 0)
    else:
        scale, high = _logarithmic, max(numbers)
    return Bullet(
        scale(float(value), low, high),
        None if limit is None else scale(float(limit), low, high),
        tuple(scale(float(other), low, high) for other in others),
    )


def _linear(number: float, low: float, high: float) -> float:
    return min(max((number - low) / ((high - low) or 1.0), 0.0), 1.0)


def _logarithmic(number: float, low: float, high: float) -> float:
    return _linear(math.log1p(max(number - low, 0.0)), 0.0, math.log1p(max(high - low, 0.0)) * 1.05)
