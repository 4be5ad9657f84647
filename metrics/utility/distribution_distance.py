"""Distance of each column's distribution before and after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics.counts import Combinations
from metrics.evidence import Evidence
from metrics.parameters import Parameters
from metrics.roles import Role, Roles
from metrics.specification import Direction, Family, Metric, Unavailable
from metrics.table import Described, Floats
from metrics.utility.spread import Spread, spread_of

_MOST_VALUES = 50_000
"""Different values of a column that is no quasi-identifier, beyond which it is not worth the time."""


@dataclass(frozen=True)
class ColumnDistance:
    """How far one column's distribution moved; both 0 to 1."""

    total_variation: float
    """The share of records that would have to get another value."""
    ordered: float | None
    """How far they would have to move, by rank, as a share of the whole way; None where values are no numbers."""


UNMOVED = ColumnDistance(0.0, 0.0)


@dataclass(frozen=True)
class DistributionDistance:
    """`value` is the mean total variation distance over the quasi-identifiers."""

    value: float
    columns: Mapping[str, ColumnDistance]
    untold: Mapping[str, str]
    """Columns other than quasi-identifiers that cannot be compared, and why."""

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """The total variation distance of each column, quasi-identifiers first."""
        return {name: column.total_variation for name, column in self.columns.items()}

    def details(self) -> dict[str, Any]:
        """The ordered distance of numeric columns, and columns left out."""
        ordered = {name: column.ordered for name, column in self.columns.items() if column.ordered is not None}
        return {"ordered_distance": ordered, "left_out": dict(self.untold)}

    def in_words(self) -> str:
        """The finding."""
        worst = max(self.columns, key=lambda name: self.columns[name].total_variation)
        most = self.columns[worst].total_variation
        if most <= 1e-12:
            return "Every column's distribution is what it was."
        return f"{worst} moved most: {most:.1%} of its records would have to get another value to restore it."


def total_variation(before: Floats, after: Floats, records: float) -> float:
    """Half the sum of the differences of shares, 0 to 1; `after` may lack records that lie outside `before`."""
    elsewhere = max(records - float(after.sum()), 0.0)
    return min((float(np.abs(before - after).sum()) + elsewhere) / (2 * records), 1.0)


def ordered_distance(before: Floats, after: Floats, numbers: Floats) -> float:
    """Earth mover's distance by rank: mean way between ranks over the longest way, 0 to 1."""
    if len(numbers) < 2:
        return 0.0
    order = np.argsort(numbers, kind="stable")
    way = np.cumsum((before - after)[order])[:-1]
    return min(float(np.abs(way).sum()) / float(before.sum()) / (len(numbers) - 1), 1.0)


def column_distance(pair: Combinations, of: Spread) -> ColumnDistance:
    """Distance of a column's distribution, each generalized value spread evenly over the domain values it covers.

    0 to 1, lower is better. The ordered distance is that of t-closeness (N. Li, T. Li, S. Venkatasubramanian, ICDE
    2007, doi 10.1109/ICDE.2007.367856) between the column before and after.
    """
    before, after = (
        np.bincount(codes, weights=pair.counts, minlength=column.distinct).astype(np.int64)
        for column, codes in zip(pair.columns, pair.codes, strict=True)
    )
    shares, spread = of.before(before), of.after(after)
    complete = of.numbers is not None and of.elements == of.of.size
    return ColumnDistance(
        total_variation(shares, spread, float(pair.counts.sum())),
        ordered_distance(shares, spread, of.numbers) if complete and of.numbers is not None else None,
    )


def _unchanged(pair: Combinations) -> bool:
    """Whether every cell of the column is what it was."""
    original, anonymized = pair.columns
    return bool(original.values.equals(anonymized.values)) and np.array_equal(pair.codes[0], pair.codes[1])


def shared_columns(roles: Roles, original: Described, anonymized: Described) -> tuple[str, ...]:
    """Columns of both tables that name nobody: quasi-identifiers, then sensitive ones, then the others."""
    others = (
        name
        for name in anonymized.names
        if roles.of(name) is Role.INSENSITIVE and name not in (*roles.matching.key, roles.weight)
    )
    return tuple(name for name in (*roles.quasi_identifiers, *roles.sensitive, *others) if name in original)


def too_many_values(evidence: Evidence, name: str) -> bool:
    """Whether a column other than a quasi-identifier holds more different values than are worth the time."""
    if name in evidence.roles.quasi_identifiers:
        return False
    tables = (evidence.original, evidence.anonymized)
    return any(table.distinct_above(name, _MOST_VALUES) for table in tables if table is not None)


def _compute(evidence: Evidence, parameters: Parameters) -> DistributionDistance:
    names = evidence.roles.quasi_identifiers
    found: dict[str, ColumnDistance] = {}
    untold: dict[str, str] = {}
    if evidence.original is None or evidence.unmatched is not None:
        raise Unavailable(evidence.unmatched or "it needs the original table, which is not given")
    if not evidence.anonymized.rows + evidence.deleted:
        raise Unavailable("the table has no records")
    for name in shared_columns(evidence.roles, evidence.original, evidence.anonymized):
        if too_many_values(evidence, name):
            untold[name] = f"it is no quasi-identifier and holds more than {_MOST_VALUES:,} different values"
            continue
        pair = evidence.pair(name)
        if name not in names and _unchanged(pair):
            numeric = pair.columns[0].numbers is not None
            found[name] = UNMOVED if numeric else ColumnDistance(0.0, None)
            continue
        try:
            found[name] = column_distance(pair, spread_of(evidence, name))
        except Unavailable as reason:
            if name in names:
                raise
            untold[name] = str(reason)
    value = sum(found[name].total_variation for name in names) / len(names)
    return DistributionDistance(value, found, untold)


DISTRIBUTION_DISTANCE = Metric(
    id="distribution_distance",
    title="Distribution distance",
    family=Family.UTILITY,
    unit="share of records",
    minimum=0,
    maximum=1,
    direction=Direction.LOWER,
    meaning="The share of records that need another value to restore a quasi-identifier's distribution, on average.",
    good="Near 0; generalized values are spread evenly over the values they cover.",
    formula=r"\frac{1}{m} \sum_c \frac{1}{2} \sum_v |p_c(v) - \hat p_c(v)|",
    reference="A. L. Gibbs and F. E. Su, On Choosing and Bounding Probability Metrics, International Statistical "
    "Review 70(3), 2002",
    doi="10.1111/j.1751-5823.2002.tb00178.x",
    compute=_compute,
)
