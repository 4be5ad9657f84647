"""t-closeness: how far the sensitive values of a class lie from those of the whole table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates
from metrics.config.parameters import GroundDistance, Parameters
from metrics.counting.histograms import Histogram
from metrics.formatting import beside
from metrics.hierarchies.hierarchy import Hierarchies, Hierarchy
from metrics.metric import (
    ClassMeasure,
    Direction,
    Enforcement,
    Family,
    Finding,
    FindingKind,
    Metric,
    MetricChart,
    PerClass,
    Result,
    Severity,
)
from metrics.privacy.classes.ground_distances import choose_distance, class_distances, values_without_order
from metrics.privacy.classes.worst_class import MeasuredClasses, MeasuredTotals, measure_classes
from metrics.privacy.t_closeness import working
from metrics.tables.table import Flags, Floats, Integers
from metrics.texts import text


@dataclass(frozen=True, eq=False)
class TCloseness(Result):
    """`value` is the largest distance of a class from the table; `per_class` holds one distance per class."""

    per_class: Mapping[str, Floats]
    distance: Mapping[str, GroundDistance]
    limit: float
    totals: MeasuredTotals
    """Totals of all classes, of which the arrays may hold some; classes farther than the limit fail."""
    measured: MeasuredClasses | None = None
    """The distances of refined classes, where all other sensitive values are taken as known; else None."""
    not_numbers: Mapping[str, int] = field(default_factory=dict)
    """Per attribute whose other values are numbers: the values that are missing or no numbers, which undo the order."""

    @property
    def value(self) -> float:
        """The largest distance."""
        return max(self.totals.worst.values())

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """The largest distance of each attribute."""
        return self.totals.worst

    @property
    def worst_attribute(self) -> str:
        """The attribute with the largest distance; the first of equals."""
        return next(name for name, distance in self.totals.worst.items() if distance == self.value)

    @property
    def exceeding(self) -> int:
        """Classes farther than the limit."""
        return self.totals.failing_anywhere

    @property
    def classes(self) -> int:
        """Number of classes."""
        return self.totals.classes

    @property
    def fulfilled(self) -> bool:
        """Whether no class exceeds the limit."""
        return self.exceeding == 0

    def details(self) -> dict[str, Any]:
        """The ground distance of each attribute, and how the limit t is met."""
        return {
            "distance": {column: str(distance) for column, distance in self.distance.items()},
            "t": self.limit,
            "fulfilled": self.fulfilled,
            "violating_classes": self.exceeding,
            "others_as_quasi_identifiers": self.measured is not None,
            "not_numbers": dict(self.not_numbers),
        }

    @property
    def severity(self) -> Floats:
        """The largest distance of each class, over attributes."""
        farthest: Floats = np.max(list(self.per_class.values()), axis=0)
        return farthest

    def class_measures(self, index: int) -> list[ClassMeasure]:
        """The distance of one class for each attribute, against the limit."""
        figures = []
        for name, distances in self.per_class.items():
            figure = float(distances[index])
            failure = text("t_closeness.class_failure", limit=self.limit) if figure > self.limit else ""
            measure = text("t_closeness.class_measure", distance=str(self.distance[name]))
            figures.append(ClassMeasure(measure, name, figure, failure))
        return figures

    def distance_of_group(self, name: str, group: Integers, others: Integers) -> float | None:
        """The distance of records outside the classes from all others, by how many of each have each value.

        None unless the attribute's values are compared for equality only.
        """
        if self.distance.get(name) is not GroundDistance.EQUAL:
            return None
        return float(np.abs(group / group.sum() - others / others.sum()).sum() / 2)

    def summary(self) -> str:
        """The finding, and the attributes that are nearly but not wholly numeric."""
        return " ".join([self.finding, *(self._reason_not_ordered(name) for name in self.not_numbers)])

    def _reason_not_ordered(self, name: str) -> str:
        distance, values = str(self.distance[name]), self.not_numbers[name]
        return text("t_closeness.not_ordered", column=name, distance=distance, values=values)

    @property
    def finding(self) -> str:
        """How many classes are farther than the limit."""
        limit, failing, classes, worst = self.limit, self.exceeding, self.classes, self._worst
        value = beside(self.value, limit)
        if limit >= 1:
            return text("t_closeness.unlimited", value=value, worst=worst)
        if self.fulfilled:
            return text("t_closeness.within", limit=limit, value=value, worst=worst)
        if self.measured is None:
            return text("t_closeness.exceeded", failing=failing, classes=classes, limit=limit, value=value, worst=worst)
        return text(
            "t_closeness.exceeded_refined", failing=failing, classes=classes, limit=limit, value=value, worst=worst
        )

    @property
    def _worst(self) -> str:
        """Which attribute has the largest distance, by which ground distance."""
        name = self.worst_attribute
        return text("t_closeness.worst", column=name, distance=str(self.distance[name]))


def t_closeness(
    histograms: Mapping[str, Histogram],
    hierarchies: Mapping[str, Hierarchy],
    limit: float = 0.2,
    chosen: Mapping[str, GroundDistance] | None = None,
) -> TCloseness:
    r"""t-closeness, :math:`t = \max_{E,S} \mathrm{EMD}(p_E, q)`: 0 to 1, lower is better.

    The table is t-close if no class exceeds the limit.

    The largest distance over classes and attributes, and the distances of every class. `histograms`: the values of each
    sensitive attribute within each class; at least one attribute and one class. Raises Unavailable if a ground distance
    does not apply to an attribute.
    Source: N. Li, T. Li, S. Venkatasubramanian, "t-Closeness: Privacy Beyond k-Anonymity and l-Diversity", ICDE 2007,
    doi 10.1109/ICDE.2007.367856.
    """
    distance = {
        name: choose_distance(histogram, hierarchies.get(name), (chosen or {}).get(name))
        for name, histogram in histograms.items()
    }

    def distances(histogram: Histogram) -> Floats:
        """Distance of each class, by the ground distance of its attribute."""
        name = histogram.column.name
        return class_distances(histogram, distance[name], hierarchies.get(name))

    def too_far(figures: Floats) -> Flags:
        """Whether each class is farther than the limit."""
        beyond: Flags = figures > limit
        return beyond

    measured = measure_classes(histograms, distances, largest=True, fails=too_far)
    unasked = {
        name: values_without_order(histogram) for name, histogram in histograms.items() if name not in (chosen or {})
    }
    not_numbers = {name: values for name, values in unasked.items() if values}
    refined = measured if measured.refined else None
    return TCloseness(measured.per_class, distance, limit, measured.totals, refined, not_numbers)


def _examine(aggregates: Aggregates, parameters: Parameters) -> TCloseness:
    settings = parameters.t_closeness
    histograms = aggregates.sensitive(refined=parameters.sensitive.others_as_quasi_identifiers)
    return t_closeness(histograms, aggregates.hierarchies, settings.t, settings.distance)


def _compute(aggregates: Aggregates, parameters: Parameters) -> TCloseness:
    return aggregates.examined(_examine, parameters)


def _finding(result: TCloseness, aggregates: Aggregates) -> Finding | None:
    """How many classes are above the limit; nothing where every distance is allowed."""
    if result.limit >= 1:
        return None
    severity = Severity.STRENGTH if result.fulfilled else Severity.RISK
    return Finding(FindingKind.DISTRIBUTION_DISCLOSURE, severity, result.summary())


def _chart(result: Any, aggregates: Aggregates) -> Any:
    from metrics.privacy.t_closeness.chart import distance_distribution

    return distance_distribution(result)


def _ground_distance(histogram: Histogram, hierarchies: Hierarchies, parameters: Parameters) -> GroundDistance:
    name = histogram.column.name
    return choose_distance(histogram, hierarchies.get(name), parameters.t_closeness.distance.get(name))


def class_t(histogram: Histogram, hierarchies: Hierarchies, parameters: Parameters) -> Floats:
    """Distance of each class from all classes together, by the attribute's ground distance. Raises Unavailable."""
    hierarchy = hierarchies.get(histogram.column.name)
    return class_distances(histogram, _ground_distance(histogram, hierarchies, parameters), hierarchy)


T_CLOSENESS = Metric(
    id="t_closeness",
    family=Family.PRIVACY,
    minimum=0,
    maximum=1,
    direction=Direction.LOWER,
    formula=r"t = \max_{E,S} \mathrm{EMD}(p_E, q)",
    reference="N. Li, T. Li, S. Venkatasubramanian, t-Closeness: Privacy Beyond k-Anonymity and l-Diversity, ICDE "
    "2007, doi 10.1109/ICDE.2007.367856",
    compute=_compute,
    examine=_examine,
    settings=("t_closeness", "sensitive"),
    limit_setting="t_closeness.t",
    enforcement=Enforcement(
        name="t",
        title="t",
        node="t_closeness",
        gap=lambda found, limit: text("limits.t", found=found, limit=limit),
        promise=lambda limit: text("repair.limit.t", limit=limit) if limit < 1 else "",
        figures=class_t,
        distance=_ground_distance,
    ),
    charts=(MetricChart(_chart, all_classes=True),),
    working=working.WORKING,
    per_class=PerClass("t", profile=TCloseness.class_measures, severity=attrgetter("severity")),
    finding=_finding,
    is_headline=True,
)
