"""Guesses of a sensitive attribute from the possible records of a person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

import numpy as np

from metrics.attacks.knowledge.gower import number_of, range_of
from metrics.attacks.knowledge.possible_records import Batch, Released
from metrics.attacks.knowledge.scenario import AttackScenario
from metrics.counting.counts import GroupedCounts
from metrics.hierarchies.covering import consecutive_places
from metrics.hierarchies.domain import number_of_label
from metrics.hierarchies.labels import recoded_labels
from metrics.hierarchies.numerals import bounds, is_numeric
from metrics.tables.table import SUPPRESSED, Column, Flags, Floats, Integers

_DENSE = 2**22
"""Range of possible keys up to which one sum is kept for each, present or not."""
_MIN_NUMBERS = 20
"""An attribute of more different numbers than this is guessed by the median."""
ROUNDING = 1 + 1e-12


@dataclass(frozen=True, eq=False)
class ValueCounts:
    """How often each value occurs among the possible records of each row; cells that are zero are left out."""

    row: Integers
    """Row of each cell, ascending."""
    value: Integers
    """Value of each cell, ascending within a row."""
    count: Integers
    starts: Integers
    """First cell of each row; every row has at least one."""

    @property
    def distinct(self) -> Integers:
        """Different values per row."""
        return np.diff(self.starts, append=len(self.row))

    def cell_of(self, row: Integers, value: Integers, values: int) -> tuple[Integers, Flags]:
        """Find the cell of a value (-1: none) in a row among the cells, and whether there is one."""
        keys = self.row * values + self.value
        wanted_keys = row * values + value
        position = np.minimum(np.searchsorted(keys, wanted_keys), len(keys) - 1)
        return position, (value >= 0) & (keys[position] == wanted_keys)


class Success(NamedTuple):
    """Results of guessing, person by person."""

    right: Floats
    """How far the guess is right, 0 to 1."""
    certain: Flags
    """Whether the possible records hold one single value, which is the person's."""
    misled: Flags
    """Whether they hold one single value that is not the person's."""


