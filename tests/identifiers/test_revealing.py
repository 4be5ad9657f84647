"""Columns released as they are that give away what the quasi-identifiers hide."""

from collections import Counter
from math import log

import numpy as np
import pytest

import metrics
from metrics.aggregates import TableAggregates
from metrics.explanations.direct_identifiers import columns_to_settle
from tests.support.small_tables import Cells, table

RANDOM = np.random.default_rng(7)
AGES = RANDOM.integers(20, 80, 500).tolist()
AGE: Cells = [str(age) for age in AGES]
GROUP: Cells = [f"{age // 20 * 20}-{age // 20 * 20 + 19}" for age in AGES]
OTHERS: dict[str, Cells] = {
    "birth_year": [str(2026 - age) for age in AGES],
    "decade": [str(age // 10) for age in AGES],
    "group": GROUP,
    "noise": [str(number) for number in RANDOM.integers(0, 60, 500)],
    "unique": [str(number) for number in RANDOM.permutation(500)],
}


def settled(name: str, released: Cells = GROUP) -> str:
    """What is said of an insensitive column beside the ages."""
    original, release = (table({"age": ages, name: OTHERS[name]}) for ages in (AGE, released))
    return " ".join(columns_to_settle(TableAggregates(release, metrics.Roles(["age"]), original)))


def information(name: str) -> float:
    """Share of what the groups hide that a column tells, by hand."""

    def entropy(*columns: Cells) -> float:
        counts = Counter(zip(*columns, strict=True)).values()
        return -sum(count / 500 * log(count / 500) for count in counts)

    unknown = entropy(GROUP, AGE) - entropy(GROUP)
    return 1 - (entropy(GROUP, OTHERS[name], AGE) - entropy(GROUP, OTHERS[name])) / unknown


def test_a_year_of_birth_gives_an_age_group_away() -> None:
    assert information("birth_year") == pytest.approx(1)
    assert "birth_year is tagged insensitive, but gives away" in settled("birth_year")


@pytest.mark.parametrize("name", ["decade", "group", "noise", "unique"])
def test_columns_that_tell_little_more_than_the_labels_or_only_by_chance_are_not_named(name: str) -> None:
    assert "gives away" not in settled(name)


def test_a_column_that_is_not_hidden_is_not_given_away() -> None:
    assert "gives away" not in settled("birth_year", AGE)


def test_without_an_original_nothing_is_compared() -> None:
    release = table({"age": GROUP, "birth_year": OTHERS["birth_year"]})
    assert "gives away" not in " ".join(columns_to_settle(TableAggregates(release, metrics.Roles(["age"]))))
