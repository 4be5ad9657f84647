"""Predicates made of released labels, and how many records of a table match them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import comb

import numpy as np

from metrics.config.roles import Roles
from metrics.counting.counts import distinct_records, order_of_combinations
from metrics.counting.record_order import record_hashes
from metrics.hierarchies.covering import covering, covering_pairs
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.hierarchies.labels import Evidence
from metrics.tables.table import Codes, Column, Flags, Integers, Table

ATTEMPTS = 20_000
"""Predicates drawn; those that match one released record are kept."""
CLASS_AND_VALUE = "quasi-identifiers and a sensitive attribute"
_MAX_COLUMNS = 3
_MAX_WORK = 3 * 10**7
"""Records grouped by drawn sets of columns, for each number of columns."""


@dataclass(frozen=True, eq=False)
class Predicates:
    """Predicates in the same columns: a record matches one if each of its labels covers the record's value."""

    kind: str
    columns: tuple[str, ...]
    codes: tuple[Integers, ...]
    """By column the released label of each predicate."""
    order: Integers
    """Position of each predicate in the order of drawing."""

    def restrict_to(self, chosen: Flags) -> Predicates:
        """Return some of the predicates."""
        return replace(self, codes=tuple(code[chosen] for code in self.codes), order=self.order[chosen])

    def with_independent(self, released: CountedRecords, rng: np.random.Generator) -> Predicates:
        """Append as many predicates in the same columns, each label drawn from its column alone."""
        records = rng.integers(released.rows, size=(len(self.columns), len(self.order)))
        codes = tuple(
            np.concatenate([code, released.codes_of(name, values)])
            for name, code, values in zip(self.columns, self.codes, records, strict=True)
        )
        return replace(self, codes=codes, order=np.tile(self.order, 2))


@dataclass(frozen=True, eq=False)
class CountedRecords:
    """The different records of a table, by their values in some columns, and how often each occurs."""

    columns: Mapping[str, Column]
    codes: Mapping[str, Codes]
    """By column the value of each of the different records."""
    counts: Integers

    @staticmethod
    def from_table(table: Table, names: Sequence[str]) -> CountedRecords:
        """The records sorted by their values, so that what is drawn does not depend on the order of the file."""
        columns = {name: table[name] for name in names}
        place, counts = distinct_records([(one.codes, one.distinct) for one in columns.values()], table.rows)
        codes = {name: column.codes[place] for name, column in columns.items()}
        hashes = record_hashes([columns[name] for name in names], [codes[name] for name in names])
        order = np.argsort(hashes, kind="stable")
        return CountedRecords(columns, {name: code[order] for name, code in codes.items()}, counts[order])

    @property
    def rows(self) -> int:
        """Number of records, equal ones included."""
        return int(self._ends[-1])

    def codes_of(self, name: str, records: Integers) -> Integers:
        """The values of some records in a column."""
        return self.codes[name][np.searchsorted(self._ends, records, side="right")].astype(np.int64)

    @cached_property
    def _ends(self) -> Integers:
        return np.cumsum(self.counts)


