"""DiSCO: by hand, and against one person after the other."""

from typing import Any

import pytest
from hypothesis import given

from metrics import Roles, score
from tests.attacks.synthetic import DISCO, ORIGINAL, OTHERS, ROLES, card_of, compared
from tests.oracle import perturbation as oracle
from tests.support.examples import fewer_examples
from tests.support.small_tables import records, table, written


def test_worked_example() -> None:
    original = written("age illness\n20 flu\n30 flu\n40 cold\n50 cold")
    released = written("age illness\n20 flu\n30 flu\n30 cold\n40 flu")
    found = score(released, Roles(["age"], ["illness"]), original=original, metrics=["disco"])["disco"]
    # Released records of an age have one illness only at 20 and 40, and at 40 it is wrong.
    assert found.details["certain"] == {"illness": 2 / 4}
    assert found.value == 1 / 4


def test_the_share_of_people_with_a_certain_and_correct_value_equals_that_by_hand() -> None:
    found = card_of()[DISCO]
    # ill: the two at 30 certainly and rightly, (f, 40) certainly and wrongly.
    assert found.attributes == {"ill": 0.4, "days": 0.2}
    assert found.value == 0.4
    assert found.details["certain"] == {"ill": 0.6, "days": 0.4}
    assert found.details["right_if_certain"] == {"ill": pytest.approx(2 / 3), "days": 0.5}
    # Of the original, the two at 30 differ in days alone.
    assert found.details["original"] == {"ill": 1, "days": 0.6}
    assert "For 40% of people" in found.summary()
    assert "for 20%, it is a wrong one" in found.summary()
    assert "In the original, the share is 100%." in found.summary()


def test_a_table_against_itself_has_the_figure_of_the_original() -> None:
    found = card_of(ORIGINAL)[DISCO]
    assert found.value == found.details["original"]["ill"] == 1


def test_an_attacker_who_knows_too_little_is_certain_of_no_value() -> None:
    assert card_of(known=["sex"])[DISCO].value == 0


def test_a_holdout_table_is_the_control_if_it_has_the_sensitive_attributes() -> None:
    found = card_of(holdout=OTHERS)[DISCO]
    assert found.details["control"] == 0.5
    assert "Of people who are not in the table, 50%" in found.summary()
    assert card_of(holdout=written("sex age\nf 30"))[DISCO].details["control"] is None


def test_a_single_record_discloses_its_person() -> None:
    one = written("sex age ill days\nf 30 flu 1")
    assert card_of(one, one)[DISCO].value == 1


@fewer_examples()
@given(compared)
def test_the_share_of_disclosed_people_equals_that_found_person_by_person(drawn: Any) -> None:
    (before, after), others, known = drawn
    found = card_of(table(after), table(before), holdout=table(others), known=known, metrics=[DISCO])[DISCO]
    original, released, people_outside = map(records, (before, after, others))
    guessed = [name for name in ROLES.sensitive if name not in known]
    assert set(found.attributes) == set(guessed)
    for name in guessed:
        _, share, certain, _ = oracle.attribution(released, original, known, name)
        assert found.attributes[name] == pytest.approx(float(share))
        assert found.details["certain"][name] == pytest.approx(float(certain))
        assert found.details["original"][name] == pytest.approx(
            float(oracle.attribution(original, original, known, name)[1])
        )
    assert found.value == max(float(of or 0) for of in found.attributes.values())
    controls = [oracle.attribution(released, people_outside, known, name)[1] for name in guessed]
    assert any(found.details["control"] == pytest.approx(float(control)) for control in controls)
