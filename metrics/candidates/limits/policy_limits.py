"""A release policy as constraints on generalizations and repairs."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

from metrics.candidates.limits.constraints import LIMITS, Constraints
from metrics.candidates.limits.suppression import SuppressionRule
from metrics.config.parameters import Parameters
from metrics.policy.policy import Policy
from metrics.scoring.catalog import RISK


def constraints_of(policy: Policy) -> Constraints:
    """The limits of a policy that searching and repairing can enforce.

    Parameters
    ----------
    policy : Policy
        A limit r on the highest re-identification risk becomes k >= 1 / r.

    Returns
    -------
    Constraints
        Without the limits that `not_enforced` names.
    """
    return replace(search_constraints(policy), record_linkage=None)


def search_constraints(policy: Policy) -> Constraints:
    """Add the limit on record linkage, which concerns the table as a whole: a search examines whole tables."""
    limits = policy.limits
    applicable: dict[str, Any] = {name: limits[kind.measure] for name, kind in LIMITS.items() if kind.measure in limits}
    if limits.get(RISK):  # one over the size of the smallest class
        applicable["k"] = max(applicable.get("k", 0), 1 / Fraction(repr(limits[RISK])))
    return Constraints(**applicable | {name: math.ceil(applicable[name]) for name in ("k", "l") if name in applicable})


def suppression_rule(limits: Constraints, parameters: Parameters) -> SuppressionRule:
    """The rule of a search: suppress the classes that fail k, l or t, or in which attacking pays.

    Suppression changes the distribution in the whole table, so a table made by this rule can still exceed t.

    Raises InputError if no class size prevents attacks.
    """
    k = 1 if limits.k is None else limits.k
    if limits.no_attack:
        k = max(k, SuppressionRule.without_attacks(parameters.profitability).k)
    return SuppressionRule(k=k, l=limits.l, t=limits.t)


def not_enforced(policy: Policy, limits: Constraints) -> tuple[str, ...]:
    """Ids of the policy's limits that these constraints do not enforce; they are judged on the result."""
    enforced = {LIMITS[name].measure for name in limits.names}
    if limits.k is not None and policy.limits.get(RISK):
        enforced.add(RISK)
    return tuple(identifier for identifier in policy.limits if identifier not in enforced)
