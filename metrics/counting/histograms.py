"""How often the values of an attribute occur within each class, or within parts of classes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from metrics.counting.classes import Distribution, EquivalenceClasses
from metrics.counting.counts import Counts, Relation
from metrics.tables.table import SUPPRESSED, Codes, Column, Flags, Floats, Integers

_MAX_CELLS = 2**21
"""Cells that a figure of every class is computed from at once: bounds the memory."""


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
    whole: Histogram | Distribution | None = field(default=None, kw_only=True)
    """Counts over all classes, where these are some of them that are compared with all; None if these are all."""

    @cached_property
    def starts(self) -> Integers:
        """First cell of each class; no class is empty."""
        return np.searchsorted(self.group, np.arange(len(self.sizes)))

    @cached_property
    def totals(self) -> Integers:
        """Records that hold each value, over all classes of the whole."""
        if self.whole is not None:
            return self.whole.totals
        totals = np.zeros(self.column.distinct, dtype=np.int64)
        np.add.at(totals, self.code, self.count)
        return totals

    @cached_property
    def numbers(self) -> Floats | None:
        """The number of each value, NaN if no class holds it; None unless every value in a class is a number."""
        return Distribution(self.column, self.totals).numbers if self.whole is None else self.whole.numbers

    @cached_property
    def kept(self) -> int:
        """Records in classes of the whole."""
        return int(self.sizes.sum()) if self.whole is None else self.whole.kept

    @cached_property
    def distinct(self) -> Integers:
        """Number of distinct values per class."""
        return np.diff(self.starts, append=len(self.group))

    @cached_property
    def size_of_cell(self) -> Integers:
        """Size of the class that each cell lies in."""
        return self.sizes[self.group]

    def of_classes(self, chosen: Flags) -> Histogram:
        """Select some of the classes, compared with all."""
        cells = chosen[self.group]
        new_index: Integers = np.cumsum(chosen) - 1
        parts = new_index[self.group[cells]], self.code[cells], self.count[cells]
        return Histogram(self.column, self.sizes[chosen], *parts, whole=self)

    def of_class(self, index: int) -> Integers:
        """Counts of every value in one class, in code order, zeros included."""
        cells = slice(self.starts[index], self.starts[index] + self.distinct[index])
        counts = np.zeros(self.column.distinct, dtype=np.int64)
        counts[self.code[cells]] = self.count[cells]
        return counts

    def figures(self, figures_of: Callable[[Histogram], Floats]) -> Floats:
        """One figure per class, computed at once."""
        return figures_of(self)

    @property
    def sizes_of_classes(self) -> Integers:
        """Records of each equivalence class."""
        return self.sizes

    def worst(self, figures: Floats, *, largest: bool) -> Floats:
        """The worst figure within each equivalence class: the largest or smallest of its groups, here of itself."""
        return figures

    def groups_of(self, index: int) -> Integers:
        """Positions of the groups that one equivalence class is divided into: here it is its own."""
        return np.array([index])


class LargeHistogram(Histogram):
    """A histogram of millions of cells in few bytes each; figures are computed from some of its classes at a time."""

    def __init__(self, column: Column, sizes: Integers, group: Counts, code: Counts, count: Counts) -> None:
        dtypes = (np.min_scalar_type(len(sizes)), np.min_scalar_type(column.distinct))
        packed = group.astype(dtypes[0], copy=False), code.astype(dtypes[1], copy=False), count
        for name, value in zip(("column", "sizes", "_packed"), (column, sizes, packed), strict=True):
            object.__setattr__(self, name, value)

    _packed: tuple[Counts, Counts, Counts]

    @property
    def group(self) -> Integers:
        """Class of each cell, ascending."""
        return self._packed[0].astype(np.int64)

    @property
    def code(self) -> Integers:
        """Value of each cell, ascending within a class."""
        return self._packed[1].astype(np.int64)

    @property
    def count(self) -> Integers:
        """Records of each cell, at least 1."""
        return self._packed[2].astype(np.int64)

    @cached_property
    def starts(self) -> Integers:
        """First cell of each class; no class is empty."""
        begins = np.diff(self._packed[0], prepend=self._packed[0].dtype.type(0)) != 0
        begins[:1] = True
        return np.flatnonzero(begins)

    @cached_property
    def totals(self) -> Integers:
        """Records that hold each value, over all classes."""
        totals = np.zeros(self.column.distinct, dtype=np.int64)
        for part in self.parts():
            np.add.at(totals, part.code, part.count)
        return totals

    @cached_property
    def distinct(self) -> Integers:
        """Number of distinct values per class."""
        return np.diff(self.starts, append=len(self._packed[0]))

    def figures(self, figures_of: Callable[[Histogram], Floats]) -> Floats:
        """One figure per class, computed part by part."""
        return np.concatenate([figures_of(part) for part in self.parts()])

    def parts(self) -> Iterator[Histogram]:
        """The classes in order, in parts of limited numbers of cells."""
        group, code, count = self._packed
        ends = np.append(self.starts[1:], len(group))
        start = 0
        while start < len(ends):
            first_cell = int(self.starts[start])
            stop = max(int(np.searchsorted(ends, first_cell + _MAX_CELLS, side="right")), start + 1)
            cells = slice(first_cell, int(ends[stop - 1]))
            parts = group[cells].astype(np.int64) - start, code[cells].astype(np.int64), count[cells].astype(np.int64)
            yield Histogram(self.column, self.sizes[start:stop], *parts, whole=self)
            start = stop


@dataclass(frozen=True, eq=False)
class RefinedHistogram(Histogram):
    """An attribute's values in each refined class: records of one class that agree in other columns, too.

    What a histogram says about a class holds here for a refined class; these are in the order of their classes.
    """

    parent: Integers
    """Equivalence class of each refined class, ascending; every class has at least one."""
    others: tuple[Column, ...]
    """The columns that refine."""
    other_codes: tuple[Codes, ...]
    """Per column that refines: the code of each refined class's value."""

    @cached_property
    def first(self) -> Integers:
        """First refined class of each equivalence class."""
        return np.flatnonzero(np.diff(self.parent, prepend=-1))

    @property
    def sizes_of_classes(self) -> Integers:
        """Records of each equivalence class."""
        sizes: Integers = np.add.reduceat(self.sizes, self.first)
        return sizes

    def worst(self, figures: Floats, *, largest: bool) -> Floats:
        """The worst figure of each equivalence class, from one figure per refined class."""
        worst: Floats = (np.maximum if largest else np.minimum).reduceat(figures, self.first)
        return worst

    def groups_of(self, index: int) -> Integers:
        """Positions of the refined classes of one equivalence class."""
        return np.flatnonzero(self.parent == index)

    def known(self, group: int) -> dict[str, str | None]:
        """Return the values that the records of one refined class share in other columns than the quasi-identifiers."""
        return {
            column.name: column.labels[code[group]] for column, code in zip(self.others, self.other_codes, strict=True)
        }


