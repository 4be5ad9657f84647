"""Counts of fewer columns, added up from those of all, equal counts of the records."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from metrics.counting.counts import Combinations, MemoryRelation
from metrics.counting.marginal_counts import (
    CountedRelation,
    counts_within,
    group_starts,
    marginal_counts,
    ordered_combinations,
)
from metrics.tables.dictionary_codes import text_array
from metrics.tables.table import Column, Table
from tests.support.small_tables import cells_of, table

NAMES = ("age", "sex", "illness")


def people(seed: int, records: int = 60) -> Table:
    """Records whose values have codes in their own order, as counts of an engine have."""
    random = np.random.default_rng(seed)
    content = table(
        {
            "age": [None if age == 22 else str(age) for age in random.integers(18, 25, records)],
            "sex": random.choice(["f", "m"], records).tolist(),
            "illness": random.choice(["flu", "cold", "*"], records).tolist(),
        }
    )
    columns = [
        Column.from_codes(of.name, of.rank[of.codes].astype(np.int32), text_array([of.labels[i] for i in of.order]))
        for of in content.columns
    ]
    return replace(content, columns=tuple(columns))


def cells(counted: Combinations) -> list[tuple[tuple[str | None, ...], int]]:
    """Each combination and how often it occurs."""
    columns = zip(counted.columns, counted.codes, strict=True)
    labels = zip(*([column.labels[code] for code in codes] for column, codes in columns), strict=True)
    return list(zip(labels, counted.counts.tolist(), strict=True))


@pytest.mark.parametrize("seed", range(3))
def test_the_combinations_of_some_columns_are_those_of_the_records(seed: int) -> None:
    content = people(seed)
    relation = MemoryRelation(content)
    counted = CountedRelation(relation.count(NAMES))
    for number in (1, 2, 3):
        for names in combinations(NAMES, number):
            found = cells(counted.count(names))
            records = Counter(zip(*(cells_of(content[name]) for name in names), strict=True))
            assert dict(found) == records
            assert len(found) == len(records)
            assert found == cells(relation.count(names))  # the canonical order, too
            assert found == cells(marginal_counts(relation.count(NAMES), names))


def test_columns_can_be_asked_for_in_any_order() -> None:
    counted = CountedRelation(MemoryRelation(people(4)).count(NAMES))
    swapped = {(sex, age): count for (age, sex), count in cells(counted.count(["age", "sex"]))}
    assert dict(cells(counted.count(["sex", "age"]))) == swapped


@pytest.mark.parametrize("groups", [("age",), ("age", "sex"), ("sex", "illness")])
def test_values_are_counted_within_each_combination(groups: tuple[str, ...]) -> None:
    content = people(5)
    counted = CountedRelation(MemoryRelation(content).count(NAMES))
    found = counted.count_within(groups, "illness")
    keys = [key for key, _ in cells(counted.count(groups))]
    labelled = zip(found.group.tolist(), found.code.tolist(), found.count.tolist(), strict=True)
    own = Counter({(keys[group], found.column.labels[code]): count for group, code, count in labelled})
    columns = zip(*(cells_of(content[name]) for name in groups), strict=True)
    assert own == Counter(zip(columns, cells_of(content["illness"]), strict=True))


def test_equal_combinations_are_added_up_in_the_order_of_their_codes() -> None:
    codes = np.array([2, 0, 2, 1], dtype=np.int32), np.array([1, 1, 1, 0], dtype=np.int32)
    (first, second), counts = ordered_combinations(codes, [3, 2], np.array([5, 1, 7, 2]))
    assert list(zip(first.tolist(), second.tolist(), counts.tolist(), strict=True)) == [
        (0, 1, 1),
        (1, 0, 2),
        (2, 1, 12),
    ]


def test_no_records_have_no_combinations() -> None:
    nothing = MemoryRelation(people(6, records=0)).count(NAMES)
    assert cells(marginal_counts(nothing, ["sex"])) == []
    assert len(counts_within(nothing, ["age", "sex"], "illness").count) == 0


def test_a_combination_begins_where_any_column_changes() -> None:
    codes = [np.array([0, 0, 1, 1], dtype=np.int32), np.array([3, 3, 3, 4], dtype=np.int32)]
    assert group_starts(codes, 4).tolist() == [True, False, True, True]
    assert group_starts([], 3).tolist() == [True, False, False]
