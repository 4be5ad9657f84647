"""What is said of a node equals what its table says."""

from dataclasses import replace
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from metrics import Roles
from metrics.aggregates import TableAggregates
from metrics.candidates.generalization.generalize import generalized_table
from metrics.candidates.limits.enforced import K
from metrics.candidates.search.evaluation import Evaluation, Scope
from metrics.utility.cells.removed_values import removed_from
from tests.candidates.lattices import originals
from tests.support.small_tables import table


def test_values_of_which_every_record_is_suppressed() -> None:
    sexes = ["f", "m", "m", *["f"] * 6, "m", "f", "f"]
    original = table({"age": ["20"] * 3 + ["30"] * 6 + ["40"] * 3, "sex": sexes})
    evaluation = Evaluation(original, Roles(["age", "sex"]), {}, {K: 3}, sensitive=Scope.NONE, limits={})
    removed = [(one.column, one.values, one.records) for one in evaluation.removed((0, 0))]
    assert removed == [("age", ("20", "40"), 6), ("sex", ("m",), 3)]


@given(originals(), st.integers(1, 4))
def test_they_are_those_of_the_generalized_table(drawn, k):
    original, roles, hierarchies = drawn
    rule = {K: k}
    evaluation = Evaluation(original, roles, hierarchies, rule, sensitive=Scope.NONE, limits={})
    for node in product(*(range(of.height + 1) for of in evaluation.columns)):
        made = generalized_table(original, roles, hierarchies, node, rule=rule)
        expected = removed_from(TableAggregates(made, roles, original, hierarchies))
        # An empty cell of the table is an empty label of its hierarchy.
        without_missing = [replace(one, values=tuple(value or "" for value in one.values)) for one in expected]
        assert evaluation.removed(node) == without_missing
