"""Limits on generalizations: which nodes meet them, how far the others are off, and which limit binds."""

import math

import numpy as np
import pytest

from metrics.candidates.limits.constraints import ABOVE_ZERO, Constraints, nearest
from metrics.candidates.limits.measures import NodeMeasures
from metrics.errors import InputError


def figures(**values: list[float]) -> NodeMeasures:
    """NodeMeasures of some nodes; k and the smallest class are alike, as without suppression."""
    whole = {"k", "smallest_class", "suppressed_rows", "distinct_l_diversity"}
    found = {name: np.array(of, dtype=np.int64 if name in whole else np.float64) for name, of in values.items()}
    return {"smallest_class": found["k"], **found}


@pytest.mark.parametrize(
    ("limits", "met"),
    [
        (Constraints(), [True, True, True]),
        (Constraints(k=3), [False, True, True]),
        (Constraints(max_suppression=0.1), [True, True, False]),
        (Constraints(t=0.4), [False, True, False]),  # the last node has no t
        (Constraints(k=3, max_suppression=0.1), [False, True, False]),
    ],
)
def test_a_node_is_feasible_if_it_meets_every_limit(limits: Constraints, met: list[bool]) -> None:
    nodes = figures(k=[2, 3, 9], suppressed_rows=[0, 10, 11], t_closeness=[0.5, 0.4, math.nan])
    assert limits.feasible(nodes, 100).tolist() == met


@pytest.mark.parametrize(("share", "records", "allowed"), [(0.29, 100, 29), (0.1, 19, 1), (0, 50, 0), (None, 50, 50)])
def test_the_records_that_may_be_suppressed_are_rounded_down_from_the_exact_share(
    share: float | None, records: int, allowed: int
) -> None:
    assert Constraints(max_suppression=share).max_suppressed(records) == allowed


@pytest.mark.parametrize("limit", ["max_suppression", "t", "p29", "normalized_l", "record_linkage"])
def test_a_share_is_limited_to_numbers_from_0_to_1(limit: str) -> None:
    for value in (0, 0.5, 1):
        Constraints(**{limit: value})
    for value in (-0.1, 1.1):
        with pytest.raises(InputError, match=limit):
            Constraints(**{limit: value})


@pytest.mark.parametrize("limit", ["k", "l", "entropy_l"])
def test_a_size_is_limited_to_numbers_that_are_not_negative(limit: str) -> None:
    Constraints(**{limit: 1_000_000})
    with pytest.raises(InputError, match=limit):
        Constraints(**{limit: -1})


def test_limits_on_sensitive_attributes_can_be_left_out() -> None:
    limits = Constraints(k=3, l=2, t=0.5, p29=0.1, no_attack=True, entropy_l=1.5, normalized_l=0.5)
    assert limits.needs_sensitive
    assert limits.without_sensitive() == Constraints(k=3, no_attack=True)
    assert not limits.without_sensitive().needs_sensitive


def test_a_limit_on_a_figure_that_was_not_evaluated_is_refused() -> None:
    with pytest.raises(InputError, match="sensitive"):
        Constraints(l=2).feasible(figures(k=[2]), 10)


def test_an_excess_is_the_share_of_the_limit_by_which_it_is_missed() -> None:
    nodes = figures(k=[0, 5, 12], suppressed_rows=[0, 15, 40])
    k, suppressed = Constraints(k=10, max_suppression=0.1).limits(100)
    assert k.excess(nodes).tolist() == [math.inf, 0.5, 0]
    assert suppressed.excess(nodes) == pytest.approx([0, 0.05, 0.3])  # of all records


def test_the_limit_that_alone_keeps_a_node_from_passing_binds() -> None:
    """The first node misses both limits by little; of the two that miss one, the last is nearer to it."""
    nodes = figures(k=[9, 2, 20], suppressed_rows=[6, 5, 30])
    (found,) = nearest(Constraints(k=10, max_suppression=0.05), nodes, 100)
    assert (found.name, found.required, found.value, found.index, found.alone) == ("max_suppression", 5, 30, 2, True)


def test_where_no_single_limit_binds_the_nearest_node_misses_several() -> None:
    nodes = figures(k=[2, 9], suppressed_rows=[40, 30])
    found = nearest(Constraints(k=10, max_suppression=0.05), nodes, 100)
    assert [(one.name, one.value, one.index, one.alone) for one in found] == [
        ("k", 9, 1, False),
        ("max_suppression", 30, 1, False),
    ]


def test_no_limit_binds_where_a_node_is_feasible_or_nothing_is_limited() -> None:
    nodes = figures(k=[2, 10], suppressed_rows=[0, 0])
    assert nearest(Constraints(k=10), nodes, 100) == ()
    assert nearest(Constraints(), nodes, 100) == ()
    assert nearest(Constraints(k=10), figures(k=[]), 100) == ()


def test_a_shortfall_names_what_was_found_and_what_is_required() -> None:
    (of_k,) = nearest(Constraints(k=10), figures(k=[7]), 100)
    assert "7" in of_k.gap()
    assert "10" in of_k.gap()
    (of_nothing,) = nearest(Constraints(k=10), figures(k=[0]), 100)
    assert of_nothing.value is None
    assert "10" not in of_nothing.gap()
    (above_zero,) = nearest(Constraints(p29=ABOVE_ZERO), figures(k=[3], p29=[0.0]), 100)
    assert "at least" not in above_zero.gap()
