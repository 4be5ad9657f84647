"""A release policy: a named set of limits, and whether a scorecard meets them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from operator import attrgetter
from typing import Any, Final

from metrics.config.former_names import ByName, current_name
from metrics.config.parameters import Parameters
from metrics.config.roles import Roles
from metrics.errors import InputError
from metrics.formatting import join_names, visible, within_sentence
from metrics.policy.limitable_measures import (
    DIRECT_IDENTIFIERS,
    LIMITABLE_MEASURES,
    PEOPLE_PER_CLASS,
    SUPPRESSION,
    LimitResult,
    Outcome,
    check_limit,
    measured,
)
from metrics.privacy.reidentification_risk.measure import ReidentificationRisk
from metrics.scoring.catalog import METRICS, RISK
from metrics.scoring.scorecard import Scorecard, score_aggregates
from metrics.tables.values import exact_fraction
from metrics.texts import text

K: Final = "k_anonymity"
_MAX_NAME_LENGTH = 60


class Status(StrEnum):
    """Whether a scorecard meets a policy."""

    MEETS = "meets"
    FAILS = "fails"
    NO_LIMITS = "no limits"

    @property
    def heading(self) -> str:
        """The status as a heading."""
        if self is Status.NO_LIMITS:
            return text("policy.no_limits")
        return text("policy.meets") if self is Status.MEETS else text("policy.fails")


@dataclass(frozen=True)
class PolicyResult:
    """Every limit of a policy, compared with one scorecard.

    Attributes
    ----------
    policy : Policy
        The limits.
    limits : tuple of LimitResult
        In the order of the catalog, then those that are no metric.
    is_risk_of_k : bool
        Whether the highest risk is one over k, so that limits on both are one.
    """

    policy: Policy
    limits: tuple[LimitResult, ...]
    is_risk_of_k: bool = False

    @property
    def stated(self) -> tuple[LimitResult, ...]:
        """The limits as readers are told them: of those on k and risk the stricter, which names the other."""
        by_id = {limit.metric: limit for limit in self.limits}
        if not (self.is_risk_of_k and by_id.get(RISK) and by_id[RISK].limit and K in by_id):
            return self.limits
        strict, other = sorted((K, RISK), key=lambda name: -(records_limit({name: by_id[name].limit}) or 0))
        by_id[strict] = replace(by_id[strict], also=by_id.pop(other))
        return tuple(by_id.values())

    @property
    def status(self) -> Status:
        """Whether the policy is met; a limit that could not be measured is not met."""
        if not self.limits:
            return Status.NO_LIMITS
        return Status.MEETS if all(limit.outcome is Outcome.MET for limit in self.limits) else Status.FAILS

    @property
    def failed(self) -> tuple[LimitResult, ...]:
        """The limits that the measured values exceed."""
        return self._with(Outcome.FAILED)

    @property
    def not_measured(self) -> tuple[LimitResult, ...]:
        """The limits whose values are not available, or count perturbed columns as unchanged."""
        return self._with(Outcome.NOT_MEASURED)

    def _with(self, outcome: Outcome) -> tuple[LimitResult, ...]:
        return tuple(limit for limit in self.stated if limit.outcome is outcome)

    @property
    def title(self) -> str:
        """The status with the policy's name: "Fails the policy “Internal sharing”"."""
        heading = self.status.heading
        if self.status is Status.NO_LIMITS:
            return heading
        return text("policy.named", status=heading, name=self.policy.name)

    def summary(self) -> str:
        """One sentence, the status first: "Fails the policy “Internal sharing”: 2 of 5 limits are not met: …"."""
        if self.status is Status.NO_LIMITS:
            return f"{self.title}."
        reasons = [within_sentence(limit.summary()) for limit in (*self.failed, *self.not_measured)]
        return f"{': '.join([self.title, self.count_summary(), *([join_names(reasons)] if reasons else [])])}."

    def count_summary(self) -> str:
        """How many limits are met, as a clause: "all 5 limits are met", "2 of 5 limits are not met"."""
        total, failed, unknown = len(self.stated), len(self.failed), len(self.not_measured)
        if failed and unknown:
            return text("policy.unmet_and_not_measured", unmet=failed, limits=total, unknown=unknown)
        if failed:
            return text("policy.only_limit_not_met") if total == 1 else text("policy.unmet", unmet=failed, limits=total)
        if unknown:
            only = text("policy.only_limit_not_measured")
            return only if total == 1 else text("policy.unknown", unknown=unknown, limits=total)
        by_number = {1: text("policy.only_limit_met"), 2: text("policy.both_limits_met")}
        return by_number.get(total, text("policy.all_limits_met", limits=total))

    def to_dict(self) -> dict[str, Any]:
        """The policy's name, the status and every limit, as the command line prints them."""
        return {
            "name": self.policy.name,
            "status": str(self.status),
            "limits": [limit.to_dict() for limit in self.limits],
        }


