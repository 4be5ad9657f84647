"""Repairs of a table to the limits of a policy, each worked out once for everything that shows it."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.aggregates import Aggregates
from metrics.candidates.limits.enforced import Limits, repair_limits, without_sensitive
from metrics.candidates.repair.to_limits import LimitedRepair, Method, repair_to
from metrics.config.parameters import Parameters
from metrics.errors import InputError, Unavailable
from metrics.policy.policy import Policy

_MAX_KEPT = 4
_MAX_CLASSES = 3_000


def limits_for(policy: Policy, aggregates: Aggregates) -> Limits:
    """The limits of a policy that a repair of this table can enforce."""
    limits = repair_limits(policy)
    return limits if aggregates.roles.sensitive else without_sensitive(limits)


def computed_repair(
    aggregates: Aggregates, limits: Limits, method: Method, parameters: Parameters, importance: Sequence[str] = ()
) -> LimitedRepair:
    """The repair; the last few are kept with the candidate's aggregates. Raises as `repair_to` does."""
    name = f"{method} {dict(limits)} {list(importance)} {parameters}"
    repairs = aggregates.memoize(_kept_repairs)
    if name not in repairs:
        repair = repair_to(aggregates, limits, method, parameters=parameters, importance=importance)
        while len(repairs) >= _MAX_KEPT:
            repairs.pop(next(iter(repairs)))
        repairs[name] = repair
    return repairs[name]


def _kept_repairs(aggregates: Aggregates) -> dict[str, LimitedRepair]:
    """The last repairs of these aggregates, by what was asked for; at first none."""
    return {}


def merge_to_policy(aggregates: Aggregates, policy: Policy, parameters: Parameters) -> LimitedRepair | None:
    """The repair that usually keeps the most information; None if there is none, or it takes more than a second."""
    if aggregates.is_partitioned or aggregates.classes.count > _MAX_CLASSES:
        return None
    try:
        return computed_repair(aggregates, limits_for(policy, aggregates), Method.MERGE, parameters)
    except (Unavailable, InputError):
        return None
