"""Precision: against the oracle, by hand, and where there is no figure."""

import pytest
from hypothesis import event, given

from metrics import Hierarchy, Roles, score
from tests.oracle import losses as oracle
from tests.support.against_oracle import as_read, blank_for_missing, implied, near
from tests.support.scenes import Rows, Scene, pair_scenes
from tests.support.small_tables import records, written
from tests.utility.losses import (
    BEFORE,
    GONE,
    LACKING,
    YEARS,
    alone,
    of_short_branch,
    of_single_leaf,
    of_table,
    of_years,
)


def test_worked_example() -> None:
    years = Hierarchy([["1970", "197*", "*"], ["1981", "198*", "*"], ["1983", "198*", "*"], ["1988", "198*", "*"]])
    original = written("born sex\n1970 m\n1981 f\n1983 f\n1988 m")
    released = written("born sex\n1970 m\n198* f\n198* *\n* *")
    found = score(released, Roles(["born", "sex"]), original=original, hierarchies={"born": years})["precision"]
    born, sex = (0 + 1 + 1 + 2) / 4, (0 + 0 + 2 + 2) / 4  # mean levels, of which the highest is 2
    assert found.attributes == {"born": 1 - born / 2, "sex": 1 - sex / 2}
    assert found.value == pytest.approx((1 - born / 2 + 1 - sex / 2) / 2)
    assert found.details["levels"] == {"born": 3, "sex": 3}


@given(pair_scenes())
def test_the_mean_level_of_every_column_equals_that_of_the_oracle(scene: Scene) -> None:
    read_original, read_anonymized, strange = as_read(scene)
    original = blank_for_missing(read_original, read_original)
    anonymized = blank_for_missing(read_anonymized, read_anonymized)
    hierarchies: dict[str, Rows] = {}
    fits = scene.rows > 0 and len(strange) < len(scene.quasi_identifiers)
    for name in scene.quasi_identifiers:
        rows = scene.hierarchies.get(name) or implied(original[name], anonymized[name])
        labels = {"*", *(label for row in rows or () for label in row)}
        fits = fits and rows is not None and set(anonymized[name]) <= labels
        hierarchies[name] = rows or []
    found = scene.score("precision")["precision"]
    event(f"available: {fits}")
    assert (found.unavailable is None) is fits
    if not fits:
        return
    expected = oracle.precision(records(anonymized), scene.quasi_identifiers, hierarchies)
    assert found.value == near(expected.score)
    assert found.attributes == {
        name: None if name in strange else near(figure) for name, figure in expected.scores.items()
    }
    assert found.details["raw"] == near(expected.raw)
    assert found.details["raw_by_column"] == {name: near(figure) for name, figure in expected.raws.items()}


def test_a_suppressed_record_is_at_the_root_even_if_the_star_is_on_a_lower_level() -> None:
    # A short branch that ends in * already on level 1: a single * there stands on level 1, as everywhere.
    for cells, height in (("* x", 1 / 2), ("* *", 1)):
        assert of_short_branch(cells, "precision").details["raw_by_column"]["q"] == height


def test_a_single_quasi_identifier_has_the_same_formula_as_several() -> None:
    # ARX gives 0 whenever there is one.
    found = of_years("197*", "198*", "198*", "1988", metric="precision")
    assert found.value == found.attributes["born"] == pytest.approx(1 - 3 / 8)


def test_everything_suppressed_is_everything_lost_and_an_unchanged_table_loses_nothing() -> None:
    assert (of_table(GONE, "precision").value, of_table(BEFORE, "precision").value) == (0, 1)


def test_without_an_original_the_hierarchy_defines_the_levels() -> None:
    assert alone("197* 198*", "precision", YEARS).value == 1 / 2
    assert '"born" has no hierarchy' in str(alone("197* 198*", "precision").unavailable)


def test_a_value_that_the_hierarchy_misses_is_named_as_the_reason() -> None:
    assert alone("19**", "precision", YEARS).unavailable == LACKING


def test_a_hierarchy_of_one_level_has_nothing_to_lose() -> None:
    assert of_single_leaf("precision").attributes["q"] == 1
