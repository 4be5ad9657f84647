"""Matches the records of two tables, and describes the records that do not match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from metrics.config.roles import Roles
from metrics.counting.counts import Matching, combination_codes
from metrics.errors import InputError
from metrics.tables.dictionary_codes import arrow_of, indices_in, text_array
from metrics.tables.matching_rule import Duplicates, MatchingRule, Tally, Unmatched
from metrics.tables.table import SUPPRESSED, Codes, Column, Described, Flags, Integers, Table, quoted

_IN_ORDER = 0.95
"""Share of neighbours in the original's order from which on the order is the original's; by chance it is a half."""
_FEWEST_IN_ORDER = 10
_FEWEST_TWINS = 20
_NO_KEY = (None, "", SUPPRESSED)
"""Cells that are not a key."""


def _nothing() -> Integers:
    return np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class MatchedSide:
    """The records of one table by how their keys match; arrays hold positions, in the table's order."""

    rows: int
    missing: Integers = field(default_factory=_nothing)
    """Records without a key."""
    duplicate: Integers = field(default_factory=_nothing)
    """Records whose key occurs more than once in their own table."""
    repeats: Integers = field(default_factory=_nothing)
    """Duplicates that are not the first record of their key."""
    ambiguous: Integers = field(default_factory=_nothing)
    """Records whose key occurs more than once in either table."""
    ambiguous_keys: Integers = field(default_factory=_nothing)
    """The number of the key of each ambiguous record, the same in both tables."""
    unmatched: Integers = field(default_factory=_nothing)
    """Records with a usable key and no match."""

    @property
    def duplicate_keys(self) -> int:
        """Keys that occur more than once."""
        return len(self.duplicate) - len(self.repeats)


@dataclass(frozen=True, eq=False)
class RecordMatching:
    """How the records of two tables match by a rule; undecided records are described as if they were excluded."""

    rule: MatchingRule
    original: MatchedSide
    anonymized: MatchedSide
    places: Integers | None
    """Positions of the compared anonymized records, ascending; None if all are compared."""
    partners: Integers | None
    """Position of the original of each compared record; None if the positions are equal."""
    refusal: InputError | None
    """Error that asks the user for a decision before records are compared; None if nothing is to be decided."""

    @cached_property
    def tally(self) -> Tally:
        """How many records are compared, and how many are not."""
        matched = self.anonymized.rows if self.places is None else len(self.places)
        deleted = len(self.original.unmatched)
        return Tally(matched, deleted, self.original.rows - matched - deleted, self.anonymized.rows - matched)

    @property
    def follows_original(self) -> bool:
        """Whether nearly every compared record stands behind the one that it follows in the original."""
        if self.tally.matched < _FEWEST_IN_ORDER:
            return False
        return self.partners is None or float((np.diff(self.partners) > 0).mean()) >= _IN_ORDER

    @property
    def added(self) -> int:
        """Anonymized records whose key the original lacks."""
        return len(self.anonymized.unmatched)

    @property
    def complete(self) -> bool:
        """Whether every record of both tables is matched."""
        return self.refusal is None and self.tally == Tally(self.original.rows, 0) == Tally(self.anonymized.rows, 0)


