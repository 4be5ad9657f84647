"""Membership against an attack that looks at each person beside each released record."""

from hypothesis import given

from metrics import Roles, score
from tests.attacks.scenes import TREE, Scene, known_columns, near, scenes
from tests.oracle import attacks as oracle
from tests.support.examples import fewer_examples
from tests.support.small_tables import written
from tests.working.formulas import assert_derives


def test_worked_example() -> None:
    original, released = written("age\n21\n22\n34\n35"), written("age\n20-29\n20-29\n30-39\n30-39")
    outside = written("age\n25\n41\n42\n43")
    card = score(released, Roles(["age"]), original=original, holdout=outside, metrics=["membership_attack"])
    # A record fits each of the four people of the table, and one of the four who are not in it.
    assert card["membership_attack"].value == 4 / 4 - 1 / 4


MEMBERSHIP = "membership_attack"


@fewer_examples()
@given(scenes(), known_columns)
def test_the_membership_difference_equals_that_found_record_by_record(scene: Scene, known: list[str]) -> None:
    card = scene.score(MEMBERSHIP, holdout=True, **{"attack.known": ",".join(known)})
    inside, outside = (
        oracle.covered(of, scene.release, scene.people, known, TREE) for of in (scene.people, scene.others)
    )
    assert card[MEMBERSHIP].value == near(inside - outside)
    assert_derives(card, MEMBERSHIP)
