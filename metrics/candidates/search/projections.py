"""Classes by some of the columns. Classes by more columns lie within these, so that records once lost stay lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from metrics.candidates.generalization.levels import ColumnLevels
from metrics.candidates.search.class_requirements import ClassRequirements
from metrics.counting.counts import MemoryRelation
from metrics.tables.table import Codes, Flags, Floats, Integers

_CACHED_BYTES = 60_000_000
_SPARSE = 4
"""Keys are numbered without gaps where there could be this many times as many keys as rows."""


@dataclass(frozen=True, eq=False)
class Part:
    """Records by the columns taken so far, each on a level; those that must be suppressed are left out."""

    rows: npt.NDArray[np.intp]
    """Positions of the distinct records that are left."""
    group: Codes
    """For each of them its class."""
    counts: Floats | None
    """For each of them its records; None if there is one of each."""
    number: int
    """Number of classes."""
    lost: Integers
    """Records left out, by leaf of one column after the other."""

    @property
    def nbytes(self) -> int:
        """Memory held."""
        counts = 0 if self.counts is None else self.counts.nbytes
        return self.rows.nbytes + self.group.nbytes + counts + self.lost.nbytes


@dataclass(frozen=True, eq=False)
class DividedPart:
    """A part divided by one more column."""

    part: Part
    column: int
    level: int
    key: Codes | Integers
    """The class of each row."""
    failing: Flags
    """For each class whether its records must be suppressed."""
    classes: int
    lost: int
    """Records that must be suppressed now, those left out before included."""


class Projections:
    """Divides records by one column after the other.

    A class by some columns with fewer records, or with fewer distinct sensitive values, than a class must have falls
    into classes with no more of them when further columns divide it. So its records are suppressed in every
    generalization that has these levels of these columns, whatever the levels of the others (the subset property of
    LeFevre, DeWitt and Ramakrishnan, doi 10.1145/1066157.1066164; here with a budget of suppressed records).
    """

    def __init__(
        self,
        relation: MemoryRelation,
        columns: Sequence[ColumnLevels],
        requirements: ClassRequirements,
        sensitive: Sequence[str] = (),
    ) -> None:
        """`requirements`: what every class must have, its values for each `sensitive` attribute."""
        self.columns, self._smallest, self._fewest = tuple(columns), requirements.records, requirements.values
        attributes = list(sensitive) if requirements.values > 1 else []
        combinations = relation.count([*(column_levels.column.name for column_levels in columns), *attributes])
        self.records = int(combinations.counts.sum())
        self._counts = combinations.counts.astype(np.float64) if (combinations.counts > 1).any() else None
        self._rows = len(combinations.counts)
        self._starts = np.concatenate(([0], np.cumsum([column_levels.width for column_levels in columns]))).tolist()
        self._leaf = [
            column_levels.leaf_code.astype(np.int32)[code]
            for column_levels, code in zip(columns, combinations.codes[: len(columns)], strict=True)
        ]
        self._cached: dict[tuple[int, int], npt.NDArray[np.int32]] = {}
        self._values = [
            (code.astype(np.int64), attribute.distinct)
            for attribute, code in zip(
                combinations.columns[len(columns) :], combinations.codes[len(columns) :], strict=True
            )
        ]

    def whole(self) -> Part:
        """All records in one class."""
        rows = self._rows
        zeros = np.zeros(self._starts[-1], dtype=np.int64)
        return Part(np.arange(rows), np.zeros(rows, dtype=np.int32), self._counts, 1, zeros)

    def lost(self, part: Part) -> int:
        """Records left out."""
        return int(part.lost[: self._starts[1]].sum())

    def divide(self, part: Part, column: int, level: int) -> DividedPart:
        """Divide by a column on a level."""
        column_levels = self.columns[column]
        width = len(column_levels.labels[level])
        number = part.number * width
        key: Codes | Integers = np.multiply(part.group, width, dtype=np.int32 if number < 2**31 else np.int64)
        codes = self._codes(column, level)
        key += codes if len(key) == self._rows else codes[part.rows]
        if number > _SPARSE * len(key) + 1000:
            occurring_keys, positions = np.unique(key, return_inverse=True)
            key, number = positions.astype(np.int32), len(occurring_keys)
        sizes = np.bincount(key, weights=part.counts, minlength=number)
        failing = sizes < self._smallest
        for value, distinct in self._values:
            owners = np.unique(key.astype(np.int64) * distinct + value[part.rows]) // distinct
            failing |= np.bincount(owners, minlength=number) < self._fewest
        occupied = int((sizes > 0).sum())
        return DividedPart(part, column, level, key, failing, occupied, self.lost(part) + int(sizes[failing].sum()))

    def taken(self, division: DividedPart) -> Part:
        """The part that a division leaves."""
        part = division.part
        is_lost = division.failing[division.key]
        is_kept = ~division.failing
        number = int(is_kept.sum())
        key = (np.cumsum(is_kept, dtype=np.int32) - 1)[division.key]
        if not is_lost.any():
            return Part(part.rows, key, part.counts, number, part.lost)
        rows, lost = part.rows[is_lost], part.lost.copy()
        counts = None if part.counts is None else part.counts[is_lost]
        for column, leaf in enumerate(self._leaf):
            start, end = self._starts[column], self._starts[column + 1]
            lost_values = np.bincount(leaf[rows], weights=counts, minlength=end - start)
            lost[start:end] += lost_values.astype(np.int64)
        remains = ~is_lost
        counts = None if part.counts is None else part.counts[remains]
        return Part(part.rows[remains], key[remains], counts, number, lost)

    def _codes(self, column: int, level: int) -> npt.NDArray[np.int32]:
        """For each distinct record its code on a level of a column."""
        codes = self._cached.get((column, level))
        if codes is None:
            codes = self.columns[column].codes[level].astype(np.int32)[self._leaf[column]]
            if len(self._cached) * codes.nbytes < _CACHED_BYTES:
                self._cached[column, level] = codes
        return codes

    def at(self, levels: Sequence[int]) -> Part:
        """The part with every column on its level; the columns with the fewest labels divide first."""
        part = self.whole()
        order = sorted(range(len(levels)), key=lambda column: len(self.columns[column].labels[levels[column]]))
        for column in order:
            if len(self.columns[column].labels[levels[column]]) > 1 or column == order[-1]:
                part = self.taken(self.divide(part, column, levels[column]))
        return part
