"""Correct attribution probability: by hand, and against one person after the other."""

from typing import Any

import pytest
from hypothesis import given

from metrics import Roles, score
from metrics.texts import text
from tests.attacks.synthetic import CAP, ORIGINAL, OTHERS, ROLES, card_of, compared
from tests.oracle import perturbation as oracle
from tests.support.examples import fewer_examples
from tests.support.small_tables import records, table, written


def test_worked_example() -> None:
    original = written("age illness\n20 flu\n30 flu\n40 cold\n50 cold")
    released = written("age illness\n20 flu\n30 flu\n30 cold\n40 flu")
    found = score(released, Roles(["age"], ["illness"]), original=original, metrics=["correct_attribution"])
    # Of the released records of their age, the share with their illness; nobody is 50.
    assert found["correct_attribution"].value == (1 + 1 / 2 + 0 + 0) / 4


def test_the_share_of_correct_values_among_equal_records_equals_that_by_hand() -> None:
    found = card_of()[CAP]
    # ill: the two at 30 certainly and rightly, (f, 40) certainly and wrongly, (m, 40) by half, (m, 50) not found.
    assert found.attributes == {"ill": pytest.approx(2.5 / 5), "days": pytest.approx((0.5 + 0.5 + 1) / 5)}
    assert found.value == 0.5
    assert found.details["baseline"] == pytest.approx(0.6**2 + 0.4**2)
    assert found.details["found"] == 0.8
    assert found.details["of_those_found"]["ill"] == pytest.approx(2.5 / 4)
    assert "50% of people, less than the 52% without the table" in found.summary()
    assert text("correct_attribution.absent", absent=0.2) in found.summary()


def test_in_a_table_compared_with_itself_every_person_is_found() -> None:
    found = card_of(ORIGINAL)[CAP]
    assert found.details["original"] == found.attributes
    assert "no anonymized record" not in found.summary()


def test_the_columns_known_to_the_attribution_attacker_can_be_chosen() -> None:
    # f: flu, flu, cold; m: cold, flu, flu.
    found = card_of(known=["sex"])[CAP]
    assert found.attributes["ill"] == pytest.approx((3 * 2 / 3 + 2 * 1 / 3) / 5)
    assert set(card_of(known=["sex", "ill"])[CAP].attributes) == {"days"}


def test_a_holdout_table_is_the_control() -> None:
    found = card_of(holdout=OTHERS)[CAP]
    assert found.details["control"] == pytest.approx((1 + 1 + 0 + 0.5) / 4)
    assert "hold-out table: 62.5%" in found.summary()


def test_a_single_record_is_attributed_to_itself() -> None:
    one = written("sex age ill days\nf 30 flu 1")
    assert card_of(one, one)[CAP].value == 1


@fewer_examples()
@given(compared)
def test_the_attribution_probability_equals_that_found_person_by_person(drawn: Any) -> None:
    (before, after), others, known = drawn
    found = card_of(table(after), table(before), holdout=table(others), known=known, metrics=[CAP])[CAP]
    original, released, people_outside = map(records, (before, after, others))
    guessed = [name for name in ROLES.sensitive if name not in known]
    assert set(found.attributes) == set(guessed)
    for name in guessed:
        probability, _, _, present = oracle.attribution(released, original, known, name)
        assert found.attributes[name] == pytest.approx(float(probability))
        assert found.details["found"] == pytest.approx(float(present))
        own, *_ = oracle.attribution(original, original, known, name)
        assert found.details["original"][name] == pytest.approx(float(own))
    assert found.value == max(float(of or 0) for of in found.attributes.values())
    controls = [oracle.attribution(released, people_outside, known, name)[0] for name in guessed]
    assert any(found.details["control"] == pytest.approx(float(control)) for control in controls)
    baselines = [oracle.blind_attribution(original, name) for name in guessed]
    assert any(found.details["baseline"] == pytest.approx(float(one)) for one in baselines)
