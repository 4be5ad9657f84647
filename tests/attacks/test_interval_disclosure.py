"""Interval disclosure, by hand and against a slow version that looks at one number after the other."""

from functools import partial

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Roles, score
from tests.oracle import perturbation as oracle
from tests.support.small_tables import Cells, score_of, written


def test_worked_example() -> None:
    original, released = written("age\n20\n30\n40"), written("age\n20.5\n31\n60")
    found = score(released, Roles(["age"]), original=original)["interval_disclosure"]
    # The standard deviation is 10, and only the first number is within 5% of it.
    assert found.details["standard_deviation"] == {"age": pytest.approx(10)}
    assert found.value == 1 / 3


ID = "interval_disclosure"


scored = partial(score_of, ID)


def test_seven_of_eleven_numbers_are_within_five_percent_of_a_deviation() -> None:
    # The deviation of 0, 10, ..., 100 is √1100 = 33.17, 5% of it 1.658.
    before: Cells = [str(10 * i) for i in range(11)]
    after: Cells = ["0", "11", "18.35", "28.34", "41.659", "48.342", "60", "72", "-80", "90.0", "1e2"]
    found = scored({"age": before}, {"age": after})
    assert found.value == 7 / 11
    assert found.details["standard_deviation"] == {"age": pytest.approx(1100**0.5)}
    assert found.details["numbers"] == {"age": 11}
    assert "63.6% of the anonymized numbers" in found.summary()
    assert "by at most 5% of" in found.summary()


def test_each_number_counts_once_and_the_worst_column_is_named() -> None:
    before: dict[str, Cells] = {"age": ["20", "30", "40", "50"], "pay": ["1", "2", "3", None]}
    found = scored(before, {"age": ["21", "30", "45", "90"], "pay": ["1", "2", "3", "9"]})
    assert found.attributes == {"age": 0.25, "pay": 1}
    assert found.value == 4 / 7
    assert "pay has the largest share (100%)" in found.summary()


def test_an_unchanged_column_is_disclosed_fully_and_a_constant_one_only_if_equal() -> None:
    before: dict[str, Cells] = {"age": ["20", "30", None], "one": ["5", "5", "5"]}
    assert scored(before, before).attributes == {"age": 1, "one": 1}
    moved = scored(before, {"age": ["20", "30", None], "one": ["5", "5.0001", "6"]})
    assert moved.attributes == {"age": 1, "one": pytest.approx(1 / 3)}
    assert scored({"q": ["5"]}, {"q": ["5.0"]}).value == 1
    assert scored({"q": ["5"]}, {"q": ["6"]}).value == 0
    nothing = scored({"q": ["5", None]}, {"q": [None, "6"]})
    assert nothing.unavailable == "no matched record has a number in both tables"


def test_numbers_whose_squares_overflow_are_compared() -> None:
    found = scored({"q": ["1e308", "-1e308", "0"]}, {"q": ["1e308", "-1.1e308", "1e300"]})
    assert found.value == pytest.approx(2 / 3)


def test_deleted_records_are_left_out() -> None:
    roles = Roles(["age"], key="id")
    card = score(written("id age\n3 41\n2 30"), roles, original=written("id age\n1 20\n2 30\n3 40"))
    # The deviation is that of all original records, 10; 41 is farther than 0.5 from 40.
    assert (card[ID].value, card[ID].details["numbers"]) == (0.5, {"age": 2})


numbers = st.integers(-60, 60).map(str) | st.sampled_from(["1.50", "0.25", "-7.125"])


@given(st.lists(st.tuples(numbers | st.none(), st.integers(-4, 4), st.booleans()), min_size=1))
def test_the_share_of_disclosed_numbers_equals_that_found_number_by_number(
    rows: list[tuple[str | None, int, bool]],
) -> None:
    before: Cells = [cell for cell, *_ in rows]
    after: Cells = [None if cell is None or gone else str(float(cell) + noise / 4) for cell, noise, gone in rows]
    found = scored({"q": before}, {"q": after})
    within, count = oracle.within_interval(before, after)
    if not count:
        assert found.value is None
        return
    if all(cell is None or one is None or float(cell) == float(one) for cell, one in zip(before, after, strict=True)):
        # Truthful where cells are suppressed and no number was changed.
        assert found.value in (None, 1)
        return
    assert (found.value, found.details["numbers"]) == (within / count, {"q": count})


def test_columns_that_are_equally_close_are_not_ranked() -> None:
    frame = pd.DataFrame({"age": ["31", "45", "62"], "income": ["100", "250", "400"]})
    card = score(frame, Roles(quasi_identifiers=["age", "income"]), original=frame)
    assert card[ID].summary().count("100%") == 1
