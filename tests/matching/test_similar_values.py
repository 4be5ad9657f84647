"""Values and columns in another form: found, offered as pairs, and read as the others only if told so."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.hierarchies.hierarchy import Hierarchy
from metrics.matching.similar_values import (
    Pair,
    Rename,
    like_hierarchy,
    like_original,
    like_values,
    renamed_columns,
    uncompared,
    whole_numbers,
)
from metrics.reading import read_table
from metrics.tables.corrections import corrected
from tests.matching.spellings import one


@pytest.mark.parametrize(
    ("value", "target", "reason"),
    [
        ("1.0", "1", "number format"),
        ("01", "1", "number format"),
        ("1e0", "1", "number format"),
        ("New  York", "New York", "blanks"),
        ("NewYork", "New York", "blanks"),
        ("ROME", "Rome", "letter case"),
        ("Zoe\u0308", "Zo\u00eb", "Unicode form"),
        ("\uff21", "A", "Unicode form"),
        ("Lo\u200bndon", "London", "Unicode form"),
        ("\u202eRome", "Rome", "Unicode form"),
    ],
)
def test_spellings_of_the_same_value_are_matched_with_the_reason(value: str, target: str, reason: str) -> None:
    assert like_values(one(value)["q"], [target, "other"]) == [Pair(value, target, reason)]


def test_columns_of_too_many_values_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrics.matching.similar_values._MAX_VALUES", 2)
    original, other = one("1", "2", "3"), one("01", "2", "3")
    assert like_original(original, other) == {}
    assert uncompared(original, other) == ["q"]
    assert uncompared(original, original) == []


def test_ambiguous_and_different_values_are_not_matched() -> None:
    assert like_values(one("a", "*", "")["q"], ["b", "A ", "a"]) == []
    assert like_values(one("A")["q"], ["a", "\uff41"]) == []
    assert like_values(one("10-20")["q"], ["10 - 2"]) == []


def test_values_are_matched_to_the_original_column_and_to_a_hierarchy() -> None:
    original, anonymized = one("Rome", "1"), one("rome", "1.0")
    pairs = like_original(original, anonymized)["q"]
    assert {(pair.value, pair.target) for pair in pairs} == {("rome", "Rome"), ("1.0", "1")}
    hierarchy = Hierarchy([["Rome", "Italy", "*"], ["1", "x", "*"]])
    assert [pair.target for pair in like_hierarchy(anonymized["q"], hierarchy)] == ["1", "Rome"]


def test_renamed_columns_are_found_by_their_contents_or_similar_names() -> None:
    original = read_table(b"age,city,id\n1,Rome,7\n2,Oslo,8\n")
    by_contents = read_table(b"id,x,years\n7,Rome,1\n8,*,2\n")
    assert renamed_columns(original, by_contents) == [
        Rename("x", "city", "equal contents"),
        Rename("years", "age", "equal contents"),
    ]
    by_name = read_table(b"Age,city,id\n0-5,Rome,7\n0-5,Oslo,8\n")
    assert renamed_columns(original, by_name) == [Rename("Age", "age", "similar names")]
    assert renamed_columns(original, original) == []


@given(
    st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=5), min_size=1, max_size=6)
)
def test_no_value_of_a_column_is_matched_to_another_of_the_same_column(cells: list[str]) -> None:
    table = read_table(pd.DataFrame({"q": cells}))
    assert like_values(table["q"], table["q"].labels) == []


def test_whole_numbers_with_decimals_are_matched_to_those_without() -> None:
    original = one("34", "35", "*", "")
    assert whole_numbers(original, one("34.0", "*", "36.00", "35", "3.5")) == {
        "q": [Pair("34.0", "34", "number format"), Pair("36.00", "36", "number format")]
    }
    accepted = [("q", pair.value, pair.target) for pair in whole_numbers(original, one("34.0", "35.0"))["q"]]
    assert corrected(one("34.0", "35.0"), same_values=accepted)["q"].labels == ["34", "35"]
    assert whole_numbers(original, one("34", "35")) == {}
    # Codes and other numbers are not whole numbers.
    assert whole_numbers(one("034", "35"), one("35.0")) == whole_numbers(one("3.5"), one("35.0")) == {}
