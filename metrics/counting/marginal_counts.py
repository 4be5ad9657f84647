"""Counts of combinations, added up to those of fewer columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from metrics.counting.counts import Combinations, GroupedCounts, order_of_combinations
from metrics.tables.table import Codes, Flags, Integers


def ordered_combinations(
    codes: Sequence[Codes], widths: Sequence[int], counts: Integers
) -> tuple[tuple[Codes, ...], Integers]:
    """Sort combinations by their codes, equal ones added up; `widths` are above the codes of each column."""
    if not len(counts):
        return tuple(codes), counts
    order = order_of_combinations(codes, widths)
    sorted_codes = codes if order is None else [code[order] for code in codes]
    starts = np.flatnonzero(group_starts(sorted_codes, len(counts)))
    sums = np.add.reduceat(counts if order is None else counts[order], starts)
    return tuple(code[starts] for code in sorted_codes), sums


def group_starts(codes: Sequence[Codes], number: int) -> Flags:
    """Whether each of the sorted combinations differs from the one before it."""
    is_start = np.zeros(number, dtype=bool)
    is_start[:1] = True
    for code in codes:
        is_start[1:] |= code[1:] != code[:-1]
    return is_start


def marginal_counts(counted: Combinations, names: Sequence[str]) -> Combinations:
    """The combinations of some of the columns."""
    index_of = {column.name: index for index, column in enumerate(counted.columns)}
    columns = tuple(counted.columns[index_of[name]] for name in names)
    codes: list[Codes] = [counted.codes[index_of[name]] for name in names]
    sorted_codes, sums = ordered_combinations(codes, [max(column.distinct, 1) for column in columns], counted.counts)
    return Combinations(columns, sorted_codes, sums)


def counts_within(counted: Combinations, groups: Sequence[str], column: str) -> GroupedCounts:
    """Counts of a column within each combination of `groups`; `counted` are those of the groups and then the column."""
    names = [counted_column.name for counted_column in counted.columns]
    at = names.index(column)
    group = np.cumsum(group_starts(counted.codes[: len(groups)], len(counted.counts))) - 1
    return GroupedCounts(counted.columns[at], group, counted.codes[at].astype(np.int64), counted.counts)


class CountedRelation:
    """Answers from counts of all columns that will be asked for; implements `Relation`."""

    def __init__(self, counted: Combinations) -> None:
        """`counted` are in the order of their codes, which is that of the values."""
        self._counted = {tuple(column.name for column in counted.columns): counted}
        self._every = counted

    def count(self, columns: Sequence[str]) -> Combinations:
        """Combinations of some of the columns, in the canonical order of their values."""
        names = tuple(columns)
        if names not in self._counted:
            self._counted[names] = marginal_counts(self._every, names)
        return self._counted[names]

    def count_within(self, groups: Sequence[str], column: str) -> GroupedCounts:
        """Counts of `column` within each combination of `groups`, numbered as `count(groups)` orders them."""
        return counts_within(self.count(tuple(dict.fromkeys((*groups, column)))), groups, column)
