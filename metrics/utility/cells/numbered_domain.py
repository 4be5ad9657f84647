"""The domain of a column as numbered elements, and which of them each anonymized value covers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from metrics.aggregates import Aggregates
from metrics.counting.counts import Combinations
from metrics.errors import Unavailable
from metrics.hierarchies.domain import Coverage, coverage
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.hierarchies.labels import covered_by_form
from metrics.interruption import watched
from metrics.tables.table import SUPPRESSED, Column, Floats, Integers
from metrics.tables.values import parse_number, parse_numbers
from metrics.texts import text

_MAX_ELEMENTS = 2**20
"""In a larger domain of whole numbers, only the numbers that occur in the original are elements."""


@dataclass(frozen=True, eq=False)
class NumberedDomain:
    """The domain of a column as numbered elements, and the elements that each anonymized value covers.

    Elements are what distinguishes original values: a leaf of the hierarchy, a whole number, an original value.
    """

    coverage: Coverage
    elements: int
    """Number of elements: all of the domain, or of a vast one those that occur in the original."""
    element: Integers
    """Per distinct original value, its element."""
    numbers: Floats | None
    """The number of each element, where every one has one."""
    groups: tuple[Integers, ...]
    """Anonymized values that share no element form a group: per element the code of the one that covers it, or -1."""
    group_of: Integers
    """Per distinct anonymized value, its group; -1 where it covers no element that is numbered."""

    def before(self, counts: Integers) -> Floats:
        """Records per element, from records per original value."""
        return np.bincount(self.element, weights=counts, minlength=self.elements).astype(np.float64)

    def after(self, counts: Integers) -> Floats:
        """Records per element, from records per anonymized value, each spread evenly over what its value covers."""
        density = np.append(counts / self.coverage.covered, 0.0)
        masses = np.zeros(self.elements)
        for group in self.groups:
            masses += density[group]
        return masses


def numbered_domain(pair: Combinations, hierarchy: Hierarchy | None) -> NumberedDomain:
    """The domain of a column, which is that of `coverage`, and what its anonymized values cover.

    Raises Unavailable where the hierarchy misses a value.
    """
    original, anonymized = pair.columns
    column_coverage = coverage(anonymized, hierarchy, pair)
    if column_coverage.rule == "hierarchy" and hierarchy is not None:
        element = hierarchy.leaves_of(original)
        missed = int((element < 0).sum())
        if missed:
            raise Unavailable(text("unavailable.incomplete_hierarchy_original", column=original.name, values=missed))
        elements = len(hierarchy.rows)
        numbers = parse_numbers([row[0] for row in hierarchy.rows], original.decimal)
        covers = _under(anonymized, hierarchy)
    elif column_coverage.first is not None:
        integers = np.array(
            [int(parse_number(label, original.decimal) or 0) - column_coverage.smallest for label in original.labels]
        )
        numbered = np.arange(column_coverage.size) if column_coverage.size <= _MAX_ELEMENTS else np.unique(integers)
        element, elements = np.searchsorted(numbered, integers), len(numbered)
        numbers = (numbered + column_coverage.smallest).astype(np.float64)
        ends = column_coverage.first + column_coverage.covered.astype(np.int64)
        first, last = np.searchsorted(numbered, column_coverage.first), np.searchsorted(numbered, ends)
        covers = [np.arange(low, high) for low, high in zip(first, last, strict=True)]
    else:
        element, elements, numbers = np.arange(original.distinct), original.distinct, original.numbers
        covers = _seen(pair)
    groups, group_of = _disjoint_groups(covers, elements)
    return NumberedDomain(column_coverage, elements, element, numbers, groups, group_of)


def has_new_values(pair: Combinations) -> bool:
    """Whether an anonymized value is not among the original's: then there is a change even if the domain shows none."""
    original, anonymized = pair.columns
    return any(label not in original.code_of for label in anonymized.labels)


def numbered_domain_of(aggregates: Aggregates, column: str) -> NumberedDomain:
    """The domain of a column of the pair, made once; raises Unavailable without an original or where it is unknown."""
    return aggregates.memoize(_numbered_domain_of, column)


def _numbered_domain_of(aggregates: Aggregates, column: str) -> NumberedDomain:
    return numbered_domain(aggregates.comparison.pair(column), aggregates.hierarchies.get(column))


def _under(anonymized: Column, hierarchy: Hierarchy) -> list[Integers]:
    """Leaves under each label, on whatever level it stands."""
    leaves_under = {SUPPRESSED: np.arange(len(hierarchy.rows)), **hierarchy.leaves_under}
    return [leaves_under[label or ""] for label in anonymized.labels]


def _seen(pair: Combinations) -> list[Integers]:
    """Original values that each label covers: by its form where it has one, else those it replaced."""
    original, anonymized = pair.columns
    order = np.argsort(pair.codes[1], kind="stable")
    bounds = np.searchsorted(pair.codes[1][order], np.arange(anonymized.distinct + 1))
    replaced = pair.codes[0][order].astype(np.int64)
    by_form = covered_by_form(anonymized, original, original)
    return [
        _values_under(label, original, by_form, replaced[bounds[code] : bounds[code + 1]])
        for code, label in enumerate(watched(anonymized.labels))
    ]


def _values_under(
    label: str | None, original: Column, by_form: Mapping[str, Sequence[int]], replaced: Integers
) -> Integers:
    if label in original.code_of:
        return np.array([original.code_of[label]])
    if label == SUPPRESSED:
        return np.arange(original.distinct)
    form = np.sort(np.array(by_form.get(label or "", ()), dtype=np.int64))
    return form if len(form) >= len(replaced) else replaced


def _disjoint_groups(covers: list[Integers], elements: int) -> tuple[tuple[Integers, ...], Integers]:
    """Values into groups that share no element: those of one element first, then by how much they cover."""
    widths = np.array([len(cover) for cover in covers], dtype=np.int64)
    group_of = np.full(len(covers), -1, dtype=np.int64)
    groups: list[Integers] = []
    singles = np.flatnonzero(widths == 1)
    if len(singles):
        single_elements = np.array([covers[code][0] for code in singles], dtype=np.int64)
        _, first = np.unique(single_elements, return_index=True)
        groups.append(np.full(elements, -1, dtype=np.int64))
        groups[0][single_elements[first]] = singles[first]
        group_of[singles[first]] = 0
    others = np.flatnonzero((group_of < 0) & (widths > 0))
    for code in others[np.argsort(widths[others], kind="stable")]:
        index = next(_free(groups, covers[code]), len(groups))
        if index == len(groups):
            groups.append(np.full(elements, -1, dtype=np.int64))
        groups[index][covers[code]] = code
        group_of[code] = index
    return tuple(groups), group_of


def _free(groups: list[Integers], cover: Integers) -> Iterator[int]:
    """Groups in which no value covers any of these elements yet."""
    return (index for index, group in enumerate(groups) if (group[cover] < 0).all())
