"""Granularity: against the oracle, by hand, and where there is no figure."""

import pytest
from hypothesis import event, given

from metrics import Roles, score
from tests.oracle import losses as oracle
from tests.support.against_oracle import domain_cells, near
from tests.support.scenes import Scene, pair_scenes
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
    original, released = written("age sex\n1 m\n2 f\n3 f\n4 m"), written("age sex\n1-2 m\n1-2 f\n3 *\n* *")
    found = score(released, Roles(["age", "sex"]), original=original)["granularity"]
    # What the values cover of four ages, and of two sexes.
    age, sex = (2 / 4 + 2 / 4 + 1 / 4 + 4 / 4) / 4, (1 / 2 + 1 / 2 + 2 / 2 + 2 / 2) / 4
    assert found.details["raw_by_column"] == {"age": age, "sex": sex}
    assert found.value == pytest.approx(((1 - age) / (1 - 1 / 4) + (1 - sex) / (1 - 1 / 2)) / 2)
    together, least = (age + sex) / 2, (1 / 4 + 1 / 2) / 2
    assert found.details["normalized_mean"] == pytest.approx(1 - (together - least) / (1 - least))


@given(pair_scenes())
def test_the_share_of_the_domain_that_values_cover_equals_that_of_the_oracle(scene: Scene) -> None:
    original, anonymized, strange, fits = domain_cells(scene)
    found = scene.score("granularity")["granularity"]
    event(f"available: {fits}")
    assert (found.unavailable is None) is fits
    if not fits:
        return
    expected = oracle.granularity(records(original), records(anonymized), scene.quasi_identifiers, scene.hierarchies)
    assert found.value == near(expected.score)
    assert found.attributes == {
        name: None if name in strange else near(figure) for name, figure in expected.scores.items()
    }
    assert found.details["raw"] == near(expected.raw)
    assert found.details["raw_by_column"] == {name: near(figure) for name, figure in expected.raws.items()}


def test_a_suppressed_cell_covers_the_whole_domain_whatever_level_holds_the_star() -> None:
    for cells in ("* x", "* *"):
        assert of_short_branch(cells, "granularity").attributes["q"] == 0


def test_a_single_quasi_identifier_has_the_same_formula_as_several() -> None:
    # ARX gives 0 whenever there is one.
    found = of_years("197*", "198*", "198*", "1988", metric="granularity")
    assert found.attributes["born"] == pytest.approx(found.value)
    assert found.value == pytest.approx(1 - (31 / 80 - 1 / 20) / (1 - 1 / 20))


def test_everything_suppressed_is_everything_lost_and_an_unchanged_table_loses_nothing() -> None:
    assert (of_table(GONE, "granularity").value, of_table(BEFORE, "granularity").value) == (0, 1)


def test_without_an_original_the_hierarchy_defines_the_domain() -> None:
    assert alone("197* 198*", "granularity", YEARS).value == pytest.approx(1 - (1 / 2 - 1 / 20) / (1 - 1 / 20))
    assert '"born" has no hierarchy' in str(alone("197* 198*", "granularity").unavailable)


def test_a_value_that_the_hierarchy_misses_is_named_as_the_reason() -> None:
    assert alone("19**", "granularity", YEARS).unavailable == LACKING


def test_a_column_of_one_value_has_nothing_to_lose() -> None:
    # A domain of one value is covered whole by every value, * included.
    found = of_single_leaf("granularity")
    assert (found.attributes["q"], found.value) == (1, 1)
