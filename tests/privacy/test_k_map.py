"""k-map against a population looked through person by person."""

from hypothesis import assume, given

from metrics import Roles, score
from tests.privacy.samples import Sampled, by_class, samples, small
from tests.support.small_tables import written
from tests.working.formulas import assert_derives


def test_worked_example() -> None:
    released = written("age\n20-29\n20-29\n30-39")
    population = written("age\n21\n22\n25\n34\n38")
    assert score(released, Roles(["age"]), population=population)["k_map"].value == min(3, 2)  # people of each class


K_MAP = "k_map"


@given(samples())
def test_every_class_matches_as_many_people_as_found_person_by_person(scene: Sampled) -> None:
    card, expected = scene.score(K_MAP), scene.expected
    assume(expected.own)
    assert card[K_MAP].unavailable is None
    assert by_class(card, K_MAP) == expected.sizes
    assert card[K_MAP].value == min(expected.sizes.values())
    assert_derives(card, K_MAP)


@given(samples())
def test_twice_the_sample_matches_twice_the_people_of_twice_the_population(scene: Sampled) -> None:
    assume(scene.expected.own)
    assert scene.twice.score(K_MAP)[K_MAP].value == 2 * scene.score(K_MAP)[K_MAP].value


def test_k_map_is_1_for_a_class_that_matches_a_single_person() -> None:
    card = small()
    assert card[K_MAP].value == 1
    assert "1 class matches a single person" in card[K_MAP].summary()
    rows = card.classes.to_arrow().to_pylist()
    assert [(row["population"], row["risk"]) for row in rows] == [(3, 0.5), (1, 1)]
