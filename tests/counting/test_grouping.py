"""Counts of merged and deleted classes equal those of the records anew."""

from collections import Counter

import numpy as np
import pytest

import metrics
from metrics.aggregates import TableAggregates
from metrics.counting.grouping import DELETED, Grouping, regroup
from metrics.counting.histograms import Histogram
from tests.support.small_tables import Cells, table


def regrouped(ages: Cells, illnesses: Cells, groups: list[int]) -> Grouping:
    """The classes of these ages put into groups."""
    roles = metrics.Roles(quasi_identifiers=["age"], sensitive=["illness"])
    aggregates = TableAggregates(table({"age": ages, "illness": illnesses}), roles)
    return regroup({"illness": aggregates.histogram("illness")}, aggregates.classes.sizes, np.array(groups))


def cells(histogram: Histogram) -> dict[tuple[int, str | None], int]:
    """How often each value occurs in each group."""
    found = zip(histogram.group.tolist(), histogram.code.tolist(), histogram.count.tolist(), strict=True)
    return {(group, histogram.column.labels[code]): count for group, code, count in found}


@pytest.mark.parametrize("seed", range(5))
def test_merged_classes_have_the_counts_of_their_records(seed: int) -> None:
    random = np.random.default_rng(seed)
    ages, illnesses = random.integers(20, 30, 80).astype(str).tolist(), random.choice(list("abc"), 80).tolist()
    names = sorted(set(ages))
    groups = random.integers(DELETED, 4, len(names)).tolist()
    found = regrouped(ages, illnesses, groups)
    numbers = {old: new for new, old in enumerate(sorted(set(groups) - {DELETED}))}
    group_of = {age: numbers.get(group, DELETED) for age, group in zip(names, groups, strict=True)}
    assert found.group_of_class.tolist() == [group_of[age] for age in names]
    own = [(group_of[age], illness) for age, illness in zip(ages, illnesses, strict=True) if group_of[age] != DELETED]
    sizes = Counter(group for group, _ in own)
    assert found.sizes.tolist() == [sizes[group] for group in range(len(numbers))]
    assert cells(found.histograms["illness"]) == Counter(own)


def test_groups_are_numbered_without_gaps_whatever_their_numbers() -> None:
    found = regrouped(["20", "30", "40"], ["flu", "flu", "cold"], [70, 5, 70])
    assert found.group_of_class.tolist() == [1, 0, 1]
    assert found.sizes.tolist() == [1, 2]
    assert cells(found.histograms["illness"]) == {(0, "flu"): 1, (1, "flu"): 1, (1, "cold"): 1}


def test_nothing_is_left_where_every_class_is_deleted() -> None:
    found = regrouped(["20", "30"], ["flu", "cold"], [DELETED, DELETED])
    assert found.group_of_class.tolist() == [DELETED, DELETED]
    assert len(found.sizes) == 0
    assert cells(found.histograms["illness"]) == {}
