"""Scenario of the attacks: the people attacked, the attacker's knowledge, and the released records used."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from metrics.aggregates import Aggregates, require_matching, require_records
from metrics.aggregates.memo import Memo
from metrics.attacks.knowledge.possible_records import Alike, ColumnMatch, PossibleRecords, Released
from metrics.config.parameters import AttackParameters, Parameters
from metrics.config.roles import Roles
from metrics.counting.counts import GroupedCounts, MemoryRelation
from metrics.counting.record_order import records_in_order
from metrics.errors import Unavailable
from metrics.matching.records import describe
from metrics.tables.table import Codes, Column, Described, Floats, Integers, Table
from metrics.texts import text

_MAX_WORK = 8e7
"""Cells that are compared at most: about a second or two."""
_MIN_TARGETS = 500


@dataclass(frozen=True, eq=False)
class AttackScenario:
    """One anonymized table under attack."""

    aggregates: Aggregates
    parameters: AttackParameters
    known: tuple[str, ...]
    ruled_out: Integers
    """Positions of the released records that the attacker rules out."""
    targets: Table
    """The attacked records of the original: all matched ones, or a sample of them."""
    own: Integers
    """For each target the position of its own released record."""
    holdout: Table | None
    """The people attacked as a control."""
    exact: bool
    """Whether all targets are attacked."""

    @property
    def released(self) -> Table:
        """The released table, every record."""
        return cast(Table, self.aggregates.anonymized)

    def released_by(self, known: Sequence[str]) -> Released:
        """The records that the attacker takes for possible, by their labels in some of the columns."""
        kept = self.aggregates.memoize(_matches)
        every = kept(("released", *known), lambda: Released.from_relation(self._relation, known))
        return every.without(self.ruled_out) if len(self.ruled_out) else every

    def values_within(self, released: Released, name: str) -> GroupedCounts:
        """How often each value of a column occurs within each combination of what the attacker takes for possible."""
        cells = self._relation.count_within([column.name for column in released.columns], name)
        if not len(self.ruled_out):
            return cells
        width, codes = max(cells.column.distinct, 1), cells.column.codes[self.ruled_out]
        members = self._relation.members([column.name for column in released.columns])[self.ruled_out]
        keys = cells.group.astype(np.int64) * width + cells.code
        place = np.searchsorted(keys, members.astype(np.int64) * width + codes)
        counts = cells.count - np.bincount(place, minlength=len(keys))
        kept = counts > 0
        return GroupedCounts(cells.column, cells.group[kept], cells.code[kept], counts[kept])

    @property
    def _relation(self) -> MemoryRelation:
        return cast(MemoryRelation, self.aggregates.relation)

    def own_combinations(self, released: Released) -> Codes:
        """For each target the combination of its own record; -1 where the attacker rules that record out."""
        return released.members[self.own]

    def without_suppressed(self) -> AttackScenario | None:
        """Return the attack with suppressed records ruled out; None if there are none, or no others."""
        suppressed = self.aggregates.classes.suppressed
        if suppressed in (0, self.released.rows):
            return None
        return replace(self, ruled_out=self.aggregates.memoize(_suppressed))

    def possible_records(self, people: Table, known: Sequence[str]) -> PossibleRecords:
        """The possible records of people whose values in some columns are known."""
        released, whose = self.released_by(known), "holdout" if people is self.holdout else "target"
        matches = [self._match(*pair, whose) for pair in zip(released.columns, people.select(known), strict=True)]
        breadths = [self._breadth(column) for column in released.columns]
        if people is not self.aggregates.holdout and people is not self.aggregates.memoize(_all_targets):
            return PossibleRecords(released, MemoryRelation(people), matches, breadths)
        kept = self.aggregates.memoize(_matches)
        relation = kept(whose, lambda: _relation_of(self.aggregates, people))
        return PossibleRecords(released, relation, matches, breadths, kept((whose, *known, "people"), Memo))

    def own_records(self, known: Sequence[str]) -> Alike:
        """The targets by their own records, as far as these differ in the known columns."""
        return {None: (self._relation.members(known)[self.own], len(self._relation.count(known).counts))}

    def _breadth(self, released: Column) -> Floats:
        """For each released label of a known column the number of the original's values that it covers."""
        return self._match(released, self.targets[released.name], "target").covering.breadth(released.distinct)

    def match(self, name: str) -> ColumnMatch:
        """Match the targets' values of a column with the released labels."""
        return self._match(self.released[name], self.targets[name], "target")

    def _match(self, released: Column, values: Column, whose: str) -> ColumnMatch:
        """Match a known column with the released labels; the match is the same for any subset of the targets."""

        def match() -> ColumnMatch:
            hierarchy, evidence = self.aggregates.hierarchies.get(values.name), self.aggregates.comparison.evidence
            return ColumnMatch.from_columns(released, values, hierarchy, evidence(values.name))

        return self.aggregates.memoize(_matches)((whose, values.name), match)

    def truth(self, column: str) -> Column:
        """The targets' own values of a column: the original's, or the released ones where the original lacks it."""
        return self.targets[column] if column in self.targets else _rows_of(self.released[column], self.own)

    def limit_work(self, *known: Sequence[str]) -> AttackScenario:
        """Return the attack, restricted to a random sample of people if attacking everybody would take too long.

        `known` are the sets of columns by which possible records will be sought.
        """
        limited = self
        rows, work = self.targets.rows, self._work(self.targets, known)
        targets = self.sample_people(rows, work, lambda: records_in_order(self.target_columns()))
        if targets is not None:
            limited = self.restrict_to(targets, exact=False)
        if self.holdout is None:
            return limited
        columns = [column for column in self.holdout.columns if column.name in self._columns]
        rows, work = self.holdout.rows, self._work(self.holdout, known)
        people = self.sample_people(rows, work, lambda: records_in_order(columns))
        return limited if people is None else replace(limited, holdout=_select_records(self.holdout, people))

    def restrict_to(self, places: Integers, *, exact: bool = True) -> AttackScenario:
        """The attack on some of the targets."""
        return replace(self, targets=_select_records(self.targets, places), own=self.own[places], exact=exact)

    def with_known(self, known: Sequence[str]) -> AttackScenario:
        """Return the attack with other columns known, on the same people and without a control."""
        return replace(self, known=tuple(known), holdout=None)

    @property
    def _columns(self) -> list[str]:
        """The columns on whose values the success of an attack depends."""
        roles = self.aggregates.roles
        return list(dict.fromkeys((*self.known, *roles.quasi_identifiers, *roles.sensitive)))

    def target_columns(self) -> list[Column]:
        """What there is to know of each target: values, and labels of its own record."""
        own = [_rows_of(self.released[name], self.own) for name in self._columns]
        return [*(column for column in self.targets.columns if column.name in self._columns), *own]

    def sample_people(self, people: int, work: float, in_order: Callable[[], Integers]) -> Integers | None:
        """Draw positions of the people to attack; None if attacking everybody needs no more work than allowed.

        `in_order` sorts them by what they are, so that the draw does not depend on the order of the records.
        """
        if work <= _MAX_WORK:
            return None
        affordable = max(int(people * _MAX_WORK / work), _MIN_TARGETS)
        number = min(self.parameters.targets, affordable)
        if number >= people:
            return None
        sample = np.random.default_rng(self.parameters.seed).choice(people, number, replace=False)
        return np.sort(in_order()[sample]).astype(np.int64)

    def original_places(self) -> Integers:
        """For each of all targets the position of its record in the original table."""
        matching = describe(cast(Table, self.aggregates.original), self.released, self.aggregates.roles.matching)
        return np.arange(self.targets.rows) if matching.partners is None else matching.partners.astype(np.int64)

    def _work(self, people: Table, column_sets: Sequence[Sequence[str]]) -> float:
        return sum(self.possible_records(people, columns).work() for columns in column_sets)


