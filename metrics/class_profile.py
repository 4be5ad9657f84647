"""Every figure of one equivalence class, and why it fails where it does."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from metrics.economics.profitability import Profitability
from metrics.privacy.l_diversity import Diversity
from metrics.privacy.p29 import P29
from metrics.privacy.t_closeness import TCloseness
from metrics.scorecard import Scorecard
from metrics.specification import Direction, Metric, PerClass
from metrics.thresholds import Thresholds, wanted

_PER_CLASS = (
    "distinct_l_diversity",
    "entropy_l_diversity",
    "normalized_entropy_l_diversity",
    "recursive_cl_diversity",
)


@dataclass(frozen=True)
class ProfileRow:
    """One figure of a class; `failure` says in words why it does not pass, empty where it does."""

    measure: str
    attribute: str
    """The sensitive attribute it speaks of; empty where of none."""
    figure: float | None
    """None where there is none, such as a c that no number reaches."""
    failure: str = ""


def class_profile(
    card: Scorecard, index: int, k_limit: int = 1, thresholds: Thresholds | None = None
) -> list[ProfileRow]:
    """Size, risk, and every metric of the catalog that looks at single classes, for the class at `index`.

    `k_limit` is the smallest size wanted; `thresholds` are the user's limits, which each class must keep as well; the
    limits on t, weights and costs are the card's parameters.
    """
    size = int(card.classes.classes.sizes[index])
    limits = thresholds or Thresholds()
    alone = "one record alone" if size == 1 else ""
    rows = [
        ProfileRow("size", "", size, alone or (f"smaller than k = {k_limit}" if size < k_limit else "")),
        *_diversity(card, index, limits),
        *_distance(card, index, limits),
        *_judged(card, index, limits),
        *_money(card, index),
    ]
    return rows


def _diversity(card: Scorecard, index: int, limits: Thresholds) -> list[ProfileRow]:
    rows = []
    for identifier in _PER_CLASS:
        score = card[identifier]
        if not isinstance(score.result, Diversity):
            continue
        for name, figures in score.result.per_class.items():
            figure = float(figures[index])
            single = identifier == "distinct_l_diversity" and figure == 1
            same = f"{score.result.judgement.everybody} has the same value (l = 0)"
            failure = same if single else ""
            if not np.isfinite(figure):
                failure = f"fewer than {card.parameters.recursive_cl_diversity.l} different values: no c holds"
            failure = failure or _missed(score.metric, figure, limits)
            rows.append(ProfileRow(score.metric.title, name, figure if np.isfinite(figure) else None, failure))
    return rows


def _distance(card: Scorecard, index: int, limits: Thresholds) -> list[ProfileRow]:
    rows = []
    closeness, joint = card["t_closeness"].result, card["p29"].result
    if isinstance(closeness, TCloseness):
        for name, distances in closeness.per_class.items():
            figure = float(distances[index])
            failure = f"farther than t = {closeness.limit:g}" if figure > closeness.limit else ""
            failure = failure or _missed(card["t_closeness"].metric, figure, limits)
            rows.append(ProfileRow(f"t-closeness, {closeness.distance[name]} distance", name, figure, failure))
    if isinstance(joint, P29):
        limit = joint.parameters.t_max
        for name, distances in joint.components.distance.items():
            figure = float(distances[index])
            failure = f"shuts P_29's gate: above {limit:g}" if figure > limit else ""
            rows.append(ProfileRow("t of P_29, variational distance", name, figure, failure))
    return rows


def _judged(card: Scorecard, index: int, limits: Thresholds) -> list[ProfileRow]:
    """The figures of every metric that judges each class and needs no words of its own here."""
    rows = []
    for score in card:
        result: object = score.result
        if isinstance(result, PerClass):
            for name, figures in result.per_class.items():
                figure = float(figures[index])
                failure = _missed(score.metric, figure, limits)
                rows.append(ProfileRow(score.metric.title, name, figure if np.isfinite(figure) else None, failure))
    return rows


def _missed(metric: Metric, figure: float, limits: Thresholds) -> str:
    """That a class misses the limit set for a metric; empty where it keeps it, or there is none."""
    limit = limits.limits.get(metric.id)
    # The figures of a class that were worked out on demand are scores, the metric's own is a share.
    if limit is None or isinstance(limit, bool) or metric.on_demand:
        return ""
    kept = figure <= limit if metric.direction is Direction.LOWER else figure >= limit
    return "" if kept else f"{wanted(metric, limit)} wanted"


def _money(card: Scorecard, index: int) -> list[ProfileRow]:
    result = card["profitability"].result
    if not isinstance(result, Profitability):
        return []
    size, chosen = int(result.sizes[index]), result.parameters
    attacked = bool(result.attacked[index])
    unprofitable = "earns no more than it risks" if result.unprofitable[index] else ""
    return [
        ProfileRow(
            "adversary's expected gain per record",
            "",
            chosen.adversary_gain / size,
            f"more than an attack costs ({chosen.adversary_cost:g})" if attacked else "",
        ),
        ProfileRow("publisher's risk per record", "", float(result.risk[index]), unprofitable),
        ProfileRow("publisher's payout from the class", "", float(result.payout[index])),
    ]
