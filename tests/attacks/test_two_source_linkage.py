"""Linkage of two sources against an attack that looks at each person beside each released record."""

import pytest
from hypothesis import given

import metrics
from metrics import Roles, score
from tests.attacks.scenes import TREE, Scene, known_columns, mean_of, near, scenes
from tests.oracle import attacks as oracle
from tests.support.examples import fewer_examples
from tests.support.small_tables import table, written
from tests.working.formulas import assert_derives


def test_worked_example() -> None:
    original = written("age sex\n21 f\n22 m\n33 f\n34 m")
    released = written("age sex\n20-29 f\n20-29 m\n30-39 f\n30-39 m")
    card = score(released, Roles(["age", "sex"]), original=original, metrics=["two_source_linkage_attack"])
    # Two records fit the age of each person, two the sex, and one of them both.
    assert card["two_source_linkage_attack"].value == 1 / (2 * 2)


LINKABILITY = "two_source_linkage_attack"


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


def test_the_halves_follow_the_roles_whatever_the_order_of_the_columns() -> None:
    cells = {"age": ["1", "2", "3"], "sex": ["f", "m", "f"], "zip": ["a", "a", "b"], "job": ["x", "y", "y"]}
    roles = metrics.Roles(quasi_identifiers=["age", "sex", "zip", "job"])
    cards = [
        metrics.score(table(content), roles, original=table(content), metrics=[LINKABILITY])
        for content in ({name: cells[name] for name in order} for order in (cells, ["job", "age", "zip", "sex"]))
    ]
    assert [card[LINKABILITY].details["halves"] for card in cards] == [[["age", "zip"], ["sex", "job"]]] * 2
    assert cards[0][LINKABILITY].value == cards[1][LINKABILITY].value
