"""Which labels of a released table cover which values, and which combinations of labels cover which records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from metrics.hierarchies.domain import number_of_label
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.hierarchies.labels import Evidence, covered_by_evidence, covered_by_form, recoded_labels
from metrics.hierarchies.numerals import is_numeric
from metrics.interruption import checkpoint, watched
from metrics.tables.table import SUPPRESSED, Codes, Column, Flags, Floats, Integers

MAX_PAIRS = 2**18
"""Pairs of a record and a combination of labels that are examined together: bounds the memory."""


@dataclass(frozen=True, eq=False)
class Covering:
    """Which labels of a released column cover each value of a column; values covered alike share a group."""

    group: Integers
    """Group of each value."""
    starts: Integers
    """Position of the first label of each group."""
    counts: Integers
    """How many labels cover each group's values."""
    labels: Integers
    """Codes of the released labels, group by group, ascending within a group."""

    def matrix(self, groups: Integers, distinct: int) -> Flags:
        """For each of the groups and each of the `distinct` labels, whether the label covers the group's values."""
        counts = self.counts[groups]
        covered = np.zeros((len(groups), distinct), dtype=bool)
        covered[
            np.repeat(np.arange(len(groups)), counts), self.labels[consecutive_places(self.starts[groups], counts)]
        ] = True
        return covered

    def breadth(self, distinct: int) -> Floats:
        """For each of the `distinct` labels the number of values that it covers."""
        values = np.repeat(np.bincount(self.group, minlength=len(self.counts)), self.counts)
        return np.bincount(self.labels, weights=values, minlength=distinct).astype(np.float64)


def covering(
    released: Column, values: Column, hierarchy: Hierarchy | None, evidence: Evidence | None = None
) -> Covering:
    """Which labels of the released column cover each value.

    A label covers a value that equals it, that lies under it in the hierarchy on any level, or, where the hierarchy
    does not know both or there is none, a number within the interval, a text that fits the mask or a member of the set
    that it writes; where neither tells, the original values that became it. A label that the original holds is that
    value alone, unless the column was recoded: then each value has the label that it became. `*` covers every value, a
    missing cell only a missing value.
    """
    evidence = evidence or Evidence()
    ancestors = {} if hierarchy is None else _ancestors(hierarchy)
    codes_by_value = [_covering_codes(released, value, ancestors) for value in watched(values.labels)]
    if is_numeric(values):
        _add_equal_numbers(codes_by_value, released, values, ancestors)
    levels = {} if hierarchy is None else hierarchy.level_of
    for label, positions in covered_by_form(released, values, evidence.original, evidence.pair).items():
        for position in positions:
            if label not in levels or values.labels[position] not in ancestors:
                codes_by_value[position].add(released.code_of[label])
    _add_derived(codes_by_value, released, values, levels, ancestors, evidence)
    if values is not released:  # a released value stands for itself, also where one of that name became another
        _replace_recoded(codes_by_value, released, values, evidence)
    return _grouped(codes_by_value)


def _add_derived(
    codes_by_value: Sequence[set[int]],
    released: Column,
    values: Column,
    levels: Mapping[str, int],
    ancestors: Mapping[str, tuple[str, ...]],
    evidence: Evidence,
) -> None:
    """Add the labels that neither the hierarchy nor their form explains, by the values that became them."""
    for label, derived in covered_by_evidence(released, evidence).items():
        if label not in released.code_of:
            continue
        for value in derived & values.code_of.keys():
            if label not in levels or (value and levels[label] and value not in ancestors):
                codes_by_value[values.code_of[value]].add(released.code_of[label])


def _replace_recoded(codes_by_value: list[set[int]], released: Column, values: Column, evidence: Evidence) -> None:
    """Give each value of a recoded column the label that it became, and `*`."""
    for value, became in recoded_labels(evidence.pair).items():
        if value in values.code_of:
            covers = (became, SUPPRESSED)
            codes_by_value[values.code_of[value]] = {released.code_of[one] for one in covers if one in released.code_of}


def _grouped(codes_by_value: Sequence[set[int]]) -> Covering:
    """Values that the same labels cover, together."""
    group_of_codes: dict[tuple[int, ...], int] = {}
    group = np.array(
        [group_of_codes.setdefault(tuple(sorted(codes)), len(group_of_codes)) for codes in watched(codes_by_value)],
        dtype=np.int64,
    )
    counts = np.array([len(codes) for codes in group_of_codes], dtype=np.int64)
    labels = np.array([code for codes in group_of_codes for code in codes], dtype=np.int64)
    return Covering(group, np.cumsum(counts) - counts, counts, labels)


