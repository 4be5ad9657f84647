"""Whom several releases of one original disclose together."""

import pandas as pd

import metrics
from metrics.attacks.intersection import intersect_releases
from metrics.config.parameters import Parameters

ORIGINAL = pd.DataFrame({"age": ["31", "32", "33", "34"], "visits": ["1", "2", "3", "4"]})
ROLES = metrics.Roles(quasi_identifiers=["age"], sensitive=["visits"])


def test_numbers_written_in_two_ways_are_one_value() -> None:
    by_text = ["1", "2", "3", "4"]
    by_decimals = ["1.0", "2.0", "3.0", "4.0"]
    plain, written = (_together(first, second) for first, second in ((by_text, by_text), (by_text, by_decimals)))
    assert plain == written == 1


def _together(first: list[str], second: list[str]) -> float:
    """Two releases whose groups overlap in one person each."""
    original = metrics.read_table(ORIGINAL, name="original")
    ages = (["31-32", "31-32", "33-34", "33-34"], ["31", "32-33", "32-33", "34"])
    tables = [ORIGINAL.assign(age=age, visits=visits) for age, visits in zip(ages, (first, second), strict=True)]
    cards = [metrics.score(table, ROLES, original=original) for table in tables]
    return intersect_releases([card.aggregates for card in cards], Parameters()).value
