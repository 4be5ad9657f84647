"""Discernibility: from how many records each record cannot be distinguished."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.counting.classes import ClassSizes
from metrics.drawing import class_sizes
from metrics.errors import Unavailable
from metrics.formatting import format_number
from metrics.metric import Direction, Family, KnownQuantity, Metric, MetricChart, Result
from metrics.texts import text
from metrics.utility.cells.released_cells import wholly_lost
from metrics.utility.discernibility import working


@dataclass(frozen=True)
class Discernibility(Result):
    """`value` is 1 if records can be distinguished as well as in the original, 0 if none can be told from any other."""

    value: float
    raw: int
    """Sum over records of the records they cannot be told from, themselves included; suppressed: all records."""
    original: int
    """The sum for the original."""
    records: int
    lost: int
    """Records suppressed or deleted."""

    def details(self) -> dict[str, Any]:
        """The sum itself, and the bounds between which it is scaled."""
        return {
            "raw": self.raw,
            "raw_original": self.original,
            "raw_largest": self.records**2,
            "wholly_lost_records": self.lost,
        }

    def summary(self) -> str:
        return text("discernibility.mean", now=self.raw / self.records, before=self.original / self.records)


def penalties(classes: ClassSizes, lost: int = 0) -> int:
    """Sum of the squared class sizes, and for each suppressed or otherwise lost record the number of all records.

    Exact: the sum is at most N**2, which int64 holds up to 3e9 records.
    """
    lost += classes.suppressed
    return int((classes.sizes * classes.sizes) @ classes.counts) + lost * (classes.kept + lost)


def discernibility(classes: ClassSizes, original: ClassSizes, deleted: int = 0) -> Discernibility:
    r"""Discernibility, :math:`\sum_E |E|^2` scaled between the original's figure and :math:`N^2`: 0 to 1, 1 is best.

    A suppressed or deleted record counts N. The score is also 1 if the original does not distinguish any records, or
    distinguishes them less well, as can happen after perturbation.

    The score, and the sums before and after. `classes`: the sizes of the classes; at least one record, suppressed ones
    included.
    Source: R. J. Bayardo, R. Agrawal, "Data privacy through optimal k-anonymization", ICDE 2005, doi
    10.1109/ICDE.2005.42; normalized as in ARX.
    """
    raw, before = penalties(classes, deleted), penalties(original)
    records = classes.rows + deleted
    span = records**2 - before
    value = float(1 - Fraction(raw - before, span)) if span else 1.0
    return Discernibility(min(max(value, 0.0), 1.0), raw, before, records, classes.suppressed + deleted)


def original_classes(aggregates: Aggregates) -> ClassSizes:
    """The original's classes; raises Unavailable without an original whose records match those of the table."""
    if aggregates.comparison.unmatched is not None:
        raise Unavailable(aggregates.comparison.unmatched)
    return aggregates.comparison.original_class_sizes


def _compute(aggregates: Aggregates, parameters: Parameters) -> Discernibility:
    wholly_lost(aggregates)
    return discernibility(aggregates.class_sizes, original_classes(aggregates), aggregates.comparison.deleted)


DISCERNIBILITY = Metric(
    id="discernibility",
    family=Family.UTILITY,
    minimum=0,
    maximum=1,
    direction=Direction.HIGHER,
    formula=r"1 - \frac{D - D_0}{N^2 - D_0}, \quad D = \sum_E |E|^2 + N \cdot \mathrm{suppressed}",
    reference="R. J. Bayardo and R. Agrawal, Data Privacy through Optimal k-Anonymization, ICDE 2005, doi "
    "10.1109/ICDE.2005.42",
    known_quantity=KnownQuantity(
        id="discernibility.known_quantity", minimum=1, write=lambda result: format_number(result.raw / result.records)
    ),
    compute=_compute,
    charts=(MetricChart(class_sizes, all_classes=True),),
    working=working.WORKING,
)