def histogram(
    relation: Relation, classes: EquivalenceClasses, column: str, whole: Distribution | None = None
) -> Histogram:
    """Count an attribute's values within each class.

    How often each value occurs in each class. `whole`: the attribute in all classes, where these are only some of them.
    """
    grouped = relation.count_within(classes.quasi_identifiers, column)
    group, code, count = grouped.group, grouped.code, grouped.count
    if classes.suppressed_position is not None:
        is_kept = group != classes.suppressed_position
        group, code, count = group[is_kept], code[is_kept], count[is_kept]
        group = group - (group > classes.suppressed_position)
    if whole is None and len(group) > 2 * _MAX_CELLS:
        return LargeHistogram(grouped.column, classes.sizes, group, code, count)
    cells = (array.astype(np.int64, copy=False) for array in (group, code, count))
    return Histogram(grouped.column, classes.sizes, *cells, whole=whole)


def refined_histogram(
    relation: Relation,
    classes: EquivalenceClasses,
    others: Sequence[str],
    column: str,
    whole: Distribution | None = None,
) -> RefinedHistogram:
    """Count an attribute's values within the parts of each class that agree in the other columns.

    Records without a class stay out. `whole`: the attribute in all classes, where these are only some of them.
    """
    groups = (*classes.quasi_identifiers, *others)
    combinations, grouped = relation.count(groups), relation.count_within(groups, column)
    n_quasi_identifiers = len(classes.columns)
    is_suppressed, starts_class = (
        np.ones(len(combinations.counts), dtype=bool),
        np.zeros(len(combinations.counts), dtype=bool),
    )
    # Quasi-identifiers come first in the canonical order, so the parts of a class are adjacent, and classes in order.
    for quasi_identifier, codes in zip(classes.columns, combinations.codes[:n_quasi_identifiers], strict=True):
        is_suppressed &= codes == quasi_identifier.code_of.get(SUPPRESSED, -1)
        starts_class |= np.diff(codes, prepend=-1) != 0
    is_kept = ~is_suppressed
    part_index = np.cumsum(is_kept) - 1
    cells = is_kept[grouped.group]
    return RefinedHistogram(
        column=grouped.column,
        sizes=combinations.counts[is_kept],
        group=part_index[grouped.group[cells]],
        code=grouped.code[cells].astype(np.int64, copy=False),
        count=grouped.count[cells].astype(np.int64, copy=False),
        parent=np.cumsum(starts_class[is_kept]) - 1,
        others=combinations.columns[n_quasi_identifiers:],
        other_codes=tuple(codes[is_kept] for codes in combinations.codes[n_quasi_identifiers:]),
        whole=whole,
    )
