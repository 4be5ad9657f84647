"""The lattice search agrees with brute force, and every figure with a score of the candidate's file."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics.candidates.generalization.generalize import generalized_table
from metrics.candidates.limits.enforced import K, L, Limits, T
from metrics.candidates.limits.measures import NODE_MEASURES, oriented_values
from metrics.candidates.search.evaluation import Scope
from metrics.candidates.search.exploration import Exploration
from metrics.candidates.search.lattice import explore, iter_explore
from metrics.config.parameters import Parameters, ProfitabilityParameters
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.tables.export import write_table
from tests.candidates.lattices import AGES, HIERARCHIES, Original, originals, slow_generalized, slow_nodes
from tests.support.small_tables import cells_of, records, table

PRICES = ProfitabilityParameters(4, 11, 300, 120, information_loss=True)
RULES = st.fixed_dictionaries(
    {K: st.integers(1, 4)}, optional={L: st.integers(1, 3), T: st.sampled_from([0.2, 0.5, 0.9])}
)


def scored(path: Path, original: metrics.Table, roles: metrics.Roles, hierarchies: Any, parameters: Parameters) -> Any:
    """The figures that scoring a file gives, under the names of a node's figures."""
    ids = {metric.id for metric in metrics.METRICS if metric.id != "analyses"}  # of a search by analyses alone
    wanted = [name for name in NODE_MEASURES if name in ids]
    card = metrics.score(
        metrics.read_table(path, delimiter=",", quote='"'),
        roles,
        original=original,
        hierarchies=hierarchies,
        parameters=parameters,
        metrics=wanted,
    )
    classes = card.aggregates.classes
    profit = {} if not classes.count else card["profitability"].details
    return {
        **{name: card[name].value for name in wanted if name != "k"},
        "max_record_linkage": getattr(card["record_linkage_attack"].result, "max_success", None),
        "suppressed_rows": classes.suppressed,
        "smallest_class": int(classes.sizes.min()) if classes.count else None,
        "classes": classes.count,
        "publisher_payout": profit.get("publisher_payout"),
        "records_attacked": profit.get("records_attacked", 0),
        "no_attack": profit.get("no_attack", False),
        "profitability": bool(card["profitability"].value),
    }


def _every_node(original: Original, rule: Limits, limits: Limits) -> Exploration:
    content, roles, hierarchies = original
    parameters = Parameters(profitability=PRICES)
    return explore(content, roles, hierarchies, rule=rule, limits=limits, parameters=parameters, sensitive=Scope.ALL)


@given(originals(), RULES, st.data())
def test_a_candidate_scored_from_its_file_has_the_promised_figures(
    tmp_path_factory: pytest.TempPathFactory, original: Original, rule: Limits, data: st.DataObject
) -> None:
    content, roles, hierarchies = original
    parameters = Parameters(profitability=PRICES)
    try:
        found = _every_node(original, rule, {"record_linkage_attack": 1})
    except metrics.InputError:
        found = _every_node(original, rule, {})
    linked = "record_linkage_attack" in found.figures
    assert linked or not set(roles.quasi_identifiers) <= {"job", "year"}
    index = data.draw(st.integers(0, found.nodes_evaluated - 1))
    levels = found.levels_of(index)
    distinct = {name: tree.with_distinct_labels for name, tree in hierarchies.items()}
    made = generalized_table(content, roles, distinct, levels, rule=rule, parameters=parameters)
    path = tmp_path_factory.mktemp("candidate") / "candidate.csv"
    write_table(made.to_arrow(), path)
    expected = scored(path, content, roles, distinct, parameters)
    if not linked:
        del expected["record_linkage_attack"], expected["max_record_linkage"]
    promised = found.node(index)
    for name, figure in expected.items():
        assert promised[name] == (figure if figure is None else pytest.approx(figure, rel=1e-9, abs=1e-9)), name


