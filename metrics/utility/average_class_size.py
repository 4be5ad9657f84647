"""Average class size (AECS): how many records look alike, averaged over equivalence classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from metrics.class_sizes import ClassSizes
from metrics.evidence import Evidence
from metrics.parameters import Parameters
from metrics.specification import Direction, Family, Metric, Unavailable
from metrics.utility.discernibility import original_classes
from metrics.wording import counted


@dataclass(frozen=True)
class AverageClassSize:
    """`value` is 1 if classes are as small as in the original, 0 if one class holds all records."""

    value: float
    raw: float
    """Records of classes over their number."""
    original: float
    """The same before anonymization."""
    classes: int
    kept: int
    records: int
    """All records; those suppressed or deleted are in no class."""

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """Empty: the quasi-identifiers are judged together."""
        return {}

    def details(self) -> dict[str, Any]:
        """The mean size itself, and the bounds it is set between."""
        return {
            "raw": self.raw,
            "raw_original": self.original,
            "raw_largest": self.records,
            "wholly_lost_records": self.records - self.kept,
        }

    def in_words(self) -> str:
        """The finding."""
        now, before = (f"{mean:,.4g} {'record' if mean == 1 else 'records'}" for mean in (self.raw, self.original))
        of = counted(self.classes, "class", "classes")
        return f"A class holds {now} on average, over {of}; before anonymization, {before}."


def average_class_size(classes: ClassSizes, original: ClassSizes, deleted: int = 0) -> AverageClassSize:
    """Records of classes over their number, set between the original's figure and N: 0 to 1, 1 is best.

    Suppressed and deleted records are in no class, yet count in N. 1 also where the original is one class, or its
    classes are larger, as they are where suppression took the large ones. Both tables have at least one class.

    Source: K. LeFevre, D. DeWitt, R. Ramakrishnan, "Mondrian multidimensional k-anonymity", ICDE 2006,
    doi 10.1109/ICDE.2006.101; normalized as ARX does.
    """
    raw, before = (Fraction(of.kept, of.count) for of in (classes, original))
    records = classes.rows + deleted
    span = records - before
    value = float(1 - (raw - before) / span) if span else 1.0
    return AverageClassSize(min(max(value, 0.0), 1.0), float(raw), float(before), classes.count, classes.kept, records)


def _compute(evidence: Evidence, parameters: Parameters) -> AverageClassSize:
    classes, original = evidence.need_class_sizes(), original_classes(evidence)
    if not original.count:
        raise Unavailable("every record of the original is suppressed")
    return average_class_size(classes, original, evidence.deleted)


AVERAGE_CLASS_SIZE = Metric(
    id="average_class_size",
    title="Average class size (AECS)",
    family=Family.UTILITY,
    unit="score",
    minimum=0,
    maximum=1,
    direction=Direction.HIGHER,
    meaning="How small classes are on average: 1 if as small as in the original, 0 if all records are one class.",
    good="Near 1; suppressed records are in no class, so it must be read beside their number.",
    formula=r"1 - \frac{C - C_0}{N - C_0}, \quad C = \frac{\sum_E |E|}{K}",
    reference="K. LeFevre, D. J. DeWitt and R. Ramakrishnan, Mondrian Multidimensional K-Anonymity, ICDE 2006",
    doi="10.1109/ICDE.2006.101",
    compute=_compute,
)