def _is_risk_of_k(card: Scorecard) -> bool:
    """Whether the highest risk is one over k: no cell is a wildcard, and neither population nor weights count."""
    k, risk = card.scores.get(K), card.scores.get(RISK)
    result = None if risk is None else risk.result
    if k is None or not k.value or not isinstance(result, ReidentificationRisk):
        return False
    is_plain = result.compatible is None and result.journalist is None and result.individual is None
    return is_plain and result.value == 1 / k.value


def records_limit(limits: Mapping[str, float | bool]) -> int | None:
    """How many records a class must hold at least, by the limits on k and the highest risk; None without either."""
    risk = limits.get(RISK)  # one over the size of the smallest class
    least = max(math.ceil(limits.get(K, 0)), math.ceil(1 / exact_fraction(risk)) if risk else 0)
    return least or None


def without_equal_risk(limits: Mapping[str, float | bool]) -> dict[str, float | bool]:
    """The limits without that on the highest risk where it demands as large classes as that on k, if it is 1/k."""
    equal = K in limits and records_limit({K: limits[K]}) == records_limit({RISK: limits.get(RISK, 0)})
    return {name: limit for name, limit in limits.items() if name != RISK or not equal}


def people_limit(limits: Mapping[str, float | bool], roles: Roles) -> int | None:
    """How many people a class must hold at least; None without a limit, or if nothing tells people apart.

    `records_limit` counts records, of which a person can have several where the roles name a column of people.
    """
    return None if roles.person is None else records_limit(limits)


