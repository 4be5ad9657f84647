"""The records of two tables matched: which stand beside which, which cannot, and what the rule makes of those."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from metrics.counts import Matching, numbered
from metrics.encoding import arrow_of, places_in, text_array
from metrics.errors import InputError
from metrics.matching_rule import Duplicates, MatchingRule, Tally, Unmatched
from metrics.table import SUPPRESSED, Codes, Column, Described, Integers, Table, quoted

Flags = npt.NDArray[np.bool_]

_NO_KEY = (None, "", SUPPRESSED)
"""Cells that name nobody."""


def _nothing() -> Integers:
    return np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Side:
    """The records of one table by what their keys are good for; arrays hold positions, in the table's order."""

    rows: int
    missing: Integers = field(default_factory=_nothing)
    """Records without a key."""
    duplicate: Integers = field(default_factory=_nothing)
    """Records whose key occurs more than once in their own table."""
    repeats: Integers = field(default_factory=_nothing)
    """Those of them that are not the first of their key."""
    ambiguous: Integers = field(default_factory=_nothing)
    """Records whose key occurs more than once in either table."""
    ambiguous_keys: Integers = field(default_factory=_nothing)
    """A number for the key of each of these, the same in both tables."""
    alone: Integers = field(default_factory=_nothing)
    """Records that would be compared and have no counterpart."""

    @property
    def duplicate_keys(self) -> int:
        """Keys that occur more than once."""
        return len(self.duplicate) - len(self.repeats)


@dataclass(frozen=True, eq=False)
class RecordMatching:
    """How the records of two tables match by a rule; what it leaves open is described as if it were left out."""

    rule: MatchingRule
    original: Side
    anonymized: Side
    places: Integers | None
    """Where the compared anonymized records stand, in ascending order; None where all are compared."""
    partners: Integers | None
    """For each of them, where its original stands; None where it is the same place."""
    refusal: InputError | None
    """What the user has to decide before records are compared."""

    @cached_property
    def tally(self) -> Tally:
        """How many records are compared, and how many are not."""
        matched = self.anonymized.rows if self.places is None else len(self.places)
        deleted = len(self.original.alone)
        return Tally(matched, deleted, self.original.rows - matched - deleted, self.anonymized.rows - matched)

    @property
    def added(self) -> int:
        """Anonymized records whose key the original lacks."""
        return len(self.anonymized.alone)

    @property
    def complete(self) -> bool:
        """Whether every record has its counterpart."""
        return self.refusal is None and self.tally == Tally(self.original.rows, 0) == Tally(self.anonymized.rows, 0)


def describe(original: Table, anonymized: Table, rule: MatchingRule) -> RecordMatching:
    """How the records of two tables match by a rule; raises InputError where a table lacks a column of the key.

    By position where there is no key and the tables have as many records; else by equal values of the key's columns.
    A record has no key where the cell of one of them is missing, empty or suppressed.
    """
    if not rule.key:
        return _by_position(original, anonymized, rule)
    before, after, number = _keys(original, anonymized, rule.key)
    held, wanted = (np.bincount(keys[keys >= 0], minlength=number) for keys in (before, after))
    # One entry more for records without a key, whose number is -1.
    several = np.append((held > 1) | (wanted > 1), False)
    firsts = tuple(_first(keys, number) for keys in (before, after))
    if rule.duplicates is Duplicates.FIRST:
        usable = firsts
    else:
        usable = tuple((keys >= 0) & ~several[keys] for keys in (before, after))
    place_of_key = np.full(number + 1, -1, dtype=np.int64)
    place_of_key[before[usable[0]]] = np.flatnonzero(usable[0])
    partner = np.where(usable[1], place_of_key[after], -1)
    places = np.flatnonzero(partner >= 0)
    there = np.zeros(original.rows, dtype=bool)
    there[partner[places]] = True
    sides = [
        Side(
            rows=len(keys),
            missing=np.flatnonzero(keys < 0),
            duplicate=np.flatnonzero(np.append(count > 1, False)[keys]),
            repeats=np.flatnonzero((keys >= 0) & ~first),
            ambiguous=np.flatnonzero(several[keys]),
            ambiguous_keys=keys[several[keys]],
            alone=np.flatnonzero(use & ~has),
        )
        for keys, count, first, use, has in zip(
            (before, after), (held, wanted), firsts, usable, (there, partner >= 0), strict=True
        )
    ]
    refusal = _refusal(original, anonymized, rule, sides, len(places))
    every = len(places) == anonymized.rows
    if every and len(places) == original.rows and (partner == places).all():
        return RecordMatching(rule, sides[0], sides[1], None, None, refusal)
    return RecordMatching(rule, sides[0], sides[1], None if every else places, partner[places], refusal)


