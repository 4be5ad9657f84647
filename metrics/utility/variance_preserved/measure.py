"""Squared error of the numeric quasi-identifiers: how far generalized numbers lie from the original ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.counting.counts import Combinations
from metrics.errors import Unavailable
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.hierarchies.numerals import bounds, is_numeric, middles, unit_of
from metrics.metric import Direction, Family, Metric, Result
from metrics.tables.table import Floats
from metrics.texts import text
from metrics.utility.arx_squared_error import ArxSquaredError, arx_squared_error
from metrics.utility.variance_preserved import working


@dataclass(frozen=True)
class ColumnError:
    """Squared errors of one column, over the records whose original cell is a number."""

    sse: float
    """Sum of squared differences between the number and the middle of the value that it became."""
    sst: float
    """Sum of squared differences between the number and the mean of all."""
    share: float
    """The squared error over the total sum of squares, at most 1."""
    records: int
    left_out: int
    """Records whose original cell is not a number."""
    lost: int = 0
    """Records whose cell was a number and no longer tells one."""

    @property
    def score(self) -> float:
        """1 less the share."""
        return 1 - self.share


@dataclass(frozen=True)
class VariancePreserved(Result):
    """`value` is 1 less the mean share of squared error over the numeric quasi-identifiers."""

    value: float
    columns: Mapping[str, ColumnError]
    not_numeric: tuple[str, ...]
    arx: ArxSquaredError | None
    """ARX's figures, where every quasi-identifier has a hierarchy that holds all its values."""

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """The score of each numeric column."""
        return {name: column.score for name, column in self.columns.items()}

    def details(self) -> dict[str, Any]:
        """Raw sums, what was left out, and ARX's figures on positions in the hierarchies."""
        sse = float(sum(column.sse for column in self.columns.values()))
        sst = float(sum(column.sst for column in self.columns.values()))
        return {
            "sse": sse,
            "sst": sst,
            "sse_sst": sse / sst if 0 < sst < np.inf else None,
            "sse_by_column": {name: column.sse for name, column in self.columns.items()},
            "sst_by_column": {name: column.sst for name, column in self.columns.items()},
            "mean_squared_error": {name: column.sse / column.records for name, column in self.columns.items()},
            "left_out_cells": {name: column.left_out for name, column in self.columns.items()},
            "lost_cells": {name: column.lost for name, column in self.columns.items()},
            "not_numeric": list(self.not_numeric),
            "arx": None if self.arx is None else self.arx.details(),
        }

    def summary(self) -> str:
        columns = list(self.columns)
        worst = max(columns, key=lambda name: self.columns[name].share)
        share = self.columns[worst].share
        if not share and not any(column.lost for column in self.columns.values()):
            return text("variance_preserved.unchanged", columns=columns)
        if len(columns) == 1:
            error = 1 - self.value
            return text("variance_preserved.preserved", value=self.value, error=error, columns=columns)
        return text("variance_preserved.preserved_most", value=self.value, columns=columns, column=worst, share=share)


def column_error(pair: Combinations, hierarchy: Hierarchy | None = None) -> ColumnError:
    """Squared error of one numeric column, from how often each (original, anonymized) pair of values occurs.

    A cell without a number represents the middle of the original's range. The share is 0 where no number differs
    from its original, 1 where some do but the original has no spread.
    """
    before, after = middles(pair, hierarchy)
    no_number = np.isnan(bounds(pair.columns[1], pair.columns[0], hierarchy).middle)[pair.codes[1]]
    x, y, counts = before[pair.codes[0]], after[pair.codes[1]], pair.counts.astype(np.float64)
    numeric = ~np.isnan(x)
    lost = int(pair.counts[numeric & no_number].sum())
    x, y, counts = x[numeric], y[numeric], counts[numeric]
    records, all_records = int(counts.sum()), int(pair.counts.sum())
    unit = unit_of(np.concatenate([x, y]))
    sse, sst = _squares(x / unit - y / unit, counts), _squares(x / unit - _mean(x / unit, counts), counts)
    share = min(sse / sst, 1.0) if sst > 0 else float(sse > 0)
    with np.errstate(over="ignore"):
        square = float(np.float64(unit) * unit)
        return ColumnError(sse * square, sst * square, share, records, all_records - records, lost)


def _squares(differences: Floats, counts: Floats) -> float:
    return float((differences**2 * counts).sum())


def _mean(numbers: Floats, counts: Floats) -> float:
    return float((numbers * counts).sum() / counts.sum())


def variance_preserved(pairs: Mapping[str, Combinations], hierarchies: Mapping[str, Hierarchy]) -> VariancePreserved:
    """Squared error: 1 less the mean of SSE / SST over the numeric columns, each at most 1; 0 to 1, higher is better.

    SSE is the sum of squared differences between a number and the middle of its interval, SST between the number and
    the mean. The mean of the shares makes columns of different units comparable, as standardization would. A deleted
    cell, and one that is not numeric any more, counts as the middle of the original range.

    The score, the figures of every numeric column, and the names of the others. `pairs`: counts of (original,
    anonymized) values by quasi-identifier; deleted records count as suppressed. Raises Unavailable if no column is
    numeric.
    Source: J. Domingo-Ferrer, J. M. Mateo-Sanz, "Practical data-oriented microaggregation for statistical disclosure
    control", IEEE TKDE 14(1), 2002, doi 10.1109/69.979982.
    """
    columns = {
        name: column_error(pair, hierarchies.get(name)) for name, pair in pairs.items() if is_numeric(pair.columns[0])
    }
    if not columns:
        raise Unavailable(text("variance_preserved.unavailable.no_numbers"))
    value = 1 - sum(column.share for column in columns.values()) / len(columns)
    return VariancePreserved(
        value, columns, tuple(name for name in pairs if name not in columns), arx_squared_error(pairs, hierarchies)
    )


def _compute(aggregates: Aggregates, parameters: Parameters) -> VariancePreserved:
    pairs = {name: aggregates.comparison.pair(name) for name in aggregates.roles.quasi_identifiers}
    if not aggregates.anonymized.rows + aggregates.comparison.deleted:
        raise Unavailable(text("unavailable.no_records"))
    return variance_preserved(pairs, aggregates.hierarchies)


VARIANCE_PRESERVED = Metric(
    id="variance_preserved",
    family=Family.UTILITY,
    minimum=0,
    maximum=1,
    direction=Direction.HIGHER,
    is_share=True,
    formula=r"1 - \frac{1}{m} \sum_c \min\left(1, \frac{\sum_r (x_r - y_r)^2}{\sum_r (x_r - \bar x)^2}\right)",
    reference="J. Domingo-Ferrer and J. M. Mateo-Sanz, Practical data-oriented microaggregation for statistical "
    "disclosure control, IEEE TKDE 14(1), 2002, doi 10.1109/69.979982",
    compute=_compute,
    working=working.WORKING,
)
