"""Membership against an attack that looks at each person beside each released record."""

from hypothesis import given

from tests.attacks.scenes import TREE, Scene, known_columns, near, scenes
from tests.explanations.workings.formulas import assert_derives
from tests.oracle import attacks as oracle
from tests.support.examples import fewer_examples

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
