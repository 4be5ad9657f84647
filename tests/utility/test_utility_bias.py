"""Utility bias: every statistic against Python's own, by hand, and functions of one's own."""

import statistics
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Hierarchy, Parameters, Roles, Scorecard, Table, score
from metrics.scoring.scorecard import Score
from metrics.scoring.working import working
from metrics.utility.utility_bias.measure import bias
from tests.support.small_tables import Cells, cells_of, table, written
from tests.working.formulas import assert_sound


def test_worked_example() -> None:
    original, released = written("age\n20\n30\n40\n50"), written("age\n20-29\n30\n*\n50")
    found = score(released, Roles(["age"]), original=original)["utility_bias"]
    # The mean changes; a suppressed number is left out.
    assert found.value == pytest.approx(abs((24.5 + 30 + 50) / 3 - (20 + 30 + 40 + 50) / 4))


AGES: dict[str, Cells] = {"age": ["20", "30", "40", "50"], "sex": ["f", "m", "f", "f"], "pay": ["1", "2", "3", "9"]}
WIDER: dict[str, Cells] = {"age": ["20-29", "30", "*", "old"], "sex": ["f", "*", "f", "m"], "pay": ["1", "2", "3", "9"]}


def card_of(before: dict[str, Cells], after: dict[str, Cells], **settings: Any) -> Scorecard:
    roles = Roles(quasi_identifiers=["age", "sex"], sensitive=["pay"])
    parameters = Parameters().with_settings({f"utility_bias.{name}": value for name, value in settings.items()})
    return score(
        table(after),
        roles,
        original=table(before),
        parameters=parameters,
        metrics=["utility_bias", "distribution_distance"],
    )


def checked(card: Scorecard) -> Score:
    """The score, once its working is known to end in it."""
    made = working(card, "utility_bias")
    assert made.result == card["utility_bias"].value
    assert_sound(made)
    return card["utility_bias"]


def test_the_bias_of_means_leaves_out_cells_without_a_number() -> None:
    found = checked(card_of(AGES, WIDER))
    # (24.5 + 30) / 2 for 35; the cell without a number and the suppressed one are left out.
    assert found.attributes == {"age": pytest.approx(7.75), "pay": 0}
    assert found.value == pytest.approx(7.75)
    assert found.details["before"] == {"age": 35, "pay": 3.75}
    assert found.details["after"] == {"age": pytest.approx(27.25), "pay": 3.75}
    assert found.details["left_out_after"] == {"age": 2, "pay": 0}
    assert (found.details["bound"], found.details["fulfilled"]) == (1, False)
    assert all(part in found.summary() for part in ("mean of age", "from 35 to 27.2", "exceeds the bound of 1"))
    assert checked(card_of(AGES, WIDER, bound=8)).details["fulfilled"] is True


def test_a_change_is_rounded_unless_it_would_vanish() -> None:
    slight = card_of(AGES, {**AGES, "age": [*AGES["age"][:3], "50.04"]})["utility_bias"]
    assert "mean of age changed from 35 to 35.01, " in slight.summary()


def test_the_bias_of_medians_is_the_difference_of_the_medians() -> None:
    found = checked(card_of(AGES, {**AGES, "pay": ["1", "2", "8", "9"]}, statistic="median"))
    assert found.attributes == {"age": 0, "pay": 2.5}


def test_the_bias_of_counts_and_shares_equals_that_by_hand() -> None:
    found = checked(card_of(AGES, WIDER, statistic="count", column="sex", label="f"))
    assert (found.details["before"], found.details["after"], found.value) == ({"sex": 3}, {"sex": 2}, 1)
    share = checked(card_of(AGES, WIDER, statistic="share", column="sex", label="m", bound=0))
    assert (share.value, share.details["fulfilled"]) == (0, True)
    assert "unchanged, which is within" in share.summary()
    # Without a label: cells that hold a value at all; a text in a column of numbers holds none.
    every = checked(card_of(AGES, WIDER, statistic="share"))
    assert every.attributes == {"age": 0.5, "sex": 0.25, "pay": 0}