def describe(original: Table, anonymized: Table, rule: MatchingRule) -> RecordMatching:
    """Describe how the records of two tables match.

    With a `refusal` if the rule does not decide which records are compared. `original`, `anonymized`: without a key
    they are matched by position, which needs equal numbers of records; else by equal values of the key columns. A
    record with a missing, empty or suppressed cell in a key column has no key. Raises InputError if a table lacks a key
    column.
    """
    if not rule.key:
        return _by_position(original, anonymized, rule)
    original_keys, anonymized_keys, n_keys = _keys(original, anonymized, rule.key)
    both_keys = (original_keys, anonymized_keys)
    original_counts, anonymized_counts = (np.bincount(keys[keys >= 0], minlength=n_keys) for keys in both_keys)
    # One more entry for records without a key, whose number is -1.
    is_repeated = np.append((original_counts > 1) | (anonymized_counts > 1), False)
    first_flags = tuple(_first(keys, n_keys) for keys in both_keys)
    if rule.duplicates is Duplicates.FIRST:
        usable_flags = first_flags
    else:
        usable_flags = tuple((keys >= 0) & ~is_repeated[keys] for keys in both_keys)
    position_of_key = np.full(n_keys + 1, -1, dtype=np.int64)
    position_of_key[original_keys[usable_flags[0]]] = np.flatnonzero(usable_flags[0])
    partner = np.where(usable_flags[1], position_of_key[anonymized_keys], -1)
    positions = np.flatnonzero(partner >= 0)
    has_partner = np.zeros(original.rows, dtype=bool)
    has_partner[partner[positions]] = True
    sides = [
        MatchedSide(
            rows=len(keys),
            missing=np.flatnonzero(keys < 0),
            duplicate=np.flatnonzero(np.append(counts > 1, False)[keys]),
            repeats=np.flatnonzero((keys >= 0) & ~is_first),
            ambiguous=np.flatnonzero(is_repeated[keys]),
            ambiguous_keys=keys[is_repeated[keys]],
            unmatched=np.flatnonzero(is_usable & ~is_matched),
        )
        for keys, counts, is_first, is_usable, is_matched in zip(
            both_keys,
            (original_counts, anonymized_counts),
            first_flags,
            usable_flags,
            (has_partner, partner >= 0),
            strict=True,
        )
    ]
    refusal = _refusal(original, anonymized, rule, sides, len(positions))
    all_matched = len(positions) == anonymized.rows
    if all_matched and len(positions) == original.rows and (partner == positions).all():
        return RecordMatching(rule, sides[0], sides[1], None, None, refusal)
    return RecordMatching(rule, sides[0], sides[1], None if all_matched else positions, partner[positions], refusal)


def match_records(original: Table, anonymized: Table, rule: MatchingRule) -> Matching:
    """Match each anonymized record with its original. Raises InputError if the rule does not decide how."""
    matching = describe(original, anonymized, rule)
    if matching.refusal is not None:
        raise matching.refusal
    return matching_of(original, anonymized, matching)


def refuse_shared_records(original: Table, holdout: Table, roles: Roles) -> None:
    """Raise InputError where the hold-out table holds a person of the original, by the key.

    Without a key, each identifier counts as one that no two records of the original share. Where the hold-out table
    lacks these columns, most of its records must not have a twin in the original by all other columns together.
    """
    unique_names = (name for name in roles.identifiers if name in original and original[name].distinct == original.rows)
    keys = [roles.matching.key] if roles.matching.key else [(name,) for name in unique_names]
    keys = [key for key in keys if all(name in holdout for name in key)]
    for key in keys:
        _refuse_shared(original, holdout, key)
    if not keys:
        _refuse_twins(original, holdout)


def _refuse_twins(original: Table, holdout: Table) -> None:
    # Columns of different values in every record can be numbers that each table has for itself.
    names = [name for name in original.names if name in holdout and original[name].distinct < original.rows]
    if not names:
        return
    original_keys, holdout_keys, n_keys = _keys(original, holdout, names)
    counts = [np.bincount(keys[keys >= 0], minlength=n_keys) for keys in (original_keys, holdout_keys)]
    twins = int(np.count_nonzero((counts[0] == 1) & (counts[1] == 1)))
    if twins >= _FEWEST_TWINS and 2 * twins > holdout.rows:
        raise InputError(
            f"{twins:,} of its {holdout.rows:,} records equal exactly one record of the original ({original.name})",
            remedy="give people who are not in the original",
            file=holdout.name,
        )


def _refuse_shared(original: Table, holdout: Table, key: Sequence[str]) -> None:
    original_keys, holdout_keys, n_keys = _keys(original, holdout, key)
    in_original = np.zeros(n_keys + 1, dtype=bool)
    in_original[original_keys] = True
    in_original[-1] = False
    shared_records = np.flatnonzero(in_original[holdout_keys])
    if len(shared_records):
        raise InputError(
            f"{len(shared_records):,} of its {holdout.rows:,} records are records of the original ({original.name}) by "
            f"{quoted(key)}",
            remedy="give people who are not in the original",
            file=holdout.name,
            row=int(shared_records[0]) + 2,
            column=key[0] if len(key) == 1 else None,
        )


