"""Whether suppression removes some values more often than others."""

import metrics
from metrics import Roles
from metrics.explanations.suppression import uneven_suppression
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
        "sex f is under-represented: 50% of these records are suppressed (10% of all records)."
    )


def test_even_suppression_and_tables_without_an_original_are_not_remarked() -> None:
    assert said(SEX, AGE) is None
    assert said(["*", "f", "*", "*", "*", "*", "m", "m", "m", "m"], AGE) is None  # half of each
    assert uneven_suppression(metrics.score(table({"sex": SEX, "age": AGE}), Roles(["sex"])).aggregates) is None