@given(originals(), st.integers(1, 5))
def test_every_node_has_the_classes_that_grouping_records_gives(original: Original, k: int) -> None:
    content, roles, hierarchies = original
    found = explore(content, roles, hierarchies, k=k, sensitive=Scope.NONE)
    rows = records({name: cells_of(content[name]) for name in content.names})
    assert found.proven
    assert {tuple(levels) for levels in found.levels.tolist()} == set(slow_nodes(found.heights))
    for index in range(found.nodes_total):
        levels = found.levels_of(index)
        for least in (1, k):
            after = slow_generalized(rows, hierarchies, levels, least)
            groups = [tuple(record[name] for name in levels) for record in after]
            kept = [group for group in groups if set(group) != {"*"}]
            smallest = min((kept.count(group) for group in kept), default=None)
            assert found.node(index)["k" if least == 1 else "smallest_class"] == smallest or least == k == 1
        assert found.node(index)["suppressed_rows"] == len(groups) - len(kept)
        assert found.node(index)["classes"] == len(set(kept))
        made = generalized_table(content, roles, hierarchies, levels, rule=found.rule)
        assert [[record[name] or "" for name in levels] for record in after] == [
            [cell or "" for cell in row] for row in zip(*(cells_of(made[name]) for name in levels), strict=True)
        ]


def dominates(first: tuple[float, float], second: tuple[float, float]) -> bool:
    return first != second and first[0] >= second[0] and first[1] >= second[1]


@given(
    originals(),
    st.integers(1, 4),
    st.sampled_from([0.0, 0.1, 0.5, 1.0]),
    st.sampled_from(["loss", "granularity", "non_uniform_entropy", "precision", "ambiguity", "publisher_payout"]),
)
def test_the_best_node_and_the_pareto_front_equal_those_of_exhaustive_search(
    original: Original, k: int, share: float, measure: str
) -> None:
    content, roles, hierarchies = original
    parameters = Parameters(profitability=PRICES)
    found = explore(
        content, roles, hierarchies, k=k, max_suppression=share, measure=measure, parameters=parameters,
        sensitive=Scope.NONE,
    )  # fmt: skip
    values = oriented_values(measure, found.figures[measure])
    allowed = [
        i
        for i in range(found.nodes_total)
        if found.figures["suppressed_rows"][i] <= share * content.rows and values[i] > -math.inf
    ]
    assert (found.best is None) == (not allowed)
    points = {i: (values[i], float(found.figures["smallest_class"][i])) for i in allowed}
    front = {i for i in allowed if points[i][1] and not any(dominates(points[j], points[i]) for j in allowed)}
    assert set(found.pareto_front(measure, "smallest_class").tolist()) == front
    if found.best is None:
        assert found.nearest() or not np.isfinite(values).any()
        return
    assert values[found.best] == max(values[i] for i in allowed)
    # Branch and bound finds as good a node, however few of them it sees.
    searched = explore(
        content, roles, hierarchies, k=k, max_suppression=share, measure=measure, parameters=parameters,
        sensitive=Scope.NONE, max_nodes=max(found.nodes_total - 1, 1),
    )  # fmt: skip
    if searched.proven:
        assert searched.best is not None
        assert oriented_values(measure, searched.figures[measure])[searched.best] == pytest.approx(
            values[found.best], abs=1e-9
        )
    for i, levels in enumerate(searched.levels.tolist()):
        there = found.index_of(dict(zip(found.attributes, levels, strict=True)))
        assert there is not None
        assert searched.node(i) == found.node(there)


def test_a_search_in_steps_reports_progress_and_keeps_partial_results() -> None:
    content = table({"age": ["21", "25", "33", "61"] * 3, "job": ["clerk", "farmer", "fisher"] * 4})
    roles = metrics.Roles(quasi_identifiers=["age", "job"])
    steps = iter_explore(content, roles, HIERARCHIES, k=2)
    first = next(steps)
    assert (first.nodes_evaluated, first.nodes_total) == (1, 12)
    assert 0 < first.share <= 1
    partial = first.partial()
    assert isinstance(partial, Exploration)
    assert partial.levels.tolist() == [[0, 0]]
    assert not partial.proven
    second = next(steps)
    assert second.share > first.share
    assert partial.nodes_evaluated == 1
    steps.close()


def test_a_search_that_ends_early_is_reported_as_incomplete() -> None:
    content = table({"age": ["21", "25", "33", "61"] * 3, "job": ["clerk", "farmer", "fisher"] * 4})
    roles = metrics.Roles(quasi_identifiers=["age", "job"])
    few = explore(content, roles, HIERARCHIES, k=2, measure="discernibility", max_nodes=2)
    assert not few.proven
    assert 2 <= few.nodes_evaluated < few.nodes_total
    hurried = explore(content, roles, HIERARCHIES, k=2, max_nodes=5, max_seconds=0)
    assert (hurried.nodes_evaluated, hurried.proven) == (1, False)


