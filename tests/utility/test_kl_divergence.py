"""KL divergence of the quasi-identifiers: by hand, against the oracle, and where it is infinite."""

import math

import pytest
from hypothesis import assume, event, given

from metrics import Hierarchy, Roles, score
from metrics.scoring.working import working
from tests.oracle import distributions as oracle
from tests.support.scenes import Scene, pair_scenes
from tests.support.small_tables import Cells, records, written
from tests.utility.domains import WORDS, card_of, read_columns
from tests.working.formulas import assert_sound


def test_worked_example() -> None:
    letters = Hierarchy([["a", "AB", "*"], ["b", "AB", "*"], ["c", "CD", "*"], ["d", "CD", "*"]])
    original, released = written("letter\na\nb\nc"), written("letter\nAB\nAB\n*")
    card = score(released, Roles(["letter"]), original=original, hierarchies={"letter": letters})
    # a, b and c are one record each. AB stands for a and b by half, * for all four letters by a quarter.
    expected = {"a": 1 / 2 + 1 / 2 + 1 / 4, "b": 1 / 2 + 1 / 2 + 1 / 4, "c": 1 / 4}
    divergence = sum(1 / 3 * math.log(1 / records) for records in expected.values())
    assert card["kl_divergence"].value == pytest.approx(divergence)
    details = card["kl_divergence"].details
    assert details["bits"] == pytest.approx(divergence / math.log(2))
    assert details["largest"] == pytest.approx(math.log(4 / 3))  # three letters, spread over four
    assert details["spread_over_the_whole_domain"] == 1


KL = "kl_divergence"


def test_a_wide_interval_is_spread_over_all_numbers_in_it() -> None:
    card = card_of({"q": ["0", "1000000000", "5"]}, {"q": ["0-999999999", "1000000000", "0-9"]})
    assert card[KL].value == pytest.approx(-2 / 3 * math.log(0.1 + 1e-9), rel=1e-12)


def test_all_suppressed_is_the_largest_divergence_and_an_untouched_table_none() -> None:
    before: dict[str, Cells] = {"q": ["a", "b", "c", "c"], "r": ["1", "2", "3", "4"]}
    gone = card_of(before, {name: ["*"] * 4 for name in before}, q=WORDS)[KL]
    assert gone.value == pytest.approx(gone.details["largest"], rel=1e-12)
    assert gone.details["normalized"] == pytest.approx(0, abs=1e-12)
    card = card_of(before, before, q=WORDS)
    assert (card[KL].value, card[KL].details["normalized"]) == (0, 1)
    assert "unchanged" in card[KL].summary()
    assert working(card, KL).result == 0


def test_deleted_records_are_spread_over_the_whole_domain() -> None:
    original = written("id q\n1 a\n2 b\n3 c")
    anonymized = written("id q\n3 c\n1 AB")
    roles = Roles(quasi_identifiers=["q"], key="id")
    card = score(anonymized, roles, original=original, hierarchies={"q": WORDS})
    expected = (2 * math.log(1 / 0.75) + math.log(1 / 1.25)) / 3
    assert card[KL].value == pytest.approx(expected, rel=1e-12)
    assert working(card, KL).result == pytest.approx(expected, rel=1e-12)


def test_exchanged_values_make_the_divergence_infinite_which_is_reported() -> None:
    found = card_of({"q": ["a", "b"]}, {"q": ["b", "b"]})[KL]
    assert found.value is None
    assert "1 original records" in str(found.unavailable)


def test_combinations_beyond_what_64_bits_can_number_are_found() -> None:
    names = [f"q{i}" for i in range(40)]
    before: dict[str, Cells] = {name: [f"{(i * (k + 3)) % 17}x" for i in range(30)] for k, name in enumerate(names)}
    after = {
        name: ["*" if i % 7 == k % 7 else cell for i, cell in enumerate(of)]
        for k, (name, of) in enumerate(before.items())
    }
    value = card_of(before, after)[KL].value
    assert value == pytest.approx(oracle.kl_divergence(records(before), records(after), names, {}), rel=1e-9)


@given(pair_scenes(24))
def test_the_divergence_equals_that_of_the_oracle(scene: Scene) -> None:
    assume(scene.rows)
    card, read = scene.score(KL), read_columns(scene)
    original, anonymized = (records({name: pair[side] for name, pair in read.items()}) for side in (0, 1))
    try:
        expected = oracle.kl_divergence(original, anonymized, scene.quasi_identifiers, scene.hierarchies)
    except ValueError:
        event("left open")
        return
    if math.isinf(expected):
        event("infinite")
        assert card[KL].unavailable
        assert "infinite" in card[KL].unavailable
    else:
        assert card[KL].value == pytest.approx(expected, rel=1e-9, abs=1e-9)
        made = working(card, KL)
        assert made.result == pytest.approx(card[KL].value, rel=1e-12, abs=1e-12)
        assert_sound(made)
