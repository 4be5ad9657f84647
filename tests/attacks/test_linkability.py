"""Linkability against an attack that looks at each person beside each released record."""

import pytest
from hypothesis import given

import metrics
from tests.attacks.scenes import TREE, Scene, known_columns, mean_of, near, scenes
from tests.explanations.workings.formulas import assert_derives
from tests.oracle import attacks as oracle
from tests.support.examples import fewer_examples
from tests.support.small_tables import table

LINKABILITY = "linkability_attack"


@fewer_examples()
@given(scenes(), known_columns)
def test_the_linkability_rate_equals_that_found_person_by_person(scene: Scene, known: list[str]) -> None:
    card = scene.score(LINKABILITY, holdout=True, **{"attack.known": ",".join(known)})
    found = card[LINKABILITY]
    assert found.value == near(oracle.linked(scene.people, scene.release, scene.people, known, TREE))
    control = oracle.linked(scene.others, scene.release, scene.people, known, TREE)
    assert found.details["control"] == near(control)
    assert found.details["halves"] == [known[::2], known[1::2]]
    assert mean_of(card, LINKABILITY, "The same record") == pytest.approx(found.value)
    assert_derives(card, LINKABILITY)


def test_the_halves_do_not_depend_on_the_order_of_the_roles() -> None:
    content = table({"age": ["1", "2", "3"], "sex": ["f", "m", "f"], "zip": ["a", "a", "b"], "job": ["x", "y", "y"]})
    cards = [
        metrics.score(content, metrics.Roles(quasi_identifiers=order), original=content, metrics=[LINKABILITY])
        for order in (["age", "sex", "zip"], ["zip", "sex", "age"], ["sex", "zip", "age"])
    ]
    found = [card[LINKABILITY].details["halves"] for card in cards]
    assert found == [[["age", "zip"], ["sex"]]] * 3