@dataclass(frozen=True)
class Policy:
    """A named set of limits that a release must meet.

    Parameters
    ----------
    name : str
        Shown wherever the policy is applied; 1 to 60 characters.
    limits : mapping of str to float or bool
        The worst value still accepted, by metric id, in the metric's own unit: the smallest where higher is better,
        the largest where lower is better, True if yes is better. Four more limits are not metrics: "suppression",
        the largest share (0 to 1) of records that may be suppressed or removed; "no_attack", True if attacking
        must not pay for any record; "direct_identifiers", which every policy with a limit includes; and
        "people_per_class", which a limit on k-anonymity or the highest risk includes where a column tells people apart.

    Raises
    ------
    InputError
        If the name is empty or too long, a metric does not exist, or a limit is outside the metric's range.
    """

    name: str = "No limits"
    limits: Mapping[str, float | bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not 0 < len(self.name.strip()) <= _MAX_NAME_LENGTH:
            raise InputError(
                "the name of the policy is empty or too long", remedy=f"use 1 to {_MAX_NAME_LENGTH} characters"
            )
        limits = {name: check_limit(name, limit) for name, limit in self.limits.items()}
        object.__setattr__(self, "limits", ByName(limits))

    def __hash__(self) -> int:
        return hash((self.name, frozenset(self.limits.items())))

    def __reduce__(self) -> tuple[Any, ...]:
        return Policy, (self.name, dict(self.limits))

    @property
    def max_suppression(self) -> float | None:
        """The largest share of records that may be suppressed or removed; None without a limit."""
        return self.limits.get(SUPPRESSION)

    def with_limit(self, identifier: str, limit: float | bool | None, *, name: str | None = None) -> Policy:
        """The policy with another value for one limit.

        Parameters
        ----------
        identifier : str
            A metric id, "suppression" or "no_attack".
        limit : float or bool or None
            The new value; None removes the limit.
        name : str, optional
            A new name for the policy; by default it keeps its own.

        Returns
        -------
        Policy
            A copy.

        Raises
        ------
        InputError
            If the metric does not exist, or the limit is outside its range.
        """
        other_limits = {key: value for key, value in self.limits.items() if key != current_name(identifier)}
        return Policy(name or self.name, other_limits if limit is None else {**other_limits, identifier: limit})

    def limit_parameters(self, parameters: Parameters) -> Parameters:
        """Parameters with the policy's limits, such as that on t, by which classes and records are then counted.

        Parameters
        ----------
        parameters : Parameters
            The others stay.

        Returns
        -------
        Parameters
            A copy.
        """
        return parameters.with_settings(self._limit_settings())

    def _limit_settings(self) -> dict[str, float | bool]:
        """The limits by which a metric counts, by the name of its setting."""
        limited = [metric for metric in METRICS if metric.limit_setting and metric.id in self.limits]
        return {metric.limit_setting: self.limits[metric.id] for metric in limited}

    def apply_to(self, card: Scorecard) -> Scorecard:
        """The scorecard with classes and records counted by the policy's limits.

        Parameters
        ----------
        card : Scorecard
            The scores of one release. A setting that is not at its default was chosen, and is kept.

        Returns
        -------
        Scorecard
            The same card where its parameters hold these limits already; else the metrics they affect are computed
            again.
        """
        defaults = Parameters()
        settings = {
            setting: limit
            for setting, limit in self._limit_settings().items()
            if attrgetter(setting)(card.parameters) == attrgetter(setting)(defaults)
        }
        parameters = card.parameters.with_settings(settings)
        if parameters == card.parameters:
            return card
        metric_ids = [score.metric.id for score in card if score.result is not None]
        return score_aggregates(card.aggregates, parameters, metric_ids, known=card)

    def check(self, card: Scorecard) -> PolicyResult:
        """Compare a scorecard with every limit.

        Parameters
        ----------
        card : Scorecard
            The scores of one release. Suppressed records, and original records missing from the release,
            count towards the limit on suppression.

        Returns
        -------
        PolicyResult
            The outcome of each limit and the overall status. A limit that is not measured is not met. A release that
            shows direct identifiers, tagged so or by their values, fails every policy with a limit.
        """
        limits = {**self._implied_limits(card), **self.limits}
        return PolicyResult(
            self,
            tuple(
                replace(measured(identifier, card), limit=limits[identifier])
                for identifier in LIMITABLE_MEASURES
                if identifier in limits
            ),
            is_risk_of_k=_is_risk_of_k(card),
        )

    judge = check
    """The former name of `check`."""

    def _implied_limits(self, card: Scorecard) -> dict[str, float | bool]:
        """Limits that follow from others: no direct identifiers, and as many people in a class as records."""
        implied: dict[str, float | bool] = {}
        if self.limits and measured(DIRECT_IDENTIFIERS, card).value:
            implied[DIRECT_IDENTIFIERS] = 0.0
        people = people_limit(self.limits, card.aggregates.roles)
        return implied if people is None else {PEOPLE_PER_CLASS: people, **implied}

    def to_dict(self) -> dict[str, Any]:
        """Name and limits, as a policy file or a settings file holds them."""
        return {"name": self.name, "limits": dict(self.limits)}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any], file: str | None = None) -> Policy:
        """The policy that `to_dict` wrote.

        Parameters
        ----------
        content : mapping
            An object with the keys "name" and "limits".
        file : str, optional
            Name of the file it comes from, for error messages.

        Returns
        -------
        Policy
            Its limits are checked.

        Raises
        ------
        InputError
            If a key is unknown, a metric does not exist, or a limit is outside the metric's range.
        """
        unknown = [str(key) for key in content if key not in ("name", "limits")]
        limits = content.get("limits", {})
        if unknown:
            raise InputError(
                f'a policy has no key "{visible(unknown[0][:_MAX_NAME_LENGTH])}"',
                remedy="use name and limits",
                file=file,
            )
        if not isinstance(limits, Mapping):
            raise InputError("the limits of the policy are not an object", remedy='write {"k_anonymity": 5}', file=file)
        try:
            return cls(content.get("name", ""), limits)
        except InputError as error:
            raise InputError(error.problem, remedy=error.remedy, file=file) from None
