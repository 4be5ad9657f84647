"""NodeMeasures of lattice nodes: which of them are missing, and which are better."""

import numpy as np
import pytest

from metrics.candidates.limits.measures import (
    MEASURES,
    NODE_MEASURES,
    SENSITIVE_MEASURES,
    as_measure,
    concatenate_measures,
    is_missing,
    oriented_values,
)
from metrics.metric import Direction


def test_batches_of_nodes_are_joined_in_their_order() -> None:
    first, second = {"k": np.array([1, 2]), "loss": np.array([0.1, 0.2])}, {"k": np.array([3]), "loss": np.array([0.3])}
    whole = concatenate_measures([first, second])
    assert whole["k"].tolist() == [1, 2, 3]
    assert whole["loss"].tolist() == [0.1, 0.2, 0.3]


def test_a_count_of_0_is_missing_only_where_there_is_no_class_to_have_one() -> None:
    assert is_missing("k", np.array([0, 2])).tolist() == [True, False]
    assert is_missing("suppressed_rows", np.array([0, 2])).tolist() == [False, False]
    assert is_missing("loss", np.array([np.nan, 0.0])).tolist() == [True, False]


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [("k", 3, 3.0), ("no_attack", True, True), ("no_attack", None, False), ("t_closeness", 0.5, 0.5)],
)
def test_the_value_of_a_metric_becomes_the_figure_of_one_node(name: str, value: float | None, expected: float) -> None:
    (found,) = as_measure(name, value).tolist()
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize("name", ["k", "t_closeness"])
def test_a_missing_value_becomes_a_missing_figure(name: str) -> None:
    assert is_missing(name, as_measure(name, None)).all()


def test_figures_turned_upwards_are_higher_the_better_they_are() -> None:
    assert oriented_values("k", np.array([0, 2, 5])).tolist() == [-np.inf, 2, 5]
    assert oriented_values("loss", np.array([np.nan, 0.2, 0.5])).tolist() == [-np.inf, -0.2, -0.5]


def test_every_measure_has_an_order_and_is_a_figure() -> None:
    assert set(SENSITIVE_MEASURES) < set(MEASURES) < set(NODE_MEASURES)
    assert all(NODE_MEASURES[name].direction in (Direction.HIGHER, Direction.LOWER) for name in MEASURES)
