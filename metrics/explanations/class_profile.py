"""Every figure of one equivalence class, and why it fails where it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from metrics.metric import ClassFigure, Direction, Metric
from metrics.policy.policy import Policy
from metrics.policy.thresholds import limit_text
from metrics.scoring.scorecard import Score, Scorecard
from metrics.texts import text


def class_profile(card: Scorecard, index: int, k_limit: int = 1, policy: Policy | None = None) -> list[ClassFigure]:
    """Every figure of one equivalence class, and why it fails where it does.

    Parameters
    ----------
    card : Scorecard
        The scores; its parameters hold the limit on t, weights and costs.
    index : int
        Position of the class in `card.classes`.
    k_limit : int
        Smallest size wanted; 1 is no limit.
    policy : Policy, optional
        Limits on metrics that each class must keep, too.

    Returns
    -------
    list of ClassFigure
        The size, then every figure that a metric of the catalog has for the class.
    """
    size = int(card.classes.classes.sizes[index])
    limits = (policy or Policy()).limits
    failure = ""
    if size == 1:
        failure = text("classes.single_record")
    elif size < k_limit:
        failure = text("classes.below_k", k=k_limit)
    rows = [ClassFigure(text("classes.size"), "", size, failure)]
    for score in card:
        rows += [
            replace(row, failure=row.failure or _missed_limit(score.metric, row.figure, limits))
            for row in _figures(score, index)
        ]
    return rows


def _figures(score: Score, index: int) -> list[ClassFigure]:
    per_class = score.metric.per_class
    if per_class is None or score.result is None:
        return []
    if per_class.profile is not None:
        return list(per_class.profile(score.result, index))
    figures = []
    for name, values in per_class.figures(score.result).items():
        figure = float(values[index])
        finite_figure = figure if np.isfinite(figure) else None
        figures.append(ClassFigure(score.metric.title, name, finite_figure, per_class.failure(score.result, figure)))
    return figures


def _missed_limit(metric: Metric, figure: float | None, limits: Mapping[str, float | bool]) -> str:
    """Say that a class misses the limit set for a metric; empty where it meets the limit, or there is none."""
    limit = limits.get(metric.id)
    per_class = metric.per_class
    if limit is None or isinstance(limit, bool) or per_class is None or not per_class.limit_applies or figure is None:
        return ""
    is_met = figure <= limit if metric.direction is Direction.LOWER else figure >= limit
    return "" if is_met else text("classes.limit_missed", limit=limit_text(metric.direction, limit))
