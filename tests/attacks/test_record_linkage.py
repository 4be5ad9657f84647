"""Record linkage against an attack that looks at each person beside each released record."""

from fractions import Fraction

import pytest
from hypothesis import event, given

from metrics import Roles, score
from tests.attacks.scenes import TREE, Scene, known_columns, mean_of, near, scenes
from tests.oracle import attacks as oracle
from tests.support.examples import fewer_examples
from tests.support.small_tables import written
from tests.working.formulas import assert_derives


def test_worked_example() -> None:
    original = written("age\n21\n22\n23\n34\n35")
    released = written("age\n20-29\n20-29\n20-29\n30-39\n30-39")
    found = score(released, Roles(["age"]), original=original)["record_linkage_attack"]
    # Of three records, or of two, that fit a person's age, one is the person's.
    assert found.value == pytest.approx((3 * 1 / 3 + 2 * 1 / 2) / 5)


@fewer_examples()
@given(scenes(), known_columns)
def test_the_linkage_rate_equals_that_found_person_by_person(scene: Scene, known: list[str]) -> None:
    card = scene.score("record_linkage_attack", **{"attack.known": ",".join(known)})
    expected = oracle.link(scene.people, scene.release, known, TREE)
    event(f"without possible record {expected.no_possible_record > 0}")
    found = card["record_linkage_attack"]
    assert found.value == near(expected.rate)
    details = found.details
    assert details["unique_right"] == near(expected.unique_right)
    assert details["unique_wrong"] == near(expected.unique_wrong)
    assert details["no_candidate"] == near(expected.no_possible_record)
    assert (details["baseline"], details["control"]) == (near(Fraction(1, len(scene.release))), None)
    assert (details["exact"], details["interval"], found.interval) == (True, None, None)
    assert_derives(card, "record_linkage_attack")
    assert mean_of(card, "record_linkage_attack", "The probability for this person") == near(expected.rate)
