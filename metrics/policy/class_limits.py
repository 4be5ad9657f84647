"""The limits of a policy that single equivalence classes can fail."""

from __future__ import annotations

from collections.abc import Mapping

from metrics.formatting import join_names
from metrics.policy.limitable_measures import LIMITABLE_MEASURES
from metrics.policy.policy import Policy
from metrics.scoring.catalog import BY_ID


def class_limits(policy: Policy) -> dict[str, float]:
    """The limits that apply to single classes, such as those on k, l and t, by metric id, in the order of policies."""
    limits = policy.limits
    return {name: float(limits[name]) for name in LIMITABLE_MEASURES if name in limits and _applies_to_classes(name)}


def _applies_to_classes(name: str) -> bool:
    per_class = BY_ID[name].per_class if name in BY_ID else None
    return per_class is not None and per_class.limited is not None


def conditions_text(limits: Mapping[str, float]) -> str:
    """The limits in short: "k ≥ 5, l ≥ 2 or t ≤ 0.5"; empty without any."""
    return join_names([LIMITABLE_MEASURES[name].condition(limit) for name, limit in limits.items()] or [""], "or")
