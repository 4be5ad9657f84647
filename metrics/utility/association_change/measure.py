"""Change in association: how far the relation between two columns differs from before."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.counting.counts import Combinations
from metrics.counting.partitions import require_few_combinations
from metrics.errors import Unavailable
from metrics.hierarchies.numerals import bounds, is_numeric, unit_of
from metrics.interruption import report
from metrics.metric import Direction, Family, Metric, Result
from metrics.tables.table import SUPPRESSED, Codes, Flags, Floats, Integers
from metrics.texts import text
from metrics.utility.association_change import working

_DENSE = 2**22


class Association(StrEnum):
    """Measure of the association of two columns."""

    CRAMER = "Cramér's V"
    PEARSON = "Pearson's correlation"
    ETA = "correlation ratio"


@dataclass(frozen=True)
class PairChange:
    """The association of two columns before and after."""

    first: str
    second: str
    measure: Association
    before: float
    after: float
    records_before: int
    """Records that hold both values."""
    records_after: int

    @property
    def change(self) -> float:
        """How far apart they are: 0 to 1, or 2 where a correlation turned around."""
        return abs(self.after - self.before)


@dataclass(frozen=True)
class AssociationChange(Result):
    """`value` is the mean change over all pairs of columns."""

    value: float
    pairs: tuple[PairChange, ...]

    @cached_property
    def attributes(self) -> dict[str, float | None]:
        """The mean change over the pairs that each column is in."""
        changes: dict[str, list[float]] = {}
        for pair in self.pairs:
            for name in (pair.first, pair.second):
                changes.setdefault(name, []).append(pair.change)
        return {name: math.fsum(column_changes) / len(column_changes) for name, column_changes in changes.items()}

    def details(self) -> dict[str, Any]:
        """Every pair, the one that changed most first."""
        return {
            "pairs": [
                {
                    "columns": [pair.first, pair.second],
                    "measure": pair.measure.value,
                    "before": pair.before,
                    "after": pair.after,
                    "change": pair.change,
                    "records_before": pair.records_before,
                    "records_after": pair.records_after,
                }
                for pair in sorted(self.pairs, key=lambda pair: -pair.change)
            ]
        }

    def summary(self) -> str:
        worst = max(self.pairs, key=lambda pair: pair.change)
        if worst.change <= 1e-12:
            return text("association_change.unchanged")
        return text(
            "association_change.changed",
            first=worst.first,
            second=worst.second,
            measure=worst.measure.value,
            before=worst.before,
            after=worst.after,
        )


@dataclass(frozen=True, eq=False)
class _Side:
    """One column of counted combinations."""

    codes: Codes
    """Per combination, its value."""
    present: Flags
    """Whether each value is present and not suppressed."""
    numbers: Floats | None
    """Per value, the number; None where the column is taken as categories."""


@dataclass(frozen=True)
class _PairAssociation:
    association: float
    records: int


def cramers_v(first: Integers, second: Integers, counts: Integers) -> float:
    """Cramér's V of two columns of categories from counted combinations: 0 to 1; 0 where one holds a single value.

    Without correction for bias. Source: H. Cramér, Mathematical Methods of Statistics, 1946, section 21.9.
    """
    row, column = _consecutive_codes(first), _consecutive_codes(second)
    rows, columns = int(row.max()) + 1, int(column.max()) + 1
    if min(rows, columns) < 2:
        return 0.0
    cells, records = _cells(row * columns + column, counts, rows * columns)
    of_row, of_column = _sums(row, counts), _sums(column, counts)
    total = int(counts.sum())
    products = of_row[cells // columns] * of_column[cells % columns]
    # In whole numbers, so that independent columns come to exactly 0; empty cells add what is expected in them.
    chi = float(((records * total - products) ** 2.0 / products).sum()) / total
    if len(cells) < rows * columns:
        chi += max(total - float((products / total).sum()), 0.0)
    return min(math.sqrt(chi / (total * (min(rows, columns) - 1))), 1.0)


def _consecutive_codes(codes: Integers) -> Integers:
    """The codes that occur as 0, 1, ... in their order."""
    return (np.cumsum(np.bincount(codes) > 0) - 1)[codes]


def _cells(keys: Integers, counts: Integers, space: int) -> tuple[Integers, Integers]:
    if space > _DENSE:
        distinct, inverse = np.unique(keys, return_inverse=True)
        return distinct, _sums(inverse.astype(np.int64), counts)
    sums = _sums(keys, counts)
    present = np.flatnonzero(sums)
    return present, sums[present]


def _sums(keys: Integers, counts: Integers) -> Integers:
    return np.bincount(keys, weights=counts).astype(np.int64)


def pearson(x: Floats, y: Floats, counts: Integers) -> float:
    """Pearson's correlation from counted pairs of numbers: -1 to 1; 0 where one holds a single number."""
    x, y = _deviations_from_mean(x, counts), _deviations_from_mean(y, counts)
    deviations = math.sqrt(float((x * x * counts).sum())) * math.sqrt(float((y * y * counts).sum()))
    return min(max(float((x * y * counts).sum()) / deviations, -1.0), 1.0) if deviations else 0.0


def correlation_ratio(numbers: Floats, groups: Integers, counts: Integers) -> float:
    """Square root of the share of a number's variance that lies between groups: 0 to 1; 0 where nothing varies."""
    x = _deviations_from_mean(numbers, counts)
    total = float((x * x * counts).sum())
    if not total:
        return 0.0
    group = _consecutive_codes(groups)
    sums, sizes = np.bincount(group, weights=x * counts), np.bincount(group, weights=counts)
    return min(math.sqrt(float((sums**2 / sizes).sum()) / total), 1.0)


