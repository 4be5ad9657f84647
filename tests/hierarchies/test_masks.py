"""Masks stand for what comparing them with every label, sign by sign, finds."""

import re

from hypothesis import given
from hypothesis import strategies as st

from metrics.hierarchies.masks import masked_labels

SIGNS = st.text("ab.*\n", max_size=4)


def fits(mask: str, labels: list[str | None]) -> list[int]:
    each = re.compile("".join("." if sign == "*" else re.escape(sign) for sign in mask), re.DOTALL)
    exact = [i for i, label in enumerate(labels) if label is not None and each.fullmatch(label)]
    if any("*" not in str(labels[i]) for i in exact) or not mask.endswith("*"):
        return exact
    return [i for i, label in enumerate(labels) if label is not None and label.startswith(mask.rstrip("*"))]


@given(st.lists(SIGNS, max_size=6), st.lists(st.none() | SIGNS, max_size=8))
def test_masks_matched_at_once_equal_those_matched_one_by_one(masks: list[str], labels: list[str | None]) -> None:
    assert masked_labels(masks, labels) == {mask: fits(mask, labels) for mask in masks}


def test_each_star_is_one_sign_or_the_last_any_rest() -> None:
    labels = ["47906", "47903", "4790", None, "48*06"]
    assert masked_labels(["4790*", "479*", "4*906", "48*", "*"], labels) == {
        "4790*": [0, 1],
        "479*": [2],
        "4*906": [0],
        "48*": [4],
        "*": [0, 1, 2, 4],
    }


def test_labels_that_are_themselves_masks_are_covered() -> None:
    assert masked_labels(["a**", "ab*"], ["a**", "ab*"]) == {"a**": [0, 1], "ab*": [1]}
    assert masked_labels(["1*"], ["1*", "11*", "2*"]) == {"1*": [0, 1]}
