"""Sample uniqueness: the share of records that are alone in their equivalence class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from metrics.class_sizes import ClassSizes
from metrics.evidence import Evidence
from metrics.parameters import Parameters
from metrics.specification import Direction, Family, Metric
from metrics.wording import counted


@dataclass(frozen=True)
class SampleUniqueness:
    """`unique` of `records` records in classes are alone in theirs."""

    unique: int
    records: int

    @property
    def value(self) -> float:
        """The share of them: 0 to 1."""
        return self.unique / self.records

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """Empty: the quasi-identifiers are judged together."""
        return {}

    def details(self) -> dict[str, Any]:
        """The number of records that are alone."""
        return {"unique_records": self.unique}

    def in_words(self) -> str:
        """The finding."""
        if not self.unique:
            return "No record is alone with its quasi-identifiers."
        alone = "is alone with its" if self.unique == 1 else "are alone with their"
        return f"{self.unique:,} of {counted(self.records, 'record')} {alone} quasi-identifiers."


def sample_uniqueness(classes: ClassSizes) -> SampleUniqueness:
    """Records in classes of one, over all records in classes: 0 to 1, lower is better. Takes at least one class.

    Source: C. J. Skinner, M. J. Elliot, "A measure of disclosure risk for microdata", 2002,
    doi 10.1111/1467-9868.00365.
    """
    return SampleUniqueness(classes.of_size(1), classes.kept)


def _compute(evidence: Evidence, parameters: Parameters) -> SampleUniqueness:
    return sample_uniqueness(evidence.need_class_sizes())


SAMPLE_UNIQUENESS = Metric(
    id="sample_uniqueness",
    title="Sample uniqueness",
    family=Family.PRIVACY,
    unit="share of records",
    minimum=0,
    maximum=1,
    direction=Direction.LOWER,
    meaning="The share of records whose combination of quasi-identifiers no other record of the table has.",
    good="Zero: whoever is unique in the table may be so in the population, and can then be recognized.",
    formula=r"\frac{|\{E : |E| = 1\}|}{\sum_E |E|}",
    reference="C. J. Skinner, M. J. Elliot, A measure of disclosure risk for microdata, JRSS B 64(4), 2002",
    doi="10.1111/1467-9868.00365",
    compute=_compute,
)
