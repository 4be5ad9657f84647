"""pMSE: against the closed form of saturated models, by hand, and at its edges."""

import random
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Hierarchy, Roles, score
from metrics.scoring.scorecard import Score
from metrics.texts import text
from metrics.utility.propensity import value_groups
from tests.oracle import perturbation as oracle
from tests.support.small_tables import Cells, records, table, written


def test_worked_example() -> None:
    original, released = written("letter\n" + "a\n" * 2 + "b\n" * 6), written("letter\n" + "a\n" * 6 + "b\n" * 2)
    found = score(released, Roles(["letter"]), original=original, metrics=["pmse"])["pmse"]
    # Of 8 records of a, 6 are released, of 8 of b, 2: a model gives them 3/4 and 1/4.
    assert found.value == pytest.approx(((3 / 4 - 1 / 2) ** 2 + (1 / 4 - 1 / 2) ** 2) / 2, rel=1e-4)
    # What chance gives a model of one coefficient besides the intercept, of 16 records half of which are released.
    assert (found.details["coefficients"], found.details["expected"]) == (1, pytest.approx((1 / 2) ** 3 / 16))
    assert found.details["ratio"] == pytest.approx(8, rel=1e-4)


ID = "pmse"


def scored(before: dict[str, Cells], after: dict[str, Cells], **given: object) -> Score:
    return score(table(after), Roles(list(before)), original=table(before), metrics=[ID], **given)[ID]  # type: ignore[arg-type]


def test_a_table_cannot_be_distinguished_from_itself_in_any_order() -> None:
    before: dict[str, Cells] = {"q": [*"abcabcab"], "n": ["1", "5", None, "7", "9", "2", "2", "8"]}
    order = random.Random(3).sample(range(8), 8)
    shuffled = {name: [cells[i] for i in order] for name, cells in before.items()}
    for after in (before, shuffled):
        found = scored(before, after)
        assert found.value == pytest.approx(0, abs=1e-12)
        assert found.summary() == text("pmse.none")
    constant = scored({"q": ["a"] * 3}, {"q": ["a"] * 5})
    assert (constant.value, constant.details["ratio"]) == (pytest.approx(0, abs=1e-9), None)


def test_relations_between_columns_tell_records_apart() -> None:
    """Every column alone is as before, and together they always differ."""
    found = scored({"q": [*"aabb"] * 5, "r": [*"xxyy"] * 5}, {"q": [*"aabb"] * 5, "r": [*"yyxx"] * 5})
    assert found.details["pairs_of_columns"]
    assert found.value == pytest.approx(0.25, abs=1e-3)
    alone = scored({"q": [*"aabb"] * 5}, {"q": [*"aabb"] * 5})
    assert alone.value == pytest.approx(0, abs=1e-12)


def test_pairs_are_left_out_where_they_are_too_many() -> None:
    before: dict[str, Cells] = {name: [f"{name}{i}" for i in range(21)] for name in "qr"}
    assert not scored(before, before).details["pairs_of_columns"]


def test_numbers_and_rare_values_are_put_into_groups() -> None:
    def groups(before: Cells, after: Cells) -> tuple[list[list[int]], int]:
        found, width = value_groups(table({"q": before})["q"], table({"q": after})["q"])
        return [np.asarray(one).tolist() for one in found], width

    tens: Cells = [str(i) for i in range(10)]
    assert groups(tens, ["-5", "1.5", "2", "9.5", "*"]) == ([[0, 0, 1, 1, 2, 2, 3, 3, 4, 4], [0, 0, 1, 4, 5]], 6)
    words = [f"w{i:02}" for i in range(25)]
    (first, second), width = groups(words, ["w24", "w24", "w03", "new"])
    # Only w24 and w03 are frequent; of the others the first by name are told apart.
    assert (second[:3], width) == ([0, 0, 1], 21)
    assert sum(group == 20 for group in [*first, second[3]]) == 26 - 20


def test_large_tables_are_sampled_whatever_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrics.utility.propensity._MAX_RECORDS", 50)
    lot = random.Random(5)
    before: dict[str, Cells] = {"q": [lot.choice("abc") for _ in range(200)]}
    after: dict[str, Cells] = {"q": [lot.choice("aab") for _ in range(120)]}
    found = scored(before, after)
    assert (found.details["original_records"], found.details["released_records"]) == (50, 50)
    turned = scored({"q": before["q"][::-1]}, {"q": after["q"][::-1]})
    assert turned.value == pytest.approx(found.value)


def test_generalized_tables_and_those_without_scikit_learn_have_no_pmse(monkeypatch: pytest.MonkeyPatch) -> None:
    before: dict[str, Cells] = {"q": ["a", "b"], "age": ["31", "42"]}
    tree = {"q": Hierarchy([["a", "AB", "*"], ["b", "AB", "*"]])}
    wide = scored(before, {"q": ["AB", "b"], "age": ["30-39", "40-49"]}, hierarchies=tree)
    assert wide.unavailable == "exact values are compared, but age and q are generalized or suppressed"
    # A suppressed cell tells a record from the original ones, as any other value does.
    assert scored(before, {"q": ["*", "b"], "age": ["*", "41"]}).value is not None
    for name in ("sklearn", "sklearn.exceptions", "sklearn.linear_model"):
        monkeypatch.setitem(sys.modules, name, None)
    assert "pip install 'quasi[accuracy]' installs it" in str(scored(before, before).unavailable)


def test_a_propensity_model_that_does_not_converge_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrics.utility.propensity._MAX_STEPS", 1)
    assert not scored({"q": [*"aabbbbbb"]}, {"q": [*"aaaaaabb"]}).details["settled"]


three = st.sampled_from(["a", "b", "c"])
sides = st.lists(st.tuples(three, three), min_size=1, max_size=30)


@given(sides, sides)
def test_pmse_equals_the_closed_form_of_the_saturated_model(
    old: list[tuple[str, str]], new: list[tuple[str, str]]
) -> None:
    before, after = (dict(zip("qr", map(list, zip(*side, strict=True)), strict=True)) for side in (old, new))
    # A value that the original lacks is taken for a group.
    kept = [row for row in new if row[0] in before["q"] and row[1] in before["r"]] or old
    after = dict(zip("qr", map(list, zip(*kept, strict=True)), strict=True))
    found = scored(before, after)
    expected = oracle.saturated_pmse(records(before), records(after))
    assert found.value == pytest.approx(float(expected), abs=2e-3)
