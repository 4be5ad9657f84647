"""What a node costs is the sum over its columns, and no node above it, nor further suppression, costs less."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.candidates.search.bounds import BOUNDED, ColumnCosts
from metrics.candidates.search.evaluation import Evaluation
from metrics.tables.table import Floats, Integers
from tests.candidates.lattices import Original, originals
from tests.candidates.search.evaluated import Node, evaluation_of, every_node


def least_costs(evaluation: Evaluation, measure: str, lost: Integers | None = None) -> Floats:
    """By level and column what the levels from there upwards cost at least."""
    width = sum(of.width for of in evaluation.columns)
    nothing = np.zeros(width, dtype=np.int64)
    return ColumnCosts(evaluation, measure).by_level(range(len(evaluation.columns)), nothing if lost is None else lost)


def cost_at(costs: Floats, node: Node) -> float:
    return float(sum(costs[level, column] for column, level in enumerate(node)))


@given(originals(), st.integers(1, 4), st.sampled_from(BOUNDED))
def test_no_node_costs_less_than_the_levels_below_it(original: Original, k: int, measure: str) -> None:
    evaluation = evaluation_of(original, k)
    nodes = every_node(evaluation)
    (batch,) = evaluation.in_batches(nodes)
    # Where everything is suppressed there is nothing to pay for.
    figures = dict(zip(batch[0], batch[1][measure].tolist(), strict=True))
    own = {node: ColumnCosts(evaluation, measure).cost(of) for node, of in figures.items() if not math.isnan(of)}
    costs = least_costs(evaluation, measure)
    for node in nodes:
        bound = cost_at(costs, node)
        above = [cost for other, cost in own.items() if all(np.array(other) >= node)]
        assert bound <= min(above, default=math.inf) + 1e-9


@pytest.mark.parametrize("measure", ["loss", "granularity", "precision"])
@given(originals())
def test_the_lowest_levels_cost_at_least_what_the_cheapest_node_costs(measure: str, original: Original) -> None:
    evaluation = evaluation_of(original)
    if any(of.star[0] >= 0 for of in evaluation.columns):
        return  # a value `*` counts as suppressed where all other cells are
    ((nodes, figures),) = evaluation.in_batches(every_node(evaluation))
    costs = [ColumnCosts(evaluation, measure).cost(figure) for figure in figures[measure].tolist()]
    assert cost_at(least_costs(evaluation, measure), nodes[0]) == pytest.approx(min(costs), abs=1e-9)


def lost_of(evaluation: Evaluation, number: int) -> list[Integers]:
    """The first records by leaf of each column."""
    gone = [of.leaf_code[of.column.codes[:number]] for of in evaluation.columns]
    return [np.bincount(leaf, minlength=of.width) for leaf, of in zip(gone, evaluation.columns, strict=True)]


@pytest.mark.parametrize("measure", BOUNDED)
@given(originals(), st.data())
def test_suppressing_more_records_never_costs_less(measure: str, original: Original, data: st.DataObject) -> None:
    evaluation = evaluation_of(original)
    number = data.draw(st.integers(0, original[0].rows))
    after = least_costs(evaluation, measure, np.concatenate(lost_of(evaluation, number)))
    assert (after >= least_costs(evaluation, measure) - 1e-9).all()


@pytest.mark.parametrize("measure", BOUNDED)
@given(originals(most=8), st.floats(0, 1))
def test_a_cost_and_its_figure_are_each_other_s_inverse(measure: str, original: Original, figure: float) -> None:
    costs = ColumnCosts(evaluation_of(original), measure)
    assert costs.figure(costs.cost(figure)) == pytest.approx(figure, abs=1e-9)


@pytest.mark.parametrize("measure", ["loss", "non_uniform_entropy", "precision"])
@given(originals(), st.data())
def test_columns_cost_the_same_apart_and_together(measure: str, original: Original, data: st.DataObject) -> None:
    evaluation = evaluation_of(original)
    lost = lost_of(evaluation, data.draw(st.integers(0, original[0].rows)))
    together = least_costs(evaluation, measure, np.concatenate(lost))
    for place, of in enumerate(evaluation.columns):
        alone = ColumnCosts(evaluation, measure).by_level([place], lost[place])
        assert alone[:, 0] == pytest.approx(together[: of.height + 1, place])
