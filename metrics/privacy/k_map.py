"""k-map: how many people of the population fit a class, at least."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics.evidence import Evidence
from metrics.parameters import Parameters
from metrics.privacy.population import PopulationClasses, population_classes
from metrics.specification import Direction, Family, Metric
from metrics.table import Floats
from metrics.wording import counted


@dataclass(frozen=True, eq=False)
class KMap:
    """`value` is k: the fewest population records that a class covers."""

    population: PopulationClasses

    @property
    def value(self) -> int:
        """The fewest people that a class fits."""
        return int(self.population.sizes.min())

    @property
    def smallest_classes(self) -> int:
        """Classes that fit so few."""
        return int((self.population.sizes == self.value).sum())

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """Empty: the quasi-identifiers are judged together."""
        return {}

    @property
    def measure(self) -> str:
        """Name of a class's figure."""
        return "population"

    @property
    def per_class(self) -> Mapping[str, Floats]:
        """Population records that each class covers."""
        return {"": self.population.sizes.astype(np.float64)}

    def details(self) -> dict[str, Any]:
        """How many classes fit as few, and the population's size."""
        return {
            "smallest_classes": self.smallest_classes,
            "population_records": self.population.rows,
            "population_outside": self.population.outside,
        }

    def in_words(self) -> str:
        """The finding."""
        if self.value == 1:
            some = counted(self.smallest_classes, "class fits", "classes fit")
            return f"{some} one person of the population alone (k = 1)."
        return f"Every record could be that of at least {counted(self.value, 'person', 'people')} of the population."


def k_map(population: PopulationClasses) -> KMap:
    """The smallest population class met by a class of the table, of which there is at least one: 1 upwards, higher is
    better.

    Source: K. El Emam, F. K. Dankar, "Protecting privacy using k-anonymity", 2008, doi 10.1197/jamia.M2716.
    """
    return KMap(population)


def _compute(evidence: Evidence, parameters: Parameters) -> KMap:
    return k_map(population_classes(evidence))


K_MAP = Metric(
    id="k_map",
    title="k-map",
    family=Family.PRIVACY,
    unit="people",
    minimum=1,
    maximum=None,
    direction=Direction.HIGHER,
    meaning="The smallest number of people in the population whom a record's quasi-identifiers fit.",
    good="At least 5 is common; 1 means that a record fits nobody else in the whole population.",
    formula=r"k = \min_E |\{r \in \text{population} : r \text{ fits } E\}|",
    reference="K. El Emam, F. K. Dankar, Protecting privacy using k-anonymity, JAMIA 15(5), 2008",
    doi="10.1197/jamia.M2716",
    compute=_compute,
)
