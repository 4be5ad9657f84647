"""Standardized difference (IL1s): how far released numbers lie from the original ones, on the scale of their spread."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates
from metrics.aggregates.perturbation import NumberPairs, NumericPairs, numeric_pairs
from metrics.config.parameters import Parameters
from metrics.errors import Unavailable
from metrics.metric import Direction, Family, Metric, Result
from metrics.texts import text
from metrics.working import two_step_measures


@dataclass(frozen=True)
class ColumnDifference:
    """The differences in one column, over the records that hold a number in both tables."""

    total: float
    """Sum of the standardized differences."""
    records: int

    @property
    def mean(self) -> float:
        """Mean difference per record."""
        return self.total / self.records


@dataclass(frozen=True)
class StandardizedDifference(Result):
    """`value` is the mean difference of a number, in units of √2 standard deviations of the original column."""

    columns: Mapping[str, ColumnDifference]
    constant: tuple[str, ...]
    """Columns without a spread, which have no scale."""
    left_out: tuple[str, ...]
    """Columns of numbers that are generalized in the anonymized table, or that hold no number in both tables."""

    @property
    def value(self) -> float:
        """The mean over the numbers of all columns."""
        total = math.fsum(column.total for column in self.columns.values())
        return total / sum(column.records for column in self.columns.values())

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """The mean of each column."""
        return {name: column.mean for name, column in self.columns.items()}

    def details(self) -> dict[str, Any]:
        """The sum, as sdcMicro prints it, and the numbers it was computed from."""
        return {
            "sum": math.fsum(column.total for column in self.columns.values()),
            "numbers": {name: column.records for name, column in self.columns.items()},
            "constant": list(self.constant),
            "left_out": list(self.left_out),
        }

    def summary(self) -> str:
        if not self.value:
            return text("standardized_difference.unchanged", columns=list(self.columns))
        finding = text("standardized_difference.finding", deviations=math.sqrt(2) * self.value)
        if len(self.columns) == 1:
            return finding
        worst = max(self.columns, key=lambda name: self.columns[name].mean)
        largest = math.sqrt(2) * self.columns[worst].mean
        return f"{finding} {text('standardized_difference.most', column=worst, deviations=largest)}"


def column_difference(pairs: NumberPairs) -> ColumnDifference | None:
    """The differences of one column; None where the original has no spread."""
    if not pairs.deviation:
        return None
    differences = np.abs(pairs.after - pairs.before) / (math.sqrt(2) * pairs.deviation)
    return ColumnDifference(float((differences * pairs.records).sum()), int(pairs.records.sum()))


def standardized_difference(numeric: NumericPairs) -> StandardizedDifference:
    r"""IL1s: the mean of :math:`|x - x'| / (\sqrt 2\, s)` over the numbers; 0 upwards, lower is better.

    `s` is the standard deviation (n − 1) of the original column. The mean is over the cells of matched records that
    hold a number in both tables; a missing number has no difference.

    sdcMicro's `dUtility` with `method="IL1s"` gives the sum instead of the mean since version 5.2.0, which is here
    `sum` of the details; before, its code multiplied by √2 where the definition divides, so its figure was twice as
    large.

    The mean over all columns and that of each. `numeric`: pairs of original and released numbers of matched records, by
    column; at least one of each. Raises Unavailable if no column has a spread.
    Source: J. M. Mateo-Sanz, F. Sebé, J. Domingo-Ferrer, "Outlier protection in continuous microdata masking", Privacy
    in Statistical Databases 2004, doi 10.1007/978-3-540-25955-8_16.
    """
    differences = {name: column_difference(pair) for name, pair in numeric.pairs.items()}
    columns = {name: column for name, column in differences.items() if column is not None}
    constant = tuple(sorted(name for name in differences if name not in columns))
    if not columns:
        raise Unavailable(text("standardized_difference.unavailable.constant", columns=constant, number=len(constant)))
    return StandardizedDifference(columns, constant, numeric.left_out)


def _compute(aggregates: Aggregates, parameters: Parameters) -> StandardizedDifference:
    return standardized_difference(numeric_pairs(aggregates))


STANDARDIZED_DIFFERENCE = Metric(
    id="standardized_difference",
    family=Family.UTILITY,
    minimum=0,
    maximum=None,
    direction=Direction.LOWER,
    formula=r"\frac{1}{|\mathcal{C}|} \sum_{(r, c) \in \mathcal{C}} \frac{|x_{rc} - x'_{rc}|}{\sqrt{2}\, s_c}",
    reference="J. M. Mateo-Sanz, F. Sebé, J. Domingo-Ferrer, Outlier protection in continuous microdata masking, "
    "Privacy in Statistical Databases 2004, doi 10.1007/978-3-540-25955-8_16",
    compute=_compute,
    about_perturbation=True,
    working=two_step_measures.STANDARDIZED_DIFFERENCE,
)