def matching_of(original: Table, anonymized: Table, matching: RecordMatching) -> Matching:
    """The compared records of a matching without a refusal."""
    if matching.partners is not None:
        original = original.take(np.concatenate([matching.partners, matching.original.unmatched]))
    compared = anonymized if matching.places is None else anonymized.take(matching.places)
    return Matching(original, compared, matching.tally, matching.places)


def _by_position(original: Table, anonymized: Table, rule: MatchingRule) -> RecordMatching:
    drawn = anonymized.positions
    if drawn is not None and len(drawn) and drawn.max() < original.rows:
        left_out = np.setdiff1d(np.arange(original.rows), drawn)
        sides = MatchedSide(original.rows, unmatched=left_out), MatchedSide(anonymized.rows)
        return RecordMatching(rule, *sides, None, drawn, None)
    sides = MatchedSide(original.rows), MatchedSide(anonymized.rows)
    if original.rows == anonymized.rows:
        return RecordMatching(rule, *sides, None, None, None)
    return RecordMatching(rule, *sides, _nothing(), _nothing(), unequal_lengths(original, anonymized))


def unequal_lengths(original: Described, anonymized: Described) -> InputError:
    """Why tables of different lengths cannot be matched by position."""
    change = "remove the added records"
    if anonymized.rows < original.rows:
        change = "keep suppressed records as rows of *, unless the table is a sample"
    return InputError(
        f"the table has {anonymized.rows:,} records but {original.name} has {original.rows:,}, so records cannot be "
        "matched by position",
        remedy=f"{change}, or set a column that identifies records in both tables as key",
        file=anonymized.name,
    )


def _keys(original: Table, anonymized: Table, key: Sequence[str]) -> tuple[Integers, Integers, int]:
    """The number of each record's key in both tables, -1 for no key, and the number of possible keys."""
    columns = [_codes_of_both_columns(original[name], anonymized[name]) for name in key]
    if len(columns) == 1:
        codes, n_keys = columns[0]
    else:
        codes, n_keys = combination_codes(columns, original.rows + anonymized.rows)
    keys = codes.astype(np.int64)
    for name in key:
        keys[np.concatenate([_has_no_key(table[name]) for table in (original, anonymized)])] = -1
    return keys[: original.rows], keys[original.rows :], n_keys


def _codes_of_both_columns(original: Column, anonymized: Column) -> tuple[Codes, int]:
    """One code for each record of both columns, the original's first, and the number of possible codes."""
    original_codes = indices_in(anonymized.values, original.values)
    new_codes = np.arange(anonymized.distinct, dtype=np.int32) + np.int32(original.distinct)
    codes = np.where(original_codes >= 0, original_codes, new_codes)[anonymized.codes]
    return np.concatenate([original.codes, codes]), original.distinct + anonymized.distinct


def _has_no_key(column: Column) -> Flags:
    """Whether a record's cell is not a key."""
    flags = pc.is_in(column.values, value_set=text_array(_NO_KEY)).cast(pa.int8())
    of_value = np.frombuffer(flags.buffers()[1], dtype=np.int8, count=len(flags), offset=flags.offset)
    if not of_value.any():
        return np.zeros(len(column.codes), dtype=bool)
    return of_value[column.codes] > 0


def _first(keys: Integers, n_keys: int) -> Flags:
    """Whether a record is the first of its key."""
    first_record = np.full(n_keys, -1, dtype=np.int64)
    with_key = np.flatnonzero(keys >= 0)[::-1]
    first_record[keys[with_key]] = with_key
    is_first = np.zeros(len(keys), dtype=bool)
    is_first[first_record[first_record >= 0]] = True
    return is_first


