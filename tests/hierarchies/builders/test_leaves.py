"""Hierarchies are assembled of a column's values, their labels and the root."""

import pytest

from metrics.errors import InputError
from metrics.hierarchies.builders.leaves import build_hierarchy, first_line, hierarchy_name, values_of
from tests.hierarchies.builders.columns import column


def test_the_values_that_need_a_leaf_are_told_once_and_in_reading_order() -> None:
    assert values_of(column("10", "9", "*", "10")) == ["9", "10"]
    assert sorted(values_of(column("a", None, "", "a"))) == ["", "a"]


def test_a_column_of_no_values_is_refused() -> None:
    for empty in (column(), column("*", "*")):
        with pytest.raises(InputError) as refused:
            values_of(empty)
        assert refused.value.column == "q"


def test_rows_lead_from_each_value_over_its_labels_to_the_root() -> None:
    made = build_hierarchy(column("31", "45", None), {"45": ["40-49"], "31": ["30-39"]}, False, "number")
    assert made.rows == (("45", "40-49", "*"), ("31", "30-39", "*"), ("", "", "*"))
    assert made.name == hierarchy_name(column("31")) == "q.csv"


def test_values_without_labels_are_refused_or_left_unchanged() -> None:
    of, labels = column("31", "old", "old", "young"), {"31": ["30-39", "20-39"]}
    with pytest.raises(InputError) as refused:
        build_hierarchy(of, labels, False, "number")
    assert (refused.value.row, refused.value.column) == (3, "q")
    assert "2 values" in refused.value.problem
    assert "old" not in str(refused.value)
    made = build_hierarchy(of, labels, True, "number")
    assert set(made.rows) == {
        ("31", "30-39", "20-39", "*"),
        ("old", "old", "old", "*"),
        ("young", "young", "young", "*"),
    }


def test_a_value_left_unchanged_that_equals_a_new_label_is_refused() -> None:
    with pytest.raises(InputError) as refused:
        build_hierarchy(column("31", "30-39"), {"31": ["30-39"]}, True, "number")
    assert refused.value.row == 3


def test_the_first_line_of_a_value_counts_the_header() -> None:
    of = column("a", "b", None, "b")
    assert first_line(of, {"a"}) == 2
    assert first_line(of, {"b", ""}) == 3
    assert first_line(of, {""}) == 4
