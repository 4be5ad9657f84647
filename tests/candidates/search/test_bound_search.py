"""The search for a bound names every node that may be the best; the bound rises, never above what these cost."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics.candidates.search.bound_search import BoundSearch
from metrics.candidates.search.bounds import ColumnCosts
from metrics.candidates.search.class_requirements import ClassRequirements
from metrics.candidates.search.evaluation import Evaluation
from metrics.candidates.search.projections import Projections
from tests.candidates.lattices import Original, originals
from tests.candidates.search.evaluated import Node, evaluation_of, every_node, failing
from tests.support.small_tables import table

NEEDS = st.builds(ClassRequirements, st.integers(1, 4), st.integers(1, 2), all=st.just(True))


def bounding_of(
    original: Original, evaluation: Evaluation, requirements: ClassRequirements, allowed: int
) -> BoundSearch:
    def project(columns: Sequence[int]) -> Projections:
        chosen = [evaluation.columns[i] for i in columns]
        return Projections(evaluation.relation, chosen, requirements, original[1].sensitive)

    widths = [of.width for of in evaluation.columns]
    return BoundSearch(widths, project, ColumnCosts(evaluation, "loss"), allowed)


def costs_of(evaluation: Evaluation) -> dict[Node, float]:
    """What the levels of each node cost without suppression."""
    nothing = np.zeros(sum(of.width for of in evaluation.columns), dtype=np.int64)
    costs = ColumnCosts(evaluation, "loss").by_level(range(len(evaluation.columns)), nothing)
    return {node: float(sum(costs[level, i] for i, level in enumerate(node))) for node in every_node(evaluation)}


def check(original: Original, requirements: ClassRequirements, allowed: int) -> None:
    """Every admissible node is named and no other one; the bound rises, but never above what is named later costs."""
    evaluation = evaluation_of(original, requirements.records, requirements.values)
    nodes = every_node(evaluation)
    ((_, figures),) = evaluation.in_batches(nodes)
    loss = dict(zip(nodes, figures["loss"].tolist(), strict=True))
    bounding = bounding_of(original, evaluation, requirements, allowed)
    named: list[Node] = []
    bounds = [bounding.least]
    for node in bounding.candidates():
        if node is not None:
            assert ColumnCosts(evaluation, "loss").cost(loss[node]) >= bounds[-1] - 1e-9
            named.append(node)
        bounds.append(bounding.least)
    assert sorted(named) == [node for node in nodes if failing(original, evaluation, node, requirements) <= allowed]
    assert (np.diff(bounds[:-1]) > -1e-9).all()
    assert bounding.least == math.inf


@given(originals(), NEEDS, st.integers(0, 4))
def test_every_admissible_node_is_named_and_no_other(
    original: Original, requirements: ClassRequirements, allowed: int
) -> None:
    check(original, requirements, allowed)


@pytest.mark.parametrize("columns", [6, 11])
def test_columns_that_are_bounded_apart_first_name_the_same_nodes(columns: int) -> None:
    """Six columns are listed three by three, then searched together; of eleven, eight are searched in between."""
    random = np.random.default_rng(columns)
    cells = {f"column {i:02}": random.choice(list("ab"), 12).tolist() for i in range(columns)}
    content = table({**cells, "illness": random.choice(list("pq"), 12).tolist()})
    roles = metrics.Roles(quasi_identifiers=list(cells), sensitive=["illness"])
    check((content, roles, {}), ClassRequirements(2, 1, all=True), 3)


@given(originals(), st.floats(0, 1))
def test_nodes_that_cost_as_much_as_the_best_known_are_not_named(original: Original, share: float) -> None:
    evaluation = evaluation_of(original)
    own = costs_of(evaluation)
    bounding = bounding_of(original, evaluation, ClassRequirements(1, 1, all=True), 0)
    bounding.limit = limit = share * max(own.values())
    named = {node for node in bounding.candidates() if node is not None}
    assert {node for node, cost in own.items() if cost < limit - 1e-9} <= named
    assert all(own[node] < limit for node in named)
    assert bounding.least == pytest.approx(limit, abs=1e-9)
