"""Recreated nodes suppress no more than allowed, and none of their columns could be put lower."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics.candidates.search.bounds import ColumnCosts
from metrics.candidates.search.class_requirements import ClassRequirements
from metrics.candidates.search.evaluation import Evaluation
from metrics.candidates.search.ruin_and_recreate import RuinAndRecreate
from tests.candidates.lattices import Original, originals
from tests.candidates.search.evaluated import Node, evaluation_of, failing, projections_of
from tests.support.small_tables import table

NEEDS = st.builds(ClassRequirements, st.integers(1, 4), st.integers(1, 2), all=st.just(True))
_ATTEMPTS = 6


def recreating(
    original: Original, evaluation: Evaluation, requirements: ClassRequirements, allowed: int
) -> RuinAndRecreate:
    projections = projections_of(evaluation, requirements, original[1].sensitive)
    return RuinAndRecreate(
        projections, ColumnCosts(evaluation, "loss"), allowed, lambda node: True, acceptance_ratio=math.inf
    )


def lowered(node: Node) -> list[Node]:
    """The nodes with one column a level lower."""
    return [(*node[:i], level - 1, *node[i + 1 :]) for i, level in enumerate(node) if level]


@given(originals(), NEEDS, st.integers(0, 4))
def test_every_attempt_ends_where_no_column_can_be_lowered(
    original: Original, requirements: ClassRequirements, allowed: int
) -> None:
    evaluation = evaluation_of(original)
    search = recreating(original, evaluation, requirements, allowed)
    top = tuple(of.height for of in evaluation.columns)
    if failing(original, evaluation, top, requirements) > allowed:
        return
    best = None
    for _ in range(_ATTEMPTS):
        best = search.attempt(best)
        assert best is not None
        assert failing(original, evaluation, best, requirements) <= allowed
        assert all(failing(original, evaluation, node, requirements) > allowed for node in lowered(best))
    assert search.work > 0


@given(originals(), NEEDS, st.integers(0, 4))
def test_the_same_search_makes_the_same_attempts(
    original: Original, requirements: ClassRequirements, allowed: int
) -> None:
    evaluation = evaluation_of(original)
    first, second = (recreating(original, evaluation, requirements, allowed) for _ in range(2))
    nodes = [first.attempt(None) for _ in range(_ATTEMPTS)]
    assert nodes == [second.attempt(None) for _ in range(_ATTEMPTS)]


@given(originals())
def test_only_nodes_that_the_judge_accepts_are_passed_through(original: Original) -> None:
    evaluation = evaluation_of(original)
    requirements = ClassRequirements(1, 1, all=True)
    projections = projections_of(evaluation, requirements)
    top = tuple(of.height for of in evaluation.columns)
    refusing = RuinAndRecreate(
        projections, ColumnCosts(evaluation, "loss"), 0, lambda node: False, acceptance_ratio=math.inf
    )
    assert refusing.attempt(None) == top
    first = RuinAndRecreate(
        projections, ColumnCosts(evaluation, "loss"), 0, lambda node: node[0] == top[0], acceptance_ratio=math.inf
    )
    assert first.attempt(None) == (top[0], *[0] * (len(top) - 1))


def test_an_attempt_that_costs_clearly_more_than_the_cheapest_gives_no_node() -> None:
    random = np.random.default_rng(1)
    content = table({f"column {i}": random.integers(0, i + 2, 200).astype(str).tolist() for i in range(6)})
    evaluation = evaluation_of((content, metrics.Roles(quasi_identifiers=content.names), {}))
    projections = projections_of(evaluation, ClassRequirements(3, 1, all=True))
    costs, places = ColumnCosts(evaluation, "non_uniform_entropy"), np.arange(6)
    every, cheap = (
        RuinAndRecreate(projections, costs, 20, lambda node: True, acceptance_ratio=ratio) for ratio in (math.inf, 1.0)
    )
    least, refused = math.inf, 0
    for _ in range(30):
        node, same = every.attempt(None), cheap.attempt(None)
        assert node is not None
        cost = float(costs.by_level(places.tolist(), projections.at(node).lost)[list(node), places].sum())
        least = min(least, cost)
        assert same == (node if cost <= least else None)
        refused += same is None
    assert 0 < refused < 30
