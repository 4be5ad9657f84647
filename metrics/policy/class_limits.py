"""The limits of a policy that single equivalence classes can be judged by."""

from __future__ import annotations

import math

from metrics.policy.policy import Policy
from metrics.scoring.class_filter import ClassFilter


def class_limits(policy: Policy) -> ClassFilter:
    """The limits on k, l and t; where the policy has none, those that every class meets."""
    limits = policy.limits
    return ClassFilter(
        k_limit=math.ceil(limits.get("k_anonymity", 1)),
        t_limit=float(limits.get("t_closeness", 1.0)),
        l_limit=math.ceil(limits.get("distinct_l_diversity", 1)),
    )
