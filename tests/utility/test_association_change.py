"""Change in association: against the oracle and SciPy's definitions, by hand, on demand."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Hierarchy, Roles, Scorecard, score
from metrics.interruption import reporting
from metrics.scoring.working import working
from metrics.utility.association_change.measure import ASSOCIATION_CHANGE, correlation_ratio, cramers_v, pearson
from tests.oracle import distributions as oracle
from tests.support.small_tables import Cells, table, written
from tests.working.formulas import assert_sound


def test_worked_example() -> None:
    original = written("q r s\na x 1\na x 2\nb y 3\nb y 4")
    released = written("q r s\na x 1\nb x 2\na y 3\nb y 4")
    card = score(released, Roles(["q", "r"], ["s"]), original=original, metrics=["association_change"])
    found = card["association_change"]
    # q told r and no longer does. Of the spread of s, which is 5, the groups 1 2 and 3 4 of q explained 4, and now the
    # groups 1 3 and 2 4 explain 1. r and s are as before.
    q_r, q_s, r_s = 1 - 0, math.sqrt(4 / 5) - math.sqrt(1 / 5), 0
    assert found.value == pytest.approx((q_r + q_s + r_s) / 3)
    assert found.attributes["r"] == (q_r + r_s) / 2
    measures = {tuple(pair["columns"]): pair["measure"] for pair in found.details["pairs"]}
    assert measures == {("q", "r"): "Cramér's V", ("q", "s"): "correlation ratio", ("r", "s"): "correlation ratio"}


METRIC = "association_change"


def card_of(
    before: dict[str, Cells], after: dict[str, Cells], sensitive: list[str] | None = None, **trees: Hierarchy
) -> Scorecard:
    roles = Roles(
        quasi_identifiers=[name for name in after if name not in (sensitive or [])], sensitive=sensitive or []
    )
    return score(table(after), roles, original=table(before), hierarchies=trees, metrics=[METRIC])


def test_generalized_numbers_count_by_their_middle() -> None:
    before: dict[str, Cells] = {"q": ["1", "2", "3", "4"], "r": ["2", "4", "6", "8"]}
    result = card_of(before, {"q": ["1-2", "1-2", "3-4", "*"], "r": ["8", "6", "4", "2"]})[METRIC]
    (pair,) = result.details["pairs"]
    assert pair["measure"] == "Pearson's correlation"
    assert pair["before"] == pytest.approx(1)
    assert pair["after"] == pytest.approx(
        oracle.correlation(
            [(Fraction(3, 2), Fraction(8)), (Fraction(3, 2), Fraction(6)), (Fraction(7, 2), Fraction(4))]
        )
    )
    assert (pair["records_before"], pair["records_after"]) == (4, 3)


def test_association_change_is_0_for_an_unchanged_table_and_1_for_a_suppressed_one() -> None:
    before: dict[str, Cells] = {"q": ["a", "b", "b"], "r": ["x", "y", "y"]}
    kept = card_of(before, before)[METRIC]
    assert kept.value == 0
    assert "unchanged" in kept.summary()
    gone = card_of(before, {name: ["*"] * 3 for name in before})[METRIC]
    assert gone.value == 1
    assert gone.details["pairs"][0]["records_after"] == 0
    assert card_of({"q": ["a"] * 3, "r": ["5"] * 3}, {"q": ["a"] * 3, "r": ["5"] * 3})[METRIC].value == 0
    alone = card_of({"q": ["a"]}, {"q": ["a"]})[METRIC]
    assert alone.unavailable == "fewer than two columns can be compared"


def test_numbers_generalized_to_words_are_categories() -> None:
    before: dict[str, Cells] = {"age": ["1", "2", "70"], "r": ["x", "x", "y"]}
    (pair,) = card_of(before, {"age": ["young", "young", "old"], "r": ["x", "x", "y"]})[METRIC].details["pairs"]
    assert (pair["measure"], pair["before"], pair["after"]) == ("Cramér's V", 1, 1)


def test_association_change_reports_its_progress() -> None:
    before: dict[str, Cells] = {name: ["a", "b", "b"] for name in "qrst"}
    card = score(table(before), Roles(quasi_identifiers=list("qrst")), original=table(before))
    shares: list[float] = []
    with reporting(shares.append):
        result = ASSOCIATION_CHANGE.compute(card.aggregates, card.parameters)
    assert shares == [pytest.approx(i / 6) for i in range(1, 7)]
    assert result.value == 0


def test_independent_columns_come_to_exactly_nothing() -> None:
    first, second = (np.array(codes) for codes in zip(*itertools.product(range(7), range(11)), strict=True))
    counts = (first + 1) * (second + 3)
    assert cramers_v(first, second, counts) == 0


def test_more_values_than_can_be_held_at_once_are_counted() -> None:
    # 3,000 by 3,000 values are more than can be held at once.
    many = np.arange(3000)
    assert cramers_v(many, many, np.full(3000, 2)) == pytest.approx(1, rel=1e-12)
    numbers = many.astype(float)
    assert pearson(numbers, -numbers, np.ones(3000, dtype=np.int64)) == pytest.approx(-1)
    assert correlation_ratio(numbers, many, np.ones(3000, dtype=np.int64)) == pytest.approx(1)


def test_numbers_whose_squares_overflow_are_correlated() -> None:
    huge = np.array([1e308, -1e308, 1e-320])
    assert pearson(huge, huge, np.array([1, 1, 1])) == pytest.approx(1)
    assert pearson(huge, np.array([3.0, 3.0, 3.0]), np.array([1, 1, 1])) == 0


words = st.sampled_from(["a", "b", "c", "*"])
numerals = st.sampled_from(["1", "2", "5", "-3", "2.5", "*"])


@given(st.lists(st.tuples(words, words, numerals, numerals), min_size=1, max_size=25), st.data())
def test_the_association_of_every_pair_equals_that_of_the_oracle(
    rows: list[tuple[str, ...]], data: st.DataObject
) -> None:
    names = ["q", "r", "s", "S"]
    before: dict[str, Cells] = {name: [row[i] for row in rows] for i, name in enumerate(names)}
    after: dict[str, Cells] = {
        name: [
            "*" if gone else cell
            for cell, gone in zip(
                before[name], data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows))), strict=True
            )
        ]
        for name in names
    }
    card = card_of(before, after, ["s", "S"])
    numeric = {name for name in ("s", "S") if set(before[name]) != {"*"}}

    def slow(cells: dict[str, Cells], first: str, second: str) -> float:
        pairs = [(x, y) for x, y in zip(cells[first], cells[second], strict=True) if "*" not in (x, y)]
        if not pairs:
            return 0.0
        if {first, second} <= numeric:
            return oracle.correlation([(Fraction(str(x)), Fraction(str(y))) for x, y in pairs])
        if second in numeric:
            return oracle.correlation_ratio([(Fraction(str(y)), x) for x, y in pairs])
        if first in numeric:
            return oracle.correlation_ratio([(Fraction(str(x)), y) for x, y in pairs])
        return oracle.cramers_v(pairs)

    changes = []
    found = {tuple(pair["columns"]): pair for pair in card[METRIC].details["pairs"]}
    for pair in itertools.combinations(names, 2):
        assert found[pair]["before"] == pytest.approx(slow(before, *pair), abs=1e-9)
        assert found[pair]["after"] == pytest.approx(slow(after, *pair), abs=1e-9)
        changes.append(abs(slow(after, *pair) - slow(before, *pair)))
    assert card[METRIC].value == pytest.approx(sum(changes) / len(changes), abs=1e-9)
    made = working(card, METRIC)
    assert made.result == pytest.approx(card[METRIC].value, abs=1e-12)
    assert_sound(made)
