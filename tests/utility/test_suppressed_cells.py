"""Missing and suppressed cells: against the oracle and by hand."""

import dataclasses

from hypothesis import assume, given
from hypothesis import strategies as st

from metrics import Roles, score
from tests.oracle import losses as oracle
from tests.support.against_oracle import near
from tests.support.scenes import Scene, pair_scenes
from tests.support.small_tables import Cells, records, table, written
from tests.utility.losses import (
    BEFORE,
    GONE,
    YEARS,
    alone,
    of_table,
)


def test_worked_example() -> None:
    released = written("age sex\n20-29 m\n30-39 f\n30-39 *\n* *")
    found = score(released, Roles(["age", "sex"]))["suppressed_cells"]
    assert found.details["suppressed_by_column"] == {"age": 1, "sex": 2}
    assert found.value == 3 / 8


@given(pair_scenes(), st.booleans())
def test_the_empty_cells_of_every_column_are_those_that_the_oracle_counts(scene: Scene, with_original: bool) -> None:
    assume(scene.rows)
    names = scene.quasi_identifiers
    chosen = scene if with_original else dataclasses.replace(scene, original={})
    found = chosen.score("suppressed_cells")["suppressed_cells"]
    expected = oracle.empty_cells(records(scene.anonymized), names)
    assert found.details["suppressed_by_column"] == {name: stars for name, (stars, _) in expected.items()}
    assert found.details["missing_by_column"] == {name: blanks for name, (_, blanks) in expected.items()}
    assert found.attributes == {name: near(sum(both) / scene.rows) for name, both in expected.items()}
    total = sum(stars + blanks for stars, blanks in expected.values())
    assert found.value == near(total / (scene.rows * len(names)))
    empty = (None, "", "*")
    emptied = {
        name: sum(
            before not in empty and after in empty
            for before, after in zip(scene.original[name], scene.anonymized[name], strict=True)
        )
        for name in names
    }
    assert found.details["emptied_by_column"] == (emptied if with_original else None)


def test_an_empty_cell_counts_as_suppressed_only_if_it_had_a_value_before() -> None:
    before: dict[str, Cells] = {"q": ["a", "b", None, "", "*"], "r": ["1"] * 5}
    after: dict[str, Cells] = {"q": [None, "", None, "*", "*"], "r": ["1"] * 5}
    found = score(table(after), Roles(quasi_identifiers=["q", "r"]), original=table(before))["suppressed_cells"]
    assert found.details["suppressed_by_column"] == {"q": 2, "r": 0}
    assert found.details["missing_by_column"] == {"q": 3, "r": 0}
    # Only two told something before.
    assert found.details["emptied_by_column"] == {"q": 2, "r": 0}
    assert (found.value, found.attributes) == (1 / 2, {"q": 1.0, "r": 0.0})


def test_everything_suppressed_is_everything_lost_and_an_unchanged_table_loses_nothing() -> None:
    assert (of_table(GONE, "suppressed_cells").value, of_table(BEFORE, "suppressed_cells").value) == (1, 0)


def test_without_a_match_removed_records_are_lost_and_emptied_cells_unknown() -> None:
    assert alone("197* 198*", "suppressed_cells", YEARS).value == 0
    unmatched = of_table(written("born sex\n1970 m"), "suppressed_cells")
    assert (unmatched.value, unmatched.details["emptied_by_column"]) == (3 / 4, None)
