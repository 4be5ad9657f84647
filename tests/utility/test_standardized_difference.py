"""Standardized difference (IL1s), by hand and against a slow version that looks at one number after the other."""

import math
from functools import partial

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from metrics import Roles, score
from metrics.texts import text
from tests.oracle import perturbation as oracle
from tests.support.small_tables import Cells, score_of, written


def test_worked_example() -> None:
    original, released = written("age\n10\n20\n30"), written("age\n11\n20\n26")
    found = score(released, Roles(["age"]), original=original)["standardized_difference"]
    deviation = math.sqrt(((10 - 20) ** 2 + (20 - 20) ** 2 + (30 - 20) ** 2) / 2)
    assert found.value == pytest.approx((1 + 0 + 4) / 3 / (math.sqrt(2) * deviation))
    assert found.details["sum"] == pytest.approx(5 / (math.sqrt(2) * deviation))


ID = "standardized_difference"


scored = partial(score_of, ID)


def test_columns_count_alike_whatever_their_units() -> None:
    before: dict[str, Cells] = {"age": ["10", "20", "30"], "pay": ["1000", "2000", "3000"]}
    found = scored(before, {"age": ["11", "20", "26"], "pay": ["1100", "2000", "2600"]})
    assert found.attributes["age"] == pytest.approx(found.attributes["pay"])
    assert found.value == pytest.approx(found.attributes["age"])
    worse = scored(before, {"age": ["11", "20", "26"], "pay": ["1100", "2000", "1000"]})
    assert "largest for pay" in worse.summary()


def test_unchanged_constant_and_missing_numbers_have_no_difference() -> None:
    before: dict[str, Cells] = {"age": ["20", "30", None], "one": ["5", "5", "5"]}
    kept = scored(before, before)
    assert (kept.value, kept.attributes, kept.details["constant"]) == (0, {"age": 0}, ["one"])
    assert kept.summary() == text("standardized_difference.unchanged", columns=["age"])
    for cells in (["5", "5"], ["5"]):
        constant = scored({"one": cells}, {"one": ["6"] * len(cells)})
        assert constant.unavailable == "one has no spread"
    # A missing number has no difference.
    missing = scored({"age": ["10", "20", "30", None]}, {"age": ["11", "20", None, "7"]})
    assert missing.details["numbers"] == {"age": 2}
    assert missing.value == pytest.approx(0.5 / (math.sqrt(2) * 10))


def test_numbers_whose_squares_overflow_have_a_difference() -> None:
    found = scored({"q": ["1e308", "-1e308", "0"]}, {"q": ["0", "1e308", "0"]})
    assert found.value == pytest.approx((1 + 2) / 3 / math.sqrt(2))


def test_deleted_records_are_left_out() -> None:
    roles = Roles(["age"], key="id")
    card = score(written("id age\n3 41\n2 30"), roles, original=written("id age\n1 20\n2 30\n3 40"))
    assert card[ID].value == pytest.approx(0.5 / (math.sqrt(2) * 10))


numbers = st.integers(-60, 60)


@given(st.lists(st.tuples(numbers | st.none(), numbers | st.none()), min_size=1, max_size=30))
def test_the_differences_equal_those_of_the_oracle(rows: list[tuple[int | None, int | None]]) -> None:
    before, after = ([None if one is None else str(one) for one in side] for side in zip(*rows, strict=True))
    assume(any(cell is not None for cell in before))
    found = scored({"q": before}, {"q": after})
    if not oracle.variance(before) or not oracle.pairs(before, after):
        assert found.value is None
        return
    expected = oracle.standardized_differences(before, after)
    assert found.value == pytest.approx(math.fsum(expected) / len(expected), abs=1e-12)
    assert found.details["sum"] == pytest.approx(math.fsum(expected), abs=1e-9)
