"""Sample uniqueness: the records that are alone in their class, against counting and by hand."""

from hypothesis import given

from metrics import Roles, score
from tests.oracle import uniqueness as oracle
from tests.privacy.subsets import GUIDE, assert_without_suppressed, kept_of, no_class, scored
from tests.support.scenes import Scene, sensitive_scenes
from tests.support.small_tables import Cells, records, written


def test_worked_example() -> None:
    released = written("age sex\n20-29 f\n20-29 f\n20-29 m\n30-39 m")
    assert score(released, Roles(["age", "sex"]))["sample_uniqueness"].value == 2 / 4  # the last two are alone


UNIQUE = "sample_uniqueness"


@given(sensitive_scenes(18))
def test_the_share_of_unique_records_equals_that_of_the_oracle(scene: Scene) -> None:
    names, rows = [*scene.quasi_identifiers, *scene.sensitive], records(scene.anonymized)
    card = scored(scene.anonymized, names, metrics=(UNIQUE,))
    if not no_class(card, UNIQUE, kept_of(rows, names)):
        assert card[UNIQUE].value == float(oracle.sample_uniqueness(rows, names))


def test_four_of_ten_people_of_the_sdc_practice_guide_are_alone() -> None:
    found = scored(GUIDE, metrics=(UNIQUE,))[UNIQUE]
    assert (found.value, found.details["unique_records"]) == (0.4, 4)


def test_a_single_record_is_unique_and_none_of_several_equal_ones_is() -> None:
    alone: dict[str, Cells] = {"q": ["a"], "r": [None]}
    assert scored(alone, metrics=(UNIQUE,))[UNIQUE].value == 1
    assert scored({"q": ["a"] * 4, "r": [""] * 4}, metrics=(UNIQUE,))[UNIQUE].value == 0


def test_suppressed_records_are_left_out() -> None:
    assert_without_suppressed(UNIQUE)
