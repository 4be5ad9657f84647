"""Boxes of levels name the combinations that suppress few enough records, the cheapest first."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.candidates.search.bounds import ColumnCosts
from metrics.candidates.search.boxes import Boxes, ColumnGroup, LevelTable, admissible
from metrics.candidates.search.class_requirements import ClassRequirements
from metrics.candidates.search.evaluation import Evaluation
from tests.candidates.lattices import Original, originals
from tests.candidates.search.evaluated import Node, evaluation_of, every_node, failing, projections_of

NEEDS = st.builds(ClassRequirements, st.integers(1, 4), st.integers(1, 2), all=st.just(True))


def allowed_nodes(
    original: Original, evaluation: Evaluation, requirements: ClassRequirements, allowed: int
) -> list[Node]:
    """The nodes that suppress no more records than allowed."""
    return [node for node in every_node(evaluation) if failing(original, evaluation, node, requirements) <= allowed]


def boxes_of(original: Original, evaluation: Evaluation, requirements: ClassRequirements, allowed: int) -> Boxes:
    """Boxes of all columns, each a group of its own."""
    projections = projections_of(evaluation, requirements, original[1].sensitive)
    places = tuple(range(len(evaluation.columns)))
    groups = [
        ColumnGroup([LevelTable(np.array([place]), np.arange(of.height + 1)[:, None])])
        for place, of in enumerate(evaluation.columns)
    ]
    return Boxes(places, projections, ColumnCosts(evaluation, "loss"), allowed, groups)


@given(originals(), NEEDS, st.integers(0, 4))
def test_the_admissible_combinations_are_those_found_one_by_one(
    original: Original, requirements: ClassRequirements, allowed: int
) -> None:
    evaluation = evaluation_of(original)
    *steps, found = admissible(projections_of(evaluation, requirements, original[1].sensitive), allowed)
    assert steps
    assert all(step is None for step in steps)
    assert found is not None
    assert sorted(map(tuple, found.tolist())) == allowed_nodes(original, evaluation, requirements, allowed)


@given(originals(), NEEDS, st.integers(0, 4))
def test_boxes_name_every_admissible_combination_once_and_their_bound_never_falls(
    original: Original, requirements: ClassRequirements, allowed: int
) -> None:
    """Highest levels are not looked at before they are named, so that others can be among these."""
    evaluation = evaluation_of(original)
    boxes, found, bounds = boxes_of(original, evaluation, requirements, allowed), [], []
    while not boxes.done:
        bounds.append(boxes.least)
        combination = boxes.expand()
        if combination is not None:
            found.append(combination)
    assert len(set(found)) == len(found)
    others = set(found) - set(allowed_nodes(original, evaluation, requirements, allowed))
    assert len(found) - len(others) == len(allowed_nodes(original, evaluation, requirements, allowed))
    heights = [of.height for of in evaluation.columns]
    assert all(any(level == height for level, height in zip(node, heights, strict=True)) for node in others)
    assert (np.diff(bounds) > -1e-9).all()
    assert boxes.least == math.inf


@given(originals(), st.floats(0, 1))
def test_boxes_that_cost_as_much_as_the_limit_are_left_out(original: Original, share: float) -> None:
    evaluation = evaluation_of(original)
    requirements = ClassRequirements(1, 1, all=True)
    nothing = np.zeros(sum(of.width for of in evaluation.columns), dtype=np.int64)
    costs = ColumnCosts(evaluation, "loss").by_level(range(len(evaluation.columns)), nothing)
    own = {node: sum(costs[level, i] for i, level in enumerate(node)) for node in every_node(evaluation)}
    boxes, found = boxes_of(original, evaluation, requirements, 0), []
    boxes.limit = limit = share * max(own.values())
    while not boxes.done:
        combination = boxes.expand()
        if combination is not None:
            found.append(combination)
    assert {node for node, cost in own.items() if cost < limit - 1e-9} <= set(found)
    assert all(own[node] < limit for node in found)
    assert boxes.least == pytest.approx(limit, abs=1e-9)


def test_a_table_of_levels_knows_its_cheapest_combination_within_bounds() -> None:
    table = LevelTable(np.array([2, 0]), np.array([[0, 3], [1, 1], [2, 0]]))
    costs = np.array([[0.0, 9.0, 0.0], [1.0, 9.0, 5.0], [2.0, 9.0, 6.0], [3.0, 9.0, 7.0]])
    low, high = np.array([0, 0, 0]), np.array([3, 0, 2])
    assert table.least(low, high, costs) == 3  # level 0 of the third column and level 3 of the first
    assert table.least(np.array([0, 0, 1]), high, costs) == 6
    assert table.least(np.array([2, 0, 1]), high, costs) == math.inf
    assert table.least(low, np.array([2, 0, 0]), costs) == math.inf
