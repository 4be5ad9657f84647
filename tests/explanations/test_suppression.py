"""Whether suppression removes some values more often than others."""

import numpy as np
import pytest

import metrics
from metrics import Roles
from metrics.explanations.suppression import removed_groups, uneven_suppression
from tests.support.small_tables import table

SEX = ["f", "f", "m", "m", "m", "m", "m", "m", "m", "m"]
AGE = [str(20 + number % 2) for number in range(10)]


def said(sex: list[str], age: list[str]) -> str | None:
    """What is said of a released table."""
    original = table({"sex": SEX, "age": AGE})
    card = metrics.score(table({"sex": sex, "age": age}), Roles(["sex", "age"]), original=original)
    return uneven_suppression(card.aggregates)


def test_a_value_that_all_its_records_lose_is_named() -> None:
    assert said(["*", "*", *SEX[2:-1], "*"], AGE) == (
        "1 of 2 values of sex (f) is suppressed in every record (2 records)."
    )


def test_the_value_that_is_suppressed_most_often_is_named() -> None:
    assert said(["*", *SEX[1:]], AGE) == (
        "sex f is under-represented: 50% of these records are suppressed, against 10% of all records."
    )


def test_even_suppression_and_tables_without_an_original_are_not_remarked() -> None:
    assert said(SEX, AGE) is None
    assert said(["*", "f", "*", "*", "*", "*", "m", "m", "m", "m"], AGE) is None  # half of each
    assert uneven_suppression(metrics.score(table({"sex": SEX, "age": AGE}), Roles(["sex"])).aggregates) is None


@pytest.mark.parametrize("deletes", [False, True])
def test_groups_of_several_columns_that_lose_every_record_are_named_the_largest_first(deletes: bool) -> None:
    """All seven old widows, and six men in ward b; other widows, old people, men and records of ward b are left."""
    people = [("f", "old", "a", "widowed")] * 7 + [("m", "young", "b", "single")] * 6
    people += [
        ("f", "young", "a", "widowed"),
        ("f", "old", "b", "single"),
        ("m", "young", "a", "single"),
        ("m", "old", "a", "single"),
    ] * 4
    names = ["sex", "age", "ward", "status"]
    original = table(
        {**dict(zip(names, zip(*people, strict=True), strict=True)), "id": [*map(str, range(len(people)))]}
    )
    released = original.take(np.arange(13, len(people))) if deletes else None
    if released is None:
        cells = [("*",) * 4] * 13 + people[13:]
        released = table({**dict(zip(names, zip(*cells, strict=True), strict=True)), "id": original["id"].labels})
    roles = Roles(names, identifiers=["id"], key="id")
    card = metrics.score(released, roles, original=original, metrics=["k_anonymity"])
    assert removed_groups(card.aggregates) == (
        "No record is left with age old and status widowed (7 suppressed); sex m and ward b (6 suppressed)."
    )