def _deviations_from_mean(numbers: Floats, counts: Integers) -> Floats:
    """Numbers less their mean, in units near the largest one; all 0 where they are equal."""
    if (numbers == numbers[0]).all():
        return np.zeros_like(numbers)
    scaled: Floats = numbers / unit_of(numbers)
    centred: Floats = scaled - float((scaled * counts).sum()) / float(counts.sum())
    return centred


def _association(first: _Side, second: _Side, counts: Integers) -> _PairAssociation:
    width = len(second.present)
    cells, records = _cells(first.codes.astype(np.int64) * width + second.codes, counts, len(first.present) * width)
    first_codes, second_codes = cells // width, cells % width
    both_present = first.present[first_codes] & second.present[second_codes]
    first_codes, second_codes, weights = first_codes[both_present], second_codes[both_present], records[both_present]
    total = int(weights.sum())
    if not total:
        return _PairAssociation(0.0, 0)
    if first.numbers is not None and second.numbers is not None:
        return _PairAssociation(pearson(first.numbers[first_codes], second.numbers[second_codes], weights), total)
    if first.numbers is not None:
        return _PairAssociation(correlation_ratio(first.numbers[first_codes], second_codes, weights), total)
    if second.numbers is not None:
        return _PairAssociation(correlation_ratio(second.numbers[second_codes], first_codes, weights), total)
    return _PairAssociation(cramers_v(first_codes, second_codes, weights), total)


def _sides(aggregates: Aggregates, before: Combinations, after: Combinations) -> tuple[list[_Side], list[_Side]]:
    sides: tuple[list[_Side], list[_Side]] = ([], [])
    for position, original in enumerate(before.columns):
        hierarchy = aggregates.hierarchies.get(original.name)
        numeric = is_numeric(original)
        middles = []
        for table in (before, after):
            column = table.columns[position]
            middle = bounds(column, original, hierarchy).middle if numeric else np.zeros(column.distinct)
            has_value = [bool(label) and label != SUPPRESSED for label in column.labels]
            numeric = numeric and not bool(np.isnan(middle[np.array(has_value, dtype=bool)]).any())
            middles.append(middle)
        for table, middle, table_sides in zip((before, after), middles, sides, strict=True):
            not_suppressed = np.array([label != SUPPRESSED for label in table.columns[position].labels], dtype=bool)
            table_sides.append(
                _Side(
                    table.codes[position], ~np.isnan(middle) if numeric else not_suppressed, middle if numeric else None
                )
            )
    return sides


def association_change(aggregates: Aggregates, before: Combinations, after: Combinations) -> AssociationChange:
    """Mean change of the association over all pairs of columns: 0 to 2, lower is better.

    The association of two categorical columns is Cramér's V, of two numeric ones Pearson's correlation, and of a number
    and a category the correlation ratio. A generalized number counts as the middle of its interval, any other
    generalized value as a category; records with a suppressed cell are left out of the pair, and if none is left, the
    association is 0.

    The mean, and the change of every pair.
    Source: H. Cramér, Mathematical Methods of Statistics, 1946, doi 10.1515/9781400883868.
    """
    old_sides, new_sides = _sides(aggregates, before, after)
    pairs = list(combinations(range(len(old_sides)), 2))
    changes = []
    for index, (first, second) in enumerate(pairs):
        old = _association(old_sides[first], old_sides[second], before.counts)
        new = _association(new_sides[first], new_sides[second], after.counts)
        numbers = sum(old_sides[column].numbers is not None for column in (first, second))
        changes.append(
            PairChange(
                before.columns[first].name,
                before.columns[second].name,
                (Association.CRAMER, Association.ETA, Association.PEARSON)[numbers],
                old.association,
                new.association,
                old.records,
                new.records,
            )
        )
        report((index + 1) / len(pairs))
    return AssociationChange(math.fsum(pair.change for pair in changes) / len(changes), tuple(changes))


def _columns(aggregates: Aggregates) -> Sequence[str]:
    if aggregates.original is None:
        raise Unavailable(text("unavailable.no_original"))
    names = (*aggregates.roles.quasi_identifiers, *aggregates.roles.sensitive)
    return [name for name in names if name in aggregates.original]


def _compute(aggregates: Aggregates, parameters: Parameters) -> AssociationChange:
    names = _columns(aggregates)
    if len(names) < 2:
        raise Unavailable(text("association_change.unavailable.one_column"))
    if not aggregates.anonymized.rows or aggregates.original is None or not aggregates.original.rows:
        raise Unavailable(text("unavailable.no_records"))
    for table in (aggregates.original, aggregates.anonymized):
        require_few_combinations(table, names, aggregates.max_classes)
    before, after = aggregates.comparison.original_relation.count(names), aggregates.relation.count(names)
    return association_change(aggregates, before, after)


ASSOCIATION_CHANGE = Metric(
    id="association_change",
    family=Family.UTILITY,
    minimum=0,
    maximum=2,
    direction=Direction.LOWER,
    formula=r"\binom{m}{2}^{-1} \sum_{a < b} |A(a, b) - \hat A(a, b)|",
    reference="H. Cramér, Mathematical Methods of Statistics, Princeton University Press, 1946, doi "
    "10.1515/9781400883868",
    compute=_compute,
    on_demand=True,
    working=working.WORKING,
)
