"""Repairs of a candidate, each worked out once for every page that shows it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from metrics.aggregates import Aggregates
from metrics.candidates.constraints import Constraints
from metrics.candidates.policy_limits import constraints_of
from metrics.candidates.repair_to import LimitedRepair, Method, repair_to
from metrics.config.parameters import Parameters
from metrics.policy.policy import Policy, PolicyResult
from metrics.policy.thresholds import SUPPRESSION
from metrics.wording import join_names, percent

_MAX_KEPT = 4
_NAMES = {
    "entropy_l": "entropy l",
    "max_suppression": "suppression",
    "no_attack": "attacks",
    "normalized_l": "normalized entropy l",
    "p29": "P_29",
    "profitable": "profitability",
    "record_linkage": "record linkage",
}


def repair_limits(policy: Policy, aggregates: Aggregates) -> Constraints:
    """The limits of a policy that a repair of this table can enforce."""
    constraints = constraints_of(policy)
    if constraints.needs_sensitive and not aggregates.roles.sensitive:
        return constraints.without_sensitive()
    return constraints


def limit_names(names: Iterable[str]) -> str:
    """The limits that a search or a repair checks, by their names among the constraints, as a sentence names them."""
    return join_names([_NAMES.get(name, name) for name in names])


def beyond_repair(judged: PolicyResult) -> str | None:
    """Why no repair can meet the policy: it suppresses or merges, and never restores a suppressed record."""
    for limit in judged.failed:
        if limit.metric == SUPPRESSION:
            return (
                f"No repair can meet the policy: {percent(float(limit.value or 0))} of the records are suppressed or "
                f"removed (limit {percent(float(limit.limit))}), and a repair cannot restore them."
            )
    return None


def worked_out(
    aggregates: Aggregates,
    constraints: Constraints,
    method: Method,
    parameters: Parameters,
    importance: Sequence[str] = (),
) -> LimitedRepair:
    """The repair; the last few are kept with the candidate's aggregates. Raises as `repair_to` does."""
    name = f"{method} {constraints} {list(importance)} {parameters}"
    kept: dict[str, LimitedRepair] = aggregates.memoize("repairs to limits", dict)
    if name not in kept:
        repair = repair_to(aggregates, constraints, method, parameters=parameters, importance=importance)
        while len(kept) >= _MAX_KEPT:
            kept.pop(next(iter(kept)))
        kept[name] = repair
    return kept[name]
