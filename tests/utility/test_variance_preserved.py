"""Squared error of numbers: against the oracle and by hand."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Hierarchy, Roles, Scorecard, score
from metrics.scoring.working import working
from tests.oracle import distributions as oracle
from tests.support.small_tables import Cells, table, written
from tests.working.formulas import assert_sound


def test_worked_example() -> None:
    original, released = written("age sex\n20 f\n30 m\n40 f"), written("age sex\n20-29 *\n30 *\n* *")
    found = score(released, Roles(["age", "sex"]), original=original)["variance_preserved"]
    errors = (24.5 - 20) ** 2 + (30 - 30) ** 2 + (30 - 40) ** 2  # * is read as the middle of 20 to 40
    spread = (20 - 30) ** 2 + (30 - 30) ** 2 + (40 - 30) ** 2
    assert found.value == pytest.approx(1 - errors / spread)
    assert (found.details["sse"], found.details["sst"]) == (pytest.approx(errors), pytest.approx(spread))
    assert found.details["mean_squared_error"] == {"age": pytest.approx(errors / 3)}
    assert (found.details["not_numeric"], found.details["arx"]) == (["sex"], None)


def card_of(before: dict[str, Cells], after: dict[str, Cells], **hierarchies: Hierarchy) -> Scorecard:
    roles = Roles(quasi_identifiers=list(after))
    return score(table(after), roles, original=table(before), hierarchies=hierarchies, metrics=["variance_preserved"])


def test_two_columns_count_alike_whatever_their_units() -> None:
    before: dict[str, Cells] = {"age": ["20", "40"], "income": ["20000", "40000"]}
    card = card_of(before, {"age": ["20", "40"], "income": ["*", "*"]})
    assert card["variance_preserved"].attributes == {"age": 1, "income": 0}
    assert card["variance_preserved"].value == 0.5
    assert "income lost the most" in card["variance_preserved"].summary()


def test_suppressed_numbers_lose_all_and_unchanged_or_deleted_ones_nothing() -> None:
    before: dict[str, Cells] = {"age": ["20", "30", "70"]}
    assert card_of(before, {"age": ["*"] * 3})["variance_preserved"].value == 0
    kept = card_of(before, before)["variance_preserved"]
    assert (kept.value, kept.details["sse"]) == (1, 0)
    assert "unchanged" in kept.summary()
    assert card_of({"age": ["5", "5"]}, {"age": ["5", "*"]})["variance_preserved"].value == 1
    assert card_of({"age": ["5", "5"]}, {"age": ["5", "4-5"]})["variance_preserved"].value == 0
    roles = Roles(quasi_identifiers=["age"], key="id")
    card = score(written("id age\n2 30"), roles, original=written("id age\n1 20\n2 30"))
    assert card["variance_preserved"].details["sse"] == pytest.approx(25)


def test_released_cells_without_a_number_count_as_lost() -> None:
    card = card_of({"age": ["20", None, "40", "60"]}, {"age": ["20", "*", "old", "60"]})
    result = card["variance_preserved"]
    # Only what was missing before is left out; "old" stands for the middle of 20 to 60, which it was.
    assert result.details["left_out_cells"] == {"age": 1}
    assert result.details["lost_cells"] == {"age": 1}
    assert (result.value, result.details["sst"]) == (1, pytest.approx(800))
    assert_sound(working(card, "variance_preserved"))
    none = card_of({"age": ["20", "40"]}, {"age": ["young", "old"]})["variance_preserved"]
    assert none.value == 0
    words = card_of({"sex": ["f", "m"]}, {"sex": ["f", "*"]})["variance_preserved"]
    assert words.unavailable == "no quasi-identifier contains numbers"


def test_numbers_whose_squares_overflow_have_an_error() -> None:
    card = card_of({"q": ["1e308", "-1e308", "0"]}, {"q": ["1e308", "0", "-1e308"]})
    assert card["variance_preserved"].value == 0
    assert card.to_dict()["metrics"]["variance_preserved"]["details"]["sse"] is None
    assert_sound(working(card, "variance_preserved"))


numbers = st.integers(-30, 60)


@given(
    st.lists(
        st.tuples(numbers, st.integers(1, 12), st.sampled_from(["same", "interval", "*"])), min_size=1, max_size=20
    )
)
def test_the_error_equals_that_of_the_oracle(rows: list[tuple[int, int, str]]) -> None:
    every = [number for number, _, _ in rows]
    middle = {"*": Fraction(min(every) + max(every), 2)}
    pairs, after = [], []
    for number, width, what in rows:
        low = number // width * width
        label = {"same": str(number), "*": "*", "interval": f"{low} - {low + width}"}[what]
        pairs.append(
            (Fraction(number), {"same": Fraction(number), "interval": low + Fraction(width, 2)}.get(what, middle["*"]))
        )
        after.append(label)
    card = card_of({"q": [str(number) for number in every]}, {"q": after})
    sse, sst = oracle.variance_preserved(pairs)
    result = card["variance_preserved"]
    assert result.details["sse"] == pytest.approx(float(sse), rel=1e-9, abs=1e-9)
    assert result.details["sst"] == pytest.approx(float(sst), rel=1e-9, abs=1e-9)
    share = min(sse / sst, Fraction(1)) if sst else Fraction(sse > 0)
    assert result.value == pytest.approx(1 - float(share), abs=1e-12)
    made = working(card, "variance_preserved")
    assert made.result == pytest.approx(result.value, abs=1e-12)
    assert_sound(made)
