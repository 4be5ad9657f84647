"""Which values a hierarchy misses, and which leaf each is taken for."""

from collections.abc import Mapping

import pytest

from metrics import Hierarchy, InputError
from metrics.hierarchies.builders import values_without_leaf, with_values
from tests.support.small_tables import table

NUMBERS = Hierarchy([["1", "0-4", "*"], ["3", "0-4", "*"], ["7", "5-9", "*"]])
CODES = Hierarchy([["47677", "476**", "*"], ["10115", "101**", "*"]])
WORDS = Hierarchy(
    [["Never-married", "single", "*"], ["Zürich", "city", "*"], ["Divorced", "single", "*"], ["", "", "*"]]
)


@pytest.mark.parametrize(
    ("hierarchy", "value", "like", "how"),
    [
        (NUMBERS, "1.0", "1", "the same number"),
        (NUMBERS, "01", "1", "the same number"),
        (NUMBERS, "6", "7", "the same label above"),
        (NUMBERS, "12", None, ""),
        (NUMBERS, None, None, ""),
        (CODES, "47602", "47677", "the same label above"),
        (CODES, "10999", None, ""),
        (WORDS, "Zu\u0308rich", "Zürich", "except for the Unicode form"),
        (WORDS, "never-married", "Never-married", "except for letter case"),
        (WORDS, "NEVER MARRIED", "Never-married", "except for blanks and punctuation"),
        (WORDS, "Devorced", "Divorced", "spelling"),
        (WORDS, "Tokyo", None, ""),
    ],
)
def test_a_value_missing_from_a_hierarchy_is_matched_to_the_most_similar_one(
    hierarchy: Hierarchy, value: str | None, like: str | None, how: str
) -> None:
    (found,) = values_without_leaf(hierarchy, table({"q": [value, value, hierarchy.rows[0][0], "*"]})["q"])
    assert (found.value, found.records, found.like, found.how) == (value, 2, like, how)
    if like is not None:
        grown = with_values(hierarchy, {value or "": like})
        assert grown.rows[-1] == (value, *hierarchy.rows[hierarchy.leaf_index[like]][1:])
        assert not values_without_leaf(grown, table({"q": [value]})["q"])


def test_the_most_frequent_come_first() -> None:
    column = table({"q": ["x", "8", "8", "1", "x", "8"]})["q"]
    assert [(found.value, found.records) for found in values_without_leaf(NUMBERS, column)] == [("8", 3), ("x", 2)]


def test_a_value_can_be_a_branch_of_its_own() -> None:
    assert with_values(NUMBERS, {"?": None, "": None}).rows[-2:] == (("?", "?", "*"), ("", "", "*"))
    assert with_values(Hierarchy([["a"]]), {"b": None}).rows == (("a", "*"), ("b", "*"))


@pytest.mark.parametrize(
    ("added", "sentence"),
    [
        ({"1": "3"}, "is already a leaf"),
        ({"2": "no leaf"}, "like one that is not a leaf"),
        ({"0-4": None}, "give every value one parent"),
    ],
)
def test_a_value_that_cannot_be_added_to_a_hierarchy_is_refused_with_the_reason(
    added: Mapping[str, str | None], sentence: str
) -> None:
    hierarchy = Hierarchy([["1", "0-4", "low", "*"], ["3", "0-4", "low", "*"]])
    with pytest.raises(InputError, match=sentence):
        with_values(hierarchy, added)
