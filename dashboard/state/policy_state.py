"""The policy that a session judges by, the parameters that follow from it, and what a page tries. No Streamlit."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.explanations.changed_settings import with_standard
from metrics.policy.built_in_policies import DEFAULT_POLICY, POLICIES
from metrics.policy.policy import Policy

_EDITED = " (edited)"
"""Ends the name of a built-in policy's edited copy."""

_NO_LIMITS = Policy(limits={"t_closeness": 1.0, "reidentification_risk": 1.0})

DEFAULT_PARAMETERS = DEFAULT_POLICY.limit_parameters(Parameters())


@dataclass
class PolicyState:
    """The session's policy, and the parameters of the metrics; beside them what the page of a metric tries.

    What is tried holds on that page alone, as `what_if` has it, until `use_everywhere`.
    """

    parameters: Parameters = DEFAULT_PARAMETERS
    current: Policy = DEFAULT_POLICY
    """The limits that every page judges by; changed by `choose` and `set_limit`."""
    own: dict[str, Policy] = field(default_factory=dict)
    """Policies that were edited or restored, by name."""
    tried_limits: dict[str, float | bool | None] = field(default_factory=dict)
    """By metric the limit on it that its page tries."""
    tried_settings: dict[str, Any] = field(default_factory=dict)
    """By metric the settings, a group of `Parameters`, that its page tries."""

    @property
    def limits(self) -> Mapping[str, float | bool]:
        """The limits of the policy, by metric."""
        return self.current.limits

    @property
    def by_name(self) -> dict[str, Policy]:
        """Every policy to choose from, by name."""
        return {**POLICIES, **self.own}

    def parameters_for(self, aggregates: Aggregates) -> Parameters:
        """The parameters that apply to one version: without columns that it lacks, and without analyses.

        These are run when the rest is known: `Workspace.with_analyses`.
        """
        parameters = self.parameters_of(aggregates.roles.sensitive)
        known_columns = tuple(name for name in parameters.attack.known if name in aggregates.anonymized)
        return replace(parameters, attack=replace(parameters.attack, known=known_columns), analyses={})

    def choose(self, policy: Policy) -> None:
        """Judge by another policy; a value that it does not limit has the limit that everything meets.

        Limits that were tried under the former policy are given up.
        """
        self.tried_limits.clear()
        self._adopt(policy)

    def _adopt(self, policy: Policy) -> None:
        built_in = POLICIES.get(policy.name.removesuffix(_EDITED))
        if built_in is not None:
            edited = Policy(f"{built_in.name}{_EDITED}", policy.limits)
            policy = built_in if policy.limits == built_in.limits else edited
        if policy.name not in POLICIES:
            self.own[policy.name] = policy
        self.current = policy
        self.parameters = policy.limit_parameters(_NO_LIMITS.limit_parameters(self.parameters))

    def set_limit(self, identifier: str, limit: float | bool | None) -> None:
        """Change one limit; None removes it. A built-in policy stays unchanged, its edited copy is judged by.

        Raises InputError.
        """
        if self.limits.get(identifier) == limit:
            return
        self._adopt(self.current.with_limit(identifier, limit))

    def rename(self, name: str) -> None:
        """Give the policy another name; a built-in one is kept, too. A name that is taken or empty changes nothing."""
        if name and name not in self.by_name:
            self.own.pop(self.current.name, None)
            self.choose(Policy(name, self.limits))

    def try_limit(self, metric_id: str, limit: float | bool | None) -> None:
        """Let the page of a metric try another limit on it; None for none."""
        self.tried_limits[metric_id] = limit

    def try_settings(self, metric_id: str, settings: Any) -> None:
        """Let the page of a metric try other settings of it."""
        self.tried_settings[metric_id] = settings

    def what_if(self, metric_id: str) -> PolicyState:
        """The policy and the parameters of a metric's page: the session's, with what is tried there."""
        tried = PolicyState(self.parameters, self.current)
        if metric_id in self.tried_settings:
            tried.parameters = replace(self.parameters, **{metric_id: self.tried_settings[metric_id]})
        limits = self.limits
        tried._adopt(self.current.with_limit(metric_id, self.tried_limits.get(metric_id, limits.get(metric_id))))
        return tried

    def is_tried(self, metric_id: str) -> bool:
        """Whether the page of a metric differs from what is used everywhere."""
        tried = self.what_if(metric_id)
        return (tried.limits, tried.parameters) != (self.limits, self.parameters)

    def use_everywhere(self, metric_id: str) -> None:
        """Let all pages, settings files and reports follow what the page of a metric tries."""
        tried = self.what_if(metric_id)
        self.undo(metric_id)
        self.parameters = tried.parameters
        self._adopt(tried.current)

    def undo(self, metric_id: str) -> None:
        """Let the page of a metric show again what is used everywhere."""
        self.tried_limits.pop(metric_id, None)
        self.tried_settings.pop(metric_id, None)

    @property
    def edited_from(self) -> Policy | None:
        """The built-in policy of which the session's is an edited copy."""
        name = self.current.name
        return POLICIES.get(name.removesuffix(_EDITED)) if name.endswith(_EDITED) else None

    def reset(self) -> None:
        """Go back to the standard settings of measures, and from an edited policy to the built-in one."""
        self.tried_settings.clear()
        self.parameters = with_standard(self.parameters)
        self.choose(self.edited_from or self.current)

    @property
    def k_limit(self) -> int:
        """The policy's smallest class size; 1 without a limit."""
        return math.ceil(self.limits.get("k_anonymity", 1))

    def parameters_of(self, sensitive: Collection[str]) -> Parameters:
        """The parameters without ground distances of columns that are not sensitive."""
        settings = self.parameters.t_closeness
        distances = {name: distance for name, distance in settings.distance.items() if name in sensitive}
        return replace(self.parameters, t_closeness=replace(settings, distance=distances))
