"""Predicates made of released labels, and how many records of a table match them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb

import numpy as np

from metrics.config.roles import Roles
from metrics.counting.counts import combination_codes, order_of_combinations
from metrics.hierarchies.covering import Covering, covering, covering_pairs
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.hierarchies.labels import Evidence
from metrics.tables.table import Codes, Flags, Integers, Table

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

    def with_independent(self, released: Table, rng: np.random.Generator) -> Predicates:
        """Append as many predicates in the same columns, each label drawn from its column alone."""
        records = rng.integers(released.rows, size=(len(self.columns), len(self.order)))
        codes = tuple(
            np.concatenate([code, released[name].codes[values]])
            for name, code, values in zip(self.columns, self.codes, records, strict=True)
        )
        return replace(self, codes=codes, order=np.tile(self.order, 2))


def draw_predicates(released: Table, roles: Roles, usable: Sequence[str], rng: np.random.Generator) -> list[Predicates]:
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
            codes = [released[column].codes[record[draws]].astype(np.int64) for column in columns]
            first_of, _ = _distinct(codes, [released[column].distinct for column in columns])
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
        released: Table,
        table: Table,
        hierarchies: Mapping[str, Hierarchy],
        evidence: Callable[[str], Evidence] = lambda name: Evidence(),
    ) -> None:
        """`evidence` tells by column what is known of the values that became the labels."""
        self._released = released
        self._table = table
        self._hierarchies = hierarchies
        self._evidence = evidence
        self._coverings: dict[str, Covering] = {}
        self._groups: dict[str, Codes] = {}

    def matches(self, predicates: Predicates) -> Integers:
        """For each predicate the number of records that match it."""
        no_matches = np.zeros(len(predicates.order), dtype=np.int64)
        if not len(no_matches) or not self._table.rows:
            return no_matches
        # Columns with the most labels first, so that fewer partial combinations are followed.
        order = sorted(
            range(len(predicates.columns)), key=lambda index: -self._released[predicates.columns[index]].distinct
        )
        names = [predicates.columns[index] for index in order]
        columns = self._released.select(names)
        coverings = [self._covering(name) for name in names]
        groups = [self._groups[name] for name in names]
        members, number = combination_codes(
            [(group, len(column_covering.counts)) for group, column_covering in zip(groups, coverings, strict=True)],
            self._table.rows,
        )
        records = np.bincount(members, minlength=number)
        representative = np.empty(number, dtype=np.int64)
        representative[members] = np.arange(self._table.rows)
        codes = [predicates.codes[index] for index in order]
        ranks = [column.rank[code] for column, code in zip(columns, codes, strict=True)]
        first_of, index_of = _distinct(ranks, [column.distinct for column in columns])
        codes = [code[first_of] for code in codes]
        total = np.zeros(len(first_of), dtype=np.int64)
        for row, combination in covering_pairs([group[representative] for group in groups], coverings, columns, codes):
            total += np.bincount(combination, weights=records[row], minlength=len(total)).astype(np.int64)
        matching_records: Integers = total[index_of]
        return matching_records

    def _covering(self, name: str) -> Covering:
        if name not in self._coverings:
            released, hierarchy = self._released[name], self._hierarchies.get(name)
            covers = covering(released, self._table[name], hierarchy, self._evidence(name))
            self._coverings[name] = covers
            self._groups[name] = covers.group.astype(np.int32)[self._table[name].codes]
        return self._coverings[name]


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
