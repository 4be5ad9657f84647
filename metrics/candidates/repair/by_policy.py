"""Repairs of a table to the limits of a policy, each worked out once for everything that shows it."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.aggregates import Aggregates
from metrics.candidates.limits.constraints import Constraints
from metrics.candidates.limits.policy_limits import constraints_of
from metrics.candidates.repair.to_limits import LimitedRepair, Method, repair_to
from metrics.config.parameters import Parameters
from metrics.errors import InputError, Unavailable
from metrics.policy.policy import Policy

_MAX_KEPT = 4
_MAX_CLASSES = 3_000


def repair_limits(policy: Policy, aggregates: Aggregates) -> Constraints:
    """The limits of a policy that a repair of this table can enforce."""
    constraints = constraints_of(policy)
    return constraints if aggregates.roles.sensitive else constraints.without_sensitive()


def computed_repair(
    aggregates: Aggregates,
    constraints: Constraints,
    method: Method,
    parameters: Parameters,
    importance: Sequence[str] = (),
) -> LimitedRepair:
    """The repair; the last few are kept with the candidate's aggregates. Raises as `repair_to` does."""
    name = f"{method} {constraints} {list(importance)} {parameters}"
    repairs: dict[str, LimitedRepair] = aggregates.memoize("repairs to limits", dict)
    if name not in repairs:
        repair = repair_to(aggregates, constraints, method, parameters=parameters, importance=importance)
        while len(repairs) >= _MAX_KEPT:
            repairs.pop(next(iter(repairs)))
        repairs[name] = repair
    return repairs[name]


def merge_to_policy(aggregates: Aggregates, policy: Policy, parameters: Parameters) -> LimitedRepair | None:
    """The repair that usually keeps the most information; None if there is none, or it takes more than a second."""
    if aggregates.is_partitioned or aggregates.classes.count > _MAX_CLASSES:
        return None
    try:
        return computed_repair(aggregates, repair_limits(policy, aggregates), Method.MERGE, parameters)
    except (Unavailable, InputError):
        return None
