"""The policy that a session judges by, and the parameters that follow from it. No Streamlit."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, field, replace

from metrics.config.parameters import Parameters
from metrics.policy.built_in_policies import DEFAULT_POLICY, POLICIES
from metrics.policy.policy import Policy

_EDITED = " (edited)"
"""Ends the name of a built-in policy's edited copy."""

_NO_LIMITS = Policy(limits={"t_closeness": 1.0, "reidentification_risk": 1.0})

DEFAULT_PARAMETERS = DEFAULT_POLICY.limit_parameters(Parameters())


@dataclass
class PolicyState:
    """The session's policy, and the parameters of the metrics."""

    parameters: Parameters = DEFAULT_PARAMETERS
    policy: Policy = DEFAULT_POLICY
    """The limits that every page judges by; changed by `choose_policy` and `set_limit`."""
    own_policies: dict[str, Policy] = field(default_factory=dict)
    """Policies that were edited or restored, by name."""

    @property
    def policies(self) -> dict[str, Policy]:
        """Every policy to choose from, by name."""
        return {**POLICIES, **self.own_policies}

    def choose_policy(self, policy: Policy) -> None:
        """Judge by another policy; a figure that it does not limit has the limit that everything meets."""
        built_in = POLICIES.get(policy.name.removesuffix(_EDITED))
        if built_in is not None:
            edited = Policy(f"{built_in.name}{_EDITED}", policy.limits)
            policy = built_in if policy.limits == built_in.limits else edited
        if policy.name not in POLICIES:
            self.own_policies[policy.name] = policy
        self.policy = policy
        self.parameters = policy.limit_parameters(_NO_LIMITS.limit_parameters(self.parameters))

    def set_limit(self, identifier: str, limit: float | bool | None) -> None:
        """Change one limit; None removes it. A built-in policy stays unchanged, its edited copy is judged by.

        Raises InputError.
        """
        if self.policy.limits.get(identifier) == limit:
            return
        self.choose_policy(self.policy.with_limit(identifier, limit))

    def name_policy(self, name: str) -> None:
        """Give the policy another name; a built-in one is kept, too. A name that is taken or empty changes nothing."""
        if name and name not in self.policies:
            self.own_policies.pop(self.policy.name, None)
            self.choose_policy(Policy(name, self.policy.limits))

    @property
    def k_limit(self) -> int:
        """The policy's smallest class size; 1 without a limit."""
        return math.ceil(self.policy.limits.get("k_anonymity", 1))

    def parameters_of(self, sensitive: Collection[str]) -> Parameters:
        """The parameters without ground distances of columns that are not sensitive."""
        settings = self.parameters.t_closeness
        distances = {name: distance for name, distance in settings.distance.items() if name in sensitive}
        return replace(self.parameters, t_closeness=replace(settings, distance=distances))