def _refusal(
    original: Table, anonymized: Table, rule: MatchingRule, sides: Sequence[MatchedSide], n_matched: int
) -> InputError | None:
    """Return the error for the first record that the rule does not decide; None if it decides everything."""
    tables = (original, anonymized)
    key_column = rule.key[0] if len(rule.key) == 1 else None
    key_note = "" if key_column is not None else f" ({quoted(rule.key)})"
    if rule.duplicates is Duplicates.REFUSE:
        for table, side in zip(tables, sides, strict=True):
            if len(side.repeats):
                phrase = (
                    "column repeats a value" if key_column is not None else f"columns{key_note} repeat a combination"
                )
                return InputError(
                    f"the key {phrase}",
                    remedy="choose a column with unique values, add another key column, or set duplicates to first or "
                    "leave_out",
                    file=table.name,
                    row=int(side.repeats[0]) + 2,
                    column=key_column,
                )
    if rule.unmatched is Unmatched.REFUSE:
        remedy = "remove the record, choose another key column, or set unmatched to leave_out"
        for table, side in zip(tables, sides, strict=True):
            if len(side.missing):
                row = int(side.missing[0]) + 2
                return InputError(
                    f"the record has no key{key_note}", remedy=remedy, file=table.name, row=row, column=key_column
                )
        if len(sides[1].unmatched):
            return InputError(
                f"the record's key{key_note} does not occur in {original.name}",
                remedy=remedy,
                file=anonymized.name,
                row=int(sides[1].unmatched[0]) + 2,
                column=key_column,
            )
    if anonymized.rows and not n_matched:
        return InputError(
            f"no key{key_note} of a record occurs exactly once in {original.name}",
            remedy="choose another key column",
            file=anonymized.name,
            column=key_column,
        )
    return None


def record_table(original: Table, anonymized: Table, matching: RecordMatching, max_rows: int | None = None) -> pa.Table:
    """The records that are not matched, and why: the first `max_rows`, or all.

    Columns: `table`, `record` (its number in the file, from 1), `finding`, the key columns, and a few columns of both
    tables. Records with a repeated key come first, grouped by key, then those without a key, an original, or a match.
    """
    table_indices, record_indices, finding = (
        np.concatenate(parts)[:max_rows] for parts in zip(*_unmatched_records(matching), strict=True)
    )
    columns = {
        "table": _texts(["original", "anonymized"], table_indices),
        "record": arrow_of(record_indices + 1),
        "finding": _texts(_FINDINGS, finding),
    }
    shared_names = [name for name in original.names if name in anonymized and name not in matching.rule.key]
    for name in (*matching.rule.key, *shared_names[:_MAX_FURTHER]):
        title = f"{name} (column)" if name in columns else name
        columns[title] = _cells((original[name], anonymized[name]), table_indices, record_indices)
    return pa.table(columns)


_MAX_FURTHER = 10
_FINDINGS = ("repeated key", "no key", "not in the original", "suppressed: no match")


def _unmatched_records(matching: RecordMatching) -> list[tuple[Integers, Integers, Integers]]:
    """Table, position and finding of every record that is not matched."""
    sides = (matching.original, matching.anonymized)
    table_indices = np.repeat([0, 1], [len(side.ambiguous) for side in sides])
    record_indices = np.concatenate([side.ambiguous for side in sides])
    order = np.lexsort((record_indices, table_indices, np.concatenate([side.ambiguous_keys for side in sides])))
    rows = [(table_indices[order], record_indices[order], np.zeros(len(order), dtype=np.int64))]
    for finding, table, records in (
        (1, 0, sides[0].missing),
        (1, 1, sides[1].missing),
        (2, 1, np.setdiff1d(sides[1].unmatched, sides[1].ambiguous, assume_unique=True)),
        (3, 0, np.setdiff1d(sides[0].unmatched, sides[0].ambiguous, assume_unique=True)),
    ):
        rows.append((np.full(len(records), table), records, np.full(len(records), finding)))
    return rows


def _texts(texts: Sequence[str], indices: Integers) -> pa.Array:
    return text_array(texts).take(arrow_of(indices))


def _cells(columns: tuple[Column, Column], table_indices: Integers, record_indices: Integers) -> pa.Array:
    """The cells of chosen records, each of one of the two columns."""
    codes = np.empty(len(record_indices), dtype=np.int64)
    for side, column in enumerate(columns):
        codes[table_indices == side] = column.codes[record_indices[table_indices == side]] + side * columns[0].distinct
    return pa.concat_arrays([column.values for column in columns]).take(arrow_of(codes))
