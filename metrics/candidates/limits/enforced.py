"""The limits that search and repair enforce: those of a policy whose measures declare how (`Enforcement`).

Limits are those of policies, by the id of the measure the worst figure: {"k_anonymity": 5, "t_closeness": 0.3}.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Final

from metrics.config.parameters import Parameters
from metrics.config.roles import Roles
from metrics.errors import InputError
from metrics.metric import Direction, Enforcement, Limit
from metrics.policy.limitable_measures import LIMITABLE_MEASURES, PEOPLE_PER_CLASS, SUPPRESSION, check_limit
from metrics.policy.policy import Policy, people_limit, records_limit
from metrics.scoring.catalog import RISK
from metrics.tables.values import exact_fraction

Limits = Mapping[str, float | bool]

ENFORCED: Final[Mapping[str, Enforcement]] = {
    name: measure.enforcement for name, measure in LIMITABLE_MEASURES.items() if measure.enforcement is not None
}
"""How each limit is enforced, by what it limits, in the order of policies."""
K: Final = "k_anonymity"
L: Final = "distinct_l_diversity"
T: Final = "t_closeness"


def checked(limits: Limits) -> Limits:
    """Check the limits of a search or a repair, those on numbers raised to whole ones.

    Raises InputError if one is out of range or cannot be enforced.
    """
    for name, bound in limits.items():
        check_limit(name, bound)
        if name not in ENFORCED:
            raise InputError(f"a limit on {name} cannot be enforced", remedy=f"use {', '.join(ENFORCED)}")
    in_order = {name: limits[name] for name in ENFORCED if name in limits}
    return {name: math.ceil(bound) if ENFORCED[name].is_whole else bound for name, bound in in_order.items()}


def search_limits(policy: Policy) -> Limits:
    """The limits of a policy that a search can enforce; a limit r on the highest risk becomes k >= 1 / r."""
    limits = {name: policy.limits[name] for name in ENFORCED if name in policy.limits}
    records = records_limit(policy.limits)
    return checked(limits if records is None else {**limits, K: records})


def repair_limits(policy: Policy) -> Limits:
    """The limits of a policy that a repair can enforce: without one on what only a search can see, whole tables."""
    return {name: bound for name, bound in search_limits(policy).items() if ENFORCED[name].in_repair}


def not_enforced(policy: Policy, limits: Limits, roles: Roles) -> tuple[str, ...]:
    """Ids of the policy's limits that are not among these, also on people; they are checked on the result."""
    enforced = {*limits, *([RISK] if K in limits and policy.limits.get(RISK) else [])}
    people = [] if people_limit(policy.limits, roles) is None else [PEOPLE_PER_CLASS]
    return tuple(name for name in dict.fromkeys([*policy.limits, *people]) if name not in enforced)


def needs_sensitive(limits: Iterable[str]) -> bool:
    """Whether a limit is set on a figure that only a sensitive attribute gives."""
    return any(ENFORCED[name].needs_sensitive for name in limits)


def without_sensitive(limits: Limits) -> Limits:
    """The limits that apply to a table without a sensitive attribute."""
    return {name: bound for name, bound in limits.items() if not ENFORCED[name].needs_sensitive}


def by_name(limits: Limits) -> dict[str, float | bool | None]:
    """Every limit by its short name, None or False where it is not set, ready for JSON."""
    unset = {name: False if LIMITABLE_MEASURES[name].direction is Direction.TRUE else None for name in ENFORCED}
    return {enforcement.name: limits.get(name, unset[name]) for name, enforcement in ENFORCED.items()}


def max_suppressed(limits: Limits, records: int) -> int:
    """Records that may be suppressed, rounded down, exact in the decimal share given."""
    return int(exact_fraction(limits.get(SUPPRESSION, 1)) * records)


def required_size(limits: Limits, parameters: Parameters) -> int:
    """Records that a class must have. Raises InputError if no number is enough."""
    return max([1, *(ENFORCED[name].records(bound, parameters) for name, bound in limits.items())])


def limits_of(limits: Limits, records: int) -> tuple[Limit, ...]:
    """The limits as those of a table or a node: that on suppression counts records."""
    return tuple(
        Limit(
            ENFORCED[name],
            float(max_suppressed(limits, records) if name == SUPPRESSION else bound),
            LIMITABLE_MEASURES[name].direction,
        )
        for name, bound in limits.items()
    )
