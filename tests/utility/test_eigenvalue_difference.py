"""Difference of eigenvalues, by hand, against Cardano's formula, and at its edges."""

import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from metrics import Roles, score
from metrics.scoring.scorecard import Score
from metrics.texts import text
from tests.oracle import perturbation as oracle
from tests.support.small_tables import Cells, table, written


def test_worked_example() -> None:
    original = written("x y\n1 1\n2 2\n3 3\n4 5\n5 4")
    released = written("x y\n1 2\n2 1\n3 4\n4 5\n5 3")
    card = score(released, Roles(["x", "y"]), original=original, metrics=["eigenvalue_difference"])
    # The eigenvalues of two columns are 1 + r and 1 - r, with a correlation r of 0.9 before and 0.6 after.
    assert card["eigenvalue_difference"].value == pytest.approx(abs(1.9 - 1.6) / 1.9 + abs(0.1 - 0.4) / 0.1)


ID = "eigenvalue_difference"


def scored(before: dict[str, Cells], after: dict[str, Cells], **roles: str) -> Score:
    return score(table(after), Roles(list(before), **roles), original=table(before), metrics=[ID])[ID]


def test_two_columns_that_turn_around_keep_their_eigenvalues() -> None:
    """The eigenvalues of two columns are 1 ± r: r is 1/2 before and -1/2 after."""
    found = scored({"x": ["1", "2", "3"], "y": ["1", "3", "2"]}, {"x": ["3", "2", "1"], "y": ["1", "3", "2"]})
    assert found.details["eigenvalues_before"] == pytest.approx([1.5, 0.5])
    assert found.details["eigenvalues_after"] == pytest.approx([1.5, 0.5])
    # They are the same: eigenvalues do not tell in which direction columns go together.
    assert found.value == pytest.approx(0, abs=1e-12)
    assert found.summary() == text("eigenvalue_difference.unchanged", columns=["x", "y"])


def test_an_unchanged_table_has_no_difference_in_any_order_of_records() -> None:
    before: dict[str, Cells] = {"x": list("13245"), "y": list("23154"), "z": list("51423")}
    assert scored(before, before).value == 0
    order = random.Random(1).sample(range(5), 5)
    shuffled = {name: [cells[i] for i in order] for name, cells in before.items()}
    assert scored(before, shuffled).value == pytest.approx(0, abs=1e-12)


def test_tables_of_different_lengths_are_compared() -> None:
    found = scored({"x": ["1", "2", "3"], "y": ["1", "3", "2"]}, {"x": list("12345"), "y": list("12354")})
    assert found.value == pytest.approx(0.4 / 1.5 + 0.4 / 0.5)


def test_constant_columns_and_single_records_have_no_correlation() -> None:
    before: dict[str, Cells] = {"x": list("123"), "y": list("132"), "one": ["7"] * 3}
    found = scored(before, before)
    assert (found.value, found.details["constant"]) == (0, ["one"])
    few = "fewer than two columns contain numbers with a spread in both tables"
    assert scored({"x": list("123"), "w": list("abc")}, {"x": list("132"), "w": list("abc")}).unavailable == few
    assert scored({"x": ["1"], "y": ["2"]}, {"x": ["1"], "y": ["2"]}).unavailable == few
    assert scored({"x": list("123"), "y": list("132")}, {"x": list("123"), "y": ["2"] * 3}).unavailable == few
    decimals = {"x": ["0.1"] * 3, "y": list("132")}
    assert scored(decimals, decimals).unavailable == few


def test_columns_that_depend_linearly_on_each_other_are_refused() -> None:
    before: dict[str, Cells] = {"x": list("123"), "y": ["10", "20", "30"]}
    found = scored(before, {"x": list("123"), "y": ["10", "25", "30"]})
    assert found.unavailable == "the numbers of x and y depend linearly on each other in the original"


def test_numbers_whose_squares_overflow_are_compared() -> None:
    before: dict[str, Cells] = {"x": ["1e308", "2e307", "-1e308"], "y": ["1", "3", "2"]}
    assert scored(before, before).value == 0


numbers = st.integers(-9, 9)
rows = st.lists(st.tuples(*[numbers | st.none()] * 3), min_size=3, max_size=20)


@given(st.lists(st.tuples(*[numbers] * 3), min_size=4, max_size=20), rows)
def test_the_eigenvalues_of_three_columns_are_those_of_cardano(
    old: list[tuple[int, ...]], new: list[tuple[int | None, ...]]
) -> None:
    assume(len(old) != len(new))
    columns = [
        [[None if cell is None else str(cell) for cell in cells] for cells in zip(*side, strict=True)]
        for side in (old, new)
    ]
    assume(all(oracle.variance(cells) for side in columns for cells in side))
    before, after = map(oracle.eigenvalues_of_three, columns)
    assume(before[-1] > 1e-3)
    found = scored(dict(zip("xyz", columns[0], strict=True)), dict(zip("xyz", columns[1], strict=True)))
    assert found.details["eigenvalues_before"] == pytest.approx(before, abs=1e-7)
    assert found.details["eigenvalues_after"] == pytest.approx(after, abs=1e-7)
    assert found.value == pytest.approx(oracle.relative_differences(before, after), abs=1e-3)