def known_to_attacker(parameters: AttackParameters, roles: Roles) -> tuple[str, ...]:
    """The columns that the attacker knows: those set, by default every quasi-identifier."""
    return parameters.known or tuple(roles.quasi_identifiers)


def require_columns(names: Sequence[str], *tables: Described) -> None:
    """Raise Unavailable if a table lacks a column."""
    for name in names:
        for table in tables:
            if name not in table:
                raise Unavailable(text("attack.unavailable.no_column", column=name, table=table.name))


def unknown_sensitive(aggregates: Aggregates, known: Sequence[str], *tables: Described) -> list[str]:
    """The sensitive attributes of all tables that the attacker does not know. Raises Unavailable without any."""
    if not aggregates.roles.sensitive:
        raise Unavailable(text("unavailable.no_sensitive"))
    unknown = [name for name in aggregates.roles.sensitive if name not in known]
    names = [name for name in unknown if all(name in table for table in tables)]
    if not names:
        raise Unavailable(text("attack.unavailable.all_known"))
    return names


def attack_scenario(aggregates: Aggregates, parameters: Parameters) -> AttackScenario:
    """The scenario of all attacks on an anonymized table. Raises Unavailable.

    Targets are the original's records that are matched; the person of a suppressed record is a target, too.
    """
    released = require_records(aggregates)
    if released.positions is not None:
        raise Unavailable(text("attack.unavailable.sampled"))
    matching = require_matching(aggregates)
    attack_parameters = parameters.attack
    known_columns = known_to_attacker(attack_parameters, aggregates.roles)
    number = matching.tally.matched
    if not number:
        raise Unavailable(text("attack.unavailable.no_match"))
    require_columns(known_columns, released, matching.original)
    own_positions = np.arange(number) if matching.positions is None else matching.positions
    holdout = aggregates.holdout
    if holdout is not None and (not holdout.rows or any(name not in holdout for name in known_columns)):
        holdout = None
    return AttackScenario(
        aggregates,
        attack_parameters,
        known_columns,
        np.zeros(0, dtype=np.int64),
        aggregates.memoize(_all_targets),
        own_positions,
        holdout,
        True,
    )


def _matches(aggregates: Aggregates) -> Memo:
    """What is found of the known columns: by whose values they are and the column, their match."""
    return Memo()


def _relation_of(aggregates: Aggregates, people: Table) -> MemoryRelation:
    is_original = people is aggregates.original
    return cast(MemoryRelation, aggregates.comparison.original_relation) if is_original else MemoryRelation(people)


def _all_targets(aggregates: Aggregates) -> Table:
    """The matched records of the original."""
    matching = require_matching(aggregates)
    original, number = matching.original, matching.tally.matched
    return original if original.rows == number else _select_records(original, np.arange(number))


def _suppressed(aggregates: Aggregates) -> Integers:
    """The records that are in no class."""
    return np.flatnonzero(aggregates.class_of_record() < 0)


def _rows_of(column: Column, rows: Integers) -> Column:
    return replace(column, codes=column.codes[rows])


def _select_records(table: Table, rows: Integers) -> Table:
    """The chosen records; columns keep all their values."""
    return replace(table, columns=tuple(_rows_of(column, rows) for column in table.columns), rows=len(rows))