class Guesser:
    """Guesses of one attribute: the plurality of the possible records, or the median of an attribute of many numbers.

    Values are numbered in the order of their numbers, those without a number last.
    """

    def __init__(
        self,
        released: Released,
        cells: GroupedCounts,
        original: Column,
        tolerance: float,
        reach: float,
        became: Mapping[str | None, str | None] | None = None,
    ) -> None:
        """`cells` count the attribute within the released combinations; a number is right within tolerance · reach.

        `became` holds by original value the label that it became, if the attribute was recoded.
        """
        column = cells.column
        self._became = became or {}
        self._ends = _ends(original)
        numbers = self._recoded(column, bounds(column, original).middle, original.decimal)
        order = np.argsort(numbers, kind="stable")  # NaN last
        self._rank = np.empty(len(order), dtype=np.int64)
        self._rank[order] = np.arange(len(order))
        self._spelled: dict[Decimal | int, int] = {}
        for code in order if is_numeric(original) else ():
            number = number_of_label(column.labels[code], column.decimal)
            if number is not None:
                # Labels that write one number, such as 3 and 3.0, are one value.
                self._rank[code] = self._rank[self._spelled.setdefault(number, int(code))]
        self._column = column
        self._order = order
        self._numbers = numbers[order]
        self._numeric = int((~np.isnan(numbers)).sum())
        suppressed = None if SUPPRESSED in original.code_of else column.code_of.get(SUPPRESSED)
        self._suppressed = -1 if suppressed is None else int(self._rank[suppressed])
        self._code, self._count = cells.code.astype(np.int64), cells.count.astype(np.int64)
        self._starts = np.searchsorted(cells.group, np.arange(released.count))
        self._cells = np.diff(self._starts, append=len(self._code))
        self._slack = tolerance * reach * ROUNDING
        self.within = tolerance * reach if has_many_numbers(original) else None
        """Distance within which the median, which is guessed, is right; None where the most frequent value is."""
        released_values = all_records_batch(1, released)
        self._blind = self.counts(released_values)
        """All released values: the guess is made from them where all possible records are suppressed."""

    def counts(self, batch: Batch) -> ValueCounts:
        """The possible records' values, row by row."""
        n_cells = self._cells[batch.combination]
        cell = consecutive_places(self._starts[batch.combination], n_cells)
        width = len(self._rank)
        keys = np.repeat(batch.row, n_cells) * width + self._rank[self._code[cell]]
        keys, sums = _sums_by_key(keys, self._count[cell], batch.rows * width)
        row = keys // width
        return ValueCounts(row, keys % width, sums, np.flatnonzero(np.diff(row, prepend=-1)))

    def values_of(self, truth: Column) -> Integers:
        """For each person the number of its own value among the released ones, -1 if it is not released."""
        codes = np.array([self._place(label, truth.decimal) for label in truth.labels], dtype=np.int64)
        ranks = np.where(codes >= 0, self._rank[codes], -1)
        return ranks[truth.codes]

    def _place(self, label: str | None, decimal: str) -> int:
        """The code of the released label that equals a value, as text or as number, or that it became; else -1."""
        label = self._became.get(label, label)
        number = number_of_label(label, decimal)
        other = -1 if number is None else self._spelled.get(number, -1)
        return self._column.code_of.get(label, other)

    def share_absent_from_original(self, truth: Column) -> float:
        """Share of the released records whose value is none of the original's, or no number where that is guessed.

        Generalized values are an example: guessing one is never right. Suppressed values, never guessed, do not count;
        nor do numbers beyond the original's, unless most are: noise takes some there, another unit all.
        """
        (low, high), rank, total = self._ends, self._rank[self._code], int(self._count.sum())
        in_original, beyond = ~np.isnan(self._numbers), (self._numbers < low) | (self._numbers > high)
        if self.within is None:
            codes = np.array([self._place(label, truth.decimal) for label in truth.labels], dtype=np.int64)
            in_original = np.isin(np.arange(len(self._rank)), self._rank[codes[codes >= 0]])
        elif 2 * self._count[beyond[rank]].sum() > total:
            in_original &= ~beyond
        if self._suppressed >= 0:
            in_original[self._suppressed] = True
        return float(self._count[~in_original[rank]].sum()) / total if total else 0.0

    def _recoded(self, column: Column, numbers: Floats, decimal: str) -> Floats:
        """The numbers of the labels: of one that values became, the middle of their smallest and largest."""
        became: dict[str | None, list[float]] = {}
        for value, label in self._became.items():
            became.setdefault(label, []).append(number_of(value, decimal))
        middles = [
            np.nan if label not in became else (min(became[label]) + max(became[label])) / 2 for label in column.labels
        ]
        return np.where(np.isnan(middles), numbers, middles)

    @property
    def values(self) -> int:
        """Number of released values."""
        return len(self._rank)

    def label(self, value: int) -> str | None:
        """The released label of a value."""
        label: str | None = self._column.labels[self._order[value]]
        return label

    def success(self, batch: Batch, counts: ValueCounts, own: Integers, truth: Floats) -> Success:
        """The guesses for the people of a batch.

        `own` and `truth` are the persons' own values, as numbered here and as numbers.
        """
        row = batch.row_of_person
        cell, present = counts.cell_of(row, own, len(self._rank))
        single_valued = counts.distinct[row] == 1
        misled = single_valued & ~present & (counts.value[counts.starts[row]] != self._suppressed)
        if self.within is not None:
            near = np.abs(self.medians(batch, counts)[row] - truth) <= self._slack
            return Success(near.astype(np.float64), single_valued & present, misled & ~near)
        most_frequent = self._most_frequent_cells(counts)
        ties = np.add.reduceat(most_frequent.astype(np.int64), counts.starts)[row]
        right = np.divide(1, ties, out=np.zeros(len(row)), where=present & most_frequent[cell])
        blind = self._blind.value[self._most_frequent_cells(self._blind)]
        right = np.where(ties > 0, right, np.isin(own, blind) / max(len(blind), 1))
        return Success(right, single_valued & present, misled)

    def guesses(self, counts: ValueCounts) -> Integers:
        """Return the values guessed from the possible records of a single row, more than one if they tie."""
        most_frequent = self._most_frequent_cells(counts)
        return (
            counts.value[most_frequent]
            if most_frequent.any()
            else self._blind.value[self._most_frequent_cells(self._blind)]
        )

    def _most_frequent_cells(self, counts: ValueCounts) -> Flags:
        """Find the cells with a most frequent value of their row. `*` is never guessed: nobody has it as a value."""
        votes = np.where(counts.value == self._suppressed, 0, counts.count)
        largest = np.maximum.reduceat(votes, counts.starts)
        flags: Flags = (votes == largest[counts.row]) & (votes > 0)
        return flags

    def medians(self, batch: Batch, counts: ValueCounts) -> Floats:
        """The median of each row's numbers, the mean of the middle two of an even number; without any, of all released.

        NaN where no number is released.
        """
        medians = self._medians(counts, batch.rows)
        return np.where(np.isnan(medians), self._medians(self._blind, 1), medians)

    def _medians(self, counts: ValueCounts, rows: int) -> Floats:
        numeric = counts.value < self._numeric
        row, value, count = counts.row[numeric], counts.value[numeric], counts.count[numeric]
        total = np.bincount(row, weights=count, minlength=rows).astype(np.int64)
        medians = np.full(rows, np.nan)
        has_numbers = total > 0
        cumulated = 2 * np.cumsum(count)
        middle = (2 * (np.cumsum(total) - total) + total)[has_numbers]
        low, high = np.searchsorted(cumulated, middle, "left"), np.searchsorted(cumulated, middle, "right")
        medians[has_numbers] = (self._numbers[value[low]] + self._numbers[value[high]]) / 2
        return medians


