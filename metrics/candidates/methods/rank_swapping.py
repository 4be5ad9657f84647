"""Rank swapping: records exchange values that lie near each other in the order of a column."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metrics.candidates.methods.columns import columns_parameter, numbers_by_record, numeric_columns
from metrics.candidates.methods.method import CandidateMethod, parameter, with_columns
from metrics.config.roles import Roles
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.interruption import watched
from metrics.tables.table import Column, Integers, Table

_TRIES = 8
_AT_ONCE = 1_024


@dataclass(frozen=True)
class RankSwapping(CandidateMethod):
    """Each number is exchanged with one at most a share of the records away in the order of the column.

    From the smallest on, every value that was not exchanged yet gets as partner one of those not exchanged, at most so
    many ranks above it, each as likely as the others; where none is left it stays. Equal values are put in order by
    chance. Each column is swapped by itself: its values stay the same, its connections with others become weaker.

    Moore: Controlled Data-Swapping Techniques for Masking Public Use Microdata Sets. Research Report RR96-04, U.S.
    Bureau of the Census 1996. Described in Domingo-Ferrer, Torra: A Quantitative Comparison of Disclosure Control
    Methods for Microdata. In: Confidentiality, Disclosure, and Data Access, North-Holland 2001, 111-133.
    """

    name: ClassVar[str] = "rank-swapping"
    title: ClassVar[str] = "Rank swapping"
    about: ClassVar[str] = "Records exchange numbers that are close in rank within their column."
    draws: ClassVar[bool] = True
    needs_numbers: ClassVar[bool] = True

    distance: float = parameter(
        0.05, "Distance", "Largest rank difference of swapped values, as a share of the records.", 0, 1
    )
    columns: tuple[str, ...] = columns_parameter("all numeric quasi-identifiers")

    def apply(
        self, original: Table, roles: Roles, hierarchies: Hierarchies | None = None, *, seed: int | None = None
    ) -> Table:
        """The original with columns swapped. Raises InputError where a column does not hold numbers."""
        columns = numeric_columns(original, roles, self.columns)
        chance = np.random.default_rng(seed)
        return with_columns(original, {column.name: self._swapped_column(column, chance) for column in columns})

    def _swapped_column(self, column: Column, chance: np.random.Generator) -> Column:
        numbers = numbers_by_record(column)
        with_number = chance.permutation(np.flatnonzero(~np.isnan(numbers)))
        order = with_number[np.argsort(numbers[with_number], kind="stable")]
        partner = swaps(len(order), int(self.distance * len(order)), chance)
        codes = column.codes.copy()
        codes[order] = column.codes[order[partner]]
        return Column(column.name, codes, column.values, column.decimal)


def swaps(number: int, distance: int, chance: np.random.Generator) -> Integers:
    """For each rank the one it is exchanged with, at most `distance` away; itself where none is left."""
    partner = list(range(number))
    for rank, draws in enumerate(watched(_draws(number, chance))):
        last = min(rank + distance, number - 1)
        if partner[rank] != rank or last == rank:
            continue
        candidates = (rank + 1 + int(draw * (last - rank)) for draw in draws)
        other = next((candidate for candidate in candidates if partner[candidate] == candidate), None)
        if other is None:
            unpaired = [candidate for candidate in range(rank + 1, last + 1) if partner[candidate] == candidate]
            if not unpaired:
                continue
            other = unpaired[int(chance.integers(len(unpaired)))]
        partner[rank], partner[other] = other, rank
    return np.array(partner, dtype=np.int64)


def _draws(number: int, chance: np.random.Generator) -> Iterator[list[float]]:
    """Draw some random numbers from 0 to 1 for each rank."""
    for start in range(0, number, _AT_ONCE):
        yield from chance.random((min(_AT_ONCE, number - start), _TRIES)).tolist()
