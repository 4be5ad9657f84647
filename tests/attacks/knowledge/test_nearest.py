"""The nearest released records, as found by comparing with every record."""

from dataclasses import dataclass

import numpy as np
import pytest

from metrics.attacks.knowledge import nearest
from metrics.attacks.knowledge.gower import GowerDistance
from metrics.attacks.knowledge.nearest import TIE, NearestRecords
from metrics.attacks.knowledge.possible_records import ColumnMatch
from metrics.counting.counts import Combinations, MemoryRelation
from metrics.hierarchies.labels import Evidence
from metrics.tables.table import Table
from tests.support.small_tables import table


@dataclass(frozen=True)
class Search:
    """Released combinations, and people whose nearest ones are sought."""

    released: Table
    people: Table

    @property
    def combinations(self) -> Combinations:
        return MemoryRelation(self.released).count(self.released.names)

    @property
    def distances(self) -> list[GowerDistance]:
        return [
            ColumnMatch.from_columns(
                column, self.people[column.name], None, Evidence(self.people[column.name])
            ).distance
            for column in self.released.columns
        ]

    @property
    def found(self) -> dict[int, list[int]]:
        """By person the nearest combinations."""
        columns, codes = self.combinations.columns, self.combinations.codes
        values = [self.people[column.name].codes.astype(np.int64) for column in columns]
        nearest_of: dict[int, list[int]] = {}
        for rows, combinations in NearestRecords(columns, codes, self.distances).pairs(values):
            assert not set(rows.tolist()) & nearest_of.keys()
            for row, combination in zip(rows.tolist(), combinations.tolist(), strict=True):
                nearest_of.setdefault(row, []).append(combination)
        return nearest_of


def test_worked_example() -> None:
    """Of a range of 25 years, 45 is 3/25 from 48 and 28/25 from 73; another sex is 1 away."""
    released = table({"sex": ["f", "m", "m"], "age": ["45", "48", "73"]})
    assert Search(released, table({"sex": ["f", "f"], "age": ["48", "73"]})).found == {0: [0], 1: [2]}


@pytest.mark.parametrize("cells", [1, 40, nearest._MAX_CELLS])
def test_the_nearest_records_are_those_of_a_comparison_with_every_record(
    cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearest, "_MAX_CELLS", cells)
    random = np.random.default_rng(4)

    def drawn(rows: int) -> Table:
        return table(
            {
                "sex": random.choice(["f", "m"], rows).tolist(),
                "age": [str(age) for age in random.integers(20, 60, rows)],
                "job": [None if number == 0 else f"j{number}" for number in random.integers(0, 9, rows)],
                "town": [f"t{number}" for number in random.integers(0, 30, rows)],
            }
        )

    search = Search(drawn(150), drawn(60))
    total = np.zeros((60, len(search.combinations.counts)))
    for distance, column, codes in zip(
        search.distances, search.combinations.columns, search.combinations.codes, strict=True
    ):
        total += distance.matrix(search.people[column.name].codes.astype(np.int64))[:, codes]
    expected = {row: np.flatnonzero(of_row <= of_row.min() + TIE).tolist() for row, of_row in enumerate(total)}
    assert search.found == expected
