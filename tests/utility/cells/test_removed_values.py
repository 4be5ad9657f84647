"""Values that all their records lose are found; a column that keeps nothing has none of its own."""

import numpy as np

from metrics.utility.cells.removed_values import removed_summary, removed_values

LABELS = ["young", "middle", "old", "oldest"]


def test_values_without_a_kept_record_are_removed() -> None:
    found = removed_values("age", LABELS, np.array([40, 30, 20, 10]), np.array([40, 29, 20, 0]))
    assert found is not None
    assert (found.values, found.records) == (("young", "old"), 60)
    assert found.summary() == ("2 of 4 values of age (young and old) are suppressed in every record (60 records).")


def test_a_column_that_keeps_nothing_and_rare_values_are_not_named() -> None:
    assert removed_values("age", LABELS, np.array([40, 30, 20, 10]), np.array([40, 30, 20, 10])) is None
    assert removed_values("age", LABELS, np.array([400, 300, 300, 4]), np.array([0, 0, 0, 4])) is None
    rare_too = removed_values("age", LABELS, np.array([400, 300, 300, 4]), np.array([400, 0, 0, 4]))
    assert rare_too is not None
    assert (rare_too.values, rare_too.rare, rare_too.records) == (("young",), 1, 404)
    assert removed_values("age", LABELS, np.array([5, 5, 0, 0]), np.array([0, 4, 0, 0])) is None


def test_an_empty_cell_is_no_value_that_could_be_lost() -> None:
    for empty in ("", None):
        assert removed_values("pay", ["1", "2", empty], np.array([5, 5, 5]), np.array([0, 0, 5])) is None
        found = removed_values("pay", ["1", "2", empty], np.array([5, 5, 5]), np.array([5, 0, 0]))
        assert found is not None
        assert (found.values, found.distinct) == (("1",), 2)


def test_the_column_that_loses_most_is_named_and_many_values_are_counted() -> None:
    few = removed_values("sex", ["f", "m"], np.array([1, 9]), np.array([1, 0]))
    many = removed_values("age", [str(year) for year in range(10)], np.full(10, 5), np.r_[np.full(6, 5), np.zeros(4)])
    assert few is not None
    assert many is not None
    assert removed_summary([few, many]) == (
        "6 of 10 values of age, among them 0, 1 and 2, are suppressed in every record (30 records)."
    )
    assert removed_summary([]) is None


def test_values_that_few_people_have_are_counted_and_never_named() -> None:
    labels = ["usual", *(str(age) for age in range(90, 100))]
    found = removed_values("age", labels, np.array([9_000, *[9] * 10]), np.array([0, *[9] * 10]))
    assert found is not None
    assert found.summary() == ("10 of 11 values of age are suppressed in every record (90 records).")
