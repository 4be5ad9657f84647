"""Difference of eigenvalues: how far the correlations between numbers changed, taken together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from metrics.aggregates import Aggregates, require_original_records, require_records
from metrics.aggregates.perturbation import original_of, require_no_truthful_release, single_number_columns
from metrics.config.parameters import Parameters
from metrics.errors import Unavailable
from metrics.hierarchies.numerals import unit_of
from metrics.matching.released_values import plain_numbers
from metrics.metric import Direction, Family, Metric, Result
from metrics.tables.table import Column, Floats, Table
from metrics.texts import text
from metrics.working import two_step_measures

_BLOCK: Final = 2**18
_SMALLEST: Final = 1e-9
"""Smallest eigenvalue of the original that is more than a rounded 0."""


@dataclass(frozen=True)
class EigenvalueDifference(Result):
    """`value` is the sum of the relative differences of the eigenvalues."""

    columns: tuple[str, ...]
    """The columns whose correlations are compared."""
    before: tuple[float, ...]
    """Eigenvalues of the original's correlation matrix, the largest first."""
    after: tuple[float, ...]
    constant: tuple[str, ...]
    """Columns of numbers without a spread in one of the tables."""
    left_out: tuple[str, ...]
    """Columns of numbers that are generalized in the anonymized table."""

    @property
    def value(self) -> float:
        """The sum over the eigenvalues."""
        return sum(abs(old - new) / old for old, new in zip(self.before, self.after, strict=True))

    def details(self) -> dict[str, Any]:
        """The eigenvalues before and after, and the columns whose correlations they describe."""
        return {
            "columns": list(self.columns),
            "eigenvalues_before": list(self.before),
            "eigenvalues_after": list(self.after),
            "constant": list(self.constant),
            "left_out": list(self.left_out),
        }

    def summary(self) -> str:
        if self.value <= 1e-12:
            return text("eigenvalue_difference.unchanged", columns=self.columns)
        return text("eigenvalue_difference.finding", columns=self.columns, mean=self.value / len(self.columns))


def standardized(columns: Sequence[Column]) -> list[Floats]:
    """Per distinct value of each column its number less the mean, over the standard deviation; NaN where no number.

    All NaN where a column has no spread.
    """
    scores = []
    for column in columns:
        numbers, records = plain_numbers(column), column.counts()
        has_number = ~np.isnan(numbers)
        numbers = numbers / (unit_of(numbers[has_number]) if has_number.any() else 1.0)
        total = int(records[has_number].sum())
        mean = float((numbers[has_number] * records[has_number]).sum()) / total if total else 0.0
        squares = float(((numbers[has_number] - mean) ** 2 * records[has_number]).sum())
        constant = total < 2 or not squares or len(np.unique(numbers[has_number])) < 2
        scores.append(np.full(len(numbers), np.nan) if constant else (numbers - mean) / np.sqrt(squares / (total - 1)))
    return scores


def correlations(columns: Sequence[Column], values: Sequence[Floats]) -> Floats:
    """Covariances of standardized columns; each is of the records that hold both numbers."""
    size = len(columns)
    products, sums, records = (np.zeros((size, size)) for _ in range(3))
    for block in _blocks(len(columns[0].codes)):
        cells = np.column_stack([numbers[column.codes[block]] for column, numbers in zip(columns, values, strict=True)])
        has_number = (~np.isnan(cells)).astype(np.float64)
        cells = np.nan_to_num(cells)
        products += cells.T @ cells
        sums += cells.T @ has_number
        records += has_number.T @ has_number
    with np.errstate(invalid="ignore", divide="ignore"):
        matrix: Floats = (products - sums * sums.T / records) / (records - 1)
    return np.nan_to_num(matrix, posinf=0.0, neginf=0.0)


def _blocks(rows: int) -> Iterator[slice]:
    for start in range(0, rows, _BLOCK):
        yield slice(start, start + _BLOCK)


def eigenvalues(columns: Sequence[Column], values: Sequence[Floats]) -> tuple[float, ...]:
    """Eigenvalues of the correlation matrix, largest first."""
    return tuple(float(eigenvalue) for eigenvalue in np.linalg.eigvalsh(correlations(columns, values))[::-1])


def eigenvalue_difference(
    original: Table, anonymized: Table, names: Sequence[str], left_out: tuple[str, ...] = ()
) -> EigenvalueDifference:
    r"""The sum of :math:`|\lambda_i - \lambda'_i| / \lambda_i`; 0 upwards, lower is better.

    :math:`\lambda_i` are the eigenvalues of the correlation matrix of the numeric columns, in descending order, of the
    original and of the anonymized table. It is sdcMicro's `dUtility` with `method="eigen"`: columns are standardized,
    and a covariance is that of the records that hold both numbers. Records need not be matched.

    The sum, and the eigenvalues. Raises Unavailable if fewer than two columns have a spread in both tables, or those of
    the original depend linearly on each other.
    Source: M. Templ, B. Meindl, "Robust statistics meets SDC: new disclosure risk measures for continuous microdata
    masking", Privacy in Statistical Databases 2008, doi 10.1007/978-3-540-87471-3_10.
    """
    names = sorted(names)
    tables = [table.select(names) for table in (original, anonymized)]
    values = [standardized(columns) for columns in tables]
    varying = [index for index in range(len(names)) if not any(np.isnan(numbers[index]).all() for numbers in values)]
    if len(varying) < 2:
        raise Unavailable(text("eigenvalue_difference.unavailable.too_few"))
    before, after = (
        eigenvalues([columns[index] for index in varying], [numbers[index] for index in varying])
        for columns, numbers in zip(tables, values, strict=True)
    )
    columns = tuple(names[index] for index in varying)
    if before[-1] < _SMALLEST:
        raise Unavailable(text("eigenvalue_difference.unavailable.dependent", columns=columns))
    constant = tuple(name for name in names if name not in columns)
    return EigenvalueDifference(columns, before, after, constant, left_out)


def _compute(aggregates: Aggregates, parameters: Parameters) -> EigenvalueDifference:
    original_of(aggregates)
    original, anonymized = require_original_records(aggregates), require_records(aggregates)
    names, left_out = single_number_columns(aggregates)
    require_no_truthful_release(aggregates, names)
    return eigenvalue_difference(original, anonymized, names, left_out)


EIGENVALUE_DIFFERENCE = Metric(
    id="eigenvalue_difference",
    family=Family.UTILITY,
    minimum=0,
    maximum=None,
    direction=Direction.LOWER,
    formula=r"\sum_i \frac{|\lambda_i - \lambda'_i|}{\lambda_i}",
    reference="M. Templ, B. Meindl, Robust statistics meets SDC: new disclosure risk measures for continuous microdata "
    "masking, Privacy in Statistical Databases 2008, doi 10.1007/978-3-540-87471-3_10",
    compute=_compute,
    about_perturbation=True,
    working=two_step_measures.EIGENVALUE_DIFFERENCE,
)
