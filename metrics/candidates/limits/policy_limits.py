"""A release policy as constraints on generalizations and repairs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Final

from metrics.candidates.limits.constraints import Constraints
from metrics.candidates.limits.suppression import SuppressionRule
from metrics.config.parameters import Parameters
from metrics.policy.policy import Policy
from metrics.policy.thresholds import NO_ATTACK, SUPPRESSION

_CONSTRAINTS: Final[Mapping[str, str]] = {
    "k_anonymity": "k",
    "reidentification_risk": "k",
    "distinct_l_diversity": "l",
    "entropy_l_diversity": "entropy_l",
    "normalized_entropy_l_diversity": "normalized_l",
    "t_closeness": "t",
    "p29": "p29",
    "profitability": "profitable",
    "record_linkage_attack": "record_linkage",
    SUPPRESSION: "max_suppression",
    NO_ATTACK: "no_attack",
}
"""The constraint that enforces the limit on each figure."""


def constraints_of(policy: Policy) -> Constraints:
    """The limits of a policy that searching and repairing can enforce.

    Parameters
    ----------
    policy : Policy
        A limit r on the highest re-identification risk becomes k >= 1 / r: the highest risk is one over the size of
        the smallest class.

    Returns
    -------
    Constraints
        Without the limits that `not_enforced` names.
    """
    limits = policy.limits
    sizes = [math.ceil(limits["k_anonymity"])] if "k_anonymity" in limits else []
    risk = limits.get("reidentification_risk", 0)
    if risk:
        sizes.append(math.ceil(1 / Fraction(repr(float(risk)))))
    return Constraints(
        k=max(sizes, default=None),
        max_suppression=policy.max_suppression,
        l=math.ceil(limits["distinct_l_diversity"]) if "distinct_l_diversity" in limits else None,
        t=limits.get("t_closeness"),
        p29=limits.get("p29"),
        no_attack=NO_ATTACK in limits,
        profitable="profitability" in limits,
        entropy_l=limits.get("entropy_l_diversity"),
        normalized_l=limits.get("normalized_entropy_l_diversity"),
    )


def search_constraints(policy: Policy) -> Constraints:
    """Add the limit on record linkage, which concerns the table as a whole: a search looks at whole tables."""
    return replace(constraints_of(policy), record_linkage=policy.limits.get("record_linkage_attack"))


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
    return tuple(
        identifier
        for identifier in policy.limits
        if getattr(limits, _CONSTRAINTS.get(identifier, ""), None) in (None, False)
    )
