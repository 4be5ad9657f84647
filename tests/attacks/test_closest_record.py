"""Distance to the closest record: by hand, pair by pair, and always with what it does not say."""

import random
from fractions import Fraction
from functools import partial
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Roles, score
from metrics.attacks.closest_record import closest_record
from metrics.interruption import reporting
from tests.oracle import perturbation as oracle
from tests.support.small_tables import Cells, records, score_of, table, written


def test_worked_example() -> None:
    original, released = written("age sex\n20 f\n30 m\n60 m"), written("age sex\n22 f\n50 m\n30.0 m")
    card = score(released, Roles(["age", "sex"]), original=original, metrics=["distance_to_closest_record"])
    found = card["distance_to_closest_record"]
    # The mean over both columns of distances: of ages over their range of 40, of sexes 0 or 1. Their median counts.
    assert found.value == pytest.approx(median([(2 / 40 + 0) / 2, (10 / 40 + 0) / 2, 0]))
    assert found.details["identical"] == pytest.approx(1 / 3)
    # (20, f) is closest to (30, m), and (30, m) and (60, m) to each other.
    assert found.details["original_median"] == pytest.approx(median([(10 / 40 + 1) / 2] + 2 * [(30 / 40 + 0) / 2]))


ID = "distance_to_closest_record"
NOTE = "This does not measure membership risk"


scored = partial(score_of, ID)


BEFORE: dict[str, Cells] = {"age": ["20", "30", "60"], "sex": ["f", "m", "m"]}


def test_every_finding_says_that_it_is_no_measure_of_membership() -> None:
    for after in (BEFORE, {"age": ["99", "99"], "sex": ["x", "f"]}, {"age": ["20"], "sex": ["f"]}):
        found = scored(BEFORE, {"age": after["age"], "sex": ["f"] * len(after["age"])})
        assert NOTE in found.summary()
        assert found.details["measures_membership_risk"] is False
        assert "does not measure membership risk" in found.metric.good


def test_an_unchanged_table_is_at_no_distance_and_a_single_record_has_no_other() -> None:
    same = scored(BEFORE, BEFORE)
    assert (same.value, same.details["identical"]) == (0, 1)
    one = scored({"age": ["20"], "sex": ["f"]}, {"age": ["25"], "sex": ["f"]})
    assert (one.value, one.details["original_median"]) == (0.5, None)
    assert "another one" not in one.summary()
    constant = scored({"age": ["20", "20"]}, {"age": ["20", "20.5"]})
    assert constant.value == pytest.approx(0.25)


def test_generalized_tables_have_no_distance() -> None:
    wide = scored(BEFORE, {"age": ["20-29", "30-39", "60-69"], "sex": ["f", "m", "m"]})
    assert wide.unavailable == "exact values are compared, but age is generalized or suppressed"


def test_large_tables_are_sampled_whatever_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrics.attacks.closest_record._MAX_RECORDS", 20)
    monkeypatch.setattr("metrics.attacks.closest_record._BLOCK", 100)
    lot = random.Random(5)

    def drawn(rows: int) -> dict[str, Cells]:
        numbers = [str(lot.randrange(900)) for _ in range(rows)]
        return {"n": numbers, "q": [lot.choice("ab") for _ in range(rows)]}

    before, after = drawn(80), drawn(60)
    found = scored(before, after)
    assert found.details["records"] == 20
    turned = scored(*({name: cells[::-1] for name, cells in side.items()} for side in (before, after)))
    assert (turned.value, turned.details) == (found.value, found.details)


def test_progress_increases_to_one() -> None:
    shares: list[float] = []
    with reporting(shares.append):
        closest_record(table(BEFORE), table(BEFORE), ["age", "sex"])
    assert shares == sorted(shares)
    assert (shares[-1], 0 < shares[0] < 1) == (1, True)


numbers = st.integers(-20, 20).map(str) | st.sampled_from(["2.5", None])
words = st.sampled_from(["a", "b", None])


@st.composite
def tables(draw: st.DrawFn) -> dict[str, Cells]:
    rows = draw(st.integers(1, 10))
    return {
        "n": draw(st.lists(numbers, min_size=rows, max_size=rows)),
        "q": draw(st.lists(words, min_size=rows, max_size=rows)),
    }


@given(tables(), tables())
def test_every_closest_distance_equals_that_found_pair_by_pair(
    before: dict[str, Cells], after: dict[str, Cells]
) -> None:
    found = closest_record(table(before), table(after), ["n", "q"])
    known = [one for one in map(oracle.plain_number, before["n"]) if one is not None]
    reach: dict[str, Fraction | None] = {"n": max(known) - min(known) if known else None, "q": None}
    original, released = records(before), records(after)
    assert list(found.distances) == pytest.approx(
        list(map(float, oracle.closest_distances(released, original, reach))), abs=1e-12
    )
    assert found.value == pytest.approx(float(median(oracle.closest_distances(released, original, reach))), abs=1e-12)
    if len(original) > 1:
        between = oracle.closest_distances(original, original, reach, other=True)
        assert list(found.original) == pytest.approx(list(map(float, between)), abs=1e-12)
