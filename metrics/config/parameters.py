"""Parameters of metrics: weights, limits, costs. They are checked on creation."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from difflib import get_close_matches
from enum import StrEnum
from typing import Any

from metrics.config.analyses import Analysis
from metrics.config.population_sizes import PopulationParameters
from metrics.config.setting_values import check, check_columns, check_share, converted
from metrics.errors import InputError

_LARGEST_AMOUNT = 1e15
"""Keeps sums over all records finite."""


class GroundDistance(StrEnum):
    """How the distance between two values of a sensitive attribute is measured."""

    EQUAL = "equal"
    ORDERED = "ordered"
    HIERARCHICAL = "hierarchical"


@dataclass(frozen=True)
class P29Parameters:
    """Weights of the three terms of P_29, non-negative with sum 1, and the limit on t that a class must not exceed."""

    w_k: float = 0.5
    w_l: float = 0.25
    w_t: float = 0.25
    t_max: float = 0.5

    def __post_init__(self) -> None:
        weights = (self.w_k, self.w_l, self.w_t)
        check(
            all(math.isfinite(weight) and weight >= 0 for weight in weights) and abs(sum(weights) - 1) <= 1e-9,
            "the weights p29.w_k, p29.w_l and p29.w_t are not non-negative numbers with sum 1",
            "set all three weights",
        )
        check_share("p29.t_max", self.t_max)


@dataclass(frozen=True)
class ProfitabilityParameters:
    """Amounts per record in one currency, 0 to 1e15; `allow_attack` False selects the strict definition.

    `information_loss` True reduces the benefit of a record by its loss of information, as ARX does.
    """

    adversary_cost: float = 4.0
    adversary_gain: float = 300.0
    publisher_loss: float = 300.0
    publisher_benefit: float = 1200.0
    allow_attack: bool = True
    information_loss: bool = False

    def __post_init__(self) -> None:
        for name in ("adversary_cost", "adversary_gain", "publisher_loss", "publisher_benefit"):
            amount, remedy = getattr(self, name), f"set a number from 0 to {_LARGEST_AMOUNT:,.0f}"
            check(0 <= amount <= _LARGEST_AMOUNT, f"profitability.{name} is not an amount in range", remedy)


@dataclass(frozen=True)
class TClosenessParameters:
    """The limit t, and the ground distances by column that replace the automatic choice."""

    t: float = 0.2
    distance: Mapping[str, GroundDistance] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_share("t_closeness.t", self.t)


@dataclass(frozen=True)
class RecursiveDiversityParameters:
    """The l of recursive (c,l)-diversity, at least 2."""

    l: int = 2  # noqa: E741 - the field's own letter, and the name of the setting

    def __post_init__(self) -> None:
        check(self.l >= 2, "recursive_cl_diversity.l is smaller than 2", "set a whole number of at least 2")


@dataclass(frozen=True)
class SensitiveParameters:
    """Whether the other sensitive attributes count as quasi-identifiers when one is judged.

    If so, the metrics assume an attacker who knows all other sensitive values of a person.
    """

    others_as_quasi_identifiers: bool = False


@dataclass(frozen=True)
class RiskParameters:
    """The risk of re-identification, 0 to 1, above which a record is a high-risk record."""

    threshold: float = 0.2

    def __post_init__(self) -> None:
        check_share("reidentification_risk.threshold", self.threshold, "set a number between 0 and 1")


@dataclass(frozen=True)
class RankingParameters:
    """The largest subset of quasi-identifiers that is ranked, in columns, at least 1."""

    max_columns: int = 3

    def __post_init__(self) -> None:
        problem = "quasi_identifier_ranking.max_columns is smaller than 1"
        check(self.max_columns >= 1, problem, "set a whole number of at least 1")


@dataclass(frozen=True)
class SampleUniquesParameters:
    """For minimal sample uniques: their largest number of columns, and the DIS fraction, as in sdcMicro."""

    max_columns: int = 3
    fraction: float = 0.01

    def __post_init__(self) -> None:
        problem = "minimal_sample_uniques.max_columns is smaller than 1"
        check(self.max_columns >= 1, problem, "set a whole number of at least 1")
        problem = "minimal_sample_uniques.fraction is not between 0 and 1"
        check(0 < self.fraction < 1, problem, "set a number between 0 and 1")


@dataclass(frozen=True)
class KmParameters:
    """For k^m-anonymity: how many items an attacker knows, 1 to 3, and how many people at least should share them."""

    m: int = 2
    k: int = 5

    def __post_init__(self) -> None:
        check(1 <= self.m <= 3, "km_anonymity.m is not between 1 and 3", "set 1, 2 or 3")
        check(self.k >= 2, "km_anonymity.k is smaller than 2", "set a whole number of at least 2")


@dataclass(frozen=True)
class MarginalParameters:
    """The number k of columns whose joint counts are compared, 1 to 3."""

    k: int = 2

    def __post_init__(self) -> None:
        check(1 <= self.k <= 3, "k_marginals.k is not between 1 and 3", "set 1, 2 or 3")


@dataclass(frozen=True)
class SafePubParameters:
    """The ε of SafePub, the δ that a k is sought for, and the probability of keeping a record; 0 for 1 − e^−ε.

    `as_arx` True asks for one record more in each class, as ARX does.
    """

    epsilon: float = 1.0
    delta: float = 1e-6
    beta: float = 0.0
    as_arx: bool = False

    def __post_init__(self) -> None:
        check(0 <= self.epsilon <= 10, "safepub.epsilon is not between 0 and 10", "set a number above 0, up to 10")
        check(1e-300 <= self.delta < 1, "safepub.delta is not between 0 and 1", "set a number such as 0.000001")
        check(0 <= self.beta < 1, "safepub.beta is not between 0 and 1", "set a probability below 1, or 0 for 1 − e^−ε")


class Statistic(StrEnum):
    """A statistic that is compared before and after anonymization."""

    MEAN = "mean"
    MEDIAN = "median"
    COUNT = "count"
    SHARE = "share"
    CORRELATION = "correlation"


@dataclass(frozen=True)
class UtilityBiasParameters:
    """The statistic compared before and after anonymization, and the largest difference accepted.

    `column` empty means every column that the statistic applies to; `other` is the second column of a correlation;
    `label` is the value that is counted.
    """

    statistic: Statistic = Statistic.MEAN
    column: str = ""
    other: str = ""
    label: str = ""
    bound: float = 1.0

    def __post_init__(self) -> None:
        check(0 <= self.bound < math.inf, "utility_bias.bound is negative or not finite", "set a number of at least 0")


@dataclass(frozen=True)
class AccuracyParameters:
    """The column to predict, empty for the first sensitive attribute; folds, seed and largest number of records."""

    target: str = ""
    folds: int = 5
    seed: int = 0
    max_records: int = 10_000

    def __post_init__(self) -> None:
        check(
            2 <= self.folds <= 20, "classification_accuracy.folds is not between 2 and 20", "set a number from 2 to 20"
        )
        check(self.seed >= 0, "classification_accuracy.seed is negative", "set 0 or more")
        check(self.max_records >= 100, "classification_accuracy.max_records is below 100", "set 100 or more")


@dataclass(frozen=True)
class AttackParameters:
    """Knowledge of the attacker, and how success is measured.

    `known` holds the names of the columns whose exact values the attacker knows; empty, it means all
    quasi-identifiers. Where attacking every target would take too long, at most `targets` of them are drawn, and
    predicates are drawn, by `seed`. A guess of a number is right within `tolerance` times the column's range.
    """

    known: tuple[str, ...] = ()
    targets: int = 20_000
    seed: int = 0
    tolerance: float = 0.05

    def __post_init__(self) -> None:
        check_columns("attack.known", self.known)
        check(len(set(self.known)) == len(self.known), "attack.known names a column twice", "name each column once")
        check(self.targets >= 100, "attack.targets is below 100", "set 100 or more")
        check(self.seed >= 0, "attack.seed is negative", "set 0 or more")
        check_share("attack.tolerance", self.tolerance)


class LearningModel(StrEnum):
    """The model that an attacker trains on the release."""

    NAIVE_BAYES = "naive_bayes"
    BOOSTING = "boosting"
    """Gradient boosting of trees, which needs scikit-learn."""


@dataclass(frozen=True)
class LearningParameters:
    """The model of the learning attack; what its attacker knows is that of all attacks."""

    model: LearningModel = LearningModel.NAIVE_BAYES


class CellReading(StrEnum):
    """Meaning of a suppressed or missing cell of a quasi-identifier."""

    VALUE = "value"
    """A value of its own."""
    WILDCARD = "wildcard"
    """Any value."""


@dataclass(frozen=True)
class ClassParameters:
    """How k-anonymity and the re-identification risks read suppressed and missing cells of quasi-identifiers."""

    suppressed_cell: CellReading = CellReading.VALUE
    missing_cell: CellReading = CellReading.VALUE


@dataclass(frozen=True)
class Parameters:
    """All parameters, by the id of the metric or the name of the group they belong to.

    Parameters
    ----------
    p29 : P29Parameters, optional
        Weights of the terms of P_29, and its limit on t.
    profitability : ProfitabilityParameters, optional
        Amounts per record, and the definition of profitability.
    t_closeness : TClosenessParameters, optional
        Limit on t, and ground distances by column.
    recursive_cl_diversity : RecursiveDiversityParameters, optional
        The l of (c,l)-diversity.
    sensitive : SensitiveParameters, optional
        Whether an adversary knows the other sensitive values.
    reidentification_risk : RiskParameters, optional
        The risk above which a record is a high-risk record.
    population_uniqueness : PopulationParameters, optional
        The population that the records are a sample of.
    quasi_identifier_ranking : RankingParameters, optional
        Largest subset of quasi-identifiers that is ranked.
    minimal_sample_uniques : SampleUniquesParameters, optional
        Largest number of columns, and the DIS fraction.
    safepub : SafePubParameters, optional
        The ε, δ and sampling of a condition for differential privacy.
    km_anonymity : KmParameters, optional
        How many items an attacker knows, and how many people at least should share them.
    k_marginals : MarginalParameters, optional
        How many columns are counted jointly.
    utility_bias : UtilityBiasParameters, optional
        The statistic compared, and the largest difference accepted.
    classification_accuracy : AccuracyParameters, optional
        Target, folds, seed and largest number of records.
    attack : AttackParameters, optional
        What the attacker knows, and how success is measured.
    learning_attack : LearningParameters, optional
        The model that an attacker trains on the release.
    classes : ClassParameters, optional
        How suppressed and missing cells of quasi-identifiers are read.
    analyses : mapping of str to Mean, Crosstab, Linear, Logistic or Count, optional
        By name the analyses that the release is to serve.

    Raises
    ------
    InputError
        If a value is out of range; each group raises it on its own.
    """

    p29: P29Parameters = P29Parameters()
    profitability: ProfitabilityParameters = ProfitabilityParameters()
    t_closeness: TClosenessParameters = TClosenessParameters()
    recursive_cl_diversity: RecursiveDiversityParameters = RecursiveDiversityParameters()
    sensitive: SensitiveParameters = SensitiveParameters()
    reidentification_risk: RiskParameters = RiskParameters()
    population_uniqueness: PopulationParameters = field(default_factory=PopulationParameters)
    quasi_identifier_ranking: RankingParameters = RankingParameters()
    minimal_sample_uniques: SampleUniquesParameters = SampleUniquesParameters()
    safepub: SafePubParameters = SafePubParameters()
    km_anonymity: KmParameters = KmParameters()
    k_marginals: MarginalParameters = MarginalParameters()
    utility_bias: UtilityBiasParameters = UtilityBiasParameters()
    classification_accuracy: AccuracyParameters = AccuracyParameters()
    attack: AttackParameters = AttackParameters()
    learning_attack: LearningParameters = LearningParameters()
    classes: ClassParameters = ClassParameters()
    analyses: Mapping[str, Analysis] = field(default_factory=dict, hash=False)

    def with_settings(self, settings: Mapping[str, Any]) -> Parameters:
        """The parameters with some values replaced.

        Parameters
        ----------
        settings : mapping of str to object
            Values by `metric.parameter`; texts are converted to the parameter's type. `t_closeness.distance.COLUMN`
            takes equal, ordered or hierarchical.

        Returns
        -------
        Parameters
            A copy with these values.

        Raises
        ------
        InputError
            If a parameter does not exist, or a value is out of range.
        """
        changed: dict[str, dict[str, Any]] = {}
        for key, value in settings.items():
            group, _, name = key.partition(".")
            if group not in GROUPS or not name:
                raise _unknown(key)
            current = getattr(self, group)
            if group == "t_closeness" and name.startswith("distance."):
                group_changes = changed.setdefault(group, {})
                distances = group_changes.setdefault("distance", dict(current.distance))
                distances[name.removeprefix("distance.")] = _distance(key, value)
                continue
            if name not in asdict(current) or name == "distance":
                raise _unknown(key)
            changed.setdefault(group, {})[name] = converted(key, value, type(getattr(type(current)(), name)))
        return replace(self, **{group: replace(getattr(self, group), **values) for group, values in changed.items()})

    def to_dict(self) -> dict[str, Any]:
        """Every parameter by metric and name, ready for JSON; the analyses are no parameters of a metric."""
        return {group: asdict(getattr(self, group)) for group in GROUPS}


GROUPS = tuple(parameter.name for parameter in fields(Parameters) if parameter.name != "analyses")
"""Groups of parameters, each with settings of its own."""


def _unknown(key: str) -> InputError:
    names = [
        f"{group}.{name}" for group, values in Parameters().to_dict().items() for name in values if name != "distance"
    ]
    nearest = get_close_matches(key, names, n=1, cutoff=0.8)
    shown = nearest[0] if nearest else f"{', '.join(names)} or t_closeness.distance.COLUMN"
    return InputError(f'there is no parameter "{key}"', remedy=f"use {shown}")


def _distance(key: str, value: Any) -> GroundDistance:
    try:
        return GroundDistance(str(value))
    except ValueError:
        raise InputError(f"{key} is not a ground distance", remedy=f"use {', '.join(GroundDistance)}") from None
