"""Equivalence classes and the histograms of attributes within them, made of counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from metrics.counts import Relation
from metrics.table import SUPPRESSED, Codes, Column, Floats, Integers, Table
from metrics.values import parse_numbers


@dataclass(frozen=True, eq=False)
class EquivalenceClasses:
    """The classes of one table: records equal in every quasi-identifier, suppressed records left out.

    Classes stand in the canonical order of their quasi-identifiers' values; a missing value is a value of its own.
    """

    columns: tuple[Column, ...]
    codes: tuple[Codes, ...]
    """Per quasi-identifier: the code of each class's value."""
    sizes: Integers
    """Records per class."""
    suppressed: int
    """Records with `*` in every quasi-identifier; they are in no class."""
    suppressed_position: int | None
    """Where the suppressed records' combination stood among the counted combinations."""

    @property
    def quasi_identifiers(self) -> tuple[str, ...]:
        """Names of the quasi-identifiers."""
        return tuple(column.name for column in self.columns)

    @property
    def count(self) -> int:
        """Number of classes."""
        return len(self.sizes)

    @cached_property
    def kept(self) -> int:
        """Records in classes."""
        return int(self.sizes.sum())

    @property
    def rows(self) -> int:
        """All records, suppressed ones included."""
        return self.kept + self.suppressed

    def labels(self, index: int) -> dict[str, str | None]:
        """The quasi-identifiers of one class."""
        return {column.name: column.labels[code[index]] for column, code in zip(self.columns, self.codes, strict=True)}


def equivalence_classes(relation: Relation, quasi_identifiers: Sequence[str]) -> EquivalenceClasses:
    """Group records by their quasi-identifiers; records suppressed in all of them go into no class."""
    combinations = relation.count(quasi_identifiers)
    suppressed = np.full(len(combinations.counts), bool(combinations.columns))
    for column, codes in zip(combinations.columns, combinations.codes, strict=True):
        suppressed &= codes == column.code_of.get(SUPPRESSED, -1)
    positions = np.flatnonzero(suppressed)
    kept = ~suppressed
    return EquivalenceClasses(
        columns=combinations.columns,
        codes=tuple(codes[kept] for codes in combinations.codes),
        sizes=combinations.counts[kept],
        suppressed=int(combinations.counts[suppressed].sum()),
        suppressed_position=int(positions[0]) if len(positions) else None,
    )


def suppressed_records(table: Table, quasi_identifiers: Sequence[str]) -> npt.NDArray[np.bool_]:
    """For each record, whether every quasi-identifier is `*`."""
    suppressed = np.full(table.rows, bool(quasi_identifiers))
    for column in table.select(quasi_identifiers):
        suppressed &= column.codes == column.code_of.get(SUPPRESSED, -1)
    return suppressed


@dataclass(frozen=True, eq=False)
class Histogram:
    """How often each value of an attribute occurs in each class; cells that are zero are left out."""

    column: Column
    sizes: Integers
    """Records per class."""
    group: Integers
    """Class of each cell, ascending."""
    code: Integers
    """Value of each cell, ascending within a class."""
    count: Integers
    """Records of each cell, at least 1."""

    @cached_property
    def starts(self) -> Integers:
        """First cell of each class; no class is empty."""
        return np.searchsorted(self.group, np.arange(len(self.sizes)))

    @cached_property
    def totals(self) -> Integers:
        """Records that hold each value, over all classes."""
        totals = np.zeros(self.column.distinct, dtype=np.int64)
        np.add.at(totals, self.code, self.count)
        return totals

    @cached_property
    def numbers(self) -> Floats | None:
        """The number of each value, NaN where no class holds it; None unless every value in a class is a number."""
        if self.column.numbers is not None:
            return self.column.numbers
        in_use = np.flatnonzero(self.totals)
        known = parse_numbers([self.column.labels[code] for code in in_use], self.column.decimal)
        if known is None:
            return None
        numbers = np.full(self.column.distinct, np.nan)
        numbers[in_use] = known
        return numbers

    @cached_property
    def kept(self) -> int:
        """Records in classes."""
        return int(self.sizes.sum())

    @cached_property
    def distinct(self) -> Integers:
        """Number of distinct values per class."""
        return np.diff(self.starts, append=len(self.group))

    @cached_property
    def size_of_cell(self) -> Integers:
        """Size of the class that each cell lies in."""
        return self.sizes[self.group]

    def of_class(self, index: int) -> Integers:
        """Counts of every value in one class, in code order, zeros included."""
        cells = slice(self.starts[index], self.starts[index] + self.distinct[index])
        counts = np.zeros(self.column.distinct, dtype=np.int64)
        counts[self.code[cells]] = self.count[cells]
        return counts


def histogram(relation: Relation, classes: EquivalenceClasses, column: str) -> Histogram:
    """Count an attribute's values within each class."""
    counted = relation.count_within(classes.quasi_identifiers, column)
    group, code, count = counted.group, counted.code, counted.count
    if classes.suppressed_position is not None:
        kept = group != classes.suppressed_position
        group, code, count = group[kept], code[kept], count[kept]
        group = group - (group > classes.suppressed_position)
    return Histogram(counted.column, classes.sizes, group, code, count)
