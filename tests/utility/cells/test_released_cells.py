"""Cells of quasi-identifiers by value: kept, lost with their records, released, or perturbed."""

import numpy as np
import pytest

import metrics
from metrics.aggregates import TableAggregates
from metrics.counting.counts import Combinations
from metrics.errors import Unavailable
from metrics.scoring.compared_records import generalized
from metrics.utility.cells.released_cells import cells_in_classes, released_values, wholly_lost
from tests.support.small_tables import Cells, table

ROLES = metrics.Roles(["age", "sex"])
RELEASED: dict[str, Cells] = {"age": ["30-39", "30-39", "*", "*"], "sex": ["m", "*", "m", "*"]}


def test_values_are_counted_without_suppressed_records() -> None:
    found = cells_in_classes(TableAggregates(table(RELEASED), ROLES))
    counts = {
        name: {of.column.labels[code]: int(total) for code, total in enumerate(of.totals) if total}
        for name, of in found.items()
    }
    assert counts == {"age": {"30-39": 2, "*": 1}, "sex": {"m": 2, "*": 1}}


def test_suppressed_and_deleted_records_are_wholly_lost() -> None:
    assert wholly_lost(TableAggregates(table(RELEASED), ROLES)) == 1
    by_key = metrics.Roles(["age", "sex"], key="id")
    original = table({"id": list("abcdef"), "age": ["31"] * 6, "sex": ["m"] * 6})
    released = table({"id": list("abcd"), **RELEASED})
    kept = metrics.score(released, by_key, original=original, metrics=["suppressed_cells"]).aggregates
    assert wholly_lost(kept) == 1 + kept.comparison.deleted
    with pytest.raises(Unavailable):
        wholly_lost(TableAggregates(table({"age": [], "sex": []}), ROLES))


def test_released_values_are_those_that_are_not_suppressed() -> None:
    columns = table({"before": ["a", "a", "b"], "after": ["a", "*", None]})
    codes = tuple(column.codes for column in columns.columns)
    pair = Combinations(columns.columns, codes, np.array([5, 3, 2]))
    assert released_values(pair) == 7
    same = Combinations((columns["before"], columns["before"]), codes[:1] * 2, np.array([5, 3, 2]))
    assert released_values(same) == 10


def test_perturbed_cells_are_counted_where_they_are_few_and_their_column_named_where_they_are_many() -> None:
    ages = [str(20 + i % 5) for i in range(200)]
    for changed, few, many in ((2, {"age": 2}, {}), (3, {}, {"age": pytest.approx(0.015)})):
        after = [ages[i + 1] if i < changed else age for i, age in enumerate(ages)]
        anonymized, original = (table({"age": of, "sex": ["m", "f"] * 100}) for of in (after, ages))
        aggregates = generalized(TableAggregates(anonymized, ROLES, original))
        assert {name: number for name, number in aggregates.perturbed.suppressed.items() if number} == few
        assert aggregates.perturbed.not_generalized == many
