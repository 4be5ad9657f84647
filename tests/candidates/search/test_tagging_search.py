"""The tagging search leaves out only nodes at which too many records must be suppressed, or that cost too much."""

from hypothesis import given
from hypothesis import strategies as st

from metrics.candidates.search.bounds import ColumnCosts
from metrics.candidates.search.class_requirements import ClassRequirements
from metrics.candidates.search.evaluation import Evaluation
from metrics.candidates.search.tagging_search import TaggingSearch
from tests.candidates.lattices import Original, originals
from tests.candidates.search.evaluated import evaluation_of, every_node, failing


def tagging_of(original: Original, requirements: ClassRequirements, allowed: int) -> tuple[TaggingSearch, Evaluation]:
    evaluation = evaluation_of(original)
    return TaggingSearch(evaluation, requirements, ColumnCosts(evaluation, "loss"), allowed), evaluation


@given(originals(), st.integers(1, 5), st.integers(1, 3), st.integers(0, 4))
def test_every_node_that_suppresses_no_more_than_allowed_is_a_candidate_and_no_other(
    original: Original, smallest: int, fewest: int, allowed: int
) -> None:
    requirements = ClassRequirements(smallest, fewest, all=True)
    tagging, evaluation = tagging_of(original, requirements, allowed)
    found = [node for node in tagging.candidates() if node is not None]
    expected = [node for node in every_node(evaluation) if failing(original, evaluation, node, requirements) <= allowed]
    assert sorted(found) == expected


@given(originals(), st.floats(0, 2))
def test_nodes_that_cost_as_much_as_the_best_known_are_left_out(original: Original, limit: float) -> None:
    tagging, evaluation = tagging_of(original, ClassRequirements(1, 1, all=True), 0)
    tagging.limit = limit
    found = {node for node in tagging.candidates() if node is not None}
    costs = ColumnCosts(evaluation, "loss")
    (batch,) = evaluation.in_batches(every_node(evaluation))
    for node, loss in zip(batch[0], batch[1]["loss"].tolist(), strict=True):
        # Without suppression what a node costs at least is what it costs, unless a higher level costs less.
        assert node in found or costs.cost(loss) >= limit - 1e-9
    assert tagging.least == limit
