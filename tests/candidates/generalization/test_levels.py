"""A column on every level of its hierarchy: labels, what they cover, and which levels can be chosen."""

import numpy as np
import pytest
from hypothesis import given

import metrics
from metrics.candidates.generalization.levels import ColumnLevels, column_levels, lattice_columns, levels_in_order
from metrics.errors import InputError
from metrics.hierarchies.hierarchy import Hierarchy
from tests.candidates.lattices import AGES, JOBS, TWICE, Original, originals, slow_generalized
from tests.support.small_tables import Cells, cells_of, records, table


def levels_of(cells: Cells, hierarchy: Hierarchy | None, name: str = "age") -> ColumnLevels:
    return column_levels(table({name: cells})[name], hierarchy, "people.csv")


@given(originals())
def test_every_level_holds_the_labels_of_the_hierarchy(original: Original) -> None:
    content, _, hierarchies = original
    rows = records({name: cells_of(content[name]) for name in content.names})
    for of in lattice_columns(*original):
        name = of.column.name
        for level in range(of.height + 1):
            expected = [record[name] or "" for record in slow_generalized(rows, hierarchies, {name: level}, 1)]
            assert [cell or "" for cell in cells_of(of.generalized(level))] == expected
            assert set(of.labels[level]) == set(expected)


def test_suppressed_records_become_stars_and_missing_cells_stay_missing() -> None:
    of = levels_of(["21", None, "33"], None)
    assert cells_of(of.generalized(0, np.array([False, False, True]))) == ["21", None, "*"]
    assert cells_of(of.generalized(1)) == ["*", "*", "*"]


def test_a_label_covers_its_share_of_the_values_of_the_hierarchy() -> None:
    """Of five leaves, 21 and 25 are in their twenties, and 33 besides under 40."""
    of = levels_of(["21", "25", "33"], AGES)
    shares = [
        {label: of.shares[level, code] for code, label in enumerate(labels)} for level, labels in enumerate(of.labels)
    ]
    assert of.domain == 5
    assert shares[1] == {"20-29": pytest.approx(0.4), "30-39": pytest.approx(0.2)}
    assert shares[2] == {"20-39": pytest.approx(0.6)}
    assert shares[3] == {"*": 1}
    assert of.hidden_share == 1


def test_a_step_leads_from_each_label_to_the_one_above_it() -> None:
    of = levels_of(["21", "25", "33", "61"], AGES)
    above = of.step(1, 2)
    assert {label: of.labels[2][above[code]] for code, label in enumerate(of.labels[1])} == {
        "20-29": "20-39",
        "30-39": "20-39",
        "60-69": "60-79",
    }


def test_a_label_that_stands_on_two_levels_counts_on_the_lower_one() -> None:
    farmer = levels_of(["clerk", "farmer"], JOBS, "job")
    assert not farmer.one_level_each
    levels = dict(zip(farmer.labels[1], farmer.first_level[1].tolist(), strict=False))
    assert levels == {"farmer": 0, "office": 1}
    assert farmer.heights[2].tolist() == [1, 1]
    assert levels_of(["21", "33"], AGES).one_level_each


def test_a_star_is_found_on_the_levels_that_have_it() -> None:
    assert levels_of(["21", "33"], AGES).star.tolist() == [-1, -1, -1, 0]
    assert levels_of(["p", "r"], TWICE, "twice").star.tolist() == [-1, -1, 0, 0]


def test_a_value_that_another_label_of_its_level_could_stand_for_is_noticed() -> None:
    """A town becomes its district; on the same level stands the region that the district lies in."""
    regions = Hierarchy([["town", "district", "region", "*"], ["region", "region", "region", "*"]])
    assert not levels_of(["town", "region"], regions, "place").covers_once
    assert levels_of(["town"], regions, "place").covers_once
    assert levels_of(["21", "25", "33"], AGES).covers_once


def test_a_column_without_a_hierarchy_is_kept_or_suppressed() -> None:
    of = levels_of(["21", "33", "21"], None)
    assert (of.implied, of.height, of.labels[1]) == (True, 1, ("*",))
    assert sorted(of.labels[0]) == ["21", "33"]


def test_columns_stand_in_the_order_of_the_table() -> None:
    content = table({"sex": ["f"], "illness": ["flu"], "age": ["21"]})
    columns = lattice_columns(content, metrics.Roles(quasi_identifiers=["age", "sex"]), {"age": AGES})
    assert [(of.column.name, of.height) for of in columns] == [("sex", 1), ("age", 3)]


def test_levels_are_chosen_by_name_or_in_the_order_of_the_columns() -> None:
    columns = [levels_of(["f", "m"], None, "sex"), levels_of(["21"], AGES)]
    assert levels_in_order(columns, [1, 2]) == (1, 2)
    assert levels_in_order(columns, {"age": 3}) == (0, 3)
    for wrong in ([1], [0, 0, 0], [2, 0], [0, -1], {"illness": 0}):
        with pytest.raises(InputError):
            levels_in_order(columns, wrong)


def test_values_that_the_hierarchy_lacks_are_refused_with_the_first_line() -> None:
    with pytest.raises(InputError) as refused:
        levels_of(["21", "21", "22"], AGES)
    assert (refused.value.file, refused.value.row, refused.value.column) == ("people.csv", 4, "age")
