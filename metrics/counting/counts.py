"""How often each combination of values occurs: the counts that most metrics are made of.

`MemoryRelation` answers on int32 codes held in memory; an engine elsewhere need only answer the same questions.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from metrics.interruption import checkpoint
from metrics.tables.dictionary_codes import arrow_of, int32_of
from metrics.tables.matching_rule import MatchingRule, Tally
from metrics.tables.table import SUPPRESSED, Codes, Column, Described, Integers, Table

_LARGEST_KEY = 2**62
_DENSE_SPACE = 2**22
_BLOCK = 2**17


Counts = npt.NDArray[np.integer[Any]]
"""Whole numbers of any width: engines pack many cells into few bytes."""


@dataclass(frozen=True, eq=False)
class Combinations:
    """Distinct combinations of values and how many records hold each: SELECT columns, COUNT(*) GROUP BY columns."""

    columns: tuple[Column, ...]
    codes: tuple[Codes, ...]
    """Per column: the code of each combination's value."""
    counts: Integers
    """Records per combination, at least 1."""


@dataclass(frozen=True, eq=False)
class GroupedCounts:
    """Values of one column within groups of records, sorted by group and then by code; only what occurs."""

    column: Column
    group: Counts
    code: Counts
    count: Counts


class Relation(Protocol):
    """Questions that an engine must answer about one anonymized table."""

    def count(self, columns: Sequence[str]) -> Combinations:
        """Combinations of anonymized columns, in the canonical order of their values."""

    def count_within(self, groups: Sequence[str], column: str) -> GroupedCounts:
        """Counts of `column` within each combination of `groups`, numbered as `count(groups)` orders them."""


class Pairing(Protocol):
    """The original's records beside the anonymized ones, in memory (`Matching`) or within an engine."""

    @property
    def deleted(self) -> int:
        """Original records without a counterpart."""

    def count_pair(self, column: str) -> Combinations:
        """Combinations of (original, anonymized) values of one column over matched records."""


class PartitionCounts(Protocol):
    """Counts of an engine in several parts, in the canonical order of the values."""

    def __len__(self) -> int:
        """Number of parts, at least 1."""

    def __iter__(self) -> Iterator[Combinations]:
        """The parts, each counted when its turn comes."""


class EngineTable(Described, Relation, Protocol):
    """A table whose records stay in an engine; its columns have values and no codes."""

    def match(self, original: Described, rule: MatchingRule) -> Pairing:
        """Match its records with the original's; raises InputError if they cannot be matched."""

    def plan_counts(self, groups: Sequence[str], columns: Sequence[str], never: Sequence[str]) -> None:
        """Announce the columns that will be counted within groups, maybe all at once, and the values never to read."""

    def estimate_distinct(self, sets: Sequence[Sequence[str]]) -> list[int]:
        """Estimate how many different combinations each of these sets of columns has."""

    def partitions(
        self, groups: Sequence[str], columns: Sequence[str], max_combinations: int
    ) -> AbstractContextManager[PartitionCounts]:
        """Counts of groups and columns, about `max_combinations` at a time; a group is never divided."""

    def with_values(self, values: Mapping[str, Integers]) -> EngineTable:
        """The records that hold one of these values in each of these columns: values by code, which stay the same."""

    def with_labels(self, labels: Mapping[str, Sequence[str | None]]) -> EngineTable:
        """The records with other labels for a column's values, in the order of their codes; equal labels become one."""

    def with_suppressed_pairs(
        self, original: Described, rule: MatchingRule, pairs: Mapping[str, tuple[Codes, Codes]]
    ) -> EngineTable:
        """The records with `*` in place of some values, by column the codes of (original, anonymized) values."""


