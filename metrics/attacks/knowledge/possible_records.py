"""The released records that could be a person's: those whose labels cover the known values, else the nearest."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from metrics.aggregates.memo import Memo
from metrics.attacks.knowledge.gower import GowerDistance
from metrics.attacks.knowledge.nearest import TIE, NearestRecords
from metrics.counting.counts import (
    MemoryRelation,
    combination_codes,
    distinct_records,
    order_of_combinations,
    representatives,
)
from metrics.hierarchies.covering import Covering, consecutive_places, covering, covering_pairs
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.hierarchies.labels import Evidence
from metrics.interruption import checkpoint
from metrics.tables.table import Codes, Column, Flags, Floats, Integers

_MAX_CELLS = 2**21
"""Distances that are computed at once: bounds the memory."""
_PROBES = 100
"""Combinations of known values from which the work for all is estimated."""
_PAIR = 8
"""Work of a covering pair, in distances between two cells."""


@dataclass(frozen=True, eq=False)
class Released:
    """The released records, grouped by their labels in the known columns."""

    columns: tuple[Column, ...]
    codes: tuple[Codes, ...]
    """By column the label of each combination; combinations are in canonical order."""
    sizes: Integers
    """Records per combination; 0 where all of them are ruled out."""
    members: Codes
    """For each record its combination; -1 where it is ruled out."""

    @staticmethod
    def from_relation(relation: MemoryRelation, known: Sequence[str]) -> Released:
        """The records of a table of at least one record."""
        combinations = relation.count(known)
        return Released(combinations.columns, combinations.codes, combinations.counts, relation.members(known))

    def without(self, records: Integers) -> Released:
        """Rule out some records."""
        members = self.members.copy()
        members[records] = -1
        ruled_out = np.bincount(self.members[records], minlength=self.count)
        return replace(self, sizes=self.sizes - ruled_out, members=members)

    @property
    def count(self) -> int:
        """Number of combinations."""
        return len(self.sizes)

    @cached_property
    def possible(self) -> Integers:
        """The combinations of records that are not ruled out."""
        return np.flatnonzero(self.sizes)


@dataclass(frozen=True, eq=False)
class Batch:
    """Some people with all of their possible records. Those with the same possible records share a row."""

    people: Integers
    """Positions of the people; where people who are alike are taken together, of one of them."""
    weights: Integers
    """How many people each stands for."""
    row_of_person: Integers
    row: Integers
    """Row of each pair of a row and a combination of possible records, ascending."""
    combination: Integers
    """Released combination of each pair."""
    rows: int
    """Number of rows; each has at least one possible record."""
    covering: bool = True
    """Whether the records cover the people; otherwise they are the nearest ones."""

    def sizes(self, released: Released) -> Floats:
        """For each person the number of possible records."""
        weights = released.sizes[self.combination].astype(np.float64)
        of_row = np.bincount(self.row, weights=weights, minlength=self.rows).astype(np.float64)
        return of_row[self.row_of_person]

    def contains(self, combination: Codes | Integers, released: Released) -> Flags:
        """For each person whether the given combination is among the possible records; -1 never is."""
        keys = np.sort(self.row * released.count + self.combination)
        wanted_keys = self.row_of_person * released.count + combination
        contained: Flags = keys[np.minimum(np.searchsorted(keys, wanted_keys), len(keys) - 1)] == wanted_keys
        return contained & (combination >= 0)


@dataclass(frozen=True, eq=False)
class ColumnMatch:
    """Which released labels of one column cover each known value, and how far they are from it."""

    covering: Covering
    distance: GowerDistance

    @staticmethod
    def from_columns(released: Column, values: Column, hierarchy: Hierarchy | None, evidence: Evidence) -> ColumnMatch:
        """`evidence` is what is known of the values that became the labels."""
        column_covering = covering(released, values, hierarchy, evidence)
        original = evidence.original or values
        return ColumnMatch(column_covering, GowerDistance(released, values, column_covering, original))


Alike = Mapping[str | None, tuple[Codes, int]]
"""What people are told apart by, beside their possible records: by column codes of the people and their number.