def test_the_bias_of_correlations_needs_two_numeric_columns() -> None:
    found = checked(card_of(AGES, {**AGES, "age": AGES["age"][::-1]}, statistic="correlation", other="pay"))
    before = statistics.correlation([20, 30, 40, 50], [1, 2, 3, 9])
    assert found.attributes == {"age": pytest.approx(2 * before)}
    reasons = {
        "": "no second column is chosen for the correlation",
        "sex": '"sex" contains no numbers',
        "height": '"height", the column of the statistic, is not in both tables',
    }
    for other, reason in reasons.items():
        assert card_of(AGES, WIDER, statistic="correlation", other=other)["utility_bias"].unavailable == reason


def test_without_numbers_before_and_after_the_bias_has_a_reason() -> None:
    assert card_of(AGES, WIDER, column="sex")["utility_bias"].unavailable == '"sex" contains no numbers'
    words: dict[str, Cells] = {name: ["a", "b"] for name in AGES}
    assert card_of(words, words)["utility_bias"].unavailable == "no column contains numbers"
    gone: dict[str, Cells] = {name: ["*"] * 4 for name in AGES}
    assert card_of(AGES, gone)["utility_bias"].unavailable == "no column has a mean both before and after"
    found = checked(card_of(AGES, {**WIDER, "age": ["*"] * 4}))
    assert (found.value, found.attributes["age"], found.details["fulfilled"]) == (0, None, False)
    assert "can no longer be computed for 1 column" in found.summary()
    huge = card_of({name: ["1e308", "-1e308"] for name in AGES}, {name: ["-1e308", "-1e308"] for name in AGES})
    assert huge["utility_bias"].value == pytest.approx(1e308)


def test_the_bias_of_tables_of_different_lengths_is_computed() -> None:
    original, anonymized = written("id age\n1 20\n2 30\n3 70"), written("id age\n1 20\n2 30")
    for key in (None, "id"):
        roles = Roles(quasi_identifiers=["age"], identifiers=["id"], key=key)
        found = score(anonymized, roles, original=original)["utility_bias"]
        assert found.value == 15
        assert found.details["left_out_after"] == {"age": 0}


def test_columns_of_very_many_values_are_asked_only_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrics.utility.distribution_distance.measure._MAX_VALUES", 3)
    after: dict[str, Cells] = {**AGES, "pay": ["1", "2", "8", "9"]}
    default = card_of(AGES, after)
    assert set(default["utility_bias"].attributes) == {"age"}
    assert set(default["distribution_distance"].attributes) == {"age", "sex"}
    assert "more than 3 distinct values" in default["distribution_distance"].details["left_out"]["pay"]
    assert set(card_of(AGES, after, column="pay")["utility_bias"].attributes) == {"pay"}


def test_labels_of_a_hierarchy_count_by_their_leaves() -> None:
    tree = Hierarchy([["20", "young", "*"], ["30", "young", "*"], ["70", "old", "*"]])
    roles = Roles(quasi_identifiers=["age"])
    card = score(written("age\nyoung\n30\nold"), roles, original=written("age\n20\n30\n70"), hierarchies={"age": tree})
    assert card["utility_bias"].value == pytest.approx(5 / 3)


def test_the_bias_of_any_function_of_a_table_can_be_computed() -> None:
    def women(content: Table) -> float:
        return cells_of(content["sex"]).count("f")

    found = bias(women, table(AGES), table(WIDER))
    assert (found.before, found.after, found.difference) == (3, 2, 1)
    assert found.within(1)
    assert not found.within(0.5)
    frames = pd.DataFrame({"x": [1.0, 2.0]}), pd.DataFrame({"x": [float("nan")] * 2})
    unknown = bias(lambda frame: frame["x"].mean(), *frames)
    assert (unknown.before, unknown.after, unknown.difference) == (1.5, None, None)
    assert not unknown.within(1e9)


@given(
    st.lists(st.integers(-50, 50), min_size=1, max_size=20),
    st.lists(st.integers(-50, 50), min_size=1, max_size=20),
    st.sampled_from(["mean", "median"]),
)
def test_means_and_medians_are_those_of_the_standard_library(before: list[int], after: list[int], name: str) -> None:
    roles = Roles(quasi_identifiers=["q"])
    parameters = Parameters().with_settings({"utility_bias.statistic": name})
    tables = (table({"q": [str(number) for number in cells]}) for cells in (after, before))
    anonymized, original = tables
    found = score(anonymized, roles, original=original, parameters=parameters)["utility_bias"]
    function = getattr(statistics, name)
    assert found.value == pytest.approx(abs(function(after) - function(before)), abs=1e-9)
