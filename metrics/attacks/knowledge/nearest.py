"""The released records nearest to known values by Gower's distance, found without a comparison with every record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from metrics.attacks.knowledge.gower import GowerDistance
from metrics.hierarchies.covering import beginnings, consecutive_places, middle_of
from metrics.interruption import checkpoint
from metrics.tables.table import Codes, Column, Floats, Integers

_MAX_CELLS = 2**17
"""Distances that are computed at once: bounds the memory, and what fits a processor's cache takes half the time."""
TIE = 1e-9
"""Distances this close are equal: they are sums of rounded numbers."""
_LIMITS = (0.1, 1.0, 2.0, 4.0, np.inf)
"""Distances within which the nearest records are sought, until some are found."""


@dataclass(frozen=True, eq=False)
class NearestRecords:
    """Combinations of released labels, by their beginnings: those that begin too far away are not followed."""

    columns: Sequence[Column]
    codes: Sequence[Codes]
    distances: Sequence[GowerDistance]

    @cached_property
    def _following(self) -> list[tuple[Integers, Integers]]:
        """By column the first of the beginnings that follow each one of the columns before, and the label of each."""
        following, number = [], 1
        for keys, column in zip(beginnings(self.columns, self.codes), self.columns, strict=True):
            first = np.searchsorted(keys, np.arange(number + 1) * column.distinct)
            following.append((first, column.order[keys % column.distinct]))
            number = len(keys)
        return following

    def pairs(self, values: Sequence[Integers]) -> Iterator[tuple[Integers, Integers]]:
        """Pairs of a row of values (codes by column) and one of the combinations nearest to it, some at a time.

        All combinations of a tie count. All pairs of a row stand in one portion.
        """
        step = max(_MAX_CELLS // max(column.distinct for column in self.columns), 1)
        for first in range(0, len(values[0]), step):
            known = [np.unique(value[first : first + step], return_inverse=True) for value in values]
            tables = [distance.matrix(value) for distance, (value, _) in zip(self.distances, known, strict=True)]
            of_row = [row for _, row in known]
            rows = np.arange(len(of_row[0]))
            for limit in _LIMITS:
                is_found = np.zeros(len(of_row[0]), dtype=bool)
                for row, combination, total in self._within(limit, rows, tables, of_row):
                    starts = np.flatnonzero(np.diff(row, prepend=-1))
                    least = np.repeat(np.minimum.reduceat(total, starts), np.diff(starts, append=len(row)))
                    is_nearest = (total <= least + TIE) & (least <= limit)
                    is_found[row[is_nearest]] = True
                    if is_nearest.any():
                        yield row[is_nearest] + first, combination[is_nearest]
                rows = rows[~is_found[rows]]

    def _within(
        self, limit: float, rows: Integers, tables: Sequence[Floats], of_row: Sequence[Integers]
    ) -> Iterator[tuple[Integers, Integers, Floats]]:
        """Pairs of a row and a combination within a distance, and the distance."""
        start = np.zeros(len(rows), dtype=np.int64)
        stack: list[tuple[int, Integers, Integers, Floats]] = [(0, rows, start, np.zeros(len(rows)))]
        while stack:
            checkpoint()
            level, row, prefix, total = stack.pop()
            if not len(row):
                continue
            if level == len(self.columns):
                yield row, prefix, total
                continue
            starts, labels = self._following[level]
            first = starts[prefix]
            number = starts[prefix + 1] - first
            if number.sum() > _MAX_CELLS and row[0] != row[-1]:
                half = middle_of(row)
                stack += [(level, row[part], prefix[part], total[part]) for part in (slice(half, None), slice(half))]
                continue
            child, distance = consecutive_places(first, number), tables[level]
            places = np.repeat(of_row[level][row] * distance.shape[1], number)
            places += labels[child]
            sums = np.repeat(total, number)
            sums += distance.ravel()[places]
            near = np.flatnonzero(sums <= limit + 2 * TIE)
            stack.append((level + 1, np.repeat(row, number)[near], child[near], sums[near]))
