"""k-map: how many people of the population fit a class, at least."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.metric import Direction, Family, Metric, PerClass, Result
from metrics.privacy.population import working
from metrics.privacy.population.population_classes import PopulationClasses, population_classes
from metrics.tables.table import Floats
from metrics.texts import text


@dataclass(frozen=True, eq=False)
class KMap(Result):
    """`value` is k: the fewest population records that a class covers."""

    population: PopulationClasses

    @property
    def value(self) -> int:
        """The fewest people that a class fits."""
        return int(self.population.sizes.min())

    @property
    def smallest_classes(self) -> int:
        """Number of classes that fit only k people."""
        return int((self.population.sizes == self.value).sum())

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

    def summary(self) -> str:
        if self.value == 1:
            return text("k_map.unique", classes=self.smallest_classes)
        return text("k_map.shared", people=self.value)


def k_map(population: PopulationClasses) -> KMap:
    """k-map: the fewest population records that a class of the table covers; 1 upwards, higher is better.

    k, and the number of classes that cover only k people. `population`: the population records that each class covers;
    at least one class.
    Source: K. El Emam, F. K. Dankar, "Protecting privacy using k-anonymity", 2008, doi 10.1197/jamia.M2716.
    """
    return KMap(population)


def _compute(aggregates: Aggregates, parameters: Parameters) -> KMap:
    return k_map(population_classes(aggregates))


K_MAP = Metric(
    id="k_map",
    family=Family.PRIVACY,
    minimum=1,
    maximum=None,
    direction=Direction.HIGHER,
    formula=r"k = \min_E |\{r \in \text{population} : r \text{ fits } E\}|",
    reference="K. El Emam, F. K. Dankar, Protecting privacy using k-anonymity, JAMIA 15(5), 2008, doi "
    "10.1197/jamia.M2716",
    compute=_compute,
    working=working.K_MAP,
    per_class=PerClass("population"),
    about_population=True,
)
