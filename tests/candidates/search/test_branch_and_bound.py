"""Branch and bound agrees with seeing every node: its bound is never violated, and what it proves is the optimum."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics.candidates.generalization.levels import lattice_columns
from metrics.candidates.limits.enforced import K, L, Limits, T
from metrics.candidates.limits.measures import oriented_values
from metrics.candidates.search.bounds import BOUNDED
from metrics.candidates.search.branch_and_bound import BranchAndBound
from metrics.candidates.search.evaluation import Evaluation, Scope
from metrics.candidates.search.finding import search_finding
from metrics.candidates.search.lattice import explore, iter_explore
from metrics.config.parameters import Parameters, ProfitabilityParameters
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.texts import text
from tests.candidates.lattices import AGES, FLAT, Original, originals
from tests.support.small_tables import table

RULES = st.fixed_dictionaries(
    {K: st.integers(1, 4)}, optional={L: st.integers(1, 3), T: st.sampled_from([0.2, 0.5, 0.9])}
)
LIMITS = st.fixed_dictionaries(
    {},
    optional={
        "k_anonymity": st.integers(1, 5),
        "suppression": st.sampled_from([0.0, 0.1, 0.5]),
        "distinct_l_diversity": st.integers(1, 3),
        "t_closeness": st.sampled_from([0.2, 0.5]),
        "p29": st.just(0.3),
        "no_attack": st.just(True),
        "profitability": st.just(True),
        "entropy_l_diversity": st.sampled_from([1.0, 1.7]),
        "normalized_entropy_l_diversity": st.sampled_from([0.3, 0.9]),
        "record_linkage_attack": st.sampled_from([0.1, 0.4]),
    },
)
PRICES = st.builds(
    ProfitabilityParameters,
    adversary_cost=st.just(4),
    adversary_gain=st.sampled_from([11, 300]),
    publisher_loss=st.just(300),
    publisher_benefit=st.sampled_from([60, 1200]),
    allow_attack=st.booleans(),
    information_loss=st.booleans(),
)


@given(originals(), RULES, LIMITS, PRICES, st.sampled_from([*BOUNDED, "ambiguity", "reidentification_risk"]))
def test_the_bound_holds_and_a_proven_answer_is_the_optimum_for_both_searches(
    original: Original, rule: Limits, limits: Limits, prices: ProfitabilityParameters, measure: str
) -> None:
    content, roles, hierarchies = original
    if not all(of.covers_once for of in lattice_columns(*original)):
        limits = {name: bound for name, bound in limits.items() if name != "record_linkage_attack"}
    options = {"rule": rule, "limits": limits, "parameters": Parameters(profitability=prices), "measure": measure}
    every = explore(content, roles, hierarchies, sensitive=Scope.ALL, **options)
    optimum = None if every.best is None else float(every.figures[measure][every.best])
    sign = oriented_values(measure, np.ones(1))[0]
    assert every.proven
    assert every.bound == optimum
    # Measures without a bound are never proven, so that a search of them goes on for as long as it may.
    most = 300 if measure in BOUNDED else 30
    for max_listed in (0, 1_000_000):
        evaluation = Evaluation(
            content, roles, hierarchies, rule, options["parameters"], sensitive=Scope.ALL, limits=limits
        )
        best, proven = -math.inf, False
        for step in itertools.islice(BranchAndBound(evaluation, measure, max_listed=max_listed).steps(), most):
            for i, levels in enumerate(step.nodes):
                there = every.index_of(dict(zip(every.attributes, levels, strict=True)))
                assert there is not None
                if every.feasible()[there]:
                    best = max(best, float(oriented_values(measure, step.figures[measure])[i]))
            proven = step.proven
            if step.bound is not None:
                assert sign * step.bound >= best
                assert optimum is None or sign * step.bound >= sign * optimum - 1e-9 * max(abs(optimum), 1)
        assert proven == (measure in BOUNDED)
        if proven:
            assert best == pytest.approx(-math.inf if optimum is None else sign * optimum, rel=1e-9, abs=1e-9)


def test_a_lattice_of_one_node_is_proven() -> None:
    content, roles = table({"flat": ["x", "x"]}), metrics.Roles(quasi_identifiers=["flat"])
    evaluation = Evaluation(content, roles, {"flat": FLAT}, {K: 2}, sensitive=Scope.NONE, limits={})
    steps = list(itertools.islice(BranchAndBound(evaluation, "loss").steps(), 5))
    assert [step.nodes for step in steps if step.nodes] == [[(0,)]]
    assert steps[-1].proven
    assert steps[-1].bound == 0


def test_generalizing_can_raise_t_of_a_class_that_it_does_not_touch() -> None:
    content = table({"age": ["21", "21", "25", "33", "33", "33"], "illness": ["a", "b", "a", "b", "b", "a"]})
    roles = metrics.Roles(quasi_identifiers=["age"], sensitive=["illness"])
    found = explore(content, roles, {"age": AGES}, k=2, max_suppression=1, sensitive=Scope.ALL)
    t = found.figures["t_closeness"]
    assert t[1] > t[0]


def test_a_search_of_thirteen_columns_finds_and_bounds_within_its_limits() -> None:
    rng = np.random.default_rng(7)
    names = [f"column {i:02}" for i in range(13)]
    cells = {name: [str(value) for value in rng.integers(0, 4, 400)] for name in names}
    hierarchies = {name: Hierarchy([[f"{i}", f"half {i // 2}", "*"] for i in range(4)], name=name) for name in names}
    roles = metrics.Roles(quasi_identifiers=names)
    seen = [
        step.partial()
        for step in itertools.islice(iter_explore(table(cells), roles, hierarchies, max_suppression=0.1), 40)
    ]
    bounds = [found.bound for found in seen]
    values = [found.node(found.best)["loss"] for found in seen if found.best is not None]
    assert len(values) == len(seen)
    assert bounds == sorted(bounds)
    assert values == sorted(values, reverse=True)
    assert 0 < bounds[-1] <= values[-1] < 1
    assert not seen[-1].proven
    figure = text("search.figure", measure="loss (geometric mean)", value=values[-1])
    assert search_finding(seen[-1]) == text("search.bounded", figure=figure, bound=bounds[-1])
