"""The risk of re-identification by somebody who knows who is in the table, who does not, or who tries everybody."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from metrics.aggregates import Aggregates, require_classes
from metrics.config.parameters import Parameters
from metrics.counting.classes import ClassSizes, class_sizes
from metrics.errors import Unavailable
from metrics.metric import Direction, Family, Metric, MetricChart, PerClass, Result
from metrics.privacy.classes.compatible_records import compatible_records, compatible_weights
from metrics.privacy.population.individual_risk import IndividualRisk, IndividualTotals, individual_risk
from metrics.privacy.population.population_classes import population_classes
from metrics.privacy.reidentification_risk import working
from metrics.tables.table import Floats, Integers
from metrics.texts import text

T = TypeVar("T")


@dataclass(frozen=True)
class RiskSummary:
    """The risks of all records, in short."""

    highest: float
    average: float
    lowest: float
    records_at_risk: float
    """Share of the records whose risk is strictly above the threshold."""


@dataclass(frozen=True, eq=False)
class RiskCurve:
    """The records at risk as a step function of the threshold: each number holds from its threshold up to the next."""

    thresholds: Floats
    """0 and every risk that occurs, ascending: only here the number changes."""
    records: Integers
    """Records whose risk is strictly above each threshold."""
    kept: int
    """All records in classes."""

    @property
    def shares(self) -> Floats:
        """The share of the records strictly above each threshold."""
        return self.records / self.kept

    def above(self, threshold: float) -> int:
        """Records whose risk is strictly above a threshold of 0 or more."""
        return int(self.records[int(np.searchsorted(self.thresholds, threshold, side="right")) - 1])


@dataclass(frozen=True, eq=False)
class ReidentificationRisk(Result):
    """`value` is the highest prosecutor risk. Figures that need a population or weights are None without them."""

    sizes: Integers
    """Records per class: of all, or of some."""
    classes: ClassSizes
    """All classes by size."""
    threshold: float
    prosecutor: RiskSummary
    marketer: float
    journalist: RiskSummary | None
    individual: IndividualRisk | None
    refused: Mapping[str, str]
    """Why a population or weights that were given were of no use, by what is missing."""
    compatible: Integers | None = None
    """Per class the records compatible with its own; None if suppressed and missing cells are values of their own."""

    @property
    def people(self) -> Integers:
        """Per class the records with which each of its own could be confused, itself included."""
        return self.sizes if self.compatible is None else self.compatible

    @property
    def value(self) -> float:
        """The highest prosecutor risk."""
        return self.prosecutor.highest

    @property
    def per_class(self) -> Mapping[str, Floats]:
        """Prosecutor risk of each class's records."""
        return {"": 1 / self.people}

    @cached_property
    def curve(self) -> RiskCurve:
        """Records at risk for every threshold on the prosecutor risk."""
        if self.compatible is None:
            return risk_curve(self.classes)
        people, inverse = np.unique(self.compatible, return_inverse=True)
        return _curve(people, np.bincount(inverse, weights=self.sizes).astype(np.int64))

    def details(self) -> dict[str, Any]:
        """Every risk by name; those that lack a population or weights are None, with a reason where one was given."""
        individual = self.individual
        return {
            **({} if self.compatible is None else {"wildcards": True}),
            "threshold": self.threshold,
            "prosecutor": asdict(self.prosecutor),
            "marketer": self.marketer,
            "journalist": None if self.journalist is None else asdict(self.journalist),
            "individual": None
            if individual is None
            else {
                "highest": individual.highest,
                "mean": individual.mean,
                "expected_reidentifications": individual.expected,
            },
            "refused": dict(self.refused),
        }

    def _at_risk(self) -> str:
        share, threshold = self.prosecutor.records_at_risk, self.threshold
        if self.classes.suppressed:
            if not share:
                return text("reidentification_risk.none_at_risk_kept", threshold=threshold)
            return text("reidentification_risk.at_risk_kept", at_risk=share, threshold=threshold)
        if not share:
            return text("reidentification_risk.none_at_risk", threshold=threshold)
        return text("reidentification_risk.at_risk", at_risk=share, threshold=threshold)

    def summary(self) -> str:
        risks = self.prosecutor
        parts = [text("reidentification_risk.prosecutor", highest=risks.highest, average=risks.average)]
        if self.classes.suppressed:
            parts = [text("reidentification_risk.prosecutor_kept", highest=risks.highest, average=risks.average)]
        if self.threshold < 1:
            parts.append(self._at_risk())
        if self.journalist is not None:
            parts.append(text("reidentification_risk.journalist", highest=self.journalist.highest))
        if self.individual is not None:
            parts.append(text("reidentification_risk.individual", expected=self.individual.expected))
        parts += [
            text("reidentification_risk.refused", name=name, reason=reason) for name, reason in self.refused.items()
        ]
        return " ".join(parts)


