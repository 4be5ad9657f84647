"""Every figure of one equivalence class, and why it fails where it does."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from metrics.metric import ClassMeasure
from metrics.policy.class_limits import class_limits
from metrics.policy.limitable_measures import LIMITABLE_MEASURES
from metrics.policy.policy import Policy
from metrics.privacy.k_anonymity.measure import K_ANONYMITY
from metrics.scoring.class_filter import missed_limits
from metrics.scoring.scorecard import Score, Scorecard
from metrics.texts import text


def class_profile(card: Scorecard, index: int, policy: Policy | None = None) -> list[ClassMeasure]:
    """Every figure of one equivalence class, and why it fails where it does.

    The size, then every figure that a metric of the catalog has for the class. `card`: the scores; its parameters hold
    the limit on t, weights and costs.
    """
    limits, size = class_limits(policy or Policy()), int(card.classes.classes.sizes[index])
    missed = {
        (metric_id, attribute): text(
            "classes.limit_missed", limit=LIMITABLE_MEASURES[metric_id].limit_text(limits[metric_id])
        )
        for metric_id, attribute in missed_limits(card.classes, index, limits)
    }
    failure = text("classes.single_record") if size == 1 else missed.get((K_ANONYMITY.id, ""), "")
    rows = [ClassMeasure(text("classes.size"), "", size, failure)]
    for score in card:
        for row in _figures(score, index):
            failure = row.failure or missed.get((score.metric.id, row.attribute), "")
            figure = row.figure if row.figure is not None and np.isfinite(row.figure) else None
            rows.append(ClassMeasure(row.measure or score.metric.title, row.attribute, figure, failure))
    return rows


def _figures(score: Score, index: int) -> Sequence[ClassMeasure]:
    per_class, result = score.metric.per_class, score.result
    if per_class is None or result is None:
        return []
    if per_class.profile is not None:
        return per_class.profile(result, index)
    return [ClassMeasure("", name, float(values[index])) for name, values in per_class.figures(result).items()]
