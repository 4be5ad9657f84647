"""Records of a table counted by what an analysis needs of them: profiles of groups, numbers, shares of an event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metrics.aggregates import MAX_CLASSES, Aggregates
from metrics.counting.counts import Relation, distinct_records, order_of_combinations
from metrics.counting.partitions import require_few_combinations
from metrics.estimates.grouping import Grouping
from metrics.tables.table import Codes, Described, Flags, Floats, Integers, Table


@dataclass(frozen=True, eq=False)
class Numbers:
    """The number that each label of a column stands for."""

    column: str
    lookup: Integers
    """Position of the number of each label; -1 where it stands for none."""
    values: Floats
    """The different numbers, ascending."""
    is_unbiased: bool = False
    """Whether cells of a randomized column count so that the true sum is expected; no number is a person's then."""

    @staticmethod
    def of(column: str, numbers: Floats) -> Numbers:
        """By label its number, NaN for none."""
        known = ~np.isnan(numbers)
        values, position = np.unique(numbers[known], return_inverse=True)
        lookup = np.full(len(numbers), -1, dtype=np.int64)
        lookup[known] = position
        return Numbers(column, lookup, values)


Part = Grouping | Numbers


@dataclass(frozen=True, eq=False)
class Records:
    """Distinct combinations of what is known of records without an unknown cell."""

    parts: tuple[Part, ...]
    codes: tuple[Integers, ...]
    """By part the profile or the position of the number of each combination; in an order that no row order changes."""
    counts: Floats
    """Records of each combination."""
    rows: int
    """Records of the whole table."""

    @property
    def used(self) -> int:
        """Records without an unknown cell."""
        return int(self.counts.sum())

    def numbers(self, part: int) -> Floats:
        """By combination the number of a part."""
        found = self.parts[part]
        assert isinstance(found, Numbers)
        return found.values[self.codes[part]]

    def grouping(self, part: int) -> Grouping:
        """The groups of a part."""
        found = self.parts[part]
        assert isinstance(found, Grouping)
        return found

    @property
    def is_unbiased(self) -> bool:
        """Whether some part is of a randomized column, so that counts and numbers are those expected."""
        return any(part.is_unbiased for part in self.parts)

    def profiles(self, part: int) -> Floats:
        """By profile that occurs and group the probability of the group."""
        return self.grouping(part).shares[np.unique(self.codes[part])]

    def sizes(self, part: int, least: float = 0.0) -> Floats:
        """By group its records, those with labels of several groups by their shares; only shares of at least that."""
        shares = self.grouping(part).shares
        shares = np.where(shares >= least, shares, 0.0) if least else shares
        found: Floats = np.bincount(self.codes[part], self.counts, len(shares)) @ shares
        return found

    def distinct_codes(self, part: int) -> Codes:
        """By combination a number that tells what is known of a part: profiles of the same shares have the same."""
        found, codes = self.parts[part], self.codes[part]
        if isinstance(found, Grouping):
            codes = np.unique(found.shares, axis=0, return_inverse=True)[1].ravel()[codes]
        return codes.astype(np.int32)

    def where(self, kept: Flags | Integers) -> Records:
        """Some of the combinations, by flags or positions."""
        return Records(self.parts, tuple(codes[kept] for codes in self.codes), self.counts[kept], self.rows)


def original_records(aggregates: Aggregates, parts: Sequence[Part]) -> Records:
    """The records of the original."""
    return _records(aggregates.comparison.original_relation, aggregates.original, parts)


def released_records(aggregates: Aggregates, parts: Sequence[Part]) -> Records:
    """The records of the anonymized table; a column that it lacks is unknown in each."""
    return _records(aggregates.relation, aggregates.anonymized, parts)


def _records(relation: Relation, table: Described | None, parts: Sequence[Part]) -> Records:
    assert table is not None
    names = [name for name in dict.fromkeys(part.column for part in parts) if name in table]
    code_of_record: dict[str, Codes] = {}
    records: Integers | None = None
    if isinstance(table, Table):
        code_of_record = {name: table[name].codes for name in names}
    elif names:
        require_few_combinations(table, names, MAX_CLASSES)
        combinations = relation.count(names)
        code_of_record, records = dict(zip(names, combinations.codes, strict=True)), combinations.counts
    rows = table.rows if records is None else len(records)
    reduced, widths = [], [len(part.shares if isinstance(part, Grouping) else part.values) + 1 for part in parts]
    for part, width in zip(parts, widths, strict=True):
        lookup = np.where(part.lookup < 0, width - 1, part.lookup).astype(np.int32)
        code = code_of_record.get(part.column)
        reduced.append(np.zeros(rows, dtype=np.int32) if code is None else lookup[code])
    first, counts = distinct_records(list(zip(reduced, widths, strict=True)), rows, records)
    codes = [code[first].astype(np.int64) for code in reduced]
    known = np.logical_and.reduce([code < width - 1 for code, width in zip(codes, widths, strict=True)])
    order = order_of_combinations(codes, widths)
    every = Records(tuple(parts), tuple(codes), counts.astype(np.float64), table.rows)
    return every.where(np.flatnonzero(known) if order is None else order[known[order]])
