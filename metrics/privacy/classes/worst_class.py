"""One figure for every equivalence class and sensitive attribute, of which the worst is the table's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.counting.classes import ClassSizes
from metrics.counting.histograms import Histogram, RefinedHistogram
from metrics.metric import Result
from metrics.tables.table import Flags, Floats
from metrics.texts import text


def kept_records(sizes: ClassSizes) -> str:
    """Noun phrase for the records in classes: where others are suppressed, it says that these are not."""
    return text("classes.unsuppressed_records") if sizes.suppressed else text("classes.records")


@dataclass(frozen=True)
class MeasuredTotals:
    """Totals of the figures of classes: the worst figure, and how many classes fail."""

    largest_is_worst: Annotated[bool, max]
    smallest: Annotated[Mapping[str, float], min]
    """The smallest figure by attribute."""
    largest: Annotated[Mapping[str, float], max]
    """The largest figure by attribute; infinite where a class has no finite one."""
    failing: Mapping[str, int]
    """Classes that fail, by attribute."""
    failing_anywhere: int
    """Classes that fail by any attribute."""
    failing_records: int
    """Records in these."""
    classes: int

    @property
    def worst(self) -> Mapping[str, float]:
        """The worst figure by attribute."""
        return self.largest if self.largest_is_worst else self.smallest


@dataclass(frozen=True, eq=False)
class MeasuredClasses:
    """Figures by sensitive attribute: of every group examined, and of every class as its worst group.

    The groups are the classes themselves, or the classes refined by the other sensitive attributes. The totals are of
    all classes, of which the arrays may hold some.
    """

    histograms: Mapping[str, Histogram]
    per_group: Mapping[str, Floats]
    per_class: Mapping[str, Floats]
    """One figure per class."""
    totals: MeasuredTotals

    @property
    def attributes(self) -> Mapping[str, float]:
        """The worst figure of each attribute; infinite where a class has no finite one."""
        return self.totals.worst

    @property
    def worst(self) -> float:
        """The worst figure of all."""
        return max(self.attributes.values()) if self.totals.largest_is_worst else min(self.attributes.values())

    @property
    def refined(self) -> bool:
        """Whether all other sensitive values of a person are taken as known."""
        return any(isinstance(histogram, RefinedHistogram) for histogram in self.histograms.values())

    def worst_group(self, column: str, index: int) -> int:
        """The group that decides an attribute's figure of one class."""
        groups, figures = self.histograms[column].groups_of(index), self.per_group[column]
        position = figures[groups].argmax() if self.totals.largest_is_worst else figures[groups].argmin()
        return int(groups[position])

    def details(self) -> dict[str, bool]:
        """Details of a result on the groups examined."""
        return {"others_as_quasi_identifiers": self.refined}

    @property
    def group(self) -> str:
        """Noun phrase for the group that one figure is about."""
        return text("classes.group_refined") if self.refined else text("classes.group")


@dataclass(frozen=True, eq=False)
class WorstClassResult(Result):
    """Base of results whose figure is that of the worst class."""

    measured: MeasuredClasses

    @property
    def value(self) -> float:
        """The worst figure over classes and attributes."""
        return self.measured.worst

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """The worst figure of each attribute."""
        return self.measured.attributes

    @property
    def per_class(self) -> Mapping[str, Floats]:
        """The worst figure within each class, for each attribute."""
        return self.measured.per_class

    @property
    def worst_attribute(self) -> str:
        """The attribute that decides the value."""
        attributes = self.measured.attributes
        return next(name for name, figure in attributes.items() if figure == self.value)

    def details(self) -> dict[str, Any]:
        """Whether the other sensitive values are taken as known."""
        return dict(self.measured.details())


def measure_classes(
    histograms: Mapping[str, Histogram],
    figures_of: Callable[[Histogram], Floats],
    *,
    largest: bool,
    fails: Callable[[Floats], Flags] | None = None,
) -> MeasuredClasses:
    """Measure every class, or refined class, by one figure; `fails` says which figures of classes are to be counted.

    Takes at least one attribute and one class.
    """
    per_group = {name: histogram.figures(figures_of) for name, histogram in histograms.items()}
    per_class = {name: histograms[name].worst(figures, largest=largest) for name, figures in per_group.items()}
    sizes = next(iter(histograms.values())).sizes_of_classes
    failing = {
        name: np.zeros(len(sizes), dtype=bool) if fails is None else fails(figures)
        for name, figures in per_class.items()
    }
    failing_anywhere = np.logical_or.reduce(list(failing.values()))
    totals = MeasuredTotals(
        largest,
        {name: float(figures.min()) for name, figures in per_class.items()},
        {name: float(figures.max()) for name, figures in per_class.items()},
        {name: int(np.count_nonzero(flags)) for name, flags in failing.items()},
        int(np.count_nonzero(failing_anywhere)),
        int(sizes[failing_anywhere].sum()),
        len(sizes),
    )
    return MeasuredClasses(histograms, per_group, per_class, totals)


def measure_sensitive(
    aggregates: Aggregates,
    parameters: Parameters,
    figures_of: Callable[[Histogram], Floats],
    *,
    largest: bool,
    fails: Callable[[Floats], Flags] | None = None,
) -> MeasuredClasses:
    """Measure every class by all sensitive attributes, refined by the others where the parameters take them as known.

    The figures and the worst of them. `fails`: whether a figure fails, whatever limits are set; by default none does.
    Raises Unavailable if no column is sensitive, or there is no class.
    """
    histograms = aggregates.sensitive(refined=parameters.sensitive.others_as_quasi_identifiers)
    return measure_classes(histograms, figures_of, largest=largest, fails=fails)
