"""Which texts are numbers, and in which order values stand."""

import numpy as np
import pytest

from metrics.tables.values import canonical_order, parse_number, parse_numbers


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1", 1), ("-1.50", -1.5), ("+2", 2), (".5", 0.5), ("5.", 5), ("1e3", 1000), ("1E-2", 0.01), ("00123", 123),
        ("-0", 0), ("", None), (None, None), ("None", None), ("NaN", None), ("inf", None), ("1e999", None),
        ("1,5", None), ("1 000", None), ("0x10", None), ("1_000", None), ("١٢", None), ("1.2.3", None), ("-", None),
        ("1e", None), ("12%", None), ("2020-01-01", None), ("5e-324", 5e-324), ("1e+00007", 1e7),
        ("1e-999999999", None), ("0e-999999999", None), ("0E999999999", None),
    ],
)  # fmt: skip
def test_numbers_with_a_decimal_point_are_parsed(text: str | None, number: float | None) -> None:
    assert parse_number(text) == number


@pytest.mark.parametrize(
    ("text", "number"), [("1,5", 1.5), ("-,5", -0.5), ("15", 15), ("1.5", None), ("1.234,5", None), ("1,2,3", None)]
)
def test_numbers_with_a_decimal_comma_are_parsed(text: str, number: float | None) -> None:
    assert parse_number(text, ",") == number


def test_labels_are_numbers_only_if_all_of_them_are() -> None:
    assert parse_numbers([]) is None
    assert parse_numbers(["1", "x"]) is None
    assert parse_numbers(["1", None]) is None
    numbers = parse_numbers(["2", "1.0"])
    assert numbers is not None
    assert numbers.tolist() == [2, 1]


def test_texts_are_ordered_by_the_numbers_they_contain() -> None:
    labels = ["b", "10-14", "a10", None, "5-9", "a9", "", "B", "a09"]
    order = canonical_order(labels, None)
    assert [labels[i] for i in order] == [None, "", "5-9", "10-14", "B", "a09", "a9", "a10", "b"]


def test_equal_numbers_are_ordered_by_their_text() -> None:
    labels = ["1.0", "01", "1", "0.5"]
    order = canonical_order(labels, np.array([1, 1, 1, 0.5]))
    assert [labels[i] for i in order] == ["0.5", "01", "1", "1.0"]