def match_records(original: Table, anonymized: Table, rule: MatchingRule) -> Matching:
    """Put each original record beside its anonymized one. Raises InputError where the rule does not tell how."""
    found = describe(original, anonymized, rule)
    if found.refusal is not None:
        raise found.refusal
    return matching_of(original, anonymized, found)


def matching_of(original: Table, anonymized: Table, found: RecordMatching) -> Matching:
    """The records that are compared, as described; takes a description without a refusal."""
    if found.partners is not None:
        original = original.take(np.concatenate([found.partners, found.original.alone]))
    compared = anonymized if found.places is None else anonymized.take(found.places)
    return Matching(original, compared, found.tally, found.places)


def _by_position(original: Table, anonymized: Table, rule: MatchingRule) -> RecordMatching:
    sides = Side(original.rows), Side(anonymized.rows)
    if original.rows == anonymized.rows:
        return RecordMatching(rule, *sides, None, None, None)
    return RecordMatching(rule, *sides, _nothing(), _nothing(), uneven(original, anonymized))


def uneven(original: Described, anonymized: Described) -> InputError:
    """Why tables of different lengths cannot be matched by position."""
    return InputError(
        f"it has {anonymized.rows:,} records but {original.name} has {original.rows:,}, so records cannot be "
        "matched by position",
        remedy="keep suppressed records as rows of *, name a column that identifies records in both tables as key, or "
        "leave the original out",
        file=anonymized.name,
    )


def _keys(original: Table, anonymized: Table, key: Sequence[str]) -> tuple[Integers, Integers, int]:
    """For each record of both tables the number of its key, -1 where it has none; and how many keys there could be."""
    columns = [_joined(original[name], anonymized[name]) for name in key]
    if len(columns) == 1:
        members, number = columns[0]
    else:
        members, number = numbered(columns, original.rows + anonymized.rows)
    keys = members.astype(np.int64)
    for name in key:
        keys[np.concatenate([_nameless(table[name]) for table in (original, anonymized)])] = -1
    return keys[: original.rows], keys[original.rows :], number


def _joined(original: Column, anonymized: Column) -> tuple[Codes, int]:
    """One code for each record of both, the original's first, and how many codes there could be."""
    translated = places_in(anonymized.values, original.values)
    others = np.arange(anonymized.distinct, dtype=np.int32) + np.int32(original.distinct)
    codes = np.where(translated >= 0, translated, others)[anonymized.codes]
    return np.concatenate([original.codes, codes]), original.distinct + anonymized.distinct


def _nameless(column: Column) -> Flags:
    """Whether a record's cell names nobody."""
    flags = pc.is_in(column.values, value_set=text_array(_NO_KEY)).cast(pa.int8())
    of_value = np.frombuffer(flags.buffers()[1], dtype=np.int8, count=len(flags), offset=flags.offset)
    if not of_value.any():
        return np.zeros(len(column.codes), dtype=bool)
    return of_value[column.codes] > 0


def _first(keys: Integers, number: int) -> Flags:
    """Whether a record is the first of its key."""
    place = np.full(number, -1, dtype=np.int64)
    known = np.flatnonzero(keys >= 0)[::-1]
    place[keys[known]] = known
    first = np.zeros(len(keys), dtype=bool)
    first[place[place >= 0]] = True
    return first


