"""Squared error of the numeric quasi-identifiers: how far generalized numbers lie from the original ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics.counts import Combinations
from metrics.evidence import Evidence
from metrics.hierarchy import Hierarchy
from metrics.parameters import Parameters
from metrics.specification import Direction, Family, Metric, Unavailable
from metrics.table import SUPPRESSED, Floats
from metrics.utility.arx_squared_error import ArxSquaredError, arx_squared_error
from metrics.utility.numerals import bounds, is_numeric, unit_of
from metrics.wording import counted, listed


@dataclass(frozen=True)
class ColumnError:
    """Squared errors of one column, over the records whose cell is a number before and tells one after."""

    sse: float
    """Sum of squares of the difference between the number and the middle of what it became."""
    sst: float
    """Sum of squares of the difference between the number and the mean of all."""
    share: float
    """sse / sst, at most 1."""
    records: int
    left_out: int
    """Records whose cell is missing before, or tells no number after."""

    @property
    def score(self) -> float:
        """1 less the share."""
        return 1 - self.share


@dataclass(frozen=True)
class SquaredError:
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
            "mean_squared_error": {
                name: column.sse / column.records if column.records else None for name, column in self.columns.items()
            },
            "left_out_cells": {name: column.left_out for name, column in self.columns.items()},
            "not_numeric": list(self.not_numeric),
            "arx": None if self.arx is None else self.arx.details(),
        }

    def in_words(self) -> str:
        """The finding."""
        numeric = f"the numeric {'quasi-identifier' if len(self.columns) == 1 else 'quasi-identifiers'}"
        if not any(column.share for column in self.columns.values()):
            return f"Every number of {numeric} ({listed(list(self.columns))}) is what it was."
        worst = max(self.columns, key=lambda name: self.columns[name].share)
        kept = f"{self.value:.0%} of the spread of {numeric} ({listed(list(self.columns))}) can still be told"
        if len(self.columns) == 1:
            return f"{kept}."
        return f"{kept}; {worst} lost most: {self.columns[worst].share:.0%}."


def middles(pair: Combinations, hierarchy: Hierarchy | None = None) -> tuple[Floats, Floats]:
    """The number of each distinct value before and after; suppressed ones become the middle of the original's range."""
    original, anonymized = pair.columns
    before = bounds(original, original).middle
    after = bounds(anonymized, original, hierarchy).middle
    known = before[~np.isnan(before)]
    star = anonymized.code_of.get(SUPPRESSED)
    if star is not None:
        after[star] = known.min() / 2 + known.max() / 2
    return before, after


def column_error(pair: Combinations, hierarchy: Hierarchy | None = None) -> ColumnError:
    """Squared error of one numeric column, from how often each (original, anonymized) pair of values occurs.

    A suppressed cell stands for the middle of the original's range. The share is 0 where no number differs from its
    original, 1 where some do but the original has no spread.
    """
    before, after = middles(pair, hierarchy)
    x, y, counts = before[pair.codes[0]], after[pair.codes[1]], pair.counts.astype(np.float64)
    told = ~(np.isnan(x) | np.isnan(y))
    x, y, counts = x[told], y[told], counts[told]
    records, every = int(counts.sum()), int(pair.counts.sum())
    if not records:
        return ColumnError(0.0, 0.0, 1.0, 0, every)
    unit = unit_of(np.concatenate([x, y]))
    sse, sst = _squares(x / unit - y / unit, counts), _squares(x / unit - _mean(x / unit, counts), counts)
    share = min(sse / sst, 1.0) if sst > 0 else float(sse > 0)
    with np.errstate(over="ignore"):
        square = float(np.float64(unit) * unit)
        return ColumnError(sse * square, sst * square, share, records, every - records)


def _squares(differences: Floats, counts: Floats) -> float:
    return float((differences**2 * counts).sum())


def _mean(numbers: Floats, counts: Floats) -> float:
    return float((numbers * counts).sum() / counts.sum())


def squared_error(pairs: Mapping[str, Combinations], hierarchies: Mapping[str, Hierarchy]) -> SquaredError:
    """1 less the mean over the numeric columns of SSE/SST, each at most 1: 0 to 1, higher is better.

    SSE is the sum of squared differences between a number and the middle of the interval it became, SST between the
    number and the mean: taking the mean of the shares brings columns of different units together, as standardizing
    would. A suppressed or deleted cell stands for the middle of the original's range. Columns that are no numbers are
    left out and named. Raises Unavailable where no column is numeric.

    Source: J. Domingo-Ferrer, J. M. Mateo-Sanz, "Practical data-oriented microaggregation for statistical disclosure
    control", IEEE TKDE 14(1), 2002, doi 10.1109/69.979982.
    """
    columns = {
        name: column_error(pair, hierarchies.get(name)) for name, pair in pairs.items() if is_numeric(pair.columns[0])
    }
    if not columns:
        raise Unavailable("no quasi-identifier holds numbers")
    untold = [name for name, column in columns.items() if not column.records]
    if untold:
        raise Unavailable(
            f"{counted(len(untold), 'numeric quasi-identifier')} ({listed(untold)}) became labels that tell no number; "
            "upload a hierarchy"
        )
    value = 1 - sum(column.share for column in columns.values()) / len(columns)
    return SquaredError(
        value, columns, tuple(name for name in pairs if name not in columns), arx_squared_error(pairs, hierarchies)
    )


def _compute(evidence: Evidence, parameters: Parameters) -> SquaredError:
    pairs = {name: evidence.pair(name) for name in evidence.roles.quasi_identifiers}
    if not evidence.anonymized.rows + evidence.deleted:
        raise Unavailable("the table has no records")
    return squared_error(pairs, evidence.hierarchies)


SQUARED_ERROR = Metric(
    id="squared_error",
    title="Squared error of numbers",
    family=Family.UTILITY,
    unit="share of spread",
    minimum=0,
    maximum=1,
    direction=Direction.HIGHER,
    meaning="How much of the numeric quasi-identifiers' spread is left when generalized numbers count by their middle.",
    good="Near 1; 0 where the numbers tell no more than their mean would.",
    formula=r"1 - \frac{1}{m} \sum_c \min\left(1, \frac{\sum_r (x_r - y_r)^2}{\sum_r (x_r - \bar x)^2}\right)",
    reference="J. Domingo-Ferrer and J. M. Mateo-Sanz, Practical data-oriented microaggregation for statistical "
    "disclosure control, IEEE TKDE 14(1), 2002",
    doi="10.1109/69.979982",
    compute=_compute,
)
