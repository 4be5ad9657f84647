"""The original beside the anonymized table: what can be matched, what is missing, and why there are no pairs."""

from collections import Counter

import pytest

import metrics
from metrics.aggregates import TableAggregates
from metrics.aggregates.comparison import Comparison
from metrics.errors import Unavailable
from tests.support.small_tables import Cells, table


def compared(before: Cells | None, after: Cells, **roles: str) -> Comparison:
    """The comparison of two tables of ages, their records known by a number."""

    def numbered(ages: Cells) -> metrics.Table:
        return table({"id": [str(number) for number in range(len(ages))], "age": ages})

    original = None if before is None else numbered(before)
    chosen = metrics.Roles(quasi_identifiers=["age"], **roles)
    return TableAggregates(numbered(after), chosen, original).comparison


def test_pairs_are_those_of_matched_records() -> None:
    found = compared(["31", "35", "42"], ["30-39", "30-39", "*"]).pair("age")
    before, after = ([of.labels[code] for code in codes] for of, codes in zip(found.columns, found.codes, strict=True))
    pairs = Counter(dict(zip(zip(before, after, strict=True), found.counts.tolist(), strict=True)))
    assert pairs == Counter([("31", "30-39"), ("35", "30-39"), ("42", "*")])


def test_records_without_a_counterpart_are_deleted() -> None:
    by_key = compared(["31", "35", "42"], ["31", "35"], key="id")
    assert (by_key.unmatched, by_key.deleted, by_key.removed) == (None, 1, 1)
    assert by_key.tally is not None


def test_tables_that_cannot_be_matched_have_no_pairs_but_removed_records() -> None:
    by_position = compared(["31", "35", "42"], ["31", "35"])
    assert by_position.unmatched is not None
    assert (by_position.matching, by_position.tally) == (None, None)
    assert (by_position.deleted, by_position.removed) == (0, 1)
    with pytest.raises(Unavailable):
        by_position.pair("age")
    assert compared(["31"], ["31", "35"]).removed == 0


def test_without_an_original_nothing_is_compared() -> None:
    alone = compared(None, ["31", "35"])
    assert alone.unmatched is not None
    assert (alone.matching, alone.refusal, alone.removed, alone.deleted) == (None, None, None, 0)
    for ask in (lambda: alone.pair("age"), lambda: alone.original_classes, lambda: alone.original_class_sizes):
        with pytest.raises(Unavailable):
            ask()


def test_the_classes_of_the_original_are_those_of_all_its_records() -> None:
    found = compared(["31", "31", "35"], ["30-39", "30-39", "30-39"])
    assert sorted(found.original_classes.sizes.tolist()) == [1, 2]
    assert found.original_class_sizes.rows == 3
    assert found.original_combinations.counts.sum() == 3