def _add_equal_numbers(
    codes_by_value: Sequence[set[int]], released: Column, values: Column, ancestors: Mapping[str, tuple[str, ...]]
) -> None:
    """Add the labels that cover a value written another way: 3 and 3.0, as pandas writes it beside missing cells."""
    labels_by_number = _by_number(released.labels, released.decimal)
    leaves_by_number = _by_number(ancestors, values.decimal)
    for codes, value in watched(zip(codes_by_value, values.labels, strict=True)):
        number = number_of_label(value, values.decimal)
        codes.update(released.code_of[label] for label in labels_by_number.get(number, ()))
        for leaf in leaves_by_number.get(number, ()):
            codes |= _covering_codes(released, leaf, ancestors)


def _by_number(labels: Iterable[str | None], decimal: str) -> dict[Decimal | int | None, list[str]]:
    """The labels that write each number."""
    labels_by_number: dict[Decimal | int | None, list[str]] = {}
    for label in watched(labels):
        number = number_of_label(label, decimal)
        if label is not None and number is not None:
            labels_by_number.setdefault(number, []).append(label)
    return labels_by_number


def _covering_codes(released: Column, value: str | None, ancestors: Mapping[str, tuple[str, ...]]) -> set[int]:
    """Codes of the released labels that equal the value or are its ancestors, and of `*`."""
    labels_above = () if value is None else ancestors.get(value, ())
    return {released.code_of[label] for label in (value, *labels_above, SUPPRESSED) if label in released.code_of}


def _ancestors(hierarchy: Hierarchy) -> dict[str, tuple[str, ...]]:
    """The labels from each label upwards; one that occurs on two levels is the value on the lower."""
    ancestors: dict[str, tuple[str, ...]] = {}
    for level in range(hierarchy.height + 1):
        for row in hierarchy.rows:
            if row[level] not in ancestors:
                ancestors[row[level]] = tuple(label for label in row[level:] if label)
    return ancestors


def consecutive_places(starts: Integers, counts: Integers) -> Integers:
    """The positions starts[i], starts[i] + 1, …, counts[i] of them for each i, concatenated."""
    positions: Integers = np.arange(int(counts.sum())) + np.repeat(starts - (np.cumsum(counts) - counts), counts)
    return positions


def covering_pairs(
    groups: Sequence[Codes | Integers],
    coverings: Sequence[Covering],
    columns: Sequence[Column],
    codes: Sequence[Codes | Integers],
) -> Iterator[tuple[Integers, Integers]]:
    """Pairs of a record and a combination of labels that covers it in every column, some at a time.

    Positions of records, ascending, and of combinations: all pairs of a record stand in one portion, and portions do
    not overlap.
    """
    prefixes = beginnings(columns, codes)
    all_records = np.arange(len(groups[0]))
    stack: list[tuple[int, Integers, Integers]] = [(0, np.zeros(len(all_records), dtype=np.int64), all_records)]
    while stack:
        checkpoint()
        level, prefix, records = stack.pop()
        if not len(records):
            continue
        if level == len(coverings):
            yield records, prefix
            continue
        column_covering, column = coverings[level], columns[level]
        group = groups[level][records]
        n_labels = column_covering.counts[group]
        n_pairs = int(n_labels.sum())
        if n_pairs > MAX_PAIRS and records[0] != records[-1]:
            middle = middle_of(records)
            stack += [(level, prefix[middle:], records[middle:]), (level, prefix[:middle], records[:middle])]
            continue
        source = np.repeat(np.arange(len(records)), n_labels)
        key = (
            prefix[source] * column.distinct
            + column.rank[column_covering.labels[consecutive_places(column_covering.starts[group], n_labels)]]
        )
        position = np.minimum(np.searchsorted(prefixes[level], key), len(prefixes[level]) - 1)
        exists = prefixes[level][position] == key
        stack.append((level + 1, position[exists], records[source[exists]]))


def middle_of(records: Integers) -> int:
    """Where to divide the pairs of ascending records, at least two different ones: all of a record stay together."""
    middle = int(np.searchsorted(records, records[len(records) // 2]))
    return middle or int(np.searchsorted(records, records[0], side="right"))


def beginnings(columns: Sequence[Column], codes: Sequence[Codes | Integers]) -> list[Integers]:
    """By column, the distinct prefixes of combinations up to it: number of the preceding prefix, rank of its value.

    Combinations are in the order of their values, so prefixes are ascending, and the last ones are all combinations.
    """
    prefixes = []
    prefix_number = np.zeros(len(codes[0]), dtype=np.int64)
    for column, values in zip(columns, codes, strict=True):
        keys = prefix_number * column.distinct + column.rank[values]
        is_first = np.diff(keys, prepend=-1) != 0
        prefix_number = np.cumsum(is_first) - 1
        prefixes.append(keys[is_first])
    return prefixes
