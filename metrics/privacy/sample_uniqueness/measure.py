"""Sample uniqueness: the share of records that are alone in their equivalence class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from metrics.aggregates import Aggregates, require_class_sizes
from metrics.config.parameters import Parameters
from metrics.counting.classes import ClassSizes
from metrics.metric import Direction, Family, Metric, Result
from metrics.privacy.sample_uniqueness import working
from metrics.texts import text


@dataclass(frozen=True)
class SampleUniqueness(Result):
    """`unique` of `records` records in classes are alone in theirs."""

    unique: int
    records: int

    @property
    def value(self) -> float:
        """The share of records alone in their class: 0 to 1."""
        return self.unique / self.records

    def details(self) -> dict[str, Any]:
        """The number of records that are alone."""
        return {"unique_records": self.unique}

    def summary(self) -> str:
        if not self.unique:
            return text("sample_uniqueness.none")
        return text("sample_uniqueness.unique", unique=self.unique, records=self.records)


def sample_uniqueness(classes: ClassSizes) -> SampleUniqueness:
    """Sample uniqueness: the share of records that are alone in their class; 0 to 1, lower is better.

    The number of unique records, and their share of the records in classes. `classes`: the sizes of the equivalence
    classes; at least one.
    Source: C. J. Skinner, M. J. Elliot, "A measure of disclosure risk for microdata", 2002, doi
    10.1111/1467-9868.00365.
    """
    return SampleUniqueness(classes.of_size(1), classes.kept)


def _compute(aggregates: Aggregates, parameters: Parameters) -> SampleUniqueness:
    return sample_uniqueness(require_class_sizes(aggregates))


SAMPLE_UNIQUENESS = Metric(
    id="sample_uniqueness",
    family=Family.PRIVACY,
    minimum=0,
    maximum=1,
    direction=Direction.LOWER,
    is_share=True,
    formula=r"\frac{|\{E : |E| = 1\}|}{\sum_E |E|}",
    reference="C. J. Skinner, M. J. Elliot, A measure of disclosure risk for microdata, JRSS B 64(4), 2002, doi "
    "10.1111/1467-9868.00365",
    compute=_compute,
    working=working.WORKING,
)
