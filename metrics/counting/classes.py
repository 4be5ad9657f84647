"""Equivalence classes, made of counts, and how many there are of each size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from metrics.counting.counts import Relation, count_keys
from metrics.formatting import pluralize
from metrics.tables.html import MAX_ROWS, html_table
from metrics.tables.table import SUPPRESSED, Codes, Column, Flags, Floats, Integers, Table
from metrics.tables.values import parse_numbers


@dataclass(frozen=True, eq=False)
class ClassSizes:
    """The classes by size; N records have at most the square root of 2 N different sizes."""

    sizes: Integers
    """Different class sizes, ascending."""
    counts: Integers
    """Classes of each size, at least 1."""
    suppressed: int
    """Records with `*` in every quasi-identifier; they are in no class."""

    @cached_property
    def count(self) -> int:
        """Number of classes."""
        return int(self.counts.sum())

    @cached_property
    def kept(self) -> int:
        """Records in classes."""
        return int(self.sizes @ self.counts)

    @property
    def rows(self) -> int:
        """All records, suppressed ones included."""
        return self.kept + self.suppressed

    @property
    def smallest(self) -> int:
        """Records of the smallest class, of which there is at least one."""
        return int(self.sizes[0])

    @property
    def smallest_count(self) -> int:
        """Classes of the smallest size."""
        return int(self.counts[0])

    @property
    def largest(self) -> int:
        """Records of the largest class, of which there is at least one."""
        return int(self.sizes[-1])

    def of_size(self, size: int) -> int:
        """Classes of that size."""
        index = int(np.searchsorted(self.sizes, size))
        return int(self.counts[index]) if index < len(self.sizes) and self.sizes[index] == size else 0


def class_sizes(sizes: Integers, suppressed: int = 0) -> ClassSizes:
    """Count the sizes of classes, one number each."""
    return ClassSizes(*count_keys(sizes, int(sizes.max(initial=0)) + 1), suppressed)


def sum_class_sizes(parts: Iterable[ClassSizes]) -> ClassSizes:
    """The sizes of the classes of all parts together."""
    all_parts = list(parts)
    sizes = np.concatenate([np.empty(0, dtype=np.int64), *(part.sizes for part in all_parts)])
    counts = np.concatenate([np.empty(0, dtype=np.int64), *(part.counts for part in all_parts)])
    distinct, inverse = np.unique(sizes, return_inverse=True)
    total_counts = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(total_counts, inverse, counts)
    return ClassSizes(distinct, total_counts, sum(part.suppressed for part in all_parts))


@dataclass(frozen=True, eq=False)
class Distribution:
    """How often each value of a column occurs in classes, whatever the class."""

    column: Column
    totals: Integers
    """Records that hold each value, over all classes."""

    @cached_property
    def numbers(self) -> Floats | None:
        """The number of each value, NaN if no class holds it; None unless every value in a class is a number."""
        if self.column.numbers is not None:
            return self.column.numbers
        in_use = np.flatnonzero(self.totals)
        used_numbers = parse_numbers([self.column.labels[code] for code in in_use], self.column.decimal)
        if used_numbers is None:
            return None
        numbers = np.full(self.column.distinct, np.nan)
        numbers[in_use] = used_numbers
        return numbers

    @cached_property
    def kept(self) -> int:
        """Records in classes."""
        return int(self.totals.sum())


@dataclass(frozen=True, eq=False)
class EquivalenceClasses:
    """The classes of one table: records equal in every quasi-identifier, suppressed records left out.

    Classes are in the canonical order of their quasi-identifiers' values; a missing value is a value of its own.
    """

    columns: tuple[Column, ...]
    codes: tuple[Codes, ...]
    """Per quasi-identifier: the code of each class's value."""
    sizes: Integers
    """Records per class."""
    suppressed: int
    """Records with `*` in every quasi-identifier; they are in no class."""
    suppressed_position: int | None
    """Position of the suppressed records' combination among the counted combinations."""

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

    @cached_property
    def by_size(self) -> ClassSizes:
        """How many classes there are of each size."""
        return class_sizes(self.sizes, self.suppressed)

    def distribution(self, quasi_identifier: str) -> Distribution:
        """How many records of classes hold each value; whole numbers below 2**53 are exact as doubles."""
        index = self.quasi_identifiers.index(quasi_identifier)
        column = self.columns[index]
        counts = np.bincount(self.codes[index], weights=self.sizes, minlength=column.distinct)
        return Distribution(column, counts.astype(np.int64))

    def labels(self, index: int) -> dict[str, str | None]:
        """The quasi-identifiers of one class."""
        return {column.name: column.labels[code[index]] for column, code in zip(self.columns, self.codes, strict=True)}

    def _repr_html_(self) -> str:
        rows = ((*self.labels(i).values(), int(self.sizes[i])) for i in range(min(self.count, MAX_ROWS)))
        suppressed = f", and {pluralize(self.suppressed, 'suppressed record')}" if self.suppressed else ""
        caption = f"{pluralize(self.count, 'equivalence class', 'equivalence classes')}{suppressed}"
        return html_table(caption, (*self.quasi_identifiers, "records"), rows, self.count)


def equivalence_classes(relation: Relation, quasi_identifiers: Sequence[str]) -> EquivalenceClasses:
    """Group records by their quasi-identifiers.

    In canonical order; records suppressed in every quasi-identifier are in no class.
    """
    combinations = relation.count(quasi_identifiers)
    is_suppressed = np.full(len(combinations.counts), bool(combinations.columns))
    for column, codes in zip(combinations.columns, combinations.codes, strict=True):
        is_suppressed &= codes == column.code_of.get(SUPPRESSED, -1)
    positions = np.flatnonzero(is_suppressed)
    is_kept = ~is_suppressed
    return EquivalenceClasses(
        columns=combinations.columns,
        codes=tuple(codes[is_kept] for codes in combinations.codes),
        sizes=combinations.counts[is_kept],
        suppressed=int(combinations.counts[is_suppressed].sum()),
        suppressed_position=int(positions[0]) if len(positions) else None,
    )


def suppressed_records(table: Table, quasi_identifiers: Sequence[str]) -> Flags:
    """For each record, whether every quasi-identifier is `*`.

    One entry per record. `quasi_identifiers`: their names; without any, no record is suppressed.
    """
    suppressed = np.full(table.rows, bool(quasi_identifiers))
    for column in table.select(quasi_identifiers):
        suppressed &= column.codes == column.code_of.get(SUPPRESSED, -1)
    return suppressed
