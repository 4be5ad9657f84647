"""The released records that could be a person's: those whose labels cover the known values, else the nearest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

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
    """Records per combination."""
    members: Codes
    """For each record its combination."""

    @staticmethod
    def from_relation(relation: MemoryRelation, known: Sequence[str]) -> Released:
        """The records of a table of at least one record."""
        combinations = relation.count(known)
        return Released(combinations.columns, combinations.codes, combinations.counts, relation.members(known))

    @property
    def count(self) -> int:
        """Number of combinations."""
        return len(self.sizes)


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


Alike = Sequence[tuple[Codes, int]]
"""Codes of people beside what is known of them, and how many there are of each kind: who agrees in all is alike."""
PeopleRows = tuple[Codes, Integers]
"""For each person a number; people with the same number are covered alike; and one person of each number."""


class PossibleRecords:
    """The possible records of people whose values in the known columns are known."""

    def __init__(
        self,
        released: Released,
        people: Sequence[Column],
        matches: Sequence[ColumnMatch],
        breadths: Sequence[Floats],
        memo: Callable[[Callable[[], PeopleRows]], PeopleRows] = lambda compute: compute(),
    ) -> None:
        """`people` are the known columns; `matches` holds for each of them how it matches the released labels.

        `breadths` holds for each of them how many of the original's values each released label covers. `memo` may
        keep the people's rows.
        """
        self.released = released
        self._breadths = breadths
        self._people = people
        self._coverings = [match.covering for match in matches]
        distances = [match.distance for match in matches]
        self._nearest = NearestRecords(released.columns, released.codes, distances)
        self._memo = memo

    @property
    def count(self) -> int:
        """Number of people."""
        return len(self._people[0].codes)

    def batches(self, alike: Alike | None = None) -> Iterator[Batch]:
        """Everybody, in batches: those whom some released record covers, then the others with the nearest records.

        People with the same possible records who are `alike` are taken together, if that is given.
        """
        members, representative = self.rows
        is_covered = np.zeros(len(representative), dtype=bool)
        for batch in self.covered(alike):
            is_covered[members[batch.people]] = True
            yield batch
        if not is_covered.all():
            yield from self.nearest(np.flatnonzero(~is_covered[members]), alike)

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
                    np.isin(column_covering.labels, codes)
                ]
            ).max(initial=0)
            > 1
            for column_covering, codes in zip(self._coverings, self.released.codes, strict=True)
        )

    def covered(self, alike: Alike | None = None) -> Iterator[Batch]:
        """The people whom at least one released record covers."""
        _, representative = self.rows
        groups = [
            column_covering.group[codes]
            for column_covering, codes in zip(self._coverings, self._values(representative), strict=True)
        ]
        pairs = covering_pairs(groups, self._coverings, self.released.columns, self.released.codes)
        yield from self._batches(np.arange(self.count), *self.rows, alike, pairs, covering=True)

    def nearest(self, people: Integers, alike: Alike | None = None) -> Iterator[Batch]:
        """Some of the people with the released records nearest by Gower's distance; all of a tie count.

        Source: J. C. Gower, "A general coefficient of similarity and some of its properties", Biometrics 27(4), 1971,
        doi 10.2307/2528823.
        """
        members, number = combination_codes(self._known_codes(people), len(people))
        representative = representatives(members, number)
        pairs = self._nearest.pairs(self._values(people[representative]))
        yield from self._batches(people, members, representative, alike, pairs, covering=False)

    def _batches(
        self,
        people: Integers,
        members: Codes,
        representative: Integers,
        alike: Alike | None,
        pairs: Iterator[tuple[Integers, Integers]],
        *,
        covering: bool,
    ) -> Iterator[Batch]:
        """Batches of people by portions of their rows' pairs with released combinations."""
        number, weights = len(representative), np.ones(len(people), dtype=np.int64)
        if alike is not None:
            codes = [(members, number), *((code[people], distinct) for code, distinct in alike)]
            places, weights = distinct_records(codes, len(people))
            people, members = people[places], members[places]
        order = np.argsort(members, kind="stable")
        counts = np.bincount(members, minlength=number)
        starts = np.cumsum(counts) - counts
        for row, combination in pairs:
            first = np.diff(row, prepend=-1) != 0
            rows = row[first]
            places = order[consecutive_places(starts[rows], counts[rows])]
            row_of_person = np.repeat(np.arange(len(rows)), counts[rows])
            yield Batch(
                people[places], weights[places], row_of_person, np.cumsum(first) - 1, combination, len(rows), covering
            )

    def value_blocks(self, people: Integers) -> Iterator[tuple[Integers, Integers, list[Integers]]]:
        """Some people at a time, the row of each, and by column the value of each row: the different combinations."""
        if not len(people):
            return
        members, number = combination_codes(self._known_codes(people), len(people))
        order = np.argsort(members, kind="stable")
        ends = np.cumsum(np.bincount(members, minlength=number))
        step = max(_MAX_CELLS // self.released.count, 1)
        for first in range(0, number, step):
            last = min(first + step, number)
            block = order[ends[first - 1] if first else 0 : ends[last - 1]]
            starts = np.flatnonzero(np.diff(members[block], prepend=-1))
            values = self._values(people[block[starts]])
            checkpoint()
            yield people[block], members[block].astype(np.int64) - first, values

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
            for row, combination in self._nearest.pairs([value[uncovered] for value in values]):
                is_member[uncovered[row], combination] = True
        return is_member

    def _values(self, people: Integers) -> list[Integers]:
        return [column.codes[people].astype(np.int64) for column in self._people]

    def _known_codes(self, people: Integers) -> list[tuple[Codes, int]]:
        return [(column.codes[people], column.distinct) for column in self._people]

    @cached_property
    def rows(self) -> PeopleRows:
        """For each person a number; people with the same number are covered alike; and one person of each number."""
        return self._memo(self._find_rows)

    def _find_rows(self) -> PeopleRows:
        groups = [
            (column_covering.group.astype(np.int32)[column.codes], len(column_covering.counts))
            for column_covering, column in zip(self._coverings, self._people, strict=True)
        ]
        members, number = combination_codes(groups, self.count)
        return members, representatives(members, number)

    def work(self) -> float:
        """About how many cells have to be compared for everybody's possible records, estimated from some of them."""
        if not self.count:
            return 0.0
        _, representative = self.rows
        values = self._values(representative)
        order = order_of_combinations(
            [
                _rank_of_group(column, column_covering)[codes]
                for column, column_covering, codes in zip(self._people, self._coverings, values, strict=True)
            ],
            [column.distinct for column in self._people],
        )
        in_order = representative if order is None else representative[order]
        probes = in_order[np.unique(np.linspace(0, len(in_order) - 1, _PROBES).astype(np.int64))]
        groups = [
            column_covering.group[codes]
            for column_covering, codes in zip(self._coverings, self._values(probes), strict=True)
        ]
        pairs, covered_probes = 0, 0
        for row, _ in covering_pairs(groups, self._coverings, self.released.columns, self.released.codes):
            pairs += len(row)
            covered_probes += len(np.unique(row))
        comparing = _PAIR * len(representative) * pairs / len(probes)
        if covered_probes == len(probes):
            return comparing
        combinations = combination_codes([(column.codes, column.distinct) for column in self._people], self.count)[1]
        uncovered_share = 1 - covered_probes / len(probes)
        return comparing + uncovered_share * combinations * self.released.count * len(self._people)


def _rank_of_group(column: Column, column_covering: Covering) -> Integers:
    """For each value the rank of the first value that is covered alike: it does not depend on the order of records."""
    first = np.full(len(column_covering.counts), column.distinct, dtype=np.int64)
    np.minimum.at(first, column_covering.group, column.rank)
    ranks: Integers = first[column_covering.group]
    return ranks