@dataclass(frozen=True, eq=False)
class Matching:
    """The records of two tables that are compared, side by side.

    A record that was deleted tells as little as one whose every cell is suppressed, and is counted so.
    """

    original: Table
    """The original's records in the order of the anonymized ones, followed by those without a counterpart."""
    anonymized: Table
    """The anonymized records that have an original."""
    tally: Tally
    positions: Integers | None = None
    """Positions of the anonymized records in the whole table; None if they are all of it."""

    @property
    def deleted(self) -> int:
        """Original records without a counterpart."""
        return self.tally.deleted

    def count_pair(self, column: str) -> Combinations:
        """Combinations of (original, anonymized) values of one column over matched records."""
        original = self.original[column]
        anonymized = self.anonymized[column].followed_by(SUPPRESSED, self.tally.deleted)
        width = max(anonymized.distinct, 1)
        space = original.distinct * width
        distinct, counts = count_keys(_pair_keys(original.codes, width, anonymized.codes, space), space)
        codes = ((distinct // width).astype(np.int32), (distinct % width).astype(np.int32))
        return Combinations((original, anonymized), codes, counts)


class MemoryRelation:
    """Counts over dictionary-encoded columns in memory."""

    def __init__(self, anonymized: Table) -> None:
        self._anonymized = anonymized
        self._grouped: dict[tuple[str, ...], tuple[Combinations, Codes]] = {}

    def members(self, columns: Sequence[str]) -> Codes:
        """For each record, the number of its combination in `count(columns)`."""
        return self._group(tuple(columns))[1]

    def count(self, columns: Sequence[str]) -> Combinations:
        """Combinations of anonymized columns, in the canonical order of their values."""
        return self._group(tuple(columns))[0]

    def count_within(self, groups: Sequence[str], column: str) -> GroupedCounts:
        """Counts of `column` within each combination of `groups`, numbered as `count(groups)` orders them."""
        combinations, record_groups = self._group(tuple(groups))
        values = self._anonymized[column]
        width = max(values.distinct, 1)
        space = len(combinations.counts) * width
        keys = _pair_keys(record_groups, width, values.codes, space)
        distinct, counts = count_keys(keys, space)
        return GroupedCounts(values, distinct // width, distinct % width, counts)

    def _group(self, names: tuple[str, ...]) -> tuple[Combinations, Codes]:
        if names not in self._grouped:
            self._grouped[names] = self._group_anew(names)
        return self._grouped[names]

    def _group_anew(self, names: tuple[str, ...]) -> tuple[Combinations, Codes]:
        columns = self._anonymized.select(names)
        finer = [found for known, found in list(self._grouped.items()) if set(names) <= set(known)]
        if not finer:
            return group_records(columns, self._anonymized.rows)
        counted, members = min(finer, key=lambda found: len(found[0].counts))
        code_of = {column.name: code for column, code in zip(counted.columns, counted.codes, strict=True)}
        merged, number = group_records(columns, len(counted.counts), [code_of[name] for name in names])
        counts = np.bincount(number, weights=counted.counts, minlength=len(merged.counts)).astype(np.int64)
        return Combinations(columns, merged.codes, counts), number[members]


def group_records(
    columns: Sequence[Column], rows: int, codes: Sequence[Codes] | None = None
) -> tuple[Combinations, Codes]:
    """Distinct combinations of columns in canonical order, and for each record the number of its combination.

    `codes` are those of the records by column, if not of all records of the columns.
    """
    codes = [column.codes for column in columns] if codes is None else codes
    numbers, n_combinations = combination_codes(
        [(code, column.distinct) for column, code in zip(columns, codes, strict=True)], rows
    )
    representative = representatives(numbers, n_combinations)
    codes = [code[representative] for code in codes]
    ranks = [column.rank[code] for column, code in zip(columns, codes, strict=True)]
    order = order_of_combinations(ranks, [max(column.distinct, 1) for column in columns])
    if order is None:
        order = np.arange(n_combinations)
    rank = np.empty(n_combinations, dtype=np.int32)
    rank[order] = np.arange(n_combinations, dtype=np.int32)
    ordered_codes = np.empty(rows, dtype=np.int32)
    for block in blocks(rows):
        ordered_codes[block] = rank[numbers[block]]
    counts = records_by_key(ordered_codes, n_combinations)
    return Combinations(tuple(columns), tuple(code[order] for code in codes), counts), ordered_codes


def _pair_keys(high: Codes, width: int, low: Codes, space: int) -> Integers | Codes:
    """One key per record for its two codes; `width` is above the low ones, `space` above the keys."""
    keys: Integers | Codes = high.astype(np.int64) if space >= 2**31 else high.copy()
    keys *= width
    keys += low
    return keys


def records_by_key(keys: Integers | Codes, space: int) -> Integers:
    """How often each key below `space` occurs."""
    counts = np.zeros(space, dtype=np.int64)
    for block in blocks(len(keys), space):
        counts += np.bincount(keys[block], minlength=space)
    return counts


def blocks(rows: int, smallest: int = 0) -> Iterator[slice]:
    """All records, in blocks: numpy converts every code that it gets as an index to 8 bytes."""
    step = max(_BLOCK, smallest)
    for start in range(0, rows, step):
        checkpoint()
        yield slice(start, min(start + step, rows))


def order_of_combinations(codes: Sequence[Codes | Integers], widths: Sequence[int]) -> Integers | None:
    """The order that sorts combinations by their codes, the first column first; None if they are in it.

    `widths` are above the codes of each column.
    """
    if not codes:
        return None
    checkpoint()
    if math.prod(widths) >= _LARGEST_KEY:
        return np.lexsort(tuple(codes)[::-1])
    keys = np.zeros(len(codes[0]), dtype=np.int64)
    for code, width in zip(codes, widths, strict=True):
        keys = keys * width + code
    return None if (keys[1:] >= keys[:-1]).all() else np.argsort(keys, kind="stable")


def combination_codes(columns: Sequence[tuple[Codes, int]], rows: int) -> tuple[Codes, int]:
    """Number each record's combination, and count the combinations that occur.

    The number of each record's combination, from 0 on and in no order, and how many combinations occur. Keys of mixed
    radix identify them, compacted before they would overflow.
    """
    columns = [(codes, max(distinct, 1)) for codes, distinct in columns]
    fits = math.prod(width for _, width in columns) < 2**31
    keys: Any = np.zeros(rows, dtype=np.int32 if fits else np.int64)
    space = 1
    for codes, width in columns:
        checkpoint()
        if space * width >= _LARGEST_KEY:
            compact_keys, space = compact(keys)
            keys = compact_keys.astype(np.int64)
        keys *= width
        keys += codes
        space *= width
    return compact(keys) if space > 4 * rows else _numbered(keys, space)


def _numbered(keys: Integers | Codes, space: int) -> tuple[Codes, int]:
    """Number the different keys below `space` in their order; return the numbers and how many there are."""
    occurs = np.zeros(space, dtype=bool)
    occurs[keys] = True
    numbers = np.cumsum(occurs, dtype=np.int32)
    numbers -= 1
    return numbers[keys], int(numbers[-1]) + 1


def representatives(numbers: Codes, n_combinations: int) -> Integers:
    """A record of each combination; `numbers` tells that of each record."""
    representative = np.empty(n_combinations, dtype=np.int64)
    for block in blocks(len(numbers)):
        representative[numbers[block]] = np.arange(block.start, block.stop)
    return representative


def distinct_records(
    columns: Sequence[tuple[Codes, int]], rows: int, weights: Integers | None = None
) -> tuple[Integers, Integers]:
    """A record of each combination, and how many records have it; `columns` are codes and how many values they have.

    `weights` tells how often each record occurs, if not once.
    """
    numbers, n_combinations = combination_codes(columns, rows)
    if weights is None:
        return representatives(numbers, n_combinations), records_by_key(numbers, n_combinations)
    sums = np.bincount(numbers, weights=weights, minlength=n_combinations).astype(np.int64)
    return representatives(numbers, n_combinations), sums


def count_keys(keys: Integers | Codes, space: int) -> tuple[Integers, Integers]:
    """Distinct keys and how often each occurs.

    The distinct keys in ascending order, and how often each occurs.
    """
    if space <= max(_DENSE_SPACE, 4 * len(keys)):
        counts = records_by_key(keys, space)
        distinct = np.flatnonzero(counts)
        return distinct, counts[distinct].astype(np.int64, copy=False)
    sorted_keys = np.sort(keys)
    is_first = np.ones(len(sorted_keys), dtype=bool)
    is_first[1:] = sorted_keys[1:] != sorted_keys[:-1]
    starts = np.flatnonzero(is_first)
    return sorted_keys[starts].astype(np.int64), np.diff(starts, append=len(sorted_keys))


def compact(keys: Integers | Codes) -> tuple[Codes, int]:
    """Number the different keys from 0 in the order in which they occur; return the numbers and how many there are."""
    checkpoint()
    # Arrow's usual pool would keep what the growing array of codes outgrew.
    encoded = pc.dictionary_encode(arrow_of(keys), memory_pool=pa.system_memory_pool())
    return int32_of(encoded.indices), len(encoded.dictionary)