def test_the_nearest_generalization_names_the_limit_it_misses_and_by_how_much() -> None:
    content = table({"age": ["21", "25", "33", "61"], "illness": ["a", "b", "a", "b"]})
    roles = metrics.Roles(quasi_identifiers=["age"], sensitive=["illness"])
    found = explore(content, roles, {"age": AGES}, k=2, max_suppression=0.0)
    assert found.best is None
    nearest = found.nearest()
    assert nearest is not None
    (one,) = nearest.to_dicts()
    assert one == {"name": "max_suppression", "required": 0, "value": 1, "index": nearest.index, "alone": True}
    assert found.levels[nearest.index].tolist() == [2]
    assert nearest.summary() == (
        "No generalization meets the limits. The nearest one fails a single limit: 1 record is suppressed (limit 0)."
    )
    several = found.nearest({"k_anonymity": 10, "suppression": 0.0})
    assert several is not None
    assert [(miss["name"], miss["alone"]) for miss in several.to_dicts()] == [("k", False), ("max_suppression", False)]
    assert found.nearest({"suppression": 0.25}) is None
    split = table({"age": ["21", "25", "33", "33", "61", "61"], "illness": ["a", "b", "a", "a", "b", "b"]})
    strict = explore(split, roles, {"age": AGES}, k=2, limits={"suppression": 0.5, "t_closeness": 0.1})
    far = strict.nearest()
    assert far is not None
    assert [(miss["name"], miss["required"], miss["value"]) for miss in far.to_dicts()] == [("t", 0.1, 0.5)]
    assert "t is 0.5" in far.summary()


def test_a_search_can_be_limited_by_every_figure_at_once() -> None:
    content = table({"age": ["21", "25", "21", "25", "33", "33"], "illness": ["a", "b", "b", "a", "a", "b"]})
    roles = metrics.Roles(quasi_identifiers=["age"], sensitive=["illness"])
    parameters = Parameters(profitability=ProfitabilityParameters(4, 11, 300, 120))
    limits = {
        "k_anonymity": 2,
        "suppression": 0.0,
        "distinct_l_diversity": 2,
        "t_closeness": 0.5,
        "p29": 0.1,
        "no_attack": True,
        "profitability": True,
    }
    found = explore(content, roles, {"age": AGES}, k=1, limits=limits, parameters=parameters)
    passing = [found.levels[i].tolist() for i in np.flatnonzero(found.feasible())]
    assert passing == [[2]]
    assert [found.levels[i].tolist() for i in np.flatnonzero(found.feasible({"k_anonymity": 2}))] == [[0], [1], [2]]
    assert found.best_by("loss", {"k_anonymity": 4}) == found.index_of({"age": 2})


@pytest.mark.parametrize("distinct", [3, 6, 15])
def test_a_limit_at_the_exact_entropy_of_equally_frequent_values_is_met(distinct: int) -> None:
    """The sum of their logarithms is less than the logarithm of their number, by rounding."""
    values = [str(value) for value in range(distinct)]
    content = table({"age": ["21"] * 2 * distinct + ["33"] * distinct, "illness": values * 3})
    roles = metrics.Roles(quasi_identifiers=["age"], sensitive=["illness"])
    limits = {"entropy_l_diversity": distinct, "normalized_entropy_l_diversity": 1, "suppression": 0}
    for every in (True, False):
        found = explore(content, roles, {"age": AGES}, k=1, limits=limits, every=every)
        assert found.best is not None
        assert found.levels_of(found.best) == {"age": 0}


@pytest.mark.parametrize("cells", [["21"], ["21", "21", "21"], [None, None, "21"]])
def test_tables_of_one_column_one_record_or_missing_values_are_searched(cells: list[str | None]) -> None:
    content = table({"age": cells})
    roles = metrics.Roles(quasi_identifiers=["age"])
    found = explore(content, roles, {"age": AGES}, k=1, max_suppression=1)
    assert found.nodes_total == 4
    best = found.node(found.best or 0)
    assert best["levels"] == [0]
    assert (best["suppressed_rows"], best["loss"], best["granularity"]) == (0, 0, 1)
    top = found.node(3)
    assert (top["levels"], top["suppressed_rows"], top["k"], top["classes"]) == ([3], len(cells), None, 0)
    assert top["publisher_payout"] is None