def _refusal(
    original: Table, anonymized: Table, rule: MatchingRule, sides: Sequence[Side], matched: int
) -> InputError | None:
    """What the rule leaves open: the first record of the first kind."""
    tables = (original, anonymized)
    one = rule.key[0] if len(rule.key) == 1 else None
    of_key = "" if one is not None else f" ({quoted(rule.key)})"
    if rule.duplicates is Duplicates.REFUSE:
        for table, side in zip(tables, sides, strict=True):
            if len(side.repeats):
                what = "column holds a value" if one is not None else f"columns{of_key} hold a combination"
                return InputError(
                    f"the key {what} more than once",
                    remedy="choose a column whose values are all different, name a further one, or say what becomes "
                    "of duplicates (first, leave_out)",
                    file=table.name,
                    row=int(side.repeats[0]) + 2,
                    column=one,
                )
    if rule.unmatched is Unmatched.REFUSE:
        remedy = "remove the record, choose another key column, or have unmatched records left out (leave_out)"
        for table, side in zip(tables, sides, strict=True):
            if len(side.missing):
                row = int(side.missing[0]) + 2
                return InputError(f"the record has no key{of_key}", remedy=remedy, file=table.name, row=row, column=one)
        if len(sides[1].alone):
            return InputError(
                f"the record's key{of_key} does not occur in {original.name}",
                remedy=remedy,
                file=anonymized.name,
                row=int(sides[1].alone[0]) + 2,
                column=one,
            )
    if anonymized.rows and not matched:
        return InputError(
            f"no record's key{of_key} occurs in {original.name} just once",
            remedy="choose another key column",
            file=anonymized.name,
            column=one,
        )
    return None


def record_table(original: Table, anonymized: Table, found: RecordMatching, most: int | None = None) -> pa.Table:
    """Records that are not beside their counterpart, and why: the first `most`, or all.

    Columns: `table`, `record` (its number in the file, from 1), `finding`, those of the key, and a few that both tables
    have. What shares a key comes first and together, then what has no key, no original, no counterpart.
    """
    which, place, finding = (np.concatenate(parts)[:most] for parts in zip(*_listed(found), strict=True))
    columns = {
        "table": _texts(["original", "anonymized"], which),
        "record": arrow_of(place + 1),
        "finding": _texts(_FINDINGS, finding),
    }
    shared = [name for name in original.names if name in anonymized and name not in found.rule.key]
    for name in (*found.rule.key, *shared[:_MOST_FURTHER]):
        free = f"{name} (column)" if name in columns else name
        columns[free] = _cells((original[name], anonymized[name]), which, place)
    return pa.table(columns)


_MOST_FURTHER = 10
_FINDINGS = ("key more than once", "no key", "not in the original", "suppressed: no counterpart")


def _listed(found: RecordMatching) -> list[tuple[Integers, Integers, Integers]]:
    """Which table, position and finding of every record that is not beside its counterpart."""
    sides = (found.original, found.anonymized)
    which = np.repeat([0, 1], [len(side.ambiguous) for side in sides])
    place = np.concatenate([side.ambiguous for side in sides])
    order = np.lexsort((place, which, np.concatenate([side.ambiguous_keys for side in sides])))
    rows = [(which[order], place[order], np.zeros(len(order), dtype=np.int64))]
    for finding, at, places in (
        (1, 0, sides[0].missing),
        (1, 1, sides[1].missing),
        (2, 1, np.setdiff1d(sides[1].alone, sides[1].ambiguous, assume_unique=True)),
        (3, 0, np.setdiff1d(sides[0].alone, sides[0].ambiguous, assume_unique=True)),
    ):
        rows.append((np.full(len(places), at), places, np.full(len(places), finding)))
    return rows


def _texts(texts: Sequence[str], chosen: Integers) -> pa.Array:
    return text_array(texts).take(arrow_of(chosen))


def _cells(columns: tuple[Column, Column], which: Integers, place: Integers) -> pa.Array:
    """The cells of chosen records, each of one of the two columns."""
    codes = np.empty(len(place), dtype=np.int64)
    for side, column in enumerate(columns):
        codes[which == side] = column.codes[place[which == side]] + side * columns[0].distinct
    return pa.concat_arrays([column.values for column in columns]).take(arrow_of(codes))
