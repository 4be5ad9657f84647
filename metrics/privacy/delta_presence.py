"""δ-presence: how sure somebody can be that a person of the population is in the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.metric import Direction, Family, Metric, PerClass, Result
from metrics.privacy.population import working
from metrics.privacy.population.population_classes import PopulationClasses, population_classes
from metrics.tables.table import Floats, Integers
from metrics.texts import text


@dataclass(frozen=True, eq=False)
class DeltaPresence(Result):
    """`value` is the largest δ; `deltas` holds one per class, 0 to 1."""

    deltas: Floats
    population: PopulationClasses

    @property
    def value(self) -> float:
        """The largest δ: the person most likely to be in the table."""
        return float(self.deltas.max())

    @property
    def smallest(self) -> float:
        """The smallest δ of anybody in the population: 0 if some fit no class, who are certainly not in the table."""
        return 0.0 if self.population.outside else float(self.deltas.min())

    @property
    def per_class(self) -> Mapping[str, Floats]:
        """δ of each class."""
        return {"": self.deltas}

    def details(self) -> dict[str, Any]:
        """Both ends of δ, the smaller one also over classes alone, and the population's size."""
        return {
            "delta_min": self.smallest,
            "delta_max": self.value,
            "delta_min_of_classes": float(self.deltas.min()),
            "population_records": self.population.rows,
            "population_outside": self.population.outside,
        }

    def summary(self) -> str:
        certain, outside = int((self.deltas == 1).sum()), self.population.outside
        if certain:
            return text("delta_presence.certain", classes=certain)
        low, high = float(self.deltas.min()), self.value
        if not outside:
            return text("delta_presence.everybody", low=low, high=high)
        return text("delta_presence.some", low=low, high=high, outside=outside)


def delta_presence(sizes: Integers, population: PopulationClasses) -> DeltaPresence:
    """δ-presence: the records of a class over the population records that it covers; 0 to 1, lower is better.

    People of the population whom no class covers have δ = 0, as in the paper and in ARX; PETWorks leaves them out
    (`delta_min_of_classes`).

    The largest δ, and the δ of every class. `sizes`: the number of records of each class; at least one class.
    Source: M. E. Nergiz, M. Atzori, C. Clifton, "Hiding the presence of individuals from shared databases", SIGMOD
    2007, doi 10.1145/1247480.1247554.
    """
    return DeltaPresence(sizes / population.sizes, population)


def _compute(aggregates: Aggregates, parameters: Parameters) -> DeltaPresence:
    population = population_classes(aggregates)
    return delta_presence(aggregates.classes.sizes, population)


DELTA_PRESENCE = Metric(
    id="delta_presence",
    family=Family.PRIVACY,
    minimum=0,
    maximum=1,
    direction=Direction.LOWER,
    formula=r"\delta = \max_E \frac{|E|}{|\{r \in \text{population} : r \text{ fits } E\}|}",
    reference="M. E. Nergiz, M. Atzori, C. Clifton, Hiding the presence of individuals from shared databases, SIGMOD "
    "2007, doi 10.1145/1247480.1247554",
    compute=_compute,
    working=working.DELTA_PRESENCE,
    per_class=PerClass("delta_presence"),
    about_population=True,
)