def test_columns_with_a_hierarchy_of_one_level_or_without_one_are_searched() -> None:
    content = table({"flat": ["x", "x"], "sex": ["f", "m"]})
    roles = metrics.Roles(quasi_identifiers=["sex", "flat"])
    found = explore(content, roles, HIERARCHIES, k=2)
    assert found.attributes == ("flat", "sex")
    assert found.heights == (0, 1)
    assert found.levels.tolist() == [[0, 0], [0, 1]]
    assert found.best == 1
    assert found.node(1)["suppressed_rows"] == 0


def test_keys_of_several_words_give_the_same_classes() -> None:
    rng = np.random.default_rng(3)
    names = [f"column {i}" for i in range(13)]
    cells = {name: [str(value) for value in rng.integers(0, 60, 200)] for name in names}
    hierarchies = {
        name: Hierarchy([[f"{i}", f"half {i % 2}", "*"] for i in range(60)], name=name) for name in names[:2]
    }
    content = table({**cells, "illness": ["a", "b"] * 100})
    roles = metrics.Roles(quasi_identifiers=names, sensitive=["illness"])
    found = explore(content, roles, hierarchies, k=2, max_nodes=40, max_suppression=1.0)
    assert found.nodes_total == 9 * 2**11
    for index in range(0, found.nodes_evaluated, 7):
        made = generalized_table(content, roles, hierarchies, found.levels_of(index), rule=found.rule)
        card = metrics.score(made, roles, original=content, hierarchies=hierarchies, metrics=["ambiguity"])
        assert card.aggregates.classes.suppressed == found.figures["suppressed_rows"][index]
        assert card["ambiguity"].value == pytest.approx(found.figures["ambiguity"][index], abs=1e-12)


def test_a_search_for_the_best_alone_finds_the_same_best_from_fewer_nodes() -> None:
    rng = np.random.default_rng(4)
    cells = {name: [str(value) for value in rng.integers(20, 60, 300)] for name in ("one", "two", "three")}
    trees = {name: Hierarchy([[f"{i}", f"{i // 5}f", f"{i // 20}t", "*"] for i in range(20, 60)]) for name in cells}
    content, roles = table(cells), metrics.Roles(quasi_identifiers=list(cells))
    every, best = (
        explore(content, roles, trees, k=3, measure="non_uniform_entropy", every=every) for every in (True, False)
    )
    assert every.best is not None
    assert best.best is not None
    assert every.proven
    assert best.proven
    assert best.nodes_evaluated < every.nodes_evaluated == every.nodes_total
    assert best.levels_of(best.best) == every.levels_of(every.best)


def test_the_scope_can_be_given_by_name() -> None:
    content = table({"age": ["21", "25", "33", "61"], "illness": ["a", "b", "a", "b"]})
    roles = metrics.Roles(quasi_identifiers=["age"], sensitive=["illness"])
    assert "t_closeness" not in explore(content, roles, {"age": AGES}, sensitive="none").figures
    every = explore(content, roles, {"age": AGES}, k=1, limits={"k_anonymity": 3}, sensitive="all")
    assert np.isfinite(every.figures["t_closeness"]).tolist() == [True, True, True, False]  # all is * on the last


