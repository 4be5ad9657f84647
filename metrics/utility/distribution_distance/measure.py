"""Distance of each column's distribution before and after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.config.roles import Role, Roles
from metrics.counting.counts import Combinations
from metrics.errors import Unavailable
from metrics.metric import Direction, Family, Metric, Result
from metrics.tables.table import Described, Floats
from metrics.texts import text
from metrics.utility.cells.numbered_domain import NumberedDomain, has_new_values, numbered_domain_of
from metrics.utility.distribution_distance import working

_MAX_VALUES = 50_000
"""Most different values of a column other than a quasi-identifier that are worth the time."""


@dataclass(frozen=True)
class ColumnDistance:
    """How far one column's distribution moved; both 0 to 1."""

    total_variation: float
    """The share of records that would have to get another value."""
    ordered: float | None
    """How far they would have to move, by rank, as a share of the whole way; None where values are not numbers."""


UNMOVED = ColumnDistance(0.0, 0.0)


@dataclass(frozen=True)
class DistributionDistance(Result):
    """`value` is the mean total variation distance over the quasi-identifiers."""

    value: float
    columns: Mapping[str, ColumnDistance]
    left_out: Mapping[str, str]
    """Columns other than quasi-identifiers that cannot be compared, and why."""
    new_values: tuple[str, ...] = ()
    """Columns with values that the original does not contain."""

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """The total variation distance of each column, quasi-identifiers first."""
        return {name: column.total_variation for name, column in self.columns.items()}

    def details(self) -> dict[str, Any]:
        """The ordered distance of numeric columns, and columns left out."""
        ordered = {name: column.ordered for name, column in self.columns.items() if column.ordered is not None}
        return {"ordered_distance": ordered, "left_out": dict(self.left_out)}

    def summary(self) -> str:
        worst = max(self.columns, key=lambda name: self.columns[name].total_variation)
        share = self.columns[worst].total_variation
        if share <= 1e-12:
            if self.new_values:
                return text("distribution_distance.recoverable", columns=self.new_values, number=len(self.new_values))
            return text("distribution_distance.unchanged")
        return text("distribution_distance.changed", column=worst, share=share)


def total_variation(before: Floats, after: Floats, records: float) -> float:
    """Half the sum of the differences of shares, 0 to 1; `after` may lack records that lie outside `before`."""
    elsewhere = max(records - float(after.sum()), 0.0)
    return min((float(np.abs(before - after).sum()) + elsewhere) / (2 * records), 1.0)


def rank_distance(before: Floats, after: Floats, numbers: Floats) -> float:
    """Earth mover's distance by rank: mean distance between ranks over the longest distance, 0 to 1."""
    if len(numbers) < 2:
        return 0.0
    order = np.argsort(numbers, kind="stable")
    cumulated = np.cumsum((before - after)[order])[:-1]
    return min(float(np.abs(cumulated).sum()) / float(before.sum()) / (len(numbers) - 1), 1.0)


def column_distance(pair: Combinations, domain: NumberedDomain) -> ColumnDistance:
    """Distance of a column's distribution, each generalized value spread evenly over the domain values it covers.

    0 to 1, lower is better. The ordered distance is that of t-closeness (N. Li, T. Li, S. Venkatasubramanian, ICDE
    2007, doi 10.1109/ICDE.2007.367856) between the column before and after.
    """
    before, after = (
        np.bincount(codes, weights=pair.counts, minlength=column.distinct).astype(np.int64)
        for column, codes in zip(pair.columns, pair.codes, strict=True)
    )
    shares, spread = domain.before(before), domain.after(after)
    complete = domain.numbers is not None and domain.elements == domain.coverage.size
    return ColumnDistance(
        total_variation(shares, spread, float(pair.counts.sum())),
        rank_distance(shares, spread, domain.numbers) if complete and domain.numbers is not None else None,
    )


def _is_unchanged(pair: Combinations) -> bool:
    """Whether no cell of the column has changed."""
    original, anonymized = pair.columns
    return bool(original.values.equals(anonymized.values)) and np.array_equal(pair.codes[0], pair.codes[1])


def shared_columns(roles: Roles, original: Described, anonymized: Described) -> tuple[str, ...]:
    """Columns of both tables that name nobody: quasi-identifiers, then sensitive ones, then the others."""
    others = (
        name
        for name in anonymized.names
        if roles.of(name) is Role.INSENSITIVE and name not in (*roles.matching.key, roles.weight, roles.person)
    )
    return tuple(name for name in (*roles.quasi_identifiers, *roles.sensitive, *others) if name in original)


def too_many_values(aggregates: Aggregates, name: str) -> bool:
    """Whether a column other than a quasi-identifier holds more different values than are worth the time."""
    if name in aggregates.roles.quasi_identifiers:
        return False
    tables = (aggregates.original, aggregates.anonymized)
    return any(table.distinct_above(name, _MAX_VALUES) for table in tables if table is not None)


def _compute(aggregates: Aggregates, parameters: Parameters) -> DistributionDistance:
    names = aggregates.roles.quasi_identifiers
    distances: dict[str, ColumnDistance] = {}
    left_out: dict[str, str] = {}
    if aggregates.original is None or aggregates.comparison.unmatched is not None:
        raise Unavailable(aggregates.comparison.unmatched or text("unavailable.no_original"))
    if not aggregates.anonymized.rows + aggregates.comparison.deleted:
        raise Unavailable(text("unavailable.no_records"))
    for name in shared_columns(aggregates.roles, aggregates.original, aggregates.anonymized):
        if too_many_values(aggregates, name):
            left_out[name] = text("distribution_distance.too_many_values", limit=_MAX_VALUES)
            continue
        pair = aggregates.comparison.pair(name)
        if name not in names and _is_unchanged(pair):
            numeric = pair.columns[0].numbers is not None
            distances[name] = UNMOVED if numeric else ColumnDistance(0.0, None)
            continue
        try:
            distances[name] = column_distance(pair, numbered_domain_of(aggregates, name))
        except Unavailable as reason:
            if name in names:
                raise
            left_out[name] = str(reason)
    value = sum(distances[name].total_variation for name in names) / len(names)
    new_values = tuple(name for name in distances if has_new_values(aggregates.comparison.pair(name)))
    return DistributionDistance(value, distances, left_out, new_values)


DISTRIBUTION_DISTANCE = Metric(
    id="distribution_distance",
    family=Family.UTILITY,
    minimum=0,
    maximum=1,
    direction=Direction.LOWER,
    formula=r"\frac{1}{m} \sum_c \frac{1}{2} \sum_v |p_c(v) - \hat p_c(v)|",
    reference="A. L. Gibbs and F. E. Su, On Choosing and Bounding Probability Metrics, International Statistical "
    "Review 70(3), 2002, doi 10.1111/j.1751-5823.2002.tb00178.x",
    compute=_compute,
    working=working.WORKING,
)
