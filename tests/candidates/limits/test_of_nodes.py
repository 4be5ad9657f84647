"""Limits on generalizations: which nodes meet them, how far the others are off, and which limit binds."""

import math

import numpy as np
import pytest

from metrics.candidates.limits.enforced import Limits, limits_of
from metrics.candidates.limits.measures import NodeMeasures
from metrics.candidates.limits.of_nodes import feasible, nearest, share_missed
from metrics.errors import InputError
from metrics.metric import ABOVE_ZERO
from metrics.texts import text


def figures(**values: list[float]) -> NodeMeasures:
    """NodeMeasures of some nodes; k and the smallest class are alike, as without suppression."""
    whole = {"k", "smallest_class", "suppressed_rows", "distinct_l_diversity"}
    found = {name: np.array(of, dtype=np.int64 if name in whole else np.float64) for name, of in values.items()}
    return {"smallest_class": found["k"], **found}


@pytest.mark.parametrize(
    ("limits", "met"),
    [
        ({}, [True, True, True]),
        ({"k_anonymity": 3}, [False, True, True]),
        ({"suppression": 0.1}, [True, True, False]),
        ({"t_closeness": 0.4}, [False, True, False]),  # the last node has no t
        ({"k_anonymity": 3, "suppression": 0.1}, [False, True, False]),
    ],
)
def test_a_node_is_feasible_if_it_meets_every_limit(limits: Limits, met: list[bool]) -> None:
    nodes = figures(k=[2, 3, 9], suppressed_rows=[0, 10, 11], t_closeness=[0.5, 0.4, math.nan])
    assert feasible(limits, nodes, 100).tolist() == met


def test_a_limit_on_a_figure_that_was_not_evaluated_is_refused() -> None:
    with pytest.raises(InputError, match="sensitive"):
        feasible({"distinct_l_diversity": 2}, figures(k=[2]), 10)


def test_an_excess_is_the_share_of_the_limit_by_which_it_is_missed() -> None:
    nodes = figures(k=[0, 5, 12], suppressed_rows=[0, 15, 40])
    k, suppressed = (
        share_missed(limit, nodes, 100) for limit in limits_of({"k_anonymity": 10, "suppression": 0.1}, 100)
    )
    assert k.tolist() == [math.inf, 0.5, 0]
    assert suppressed == pytest.approx([0, 0.05, 0.3])  # of all records


def test_the_limit_that_alone_keeps_a_node_from_passing_binds() -> None:
    """The first node misses both limits by little; of the two that miss one, the last is nearer to it."""
    nodes = figures(k=[9, 2, 20], suppressed_rows=[6, 5, 30])
    found = nearest({"k_anonymity": 10, "suppression": 0.05}, nodes, 100)
    assert found is not None
    assert found.to_dicts() == [{"name": "max_suppression", "required": 5, "value": 30, "index": 2, "alone": True}]


def test_where_no_single_limit_binds_the_nearest_node_misses_several() -> None:
    nodes = figures(k=[2, 9], suppressed_rows=[40, 30])
    found = nearest({"k_anonymity": 10, "suppression": 0.05}, nodes, 100)
    assert found is not None
    assert found.to_dicts() == [
        {"name": "k", "required": 10, "value": 9, "index": 1, "alone": False},
        {"name": "max_suppression", "required": 5, "value": 30, "index": 1, "alone": False},
    ]


def test_no_limit_binds_where_a_node_is_feasible_or_nothing_is_limited() -> None:
    nodes = figures(k=[2, 10], suppressed_rows=[0, 0])
    assert nearest({"k_anonymity": 10}, nodes, 100) is None
    assert nearest({}, nodes, 100) is None
    assert nearest({"k_anonymity": 10}, figures(k=[]), 100) is None


def gap(limits: Limits, nodes: NodeMeasures) -> str:
    """How the nearest node misses the one limit."""
    found = nearest(limits, nodes, 100)
    assert found is not None
    (missed,) = found.gaps()
    return missed


def test_what_misses_a_limit_is_named_with_what_is_required() -> None:
    of_k = gap({"k_anonymity": 10}, figures(k=[7]))
    assert "7" in of_k
    assert "10" in of_k
    assert "10" not in gap({"k_anonymity": 10}, figures(k=[0]))
    assert "at least" not in gap({"p29": ABOVE_ZERO}, figures(k=[3], p29=[0.0]))


def test_a_limit_on_a_measure_without_a_value_is_named_where_classes_are_left() -> None:
    found = nearest({"t_closeness": 0.4}, figures(k=[3], t_closeness=[math.nan]), 100)
    assert found is not None
    (missing,) = found.gaps()
    assert missing == text("limits.no_value", title="t")
    assert found.summary() == text("limits.nearest", gap=missing)
    suppressed = nearest({"t_closeness": 0.4}, figures(k=[0], t_closeness=[math.nan]), 100)
    assert suppressed is not None
    assert suppressed.summary() == text("limits.no_class")