def draw_predicates(
    released: CountedRecords, roles: Roles, usable: Sequence[str], rng: np.random.Generator
) -> list[Predicates]:
    """Different predicates, each the labels of a random released record in random columns.

    All numbers of columns are drawn equally often, and all sets of columns of a number. Of very many sets of columns,
    or of many records, only some sets are drawn from. Where there are few predicates, all there are.
    """
    max_sets = int(np.clip(_MAX_WORK // max(released.rows, 1), 20, 500))
    sets = {
        str(size): _column_sets(usable, size, max_sets, rng) for size in range(1, min(_MAX_COLUMNS, len(usable)) + 1)
    }
    sensitive = [name for name in roles.sensitive if name in usable]
    if sensitive:
        sets[CLASS_AND_VALUE] = [(*roles.quasi_identifiers, name) for name in sensitive]
    column_sets = [(kind, columns) for kind, of_kind in sets.items() for columns in of_kind]
    if len(column_sets) * released.rows <= ATTEMPTS:
        set_index, record = np.divmod(np.arange(len(column_sets) * released.rows), released.rows)
        order = rng.permutation(len(set_index))
    else:
        first = np.cumsum([0, *(len(of_kind) for of_kind in sets.values())])
        kind = rng.integers(len(sets), size=ATTEMPTS)
        set_index = first[kind] + (rng.random(ATTEMPTS) * np.diff(first)[kind]).astype(np.int64)
        record = rng.integers(released.rows, size=ATTEMPTS)
        order = np.arange(ATTEMPTS)
    predicates = []
    for index, (name, columns) in enumerate(column_sets):
        draws = np.flatnonzero(set_index == index)
        if len(draws):
            codes = [released.codes_of(column, record[draws]) for column in columns]
            first_of, _ = _distinct(codes, [released.columns[column].distinct for column in columns])
            predicates.append(
                Predicates(name, tuple(columns), tuple(code[first_of] for code in codes), order[draws[first_of]])
            )
    return predicates


def _column_sets(usable: Sequence[str], size: int, max_sets: int, rng: np.random.Generator) -> list[tuple[str, ...]]:
    if comb(len(usable), size) <= max_sets:
        return list(combinations(usable, size))
    index_sets = {tuple(sorted(rng.choice(len(usable), size, replace=False).tolist())) for _ in range(max_sets)}
    return [tuple(usable[index] for index in indices) for indices in sorted(index_sets)]


class Matcher:
    """Counts the records of a table that match predicates made of released labels."""

    def __init__(
        self,
        released: CountedRecords,
        table: Table | None,
        hierarchies: Mapping[str, Hierarchy],
        evidence: Callable[[str], Evidence] = lambda name: Evidence(),
    ) -> None:
        """Take the released records and those that are matched: of a table, or None for the released ones.

        `evidence` tells by column what is known of the values that became the labels.
        """
        self._released = released.columns
        values = released.columns if table is None else {name: table[name] for name in released.columns}
        self._coverings = {
            name: covering(column, values[name], hierarchies.get(name), evidence(name))
            for name, column in released.columns.items()
        }
        codes = released.codes if table is None else {name: column.codes for name, column in values.items()}
        groups = {name: self._coverings[name].group.astype(np.int32)[code] for name, code in codes.items()}
        place, self._counts = self._together(groups, released.counts if table is None else None)
        self._groups = {name: group[place] for name, group in groups.items()}

    def _together(self, groups: Mapping[str, Codes], counts: Integers | None) -> tuple[Integers, Integers]:
        """One record of those that are covered alike in these columns, and their number."""
        columns = [(group, len(self._coverings[name].counts)) for name, group in groups.items()]
        return distinct_records(columns, len(columns[0][0]), counts)

    def matches(self, predicates: Predicates) -> Integers:
        """For each predicate the number of records that match it."""
        if not len(predicates.order) or not len(self._counts):
            return np.zeros(len(predicates.order), dtype=np.int64)
        # Columns with the most labels first, so that fewer partial combinations are followed.
        order = sorted(
            range(len(predicates.columns)), key=lambda index: -self._released[predicates.columns[index]].distinct
        )
        names = [predicates.columns[index] for index in order]
        columns = [self._released[name] for name in names]
        coverings = [self._coverings[name] for name in names]
        groups = {name: self._groups[name] for name in names}
        representative, records = self._together(groups, self._counts)
        codes = [predicates.codes[index] for index in order]
        ranks = [column.rank[code] for column, code in zip(columns, codes, strict=True)]
        first_of, index_of = _distinct(ranks, [column.distinct for column in columns])
        codes = [code[first_of] for code in codes]
        total = np.zeros(len(first_of), dtype=np.int64)
        for row, combination in covering_pairs(
            [group[representative] for group in groups.values()], coverings, columns, codes
        ):
            total += np.bincount(combination, weights=records[row], minlength=len(total)).astype(np.int64)
        matching_records: Integers = total[index_of]
        return matching_records


def _distinct(columns: Sequence[Integers], widths: Sequence[int]) -> tuple[Integers, Integers]:
    """Find the first row of each combination of codes, in their order; and for each row its combination's number."""
    order = order_of_combinations(columns, widths)
    if order is None:
        order = np.arange(len(columns[0]))
    first = np.ones(len(order), dtype=bool)
    first[1:] = np.any([np.diff(column[order]) != 0 for column in columns], axis=0)
    place_of = np.empty(len(order), dtype=np.int64)
    place_of[order] = np.cumsum(first) - 1
    return order[first], place_of