def reidentification_risk(
    sizes: Integers,
    threshold: float = 0.2,
    population: Integers | None = None,
    individual: IndividualRisk | None = None,
    refused: Mapping[str, str] | None = None,
    classes: ClassSizes | None = None,
    compatible: Integers | None = None,
) -> ReidentificationRisk:
    """Re-identification risks of records: 0 to 1, lower is better.

    Prosecutor: 1/|E| for every record of a class E. Marketer: K/N for K classes with N records, the share of records
    that an attacker identifies who assigns every record to a person of its class. Journalist: 1 over the population
    records that E covers; its average is the mean over records, the marketer risk in the population. ARX's average
    journalist risk, after El Emam, is the larger of this mean and of K over the people whom the classes cover. A record
    is at risk if its risk is strictly above the threshold. With wildcards, the number of compatible records replaces
    |E|, also in the risks according to survey weights, and the marketer risk is the mean prosecutor risk.

    The risks; the highest prosecutor risk is the value. `sizes`: the number of records of each class; at least one
    class. `population`: the population records that each class covers; None without a population. `individual`: risks
    according to survey weights; None without weights. `compatible`: the number of records compatible with those of each
    class; None without wildcards.
    Source: K. El Emam, F. K. Dankar, "Protecting privacy using k-anonymity", 2008, doi 10.1197/jamia.M2716.
    """
    kept_sizes = classes or class_sizes(sizes)
    prosecutor = (
        _summary(kept_sizes.sizes, kept_sizes.sizes * kept_sizes.counts, threshold)
        if compatible is None
        else _summary(compatible, sizes, threshold)
    )
    return ReidentificationRisk(
        sizes=sizes,
        classes=kept_sizes,
        threshold=threshold,
        prosecutor=prosecutor,
        marketer=kept_sizes.count / kept_sizes.kept if compatible is None else prosecutor.average,
        journalist=None if population is None else _summary(population, sizes, threshold),
        individual=individual,
        refused=refused or {},
        compatible=compatible,
    )


def _summary(people: Integers, records: Integers, threshold: float) -> RiskSummary:
    """Risk 1/people of some records each time."""
    total = int(records.sum())
    return RiskSummary(
        highest=1 / int(people.min()),
        average=float((records / people).sum()) / total,
        lowest=1 / int(people.max()),
        records_at_risk=int(records[1 / people > threshold].sum()) / total,
    )


def risk_curve(classes: ClassSizes) -> RiskCurve:
    """The curve of these classes, of which there is at least one."""
    return _curve(classes.sizes, classes.sizes * classes.counts)


def _curve(people: Integers, records: Integers) -> RiskCurve:
    """The curve of records with a risk of 1/people each; different numbers of people, ascending."""
    cumulated = np.cumsum(records[::-1])
    total = int(cumulated[-1])
    return RiskCurve(np.append(0.0, 1 / people[::-1]), np.append(total, total - cumulated), total)


@dataclass(frozen=True, eq=False)
class _MeasuredRisks:
    """Findings on some classes; the sizes of all are known apart from them."""

    sizes: Integers
    population: Integers | None
    individual: IndividualRisk | None
    refused: Mapping[str, str]
    totals: IndividualTotals
    compatible: Integers | None


def _examine(aggregates: Aggregates, parameters: Parameters) -> _MeasuredRisks:
    sizes = require_classes(aggregates).sizes
    refused: dict[str, str] = {}
    population = weights = None
    if aggregates.population is not None:
        population = _unless_refused("journalist", lambda: population_classes(aggregates).sizes, refused)
    if aggregates.roles.weight is not None:
        weights = _unless_refused("individual", lambda: aggregates.class_weights, refused)
    compatible = compatible_records(aggregates, parameters.classes)
    individual = None
    if weights is not None:
        all_weights = compatible_weights(aggregates, parameters.classes, weights)
        individual = individual_risk(sizes, all_weights, compatible)
    totals = IndividualTotals() if individual is None else individual.totals
    return _MeasuredRisks(sizes, population, individual, refused, totals, compatible)


def _compute(aggregates: Aggregates, parameters: Parameters) -> ReidentificationRisk:
    measured = aggregates.examined(_examine, parameters)
    individual = None if measured.individual is None else replace(measured.individual, totals=measured.totals)
    threshold = parameters.reidentification_risk.threshold
    return reidentification_risk(
        measured.sizes,
        threshold,
        measured.population,
        individual,
        measured.refused,
        aggregates.whole.class_sizes,
        measured.compatible,
    )


def _unless_refused(name: str, make: Callable[[], T], refused: dict[str, str]) -> T | None:
    try:
        return make()
    except Unavailable as reason:
        refused[name] = str(reason)
        return None


def _chart(result: Any, aggregates: Aggregates) -> Any:
    from metrics.privacy.reidentification_risk.chart import risk_curve_chart

    return risk_curve_chart({aggregates.anonymized.name: result}, result.threshold)


REIDENTIFICATION_RISK = Metric(
    id="reidentification_risk",
    family=Family.PRIVACY,
    minimum=0,
    maximum=1,
    direction=Direction.LOWER,
    is_share=True,
    formula=r"\max_E \frac{1}{|E|}",
    reference="K. El Emam, F. K. Dankar, Protecting privacy using k-anonymity, JAMIA 15(5), 2008, doi "
    "10.1197/jamia.M2716",
    compute=_compute,
    examine=_examine,
    settings=("reidentification_risk", "classes"),
    limit_setting="reidentification_risk.threshold",
    charts=(MetricChart(_chart),),
    working=working.WORKING,
    per_class=PerClass("risk"),
    is_headline=True,
)