None is their own record. Those who agree are attacked together.
"""


class Kinds(NamedTuple):
    """People who are attacked together: one of each kind, in the order of their rows, and how many are of it."""

    people: Integers
    weights: Integers

    @staticmethod
    def from_rows(people: Integers | None, row_of_person: Codes, rows: int, alike: Alike | None) -> Kinds:
        """The kinds of some people, or of all (None); everybody is one without `alike`."""
        if alike is None:
            place, weights = np.arange(len(row_of_person)), np.ones(len(row_of_person), dtype=np.int64)
        else:
            codes = [(code if people is None else code[people], number) for code, number in alike.values()]
            place, weights = distinct_records([(row_of_person, rows), *codes], len(row_of_person))
        order = np.argsort(row_of_person[place], kind="stable")
        place = place[order]
        return Kinds(place if people is None else people[place], weights[order])


class PossibleRecords:
    """The possible records of people whose values in the known columns are known."""

    def __init__(
        self,
        released: Released,
        people: MemoryRelation,
        matches: Sequence[ColumnMatch],
        breadths: Sequence[Floats],
        memo: Memo | None = None,
    ) -> None:
        """`matches` holds for each known column how it matches the released labels.

        `breadths` holds for each of them how many of the original's values each released label covers. `memo` keeps
        what is found of these people for others who attack them, too.
        """
        known = [column.name for column in released.columns]
        self.released = released
        self._breadths = breadths
        self._values, self._value_of_person = people.count(known), people.members(known)
        self._coverings = [match.covering for match in matches]
        self._distances = [match.distance for match in matches]
        self._memo = memo or Memo()

    @property
    def count(self) -> int:
        """Number of people."""
        return len(self._value_of_person)

    @property
    def row_of_person(self) -> Codes:
        """For each person a number; people with the same number are covered alike."""
        return self._memo("rows", lambda: self._row_of_value[0][self._value_of_person])

    @property
    def _row_of_value(self) -> tuple[Codes, int]:
        """For each combination of known values the number of the people who have it, and how many numbers there are."""
        return self._memo("values", self._find_rows)

    def _find_rows(self) -> tuple[Codes, int]:
        groups = [
            (column_covering.group.astype(np.int32)[codes], len(column_covering.counts))
            for column_covering, codes in zip(self._coverings, self._values.codes, strict=True)
        ]
        return combination_codes(groups, len(self._values.counts))

    def _values_of(self, combinations: Integers | Codes) -> list[Integers]:
        return [codes[combinations].astype(np.int64) for codes in self._values.codes]

    def batches(self, alike: Alike | None = None) -> Iterator[Batch]:
        """Everybody, in batches: those whom some released record covers, then the others with the nearest records.

        People with the same possible records who are `alike` are taken together, if that is given.
        """
        rows = self._row_of_value[1]
        find_kinds = partial(Kinds.from_rows, None, self.row_of_person, rows, alike)
        kinds = find_kinds() if alike is None else self._memo(("kinds", *alike), find_kinds)
        row_of_kind, is_covered = self.row_of_person[kinds.people], np.zeros(rows, dtype=bool)
        for row, combination in self._covering_pairs():
            is_covered[row] = True
            yield _batch(kinds, row_of_kind, row, combination, covering=True)
        if not is_covered.all():
            yield from self._nearest_batches(np.flatnonzero(~is_covered[self.row_of_person]), alike)

    def covering_records(self) -> Floats:
        """For each number of people how many released records cover them."""
        sizes = np.zeros(self._row_of_value[1])
        for row, combination in self._covering_pairs():
            starts = np.flatnonzero(np.diff(row, prepend=-1))
            sizes[row[starts]] = np.add.reduceat(self.released.sizes[combination], starts)
        return sizes

    def _covering_pairs(self) -> Iterator[tuple[Integers, Integers]]:
        """Pairs of a number of people and a combination that covers them, as `covering_pairs` gives them."""
        for row, combination in self._kept("covering", self._find_covering):
            possible = self.released.sizes[combination] > 0
            if possible.any():
                yield row[possible].astype(np.int64), combination[possible].astype(np.int64)

    def _find_covering(self) -> Iterator[tuple[Integers, Integers]]:
        values = self._values_of(representatives(*self._row_of_value))
        groups = [one.group[codes] for one, codes in zip(self._coverings, values, strict=True)]
        return covering_pairs(groups, self._coverings, self.released.columns, self.released.codes)

    def _kept(
        self, key: Hashable, find: Callable[[], Iterator[tuple[Integers, Integers]]]
    ) -> list[tuple[Codes, Codes]]:
        """Pairs, found once for every attacker who knows the same columns; `AttackScenario.limit_work` bounds them."""
        return self._memo(key, lambda: [(row.astype(np.int32), of.astype(np.int32)) for row, of in find()])

    def most_specific(self, batch: Batch) -> Batch:
        """The batch with those of the possible records whose labels cover the fewest combinations of values."""
        breadth = self._breadth[batch.combination]
        least = np.minimum.reduceat(breadth, np.flatnonzero(np.diff(batch.row, prepend=-1)))
        is_most_specific = breadth <= least[batch.row] + TIE
        return replace(batch, row=batch.row[is_most_specific], combination=batch.combination[is_most_specific])

    @cached_property
    def _breadth(self) -> Floats:
        """For each combination the logarithm of how many combinations of values its labels cover."""
        logs = [
            np.log(np.maximum(breadth, 1))[codes]
            for breadth, codes in zip(self._breadths, self.released.codes, strict=True)
        ]
        total: Floats = np.sum(logs, axis=0)
        return total

    @cached_property
    def overlapping(self) -> bool:
        """Whether several released labels of a column cover one value: else no possible record is more specific."""
        return any(
            np.bincount(
                np.repeat(np.arange(len(column_covering.counts)), column_covering.counts)[
                    np.isin(column_covering.labels, codes[self.released.possible])
                ]
            ).max(initial=0)
            > 1
            for column_covering, codes in zip(self._coverings, self.released.codes, strict=True)
        )

    def _nearest_batches(self, people: Integers, alike: Alike | None) -> Iterator[Batch]:
        """Some of the people with the released records nearest by Gower's distance; all of a tie count.

        Source: J. C. Gower, "A general coefficient of similarity and some of its properties", Biometrics 27(4), 1971,
        doi 10.2307/2528823.
        """
        values, row_of_person = np.unique(self._value_of_person[people], return_inverse=True)
        kinds = Kinds.from_rows(people, row_of_person.astype(np.int32), len(values), alike)
        row_of_kind = np.searchsorted(values, self._value_of_person[kinds.people])
        find = partial(self._nearest_pairs, self._values_of(values))
        for row, combination in self._kept(("nearest", len(self.released.possible)), find):
            yield _batch(kinds, row_of_kind, row.astype(np.int64), combination.astype(np.int64), covering=False)

    def _nearest_pairs(self, values: Sequence[Integers]) -> Iterator[tuple[Integers, Integers]]:
        released, possible = self.released, self.released.possible
        nearest = NearestRecords(released.columns, [codes[possible] for codes in released.codes], self._distances)
        return ((row, possible[combination]) for row, combination in nearest.pairs(values))

    def value_blocks(self, people: Integers) -> Iterator[tuple[Integers, list[Integers]]]:
        """Different values of some people at a time by column, and how many people have them."""
        values, people_of_value = np.unique(self._value_of_person[people], return_counts=True)
        step = max(_MAX_CELLS // self.released.count, 1)
        for first in range(0, len(values), step):
            block = slice(first, first + step)
            checkpoint()
            yield people_of_value[block], self._values_of(values[block])

    def members(self, values: Sequence[Integers]) -> Flags:
        """For each row of values and each released combination, whether it is a possible record."""
        is_member = np.ones((len(values[0]), self.released.count), dtype=bool)
        for column_covering, column, codes, value in zip(
            self._coverings, self.released.columns, self.released.codes, values, strict=True
        ):
            checkpoint()
            is_member &= column_covering.matrix(column_covering.group[value], column.distinct)[:, codes]
        uncovered = np.flatnonzero(~is_member.any(axis=1))
        if len(uncovered):
            for row, combination in self._nearest_pairs([value[uncovered] for value in values]):
                is_member[uncovered[row], combination] = True
        return is_member

    def work(self) -> float:
        """About how many cells have to be compared for everybody's possible records, estimated from some of them."""
        if not self.count:
            return 0.0
        representative = representatives(*self._row_of_value)
        columns = self._values.columns
        order = order_of_combinations(
            [
                _rank_of_group(column, column_covering)[codes]
                for column, column_covering, codes in zip(
                    columns, self._coverings, self._values_of(representative), strict=True
                )
            ],
            [column.distinct for column in columns],
        )
        in_order = representative if order is None else representative[order]
        probes = in_order[np.unique(np.linspace(0, len(in_order) - 1, _PROBES).astype(np.int64))]
        groups = [
            column_covering.group[codes]
            for column_covering, codes in zip(self._coverings, self._values_of(probes), strict=True)
        ]
        pairs, covered_probes = 0, 0
        for row, _ in covering_pairs(groups, self._coverings, self.released.columns, self.released.codes):
            pairs += len(row)
            covered_probes += len(np.unique(row))
        comparing = _PAIR * len(representative) * pairs / len(probes)
        uncovered_share = 1 - covered_probes / len(probes)
        return comparing + uncovered_share * len(self._values.counts) * self.released.count * len(columns)


def _batch(
    kinds: Kinds, row_of_kind: Integers | Codes, row: Integers, combination: Integers, *, covering: bool
) -> Batch:
    """The people of these rows; `row` is ascending, and that of each possible record."""
    is_first = np.diff(row, prepend=-1) != 0
    rows = row[is_first]
    starts = np.searchsorted(row_of_kind, rows)
    counts = np.searchsorted(row_of_kind, rows, side="right") - starts
    place = consecutive_places(starts, counts)
    row_of_person, row = np.repeat(np.arange(len(rows)), counts), np.cumsum(is_first) - 1
    return Batch(kinds.people[place], kinds.weights[place], row_of_person, row, combination, len(rows), covering)


def _rank_of_group(column: Column, column_covering: Covering) -> Integers:
    """For each value the rank of the first value that is covered alike: it does not depend on the order of records."""
    first = np.full(len(column_covering.counts), column.distinct, dtype=np.int64)
    np.minimum.at(first, column_covering.group, column.rank)
    ranks: Integers = first[column_covering.group]
    return ranks
