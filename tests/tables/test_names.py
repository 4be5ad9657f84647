"""Columns have names that are trimmed, never empty and all different."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.tables.names import unique_names


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["age", "sex"], ["age", "sex"]),
        ([" age ", "sex\t"], ["age", "sex"]),
        (["", "age", "  "], ["column 1", "age", "column 3"]),
        (["age", "age", "age"], ["age", "age (2)", "age (3)"]),
        (["age", "age", "age (2)"], ["age", "age (3)", "age (2)"]),  # a name of its own is kept
        (["column 2", ""], ["column 2", "column 2 (2)"]),
        ([], []),
    ],
)
def test_names_are_made_unique(names: list[str], expected: list[str]) -> None:
    assert unique_names(names)[0] == expected


def test_many_columns_of_one_name_take_no_quadratic_time() -> None:
    found, _ = unique_names(["a"] * 100_000)
    assert found[-1] == "a (100000)"


def test_columns_left_out_take_no_name_and_keep_their_position() -> None:
    assert unique_names(["age", "age", ""], omitted=[1])[0] == ["age", "column 3"]
    assert unique_names(["age", "age"], omitted=[1, 2]) == ([], ())


def test_only_changed_names_are_noted() -> None:
    assert unique_names([" age", "sex"])[1] == ()
    unnamed, repeated = unique_names(["", "age", "age"])[1]
    assert "column 1" in unnamed
    assert "age (2)" in repeated


@given(st.lists(st.sampled_from(["", " ", "a", "a ", "a (2)", "a (3)", "column 1", "column 2"]), max_size=8))
def test_every_column_has_a_name_of_its_own_and_good_ones_stay(names: list[str]) -> None:
    found, _ = unique_names(names)
    assert len(set(found)) == len(found) == len(names)
    assert all(found)
    assert {name.strip() for name in names} - {""} <= set(found)
