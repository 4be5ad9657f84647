"""Values and columns in another form: found, offered as pairs, and read as the others only if told so."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metrics
from metrics import InputError
from metrics.hierarchy import Hierarchy
from metrics.matching_values import (
    Pair,
    Rename,
    like_hierarchy,
    like_original,
    like_values,
    renamed_columns,
    resolved,
    uncompared,
)
from metrics.reading import read_table


def one(*cells: str) -> metrics.Table:
    return read_table(("q,n\n" + "".join(f'"{cell}",{i}\n' for i, cell in enumerate(cells))).encode())


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
def test_forms(value: str, target: str, reason: str) -> None:
    assert like_values(one(value)["q"], [target, "other"]) == [Pair(value, target, reason)]


def test_columns_of_too_many_values_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrics.matching_values._MOST_VALUES", 2)
    original, other = one("1", "2", "3"), one("01", "2", "3")
    assert like_original(original, other) == {}
    assert uncompared(original, other) == ["q"]
    assert uncompared(original, original) == []


def test_what_is_no_pair() -> None:
    assert like_values(one("a", "*", "")["q"], ["b", "A ", "a"]) == []
    assert like_values(one("A")["q"], ["a", "\uff41"]) == []
    assert like_values(one("10-20")["q"], ["10 - 2"]) == []


def test_columns_and_hierarchies() -> None:
    original, anonymized = one("Rome", "1"), one("rome", "1.0")
    pairs = like_original(original, anonymized)["q"]
    assert {(pair.value, pair.target) for pair in pairs} == {("rome", "Rome"), ("1.0", "1")}
    hierarchy = Hierarchy([["Rome", "Italy", "*"], ["1", "x", "*"]])
    assert [pair.target for pair in like_hierarchy(anonymized["q"], hierarchy)] == ["1", "Rome"]


def test_reading_values_as_others() -> None:
    table = resolved(one("rome", "Rome", "x"), (), [("q", "rome", "Rome")])
    assert table["q"].labels == ["Rome", "x"]
    assert table["q"].counts().tolist() == [2, 1]
    again = read_table(b"Q,n\nrome,1\n", renamed=[("Q", "q")], same_values=[("q", "rome", "Rome")])
    assert again.head(1) == [["Rome", "1"]]
    with pytest.raises(InputError, match="no such column"):
        resolved(table, [("z", "q")])
    with pytest.raises(InputError, match="would have this name"):
        resolved(table, [("n", "q")])


def test_renamed_columns() -> None:
    original = read_table(b"age,city,id\n1,Rome,7\n2,Oslo,8\n")
    by_contents = read_table(b"id,x,years\n7,Rome,1\n8,*,2\n")
    assert renamed_columns(original, by_contents) == [
        Rename("x", "city", "equal contents"),
        Rename("years", "age", "equal contents"),
    ]
    by_name = read_table(b"Age,city,id\n0-5,Rome,7\n0-5,Oslo,8\n")
    assert renamed_columns(original, by_name) == [Rename("Age", "age", "similar names")]
    assert renamed_columns(original, original) == []


@settings(deadline=None)
@given(
    st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=5), min_size=1, max_size=6)
)
def test_a_table_needs_nothing_from_itself(cells: list[str]) -> None:
    pandas = pytest.importorskip("pandas")
    table = read_table(pandas.DataFrame({"q": cells}))
    assert like_values(table["q"], table["q"].labels) == []
