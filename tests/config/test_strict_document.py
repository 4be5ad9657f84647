"""Values of a parsed file are of the wanted type, or refused with the path of their key."""

from collections.abc import Callable
from typing import Any

import pytest

from metrics.config.strict_document import StrictDocument, quoted_key
from metrics.errors import InputError
from tests.support.counted_text import CountedText, counted_texts


class Letter(StrictDocument):
    whole = "the letter"


LETTER = Letter("letter.json")


def test_values_of_the_wanted_type_are_given_back() -> None:
    assert LETTER.mapping({"to": 1}, "", ["to", "from"]) == {"to": 1}
    assert LETTER.mapping({"anything": 1}, "body", None) == {"anything": 1}
    assert LETTER.list_of([1], "body") == [1]
    assert LETTER.text("é", "to") == "é"
    assert (LETTER.optional_text(None, "to"), LETTER.optional_text("a", "to")) == (None, "a")
    assert LETTER.texts(["a", "b"], "to") == ("a", "b")


@pytest.mark.parametrize(
    ("read", "value"),
    [
        (lambda value: LETTER.mapping(value, "to", None), ["a"]),
        (lambda value: LETTER.list_of(value, "to"), "a"),
        (lambda value: LETTER.text(value, "to"), 1),
        (lambda value: LETTER.text(value, "to"), None),
        (lambda value: LETTER.optional_text(value, "to"), False),
        (lambda value: LETTER.texts(value, "to"), ["a", 1]),
        (lambda value: LETTER.text(value, "to"), "\ud800"),  # no text of any encoding
    ],
)
def test_values_of_another_type_are_refused_by_the_path_of_their_key(read: Callable[[Any], object], value: Any) -> None:
    with pytest.raises(InputError) as refused:
        read(value)
    assert refused.value.file == "letter.json"
    assert '"to"' in refused.value.problem
    assert refused.value.remedy


def test_a_whole_file_that_is_no_object_is_called_by_its_name() -> None:
    with pytest.raises(InputError, match="the letter"):
        LETTER.mapping("text", "", None)


def test_an_unknown_key_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(InputError) as refused:
        LETTER.mapping({"to": 1, "form": 2}, "head", ["to", "from"])
    assert '"form"' in refused.value.problem
    assert '"head"' in refused.value.problem
    assert "to, from" in refused.value.remedy


def test_a_long_key_is_cut_in_messages() -> None:
    assert quoted_key("short") == '"short"'
    assert len(quoted_key("k" * 500)) < 100


def test_keys_are_looked_up_and_not_searched() -> None:
    names = counted_texts(1_000)
    LETTER.mapping(dict.fromkeys(names), "to", [str(name) for name in names])
    assert CountedText.comparisons < 5 * len(names)
