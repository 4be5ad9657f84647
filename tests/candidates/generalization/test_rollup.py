"""Rolled-up classes are those of the generalized records, whatever was kept of other nodes."""

from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.candidates.generalization.levels import ColumnLevels, column_levels, lattice_columns
from metrics.candidates.generalization.rollup import CellRollUp, Classes, RollUp
from metrics.counting.counts import MemoryRelation
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.tables.table import Table
from tests.candidates.lattices import Original, originals, slow_generalized, slow_nodes
from tests.support.small_tables import cells_of, records, table

Node = tuple[int, ...]


def every_node(columns: tuple[ColumnLevels, ...]) -> list[Node]:
    return list(slow_nodes([of.height for of in columns]))


def labels(rollup: RollUp, node: Node, classes: Classes) -> list[tuple[str, ...]]:
    """The labels of each class."""
    by_column = [
        [of.labels[level][code] for code in classes.codes(field)]
        for of, level, field in zip(rollup.columns, node, rollup.fields, strict=True)
    ]
    return list(zip(*by_column, strict=True))


def generalized(original: Original, columns: tuple[ColumnLevels, ...], node: Node) -> list[tuple[str, ...]]:
    """The labels of every record."""
    content, _, hierarchies = original
    levels = {of.column.name: level for of, level in zip(columns, node, strict=True)}
    rows = records({name: cells_of(content[name]) for name in content.names})
    return [tuple(row[name] or "" for name in levels) for row in slow_generalized(rows, hierarchies, levels, 1)]


@given(originals(), st.sampled_from([0, 500, 10**9]), st.randoms(use_true_random=False))
def test_the_classes_of_every_node_are_those_of_its_records(original: Original, budget: int, random: Random) -> None:
    columns = lattice_columns(*original)
    rollup = RollUp(MemoryRelation(original[0]), columns, budget=budget)
    nodes = every_node(columns)
    random.shuffle(nodes)
    for node in nodes:
        classes = rollup.at(node)
        found = dict(zip(labels(rollup, node, classes), classes.counts.tolist(), strict=True))
        assert len(found) == len(classes)
        assert found == Counter(generalized(original, columns, node))


@given(originals())
def test_members_are_the_classes_of_the_original_combinations(original: Original) -> None:
    columns = lattice_columns(*original)
    rollup = RollUp(MemoryRelation(original[0]), columns)
    for node in every_node(columns):
        summed = np.bincount(rollup.members(node), weights=rollup.base_counts)
        assert summed.tolist() == rollup.at(node).counts.tolist()


@given(originals())
def test_cells_divide_the_classes_by_a_value(original: Original) -> None:
    content, columns = original[0], lattice_columns(*original)
    illness = content["illness"]
    rollup = CellRollUp(MemoryRelation(content), columns, illness)
    for node in every_node(columns):
        cells = rollup.at(node)
        values = [illness.labels[code] for code in rollup.values_of(cells)]
        found = Counter(dict(zip(zip(labels(rollup, node, cells), values, strict=True), cells.counts, strict=True)))
        assert found == Counter(zip(generalized(original, columns, node), cells_of(illness), strict=True))
        in_order = list(dict.fromkeys(labels(rollup, node, cells)))
        assert [in_order[of] for of in rollup.classes_of(cells)] == labels(rollup, node, cells)


def wide(columns: int) -> tuple[Table, tuple[ColumnLevels, ...]]:
    """A table of many columns, whose keys take several words."""
    random = np.random.default_rng(2)
    names = [f"column {number:02}" for number in range(columns)]
    content = table({name: random.integers(0, 60, 50).astype(str).tolist() for name in names})
    tree = Hierarchy([[f"{number}", f"half {number % 2}", "*"] for number in range(60)])
    return content, tuple(column_levels(content[name], tree, "wide") for name in names)


@pytest.mark.parametrize("columns", [2, 13])
def test_keys_of_one_or_several_words_give_the_same_classes(columns: int) -> None:
    content, of = wide(columns)
    rollup = RollUp(MemoryRelation(content), of)
    assert (len(rollup.at(rollup.bottom).words) > 1) == (columns == 13)
    node = (1, *[2] * (columns - 1))
    classes = rollup.at(node)
    halves = Counter(f"half {int(cell or 0) % 2}" for cell in cells_of(content[content.names[0]]))
    expected = {(half, *["*"] * (columns - 1)): count for half, count in halves.items()}
    assert dict(zip(labels(rollup, node, classes), classes.counts.tolist(), strict=True)) == expected
    assert np.bincount(rollup.members(node), weights=rollup.base_counts).tolist() == classes.counts.tolist()


def test_a_forgotten_node_is_made_again() -> None:
    content, of = wide(2)
    rollup = RollUp(MemoryRelation(content), of)
    before = rollup.at((1, 1))
    rollup.forget([(1, 1), (0, 0), (2, 2)])
    again = rollup.at((1, 1))
    assert again is not before
    assert again.counts.tolist() == before.counts.tolist()
    assert rollup.at((1, 1)) is again