def test_incomplete_hierarchies_and_impossible_search_options_are_refused() -> None:
    content = table({"age": ["21", "22", "23", "21"]}, name="people.csv")
    roles = metrics.Roles(quasi_identifiers=["age"])
    with pytest.raises(
        metrics.InputError,
        match=r'^people.csv, line 3, column "age": the hierarchy age.csv lacks 2 of the 3 values',
    ):
        explore(content, roles, {"age": AGES})
    with pytest.raises(metrics.InputError, match="no records"):
        explore(table({"age": []}), roles)
    with pytest.raises(metrics.InputError, match="no scope"):
        explore(content, roles, sensitive="some")
    with pytest.raises(metrics.InputError, match="no measure"):
        explore(content, roles, measure="no_attack")
    with pytest.raises(metrics.InputError, match="sensitive"):
        explore(content, roles, rule={L: 2})
    with pytest.raises(metrics.InputError, match="sensitive"):
        explore(content, roles, limits={"p29": 0.5})
    with pytest.raises(metrics.InputError, match="sensitive"):
        explore(content, roles).feasible({"t_closeness": 0.5})
    with pytest.raises(metrics.InputError, match="cannot be ordered"):
        explore(content, roles).best_by("no_attack")
    for wrong in ({"age": 2}, {"sex": 0}, [0, 0], [-1]):
        with pytest.raises(metrics.InputError):
            generalized_table(content, roles, None, wrong)
    for wrong_rule in ({K: 0}, {L: 0}, {T: -0.1}, {T: 1.1}):
        with pytest.raises(metrics.InputError):
            explore(content, roles, rule=wrong_rule)
    with pytest.raises(metrics.InputError):
        explore(content, roles, max_suppression=1.5)


@given(originals(), st.data(), st.booleans(), st.sampled_from(["loss", "granularity", "non_uniform_entropy"]))
def test_highest_levels_leave_the_best_of_those_allowed(
    original: Original, data: st.DataObject, every: bool, measure: str
) -> None:
    content, roles, hierarchies = original
    whole = explore(content, roles, hierarchies, k=2, measure=measure)
    highest = {
        name: data.draw(st.integers(0, height)) for name, height in zip(whole.attributes, whole.heights, strict=True)
    }
    allowed = (whole.levels <= np.array(list(highest.values()))).all(axis=1)
    bounded = explore(content, replace(roles, highest_levels=highest), hierarchies, k=2, measure=measure, every=every)
    assert bounded.nodes_total == allowed.sum()
    values = oriented_values(measure, whole.figures[measure])[allowed & whole.feasible()]
    if not len(values):
        assert bounded.best is None
    else:
        assert bounded.best is not None
        best = oriented_values(measure, bounded.figures[measure])[bounded.best]
        assert best == pytest.approx(values.max(), abs=1e-12)
        assert (bounded.levels <= np.array(list(highest.values()))).all()


@given(originals(), st.data(), st.booleans())
def test_weights_change_only_the_loss_and_the_best_is_that_of_brute_force(
    original: Original, data: st.DataObject, every: bool
) -> None:
    content, roles, hierarchies = original
    names = list(roles.quasi_identifiers)
    weights = {name: data.draw(st.sampled_from([0.1, 0.5, 1.0])) for name in names}
    whole = explore(content, roles, hierarchies, k=2)
    weighted_roles = replace(roles, column_weights=weights)
    weighted = explore(content, weighted_roles, hierarchies, k=2)
    shares = weighted_roles.relative_weights(whole.attributes)
    assert shares.mean() == pytest.approx(1)
    for name, figures in whole.figures.items():
        if name != "loss" or len(set(weights.values())) == 1:
            np.testing.assert_array_equal(weighted.figures[name], figures)
    if whole.best is not None:
        best = weighted.figures["loss"][weighted.feasible()].min()
        found = explore(content, weighted_roles, hierarchies, k=2, every=every)
        assert found.best is not None
        assert found.figures["loss"][found.best] == pytest.approx(best, abs=1e-12)


def test_the_weighted_loss_worked() -> None:
    content = table({"sex": ["m", "m", "f", "f"], "age": ["1", "2", "1", "2"]})
    roles = metrics.Roles(["sex", "age"], column_weights={"sex": 1.0, "age": 0.25})
    found = explore(content, roles, k=1)
    # Weights of mean 1: 1.6 and 0.4. A column that is only * has the normalized share 1.
    loss = dict(zip(map(tuple, found.levels.tolist()), found.figures["loss"].tolist(), strict=True))
    assert loss[1, 0] == pytest.approx(2 ** (1.6 / 2) - 1)
    assert loss[0, 1] == pytest.approx(2 ** (0.4 / 2) - 1)
    assert loss[1, 1] == pytest.approx(1)
    never_removed = explore(content, replace(roles, highest_levels={"age": 0}), k=2, max_suppression=1)
    assert [never_removed.levels_of(i)["age"] for i in range(never_removed.nodes_evaluated)] == [0, 0]
    with pytest.raises(metrics.InputError, match="no level 2"):
        explore(content, replace(roles, highest_levels={"age": 2}))
