"""Discernibility: from how many records each record cannot be told apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from metrics.class_sizes import ClassSizes
from metrics.evidence import Evidence
from metrics.parameters import Parameters
from metrics.specification import Direction, Family, Metric, Unavailable
from metrics.utility.cells import wholly_lost
from metrics.wording import counted


@dataclass(frozen=True)
class Discernibility:
    """`value` is 1 if records can be told apart as well as in the original, 0 if none can be told from any other."""

    value: float
    raw: int
    """Sum over records of the records they cannot be told from, themselves included; suppressed: all records."""
    original: int
    """The same sum before anonymization."""
    records: int
    lost: int
    """Records suppressed or deleted."""

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """Empty: the quasi-identifiers are judged together."""
        return {}

    def details(self) -> dict[str, Any]:
        """The sum itself, and the bounds it is set between."""
        return {
            "raw": self.raw,
            "raw_original": self.original,
            "raw_largest": self.records**2,
            "wholly_lost_records": self.lost,
        }

    def in_words(self) -> str:
        """The finding."""
        now, before = (f"{total / self.records:,.6g}" for total in (self.raw, self.original))
        of = counted(self.records, "record")
        return f"A record is one of {now} that look alike, on average over {of}; before anonymization, of {before}."


def penalties(classes: ClassSizes, lost: int = 0) -> int:
    """Sum of the squared class sizes, and for each suppressed or otherwise lost record the number of all records.

    Exact: the sum is at most N**2, which int64 holds up to 3e9 records.
    """
    lost += classes.suppressed
    return int((classes.sizes * classes.sizes) @ classes.counts) + lost * (classes.kept + lost)


def discernibility(classes: ClassSizes, original: ClassSizes, deleted: int = 0) -> Discernibility:
    """Sum of the squared class sizes, set between the original's and N**2: 0 to 1, 1 is best.

    A suppressed or deleted record counts N. 1 also where not even the original tells records apart, or it tells them
    apart less well, as after perturbation. Takes at least one record, and as many originals as records and deleted.

    Source: R. Bayardo, R. Agrawal, "Data privacy through optimal k-anonymization", ICDE 2005,
    doi 10.1109/ICDE.2005.42; normalized as ARX does.
    """
    raw, before = penalties(classes, deleted), penalties(original)
    records = classes.rows + deleted
    span = records**2 - before
    value = float(1 - Fraction(raw - before, span)) if span else 1.0
    return Discernibility(min(max(value, 0.0), 1.0), raw, before, records, classes.suppressed + deleted)


def original_classes(evidence: Evidence) -> ClassSizes:
    """The original's classes; raises Unavailable without an original whose records match those of the table."""
    if evidence.unmatched is not None:
        raise Unavailable(evidence.unmatched)
    return evidence.original_class_sizes


def _compute(evidence: Evidence, parameters: Parameters) -> Discernibility:
    wholly_lost(evidence)
    return discernibility(evidence.class_sizes, original_classes(evidence), evidence.deleted)


DISCERNIBILITY = Metric(
    id="discernibility",
    title="Discernibility",
    family=Family.UTILITY,
    unit="score",
    minimum=0,
    maximum=1,
    direction=Direction.HIGHER,
    meaning="How well records can still be told apart by their quasi-identifiers: 1 as in the original, 0 not at all.",
    good="Near 1; large classes and suppressed records cost most, for both count squared.",
    formula=r"1 - \frac{D - D_0}{N^2 - D_0}, \quad D = \sum_E |E|^2 + N \cdot \mathrm{suppressed}",
    reference="R. J. Bayardo and R. Agrawal, Data Privacy through Optimal k-Anonymization, ICDE 2005",
    doi="10.1109/ICDE.2005.42",
    compute=_compute,
)
