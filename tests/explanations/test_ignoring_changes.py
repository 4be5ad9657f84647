"""An attacker who ignores changed columns is tried where values were changed, and named where it succeeds more."""

import metrics
from metrics import Roles
from metrics.explanations.ignoring_changes import ignoring_changes
from metrics.texts import text
from tests.support.small_tables import table

AGE = ["20", "20", "20", "30"] * 3
JOB = [job for job in "abc" for _ in range(4)]
ILL = ["flu", "flu", "flu", "cold"] * 3


def said(age: list[str], ill: list[str] = ILL) -> str | None:
    """What is said of a release with these ages."""
    original = table({"age": AGE, "job": JOB, "ill": ill})
    card = metrics.score(table({"age": age, "job": JOB, "ill": ill}), Roles(["age", "job"], ["ill"]), original=original)
    return ignoring_changes(card)


def test_who_ignores_exchanged_ages_learns_more() -> None:
    # The only released record with a person's age and job is that of somebody with another illness.
    assert said(["40", "40", "40", "20"] * 3) == (
        "An attacker who ignores age guesses ill correctly for 75% of people and finds the records of 25% of people."
    )


def test_certain_guesses_are_counted_with_how_many_of_them_are_right() -> None:
    guessed = text("attack.ignoring.certain", column="ill", certain=1 / 3, right=1.0, baseline=1.0)
    assert guessed in str(said(["40", "40", "40", "20"] * 3, ["flu"] * 4 + ILL[4:]))


def test_unchanged_tables_have_nothing_to_ignore() -> None:
    assert said(AGE) is None
    assert said(["*"] * 12) is None
