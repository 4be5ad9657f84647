"""Average class size (AECS): how many records look alike, averaged over equivalence classes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from metrics.aggregates import Aggregates, require_class_sizes
from metrics.config.parameters import Parameters
from metrics.counting.classes import ClassSizes
from metrics.drawing import class_sizes
from metrics.errors import Unavailable
from metrics.formatting import format_number
from metrics.metric import Direction, Family, KnownQuantity, Metric, MetricChart, Result
from metrics.texts import text
from metrics.utility.average_class_size import working
from metrics.utility.discernibility.measure import original_classes


@dataclass(frozen=True)
class AverageClassSize(Result):
    """`value` is 1 if classes are as small as in the original, 0 if one class holds all records."""

    value: float
    raw: float
    """Records of classes over their number."""
    original: float
    """Records of the original's classes over their number."""
    classes: int
    kept: int
    records: int
    """All records; those suppressed or deleted are in no class."""

    def details(self) -> dict[str, Any]:
        """The mean size itself, and the bounds between which it is scaled."""
        return {
            "raw": self.raw,
            "raw_original": self.original,
            "raw_largest": self.records,
            "wholly_lost_records": self.records - self.kept,
        }

    def summary(self) -> str:
        worst = f"{self.records:,}"
        return text("average_class_size.mean", classes=self.classes, now=self.raw, before=self.original, records=worst)


def average_class_size(classes: ClassSizes, original: ClassSizes, deleted: int = 0) -> AverageClassSize:
    r"""Average class size, scaled between the original's figure and N; 0 to 1, higher is better.

    .. math::

        1 - \frac{C - C_0}{N - C_0}, \quad C = \frac{1}{K} \sum_E |E|

    Suppressed and deleted records are in no class, but count in N. The score is also 1 if the original is a single
    class, or if its classes are larger, as can happen if large ones were suppressed.

    The score, and the mean sizes before and after. `classes`: the sizes of the classes; at least one class. `original`:
    the sizes of the original's classes; at least one class.
    Source: K. LeFevre, D. J. DeWitt, R. Ramakrishnan, "Mondrian multidimensional k-anonymity", ICDE 2006, doi
    10.1109/ICDE.2006.101; normalized as in ARX.
    """
    raw, before = (Fraction(class_sizes.kept, class_sizes.count) for class_sizes in (classes, original))
    records = classes.rows + deleted
    span = records - before
    value = float(1 - (raw - before) / span) if span else 1.0
    return AverageClassSize(min(max(value, 0.0), 1.0), float(raw), float(before), classes.count, classes.kept, records)


def _compute(aggregates: Aggregates, parameters: Parameters) -> AverageClassSize:
    classes, original = require_class_sizes(aggregates), original_classes(aggregates)
    if not original.count:
        raise Unavailable(text("unavailable.original_suppressed"))
    return average_class_size(classes, original, aggregates.comparison.deleted)


AVERAGE_CLASS_SIZE = Metric(
    id="average_class_size",
    family=Family.UTILITY,
    minimum=0,
    maximum=1,
    direction=Direction.HIGHER,
    formula=r"1 - \frac{C - C_0}{N - C_0}, \quad C = \frac{\sum_E |E|}{K}",
    reference="K. LeFevre, D. J. DeWitt and R. Ramakrishnan, Mondrian Multidimensional K-Anonymity, ICDE 2006, doi "
    "10.1109/ICDE.2006.101",
    known_quantity=KnownQuantity(
        id="average_class_size.known_quantity", minimum=1, write=lambda result: format_number(result.raw)
    ),
    compute=_compute,
    charts=(MetricChart(class_sizes, all_classes=True),),
    working=working.WORKING,
)
