"""A release policy as constraints on generalizations and repairs."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

from metrics.candidates.constraints import Constraints
from metrics.policy.policy import Policy
from metrics.policy.thresholds import NO_ATTACK, SUPPRESSION

_ENFORCED = (
    "k_anonymity",
    "reidentification_risk",
    "distinct_l_diversity",
    "entropy_l_diversity",
    "normalized_entropy_l_diversity",
    "t_closeness",
    "p29",
    "profitability",
    SUPPRESSION,
    NO_ATTACK,
)
RECORD_LINKAGE = "record_linkage_attack"
"""The id of the metric that a search can limit and a repair cannot."""


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
    """Those and the limit on record linkage, which concerns the table as a whole: a search looks at whole tables."""
    return replace(constraints_of(policy), record_linkage=policy.limits.get(RECORD_LINKAGE))


def not_enforced(policy: Policy) -> tuple[str, ...]:
    """Ids of the limits that neither searching nor repairing enforces; they are judged on the result.

    Record linkage is among them: a search enforces it only where `Evaluation.has_own_candidates`.
    """
    return tuple(identifier for identifier in policy.limits if identifier not in _ENFORCED)
