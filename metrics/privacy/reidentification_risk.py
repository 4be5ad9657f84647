"""The risk of re-identification by somebody who knows who is in the table, who does not, or who tries everybody."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from metrics.class_sizes import ClassSizes, class_sizes
from metrics.evidence import Evidence
from metrics.parameters import Parameters
from metrics.privacy.individual_risk import IndividualRisk, IndividualTotals, individual_risk
from metrics.privacy.population import population_classes
from metrics.specification import ByClass, Direction, Family, Metric, Unavailable
from metrics.table import Floats, Integers

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
class ReidentificationRisk:
    """`value` is the highest prosecutor risk. What needs a population or weights is None without them."""

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
    """Why a population or weights that are given were of no use, by what is missing."""

    @property
    def value(self) -> float:
        """The highest prosecutor risk."""
        return self.prosecutor.highest

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """Empty: the quasi-identifiers are judged together."""
        return {}

    @property
    def measure(self) -> str:
        """Name of a class's figure."""
        return "risk"

    @property
    def per_class(self) -> Mapping[str, Floats]:
        """Prosecutor risk of each class's records."""
        return {"": 1 / self.sizes}

    @cached_property
    def curve(self) -> RiskCurve:
        """Records at risk for every threshold on the prosecutor risk."""
        return risk_curve(self.classes)

    def details(self) -> dict[str, Any]:
        """Every risk by name; those that lack a population or weights are None, with a reason where one was given."""
        individual = self.individual
        return {
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

    def in_words(self) -> str:
        """The finding."""
        of = self.prosecutor
        parts = [
            f"Whoever knows that somebody is in the table finds the record with a probability of {of.highest:.1%} at "
            f"most and {of.average:.1%} on average; {of.records_at_risk:.1%} of the records are above "
            f"{self.threshold:g}."
        ]
        if self.journalist is not None:
            parts.append(f"Within the population the probability is {self.journalist.highest:.1%} at most.")
        if self.individual is not None:
            parts.append(f"By the weights, {self.individual.expected:,.1f} records are expected to be found.")
        parts += [f"No {name} risk: {reason}." for name, reason in self.refused.items()]
        return " ".join(parts)


def reidentification_risk(
    sizes: Integers,
    threshold: float = 0.2,
    population: Integers | None = None,
    individual: IndividualRisk | None = None,
    refused: Mapping[str, str] | None = None,
    classes: ClassSizes | None = None,
) -> ReidentificationRisk:
    """Risks of records, 0 to 1, lower is better; K classes hold N records, and there is at least one.

    Prosecutor: 1/|E| for every record of a class E of `sizes`. Marketer: K/N, the share of all records that are found
    if every record is assigned to somebody of its class. Journalist: 1 over the `population` records that E covers;
    its average is the marketer's share in the population. At risk is what lies strictly above the threshold. `classes`
    are all classes, where `sizes` are of some.
    Source: K. El Emam, F. K. Dankar, "Protecting privacy using k-anonymity", 2008, doi 10.1197/jamia.M2716.
    """
    of = classes or class_sizes(sizes)
    return ReidentificationRisk(
        sizes=sizes,
        classes=of,
        threshold=threshold,
        prosecutor=_summary(of.sizes, of.sizes * of.counts, threshold),
        marketer=of.count / of.kept,
        journalist=None if population is None else _summary(population, sizes, threshold),
        individual=individual,
        refused=refused or {},
    )


def _summary(people: Integers, records: Integers, threshold: float) -> RiskSummary:
    """Risk 1/people of some records each time."""
    kept = int(records.sum())
    return RiskSummary(
        highest=1 / int(people.min()),
        average=float((records / people).sum()) / kept,
        lowest=1 / int(people.max()),
        records_at_risk=int(records[1 / people > threshold].sum()) / kept,
    )


def risk_curve(classes: ClassSizes) -> RiskCurve:
    """The curve of these classes, of which there is at least one."""
    largest_first = classes.sizes[::-1]
    records = np.cumsum(largest_first * classes.counts[::-1])
    kept = classes.kept
    return RiskCurve(np.append(0.0, 1 / largest_first), np.append(kept, kept - records), kept)


@dataclass(frozen=True, eq=False)
class _Found:
    """What is found of some classes: the sizes of all are known apart."""

    sizes: Integers
    population: Integers | None
    individual: IndividualRisk | None
    refused: Mapping[str, str]
    totals: IndividualTotals


def _judge(evidence: Evidence, parameters: Parameters) -> _Found:
    sizes = evidence.need_classes().sizes
    refused: dict[str, str] = {}
    population = weights = None
    if evidence.population is not None:
        population = _unless_refused("journalist", lambda: population_classes(evidence).sizes, refused)
    if evidence.roles.weight is not None:
        weights = _unless_refused("individual", lambda: evidence.class_weights, refused)
    individual = None if weights is None else individual_risk(sizes, weights)
    totals = IndividualTotals() if individual is None else individual.totals
    return _Found(sizes, population, individual, refused, totals)


def _conclude(found: _Found, evidence: Evidence, parameters: Parameters) -> ReidentificationRisk:
    individual = None if found.individual is None else replace(found.individual, totals=found.totals)
    threshold = parameters.reidentification_risk.threshold
    return reidentification_risk(
        found.sizes, threshold, found.population, individual, found.refused, evidence.class_sizes
    )


def _unless_refused(name: str, make: Callable[[], T], refused: dict[str, str]) -> T | None:
    try:
        return make()
    except Unavailable as reason:
        refused[name] = str(reason)
        return None


_BY_CLASS = ByClass(_judge, _conclude)
REIDENTIFICATION_RISK = Metric(
    id="reidentification_risk",
    title="Re-identification risk",
    family=Family.PRIVACY,
    unit="probability",
    minimum=0,
    maximum=1,
    direction=Direction.LOWER,
    meaning="The highest probability of finding a person's record, for somebody who knows that it is in the table.",
    good="At most 0.2 is common, and 0.09 or 0.05 where data are published; 1 means that somebody is unique.",
    formula=r"\max_E \frac{1}{|E|}",
    reference="K. El Emam, F. K. Dankar, Protecting privacy using k-anonymity, JAMIA 15(5), 2008",
    doi="10.1197/jamia.M2716",
    compute=_BY_CLASS.compute,
    by_class=_BY_CLASS,
)
