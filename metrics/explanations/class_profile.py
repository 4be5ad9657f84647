"""Every figure of one equivalence class, and why it fails where it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from metrics.metric import ClassMeasure
from metrics.policy.class_limits import class_limits
from metrics.policy.limitable_measures import LIMITABLE_MEASURES
from metrics.policy.policy import Policy
from metrics.privacy.k_anonymity import K_ANONYMITY
from metrics.scoring.class_filter import misses
from metrics.scoring.class_table import ClassTable
from metrics.scoring.scorecard import Score, Scorecard
from metrics.texts import text


def class_profile(card: Scorecard, index: int, policy: Policy | None = None) -> list[ClassMeasure]:
    """Every figure of one equivalence class, and why it fails where it does.

    Parameters
    ----------
    card : Scorecard
        The scores; its parameters hold the limit on t, weights and costs.
    index : int
        Position of the class in `card.classes`.
    policy : Policy, optional
        Limits on metrics, as far as they apply to single classes.

    Returns
    -------
    list of ClassMeasure
        The size, then every figure that a metric of the catalog has for the class.
    """
    table, limits = card.classes, class_limits(policy or Policy())
    size = int(table.classes.sizes[index])
    failure = text("classes.single_record") if size == 1 else _missed_limit(table, index, K_ANONYMITY.id, "", limits)
    rows = [ClassMeasure(text("classes.size"), "", size, failure)]
    for score in card:
        rows += [
            replace(row, failure=row.failure or _missed_limit(table, index, score.metric.id, row.attribute, limits))
            for row in _figures(score, index)
        ]
    return rows


def _figures(score: Score, index: int) -> list[ClassMeasure]:
    per_class = score.metric.per_class
    if per_class is None or score.result is None:
        return []
    if per_class.profile is not None:
        return list(per_class.profile(score.result, index))
    figures = []
    for name, values in per_class.figures(score.result).items():
        figure = float(values[index])
        finite_measure = figure if np.isfinite(figure) else None
        figures.append(ClassMeasure(score.metric.title, name, finite_measure, per_class.failure(score.result, figure)))
    return figures


def _missed_limit(table: ClassTable, index: int, metric_id: str, attribute: str, limits: Mapping[str, float]) -> str:
    """Say that a class misses the limit set for a metric; empty where it meets the limit, or there is none."""
    figures = table.limited.get(metric_id, {}).get(attribute)
    if metric_id not in limits or figures is None or not misses(metric_id, figures[index], limits[metric_id]):
        return ""
    return text("classes.limit_missed", limit=LIMITABLE_MEASURES[metric_id].limit_text(limits[metric_id]))
