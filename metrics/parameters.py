"""What a user can set: weights, limits, costs. Checked when made, so that a metric can trust them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from enum import StrEnum
from typing import Any

from metrics.errors import InputError
from metrics.populations import REGIONS, region

_LARGEST_AMOUNT = 1e15
"""More money than there is; sums over all records stay finite."""


class GroundDistance(StrEnum):
    """How far apart two values of a sensitive attribute are."""

    EQUAL = "equal"
    ORDERED = "ordered"
    HIERARCHICAL = "hierarchical"


@dataclass(frozen=True)
class P29Parameters:
    """Weights of P_29's three terms, non-negative with sum 1, and the limit on t above which a class violates."""

    w_k: float = 0.5
    w_l: float = 0.25
    w_t: float = 0.25
    t_max: float = 0.5

    def __post_init__(self) -> None:
        weights = (self.w_k, self.w_l, self.w_t)
        _check(
            all(math.isfinite(w) and w >= 0 for w in weights) and abs(sum(weights) - 1) <= 1e-9,
            "p29.w_k, p29.w_l and p29.w_t are not non-negative numbers with sum 1",
            "set all three",
        )
        _check(0 <= self.t_max <= 1, "p29.t_max is not between 0 and 1", "set a number from 0 to 1")


@dataclass(frozen=True)
class ProfitabilityParameters:
    """Costs per record in one currency, 0 to 1e15; `allow_attack` False asks for the strict definition.

    `information_loss` True lets a record earn only the part of its benefit that its generalization leaves, as ARX does.
    """

    adversary_cost: float = 4.0
    adversary_gain: float = 300.0
    publisher_loss: float = 300.0
    publisher_benefit: float = 1200.0
    allow_attack: bool = True
    information_loss: bool = False

    def __post_init__(self) -> None:
        for name in ("adversary_cost", "adversary_gain", "publisher_loss", "publisher_benefit"):
            amount = getattr(self, name)
            _check(
                0 <= amount <= _LARGEST_AMOUNT,
                f"profitability.{name} is not an amount of money",
                f"set a number from 0 to {_LARGEST_AMOUNT:.0e}",
            )


@dataclass(frozen=True)
class TClosenessParameters:
    """The limit t, and ground distances by column where the user's choice replaces the automatic one."""

    t: float = 0.2
    distance: Mapping[str, GroundDistance] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _check(0 <= self.t <= 1, "t_closeness.t is not between 0 and 1", "set a number from 0 to 1")


@dataclass(frozen=True)
class RecursiveDiversityParameters:
    """The l of recursive (c,l)-diversity, at least 2."""

    l: int = 2  # noqa: E741 - the field's own letter, and the name of the setting

    def __post_init__(self) -> None:
        _check(self.l >= 2, "recursive_cl_diversity.l is smaller than 2", "set a whole number of at least 2")


@dataclass(frozen=True)
class SensitiveParameters:
    """How several sensitive attributes are judged: each on the quasi-identifiers alone, or with the others among them.

    The second asks what remains hidden from somebody who knows all other sensitive values of a person.
    """

    others_as_quasi_identifiers: bool = False


@dataclass(frozen=True)
class RiskParameters:
    """The risk of re-identification above which a record counts as at risk, 0 to 1."""

    threshold: float = 0.2

    def __post_init__(self) -> None:
        _check(0 <= self.threshold <= 1, "reidentification_risk.threshold is not between 0 and 1", "set a number there")


@dataclass(frozen=True)
class PopulationParameters:
    """The population a sample was drawn from: its number of people, or 0 and a region whose number is known.

    Without either the number is the sum of the survey weights where a column is tagged as weight, else that of the USA.
    """

    size: int = 0
    country: str = ""

    def __post_init__(self) -> None:
        _check(0 <= self.size <= 10**11, "population_uniqueness.size is no number of people", "set 0 to 100000000000")
        _check(
            not self.country or region(self.country) is not None,
            "population_uniqueness.country names no region whose population is known",
            f"use {', '.join(REGIONS)}, or set population_uniqueness.size",
        )


@dataclass(frozen=True)
class RankingParameters:
    """The largest subset of quasi-identifiers that is ranked, in columns, at least 1."""

    most: int = 3

    def __post_init__(self) -> None:
        _check(self.most >= 1, "quasi_identifier_ranking.most is smaller than 1", "set a whole number of at least 1")


@dataclass(frozen=True)
class SampleUniquesParameters:
    """For minimal sample uniques: their largest number of columns, and the assumed share of DIS, as sdcMicro has it."""

    most: int = 3
    fraction: float = 0.01

    def __post_init__(self) -> None:
        _check(self.most >= 1, "minimal_sample_uniques.most is smaller than 1", "set a whole number of at least 1")
        _check(0 < self.fraction < 1, "minimal_sample_uniques.fraction is not between 0 and 1", "set a number there")


