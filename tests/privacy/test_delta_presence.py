"""δ-presence against a population looked through person by person."""

import pytest
from hypothesis import assume, event, given

from metrics import Roles, score
from metrics.scoring.working import Subject, working
from tests.privacy.samples import Sampled, by_class, samples, small
from tests.support.small_tables import written
from tests.working.formulas import assert_derives


def test_worked_example() -> None:
    released = written("age\n20-29\n20-29\n30-39")
    population = written("age\n21\n22\n25\n34\n38")
    found = score(released, Roles(["age"]), population=population)["delta_presence"]
    # Of three people in their twenties two are in the table, of two in their thirties one.
    assert found.value == pytest.approx(max(2 / 3, 1 / 2))
    assert found.details["delta_min"] == 1 / 2


DELTA = "delta_presence"


@given(samples())
def test_the_share_of_people_present_in_every_class_equals_that_found_person_by_person(scene: Sampled) -> None:
    card, expected = scene.score(DELTA), scene.expected
    assume(expected.own)
    event(f"overlapping {sum(expected.sizes.values()) > len(scene.population['age'])}")
    found = card[DELTA]
    assert found.unavailable is None
    assert by_class(card, DELTA) == {key: pytest.approx(float(delta)) for key, delta in expected.delta.items()}
    assert found.value == pytest.approx(float(max(expected.delta.values())))
    smallest = 0 if expected.outside else min(expected.delta.values())
    assert found.details["delta_min"] == pytest.approx(float(smallest))
    assert found.details["population_outside"] == expected.outside
    assert_derives(card, DELTA)


@given(samples())
def test_twice_the_sample_of_twice_the_population_is_as_present(scene: Sampled) -> None:
    assume(scene.expected.own)
    assert scene.twice.score(DELTA)[DELTA].value == scene.score(DELTA)[DELTA].value


def test_delta_presence_of_two_classes_equals_that_by_hand() -> None:
    card = small()
    assert card[DELTA].value == 1
    assert card[DELTA].details == {
        "delta_min": 0,
        "delta_max": 1,
        "delta_min_of_classes": pytest.approx(2 / 3),
        "population_records": 6,
        "population_outside": 2,
    }
    assert all(part in card[DELTA].summary() for part in ("1 class", "certainly in the table"))
    rows = card.classes.to_arrow().to_pylist()
    assert [(row["size"], row["population"]) for row in rows] == [(2, 3), (1, 1)]
    assert working(card, DELTA).steps[0].number == 1
    assert working(card, DELTA, Subject(0)).steps[1].number == pytest.approx(2 / 3)
