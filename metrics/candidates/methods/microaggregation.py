"""MDAV: records are put into groups of at least k that are alike, and each group gets its average."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metrics.candidates.methods.columns import columns_parameter, mean_and_deviation, numbers_by_record, with_numbers
from metrics.candidates.methods.method import CandidateMethod, parameter, with_columns
from metrics.config.roles import Roles
from metrics.errors import InputError
from metrics.formatting import pluralize
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.interruption import checkpoint
from metrics.matching.released_values import holds_numbers, plain_numbers
from metrics.tables.table import Column, Floats, Integers, Table

BLOCK = 10_000
"""Records up to which the groups are found among all of them; the work grows with the square."""
_GRID = 2.0**30
"""Parts of a standard deviation that numbers are rounded to, so that sums are exact on every machine."""


@dataclass(frozen=True)
class Microaggregation(CandidateMethod):
    """Maximum distance to average vector (MDAV).

    While there are 3k records or more, the one farthest from the average and the k - 1 nearest to it become a group,
    and so the one farthest from that one with its k - 1 nearest; then, of 2k or more, once more the farthest from the
    average; the rest is the last group. Each group is released with the mean of each column of numbers, rounded to its
    decimal places, and the most frequent of other values, so that k records or more are alike. Distances are Euclidean
    in units of the standard deviation; another category, or a missing number, counts as one such unit. Of equally far
    records the first in the table is taken.

    The work grows with the square of the records. Tables of more than 10,000 are first divided into blocks of at most
    so many, each time at the median of the column that spreads most, and each block is grouped by itself: groups then
    do not reach across blocks. Nothing is drawn at random.

    Domingo-Ferrer, Mateo-Sanz: Practical Data-Oriented Microaggregation for Statistical Disclosure Control. IEEE TKDE
    14 (2002) 189-201, https://doi.org/10.1109/69.979982
    Domingo-Ferrer, Torra: Ordinal, Continuous and Heterogeneous k-Anonymity Through Microaggregation. Data Mining and
    Knowledge Discovery 11 (2005) 195-212, https://doi.org/10.1007/s10618-005-0007-5
    """

    name: ClassVar[str] = "mdav"
    title: ClassVar[str] = "Microaggregation"
    about: ClassVar[str] = "Numbers are replaced with the mean of a group of at least k similar records (MDAV)."

    k: int = parameter(5, "k", "Minimum number of records per group.", 1)
    columns: tuple[str, ...] = columns_parameter("all quasi-identifiers")

    def apply(
        self, original: Table, roles: Roles, hierarchies: Hierarchies | None = None, *, seed: int | None = None
    ) -> Table:
        """The original with averages. Raises InputError where it has fewer records than k."""
        roles.check(original)
        columns = original.select(tuple(dict.fromkeys(self.columns)) or tuple(roles.quasi_identifiers))
        if original.rows < self.k:
            raise InputError(
                f"the table has {pluralize(original.rows, 'record')}, fewer than k",
                remedy="choose a smaller k",
                file=original.name,
            )
        space = Space.from_columns(columns)
        group = np.empty(original.rows, dtype=np.int64)
        groups = 0
        for block in _blocks(space, np.arange(original.rows), max(BLOCK, 2 * self.k)):
            for records in mdav(space.subset(block), self.k):
                group[block[records]] = groups
                groups += 1
        averaged = [_with_group_averages(column, group, groups) for column in columns]
        return with_columns(original, {column.name: column for column in averaged})


@dataclass(frozen=True, eq=False)
class Space:
    """Records as points: whole numbers of fine units, by column; and categories."""

    numbers: tuple[Integers, ...]
    categories: tuple[Integers, ...]

    @staticmethod
    def from_columns(columns: Sequence[Column]) -> Space:
        """Build points from columns: numbers are standardized, and a category marks the records that lack one."""
        numbers: list[Integers] = []
        categories: list[Integers] = []
        for column in columns:
            if not holds_numbers(column):
                categories.append(column.codes.astype(np.int64))
                continue
            values = plain_numbers(column)
            has_number = ~np.isnan(values)
            mean, deviation = mean_and_deviation(column)
            standard = np.where(has_number, (values - mean) / deviation, 0.0) if deviation else np.zeros(len(values))
            numbers.append(np.rint(standard * _GRID).astype(np.int64)[column.codes])
            if not has_number.all():
                categories.append(np.where(has_number, -1, np.arange(len(values)))[column.codes])
        return Space(tuple(numbers), tuple(categories))

    def subset(self, records: Integers) -> Space:
        """Some of the records."""
        return Space(
            tuple(numbers[records] for numbers in self.numbers), tuple(codes[records] for codes in self.categories)
        )

    def from_average(self, records: Integers) -> Floats:
        """Squared distance of each of the records from their average: means, and the most frequent categories."""
        distance = np.zeros(len(records))
        for numbers in self.numbers:
            values = numbers[records]
            distance += ((values - float(values.sum()) / len(values)) / _GRID) ** 2
        for codes in self.categories:
            values = codes[records]
            distance += values != _most_frequent(values)
        return distance

    def from_record(self, records: Integers, point: int) -> Floats:
        """Squared distance of each of the records from one."""
        distance = np.zeros(len(records))
        for numbers in self.numbers:
            distance += ((numbers[records] - numbers[point]) / _GRID) ** 2
        for codes in self.categories:
            distance += codes[records] != codes[point]
        return distance


def _most_frequent(values: Integers) -> int:
    """The value that occurs most often; the smallest of several."""
    least = int(values.min())
    return int(np.bincount(values - least).argmax()) + least


def mdav(space: Space, k: int) -> Iterator[Integers]:
    """Group records into groups of at least k, fewer than 2k each where there are enough records."""
    records = np.arange(len((*space.numbers, *space.categories)[0]))

    def nearest(point: int) -> Integers:
        """Take a record and the k - 1 nearest to it out of those that are left."""
        nonlocal records
        checkpoint()
        distance = space.from_record(records, point)
        distance[np.searchsorted(records, point)] = -1.0
        edge = np.partition(distance, k - 1)[k - 1]
        is_taken = distance < edge
        is_taken[np.flatnonzero(distance == edge)[: k - int(is_taken.sum())]] = True
        group: Integers = records[is_taken]
        records = records[~is_taken]
        return group

    while len(records) >= 3 * k:
        first = int(records[space.from_average(records).argmax()])
        yield nearest(first)
        yield nearest(int(records[space.from_record(records, first).argmax()]))
    if len(records) >= 2 * k:
        yield nearest(int(records[space.from_average(records).argmax()]))
    yield records


def _blocks(space: Space, records: Integers, max_records: int) -> Iterator[Integers]:
    """Divide records into parts of a limited size, cut at medians."""
    checkpoint()
    if len(records) <= max_records or not space.numbers:
        # Without numbers there is no range to cut: neighbours in the order of the categories are alike.
        order = (
            records
            if len(records) <= max_records
            else records[np.lexsort([codes[records] for codes in space.categories])]
        )
        parts = -(-len(records) // max_records)
        yield from (np.sort(part) for part in np.array_split(order, max(parts, 1)))
        return
    widest = max(space.numbers, key=lambda numbers: int(np.ptp(numbers[records])))
    order = records[np.argsort(widest[records], kind="stable")]
    for half in np.array_split(order, 2):
        yield from _blocks(space, half, max_records)


def _with_group_averages(column: Column, group: Integers, groups: int) -> Column:
    """Each group's mean, or its most frequent value; the first in order of several. Cells without a number stay."""
    if not holds_numbers(column):
        keys = group * column.distinct + column.rank[column.codes]
        distinct, counts = np.unique(keys, return_counts=True)
        order = np.lexsort((distinct, -counts, distinct // column.distinct))
        owner = distinct[order] // column.distinct
        best = order[np.diff(owner, prepend=-1) != 0]
        codes = column.order[distinct[best] % column.distinct].astype(np.int32)
        return Column.from_codes(column.name, codes[group], column.values, column.decimal)
    numbers = numbers_by_record(column)
    has_number = ~np.isnan(numbers)
    # From record to record, in order: the same sum on every machine.
    totals = np.bincount(group[has_number], weights=numbers[has_number], minlength=groups)
    number = np.bincount(group[has_number], minlength=groups)
    means = totals / np.maximum(number, 1)
    return with_numbers(column, np.where(has_number, means[group], np.nan))