class Statistic(StrEnum):
    """What can be asked of a table before and after."""

    MEAN = "mean"
    MEDIAN = "median"
    COUNT = "count"
    SHARE = "share"
    CORRELATION = "correlation"


@dataclass(frozen=True)
class UtilityBiasParameters:
    """The statistic asked of the table before and after, and the largest difference accepted.

    `column` empty stands for every column that the statistic fits; `other` is the second column of a correlation;
    `label` is the value whose count or share is asked.
    """

    statistic: Statistic = Statistic.MEAN
    column: str = ""
    other: str = ""
    label: str = ""
    bound: float = 1.0

    def __post_init__(self) -> None:
        _check(0 <= self.bound < math.inf, "utility_bias.bound is no number from 0 on", "set one")


@dataclass(frozen=True)
class AccuracyParameters:
    """The column to be predicted, empty for the first sensitive attribute; folds, seed and most records used."""

    target: str = ""
    folds: int = 5
    seed: int = 0
    most_records: int = 10_000

    def __post_init__(self) -> None:
        _check(2 <= self.folds <= 20, "classification_accuracy.folds is not between 2 and 20", "set a number there")
        _check(self.seed >= 0, "classification_accuracy.seed is negative", "set 0 or more")
        _check(self.most_records >= 100, "classification_accuracy.most_records is below 100", "set 100 or more")


@dataclass(frozen=True)
class Parameters:
    """All parameters, by the id of the metric they belong to."""

    p29: P29Parameters = field(default_factory=P29Parameters)
    profitability: ProfitabilityParameters = field(default_factory=ProfitabilityParameters)
    t_closeness: TClosenessParameters = field(default_factory=TClosenessParameters)
    recursive_cl_diversity: RecursiveDiversityParameters = field(default_factory=RecursiveDiversityParameters)
    sensitive: SensitiveParameters = field(default_factory=SensitiveParameters)
    reidentification_risk: RiskParameters = field(default_factory=RiskParameters)
    population_uniqueness: PopulationParameters = field(default_factory=PopulationParameters)
    quasi_identifier_ranking: RankingParameters = field(default_factory=RankingParameters)
    minimal_sample_uniques: SampleUniquesParameters = field(default_factory=SampleUniquesParameters)
    utility_bias: UtilityBiasParameters = field(default_factory=UtilityBiasParameters)
    classification_accuracy: AccuracyParameters = field(default_factory=AccuracyParameters)

    def with_settings(self, settings: Mapping[str, Any]) -> Parameters:
        """Parameters with some replaced, each named `metric.parameter`; texts are read as the parameter's type.

        `t_closeness.distance.COLUMN` takes equal, ordered or hierarchical. Raises InputError for a name that does not
        exist or a value out of range.
        """
        changed: dict[str, dict[str, Any]] = {}
        for key, value in settings.items():
            group, _, name = key.partition(".")
            if group not in {parameter.name for parameter in fields(self)} or not name:
                raise _unknown(key)
            current = getattr(self, group)
            if group == "t_closeness" and name.startswith("distance."):
                chosen = changed.setdefault(group, {})
                distances = chosen.setdefault("distance", dict(current.distance))
                distances[name.removeprefix("distance.")] = _distance(key, value)
                continue
            if name not in asdict(current) or name == "distance":
                raise _unknown(key)
            changed.setdefault(group, {})[name] = _convert(key, value, type(getattr(type(current)(), name)))
        return replace(self, **{g: replace(getattr(self, g), **values) for g, values in changed.items()})

    def to_dict(self) -> dict[str, Any]:
        """Every parameter by metric and name, ready for JSON."""
        return asdict(self)


def _check(holds: bool, problem: str, remedy: str) -> None:
    if not holds:
        raise InputError(problem, remedy=remedy)


def _unknown(key: str) -> InputError:
    names = [
        f"{group}.{name}" for group, values in Parameters().to_dict().items() for name in values if name != "distance"
    ]
    return InputError(f'there is no parameter "{key}"', remedy=f"use {', '.join(names)} or t_closeness.distance.COLUMN")


def _distance(key: str, value: Any) -> GroundDistance:
    try:
        return GroundDistance(str(value))
    except ValueError:
        raise InputError(f"{key} is not a ground distance", remedy=f"use {', '.join(GroundDistance)}") from None


def _convert(key: str, value: Any, wanted: Any) -> Any:
    text = str(value).strip().lower()
    if wanted is str:
        return str(value).strip()
    if issubclass(wanted, StrEnum):
        if text not in set(wanted):
            raise InputError(f"{key} is none of {', '.join(wanted)}", remedy="use one of these")
        return wanted(text)
    if wanted is bool:
        if text in ("true", "yes", "1"):
            return True
        if text in ("false", "no", "0"):
            return False
        raise InputError(f"{key} is neither true nor false", remedy="write true or false")
    try:
        return wanted(text)
    except ValueError:
        kind = "whole number" if wanted is int else "number"
        raise InputError(f"{key} is not a {kind}", remedy=f"give a {kind}") from None
