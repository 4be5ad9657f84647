"""One figure for every equivalence class and sensitive attribute, of which the worst is the table's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from metrics.classes import Histogram, RefinedHistogram
from metrics.table import Floats


@dataclass(frozen=True, eq=False)
class Judgement:
    """Figures by sensitive attribute: of every group that was looked at, and of every class as its worst group.

    The groups are the classes themselves, or the classes refined by the other sensitive attributes.
    """

    histograms: Mapping[str, Histogram]
    per_group: Mapping[str, Floats]
    largest: bool
    """Whether the largest figure is the worst."""

    @cached_property
    def per_class(self) -> dict[str, Floats]:
        """One figure per class."""
        return {
            name: self.histograms[name].worst(figures, largest=self.largest) for name, figures in self.per_group.items()
        }

    @cached_property
    def attributes(self) -> dict[str, float]:
        """The worst figure of each attribute; infinite where a class has no finite one."""
        return {
            name: float(figures.max() if self.largest else figures.min()) for name, figures in self.per_group.items()
        }

    @property
    def refined(self) -> bool:
        """Whether all other sensitive values of a person are taken as known."""
        return any(isinstance(histogram, RefinedHistogram) for histogram in self.histograms.values())

    def worst_group(self, column: str, index: int) -> int:
        """The group that decides an attribute's figure of one class."""
        groups, figures = self.histograms[column].groups_of(index), self.per_group[column]
        place = figures[groups].argmax() if self.largest else figures[groups].argmin()
        return int(groups[place])

    def details(self) -> dict[str, bool]:
        """What was looked at, for the details of a result."""
        return {"others_as_quasi_identifiers": self.refined}

    @property
    def everybody(self) -> str:
        """The people that a figure of one group speaks of, in words."""
        return "everybody who agrees in the other sensitive values, too," if self.refined else "everybody"

    @property
    def group(self) -> str:
        """What one figure speaks of, in words."""
        return "part of a class that agrees in the other sensitive values" if self.refined else "class"


@dataclass(frozen=True, eq=False)
class Judged:
    """What a metric answers whose figure is that of the worst class: the base of such results."""

    judgement: Judgement

    @property
    def value(self) -> float:
        """The worst figure over classes and attributes."""
        figures = self.judgement.attributes.values()
        return max(figures) if self.judgement.largest else min(figures)

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """The worst figure of each attribute."""
        return self.judgement.attributes

    @property
    def per_class(self) -> Mapping[str, Floats]:
        """The worst figure within each class, for each attribute."""
        return self.judgement.per_class

    @property
    def worst_attribute(self) -> str:
        """The attribute that decides the value."""
        attributes = self.judgement.attributes
        return next(name for name, figure in attributes.items() if figure == self.value)

    def details(self) -> dict[str, Any]:
        """Whether the other sensitive values are taken as known."""
        return dict(self.judgement.details())


def judge(
    histograms: Mapping[str, Histogram], figures_of: Callable[[Histogram], Floats], *, largest: bool
) -> Judgement:
    """Judge every class, or refined class, by one figure. Takes at least one attribute and one class."""
    per_group = {name: histogram.figures(figures_of) for name, histogram in histograms.items()}
    return Judgement(histograms, per_group, largest)