def _ends(original: Column) -> tuple[float, float]:
    """The smallest and the largest number of a column; NaN without any."""
    numbers = label_numbers(original)
    numbers = numbers[~np.isnan(numbers)]
    return (float(numbers.min()), float(numbers.max())) if len(numbers) else (np.nan, np.nan)


def has_many_numbers(column: Column) -> bool:
    """Whether an attribute has more than 20 different values, all of them numbers; missing ones are not counted."""
    numbers = label_numbers(column)[[label is not None for label in column.labels]]
    return len(numbers) > _MIN_NUMBERS and not np.isnan(numbers).any()


def label_numbers(column: Column) -> Floats:
    """The number of each value; NaN where it is none."""
    return np.array([number_of(label, column.decimal) for label in column.labels], dtype=np.float64)


def all_records_batch(people: int, released: Released) -> Batch:
    """Take all released records as everybody's possible records: for the guess made without knowing anything."""
    row = np.zeros(released.count, dtype=np.int64)
    weights, rows = np.ones(people, dtype=np.int64), np.zeros(people, dtype=np.int64)
    return Batch(np.arange(people), weights, rows, row, np.arange(released.count), 1)


def _sums_by_key(keys: Integers, weights: Integers, space: int) -> tuple[Integers, Integers]:
    """Distinct keys, ascending, and the sum of the weights of each; keys lie in [0, space)."""
    if space <= max(_DENSE, 4 * len(keys)):
        sums = np.bincount(keys, weights=weights, minlength=space)
        distinct = np.flatnonzero(sums)
        return distinct, sums[distinct].astype(np.int64)
    order = np.argsort(keys, kind="stable")
    sorted_keys = keys[order]
    starts = np.flatnonzero(np.diff(sorted_keys, prepend=-1))
    return sorted_keys[starts], np.add.reduceat(weights[order], starts)


def guesser_of(scenario: AttackScenario, released: Released, name: str) -> Guesser:
    """Make the guesser of one sensitive attribute, by its original values and the tolerance."""
    cells, truth = scenario.values_within(released, name), scenario.truth(name)
    reach = range_of(truth.labels, truth.decimal)
    became = recoded_labels(scenario.aggregates.comparison.evidence(name).pair)
    return Guesser(released, cells, truth, scenario.parameters.tolerance, reach, became)
