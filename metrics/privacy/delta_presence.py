"""δ-presence: how sure somebody can be that a person of the population is in the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from metrics.evidence import Evidence
from metrics.parameters import Parameters
from metrics.privacy.population import PopulationClasses, population_classes
from metrics.specification import Direction, Family, Metric
from metrics.table import Floats, Integers
from metrics.wording import counted


@dataclass(frozen=True, eq=False)
class DeltaPresence:
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
    def attributes(self) -> Mapping[str, float | None]:
        """Empty: the quasi-identifiers are judged together."""
        return {}

    @property
    def measure(self) -> str:
        """Name of a class's figure."""
        return "delta_presence"

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

    def in_words(self) -> str:
        """The finding."""
        certain = int((self.deltas == 1).sum())
        if certain:
            of = counted(certain, "class", "classes")
            return f"Everybody of the population who fits {of} is certainly in the table (δ = 1)."
        found = f"with a probability of {float(self.deltas.min()):.1%} to {self.value:.1%}"
        if not self.population.outside:
            return f"Everybody of the population is in the table {found}."
        return (
            f"Whoever fits a class is in the table {found}; "
            f"{counted(self.population.outside, 'person', 'people')} of the population cannot be."
        )


def delta_presence(sizes: Integers, population: PopulationClasses) -> DeltaPresence:
    """δ = records of a class over the population records that it covers, by class; lower is better.

    `sizes` holds the records of each class, of which there is at least one. People of the population that no class
    covers have δ = 0, as the paper has it and ARX does; PETWorks leaves them out (`delta_min_of_classes`).
    Source: M. E. Nergiz, M. Atzori, C. Clifton, "Hiding the presence of individuals from shared databases", 2007,
    doi 10.1145/1247480.1247554.
    """
    return DeltaPresence(sizes / population.sizes, population)


def _compute(evidence: Evidence, parameters: Parameters) -> DeltaPresence:
    population = population_classes(evidence)
    return delta_presence(evidence.classes.sizes, population)


DELTA_PRESENCE = Metric(
    id="delta_presence",
    title="δ-presence",
    family=Family.PRIVACY,
    unit="probability",
    minimum=0,
    maximum=1,
    direction=Direction.LOWER,
    meaning="How likely it is, at most, that somebody of the population is in the table, judged by quasi-identifiers.",
    good="Well below 1, at which it is certain that everybody of a class is in the table.",
    formula=r"\delta = \max_E \frac{|E|}{|\{r \in \text{population} : r \text{ fits } E\}|}",
    reference=(
        "M. E. Nergiz, M. Atzori, C. Clifton, Hiding the presence of individuals from shared databases, SIGMOD 2007"
    ),
    doi="10.1145/1247480.1247554",
    compute=_compute,
)
