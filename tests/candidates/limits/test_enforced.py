"""A policy in a search: what the search calls within the limits meets the policy, and what it leaves out is named."""

import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics import Parameters
from metrics.candidates.generalization.generalize import generalized_table
from metrics.candidates.limits.enforced import (
    ENFORCED,
    K,
    Limits,
    by_name,
    checked,
    max_suppressed,
    needs_sensitive,
    not_enforced,
    repair_limits,
    search_limits,
    without_sensitive,
)
from metrics.candidates.limits.measures import is_missing
from metrics.candidates.limits.suppression import suppression_rule
from metrics.candidates.search.lattice import MAX_NODES, explore
from metrics.config.parameters import ProfitabilityParameters
from metrics.errors import InputError
from metrics.metric import Direction
from metrics.policy.limitable_measures import LIMITABLE_MEASURES, NO_ATTACK, SUPPRESSION
from metrics.policy.policy import Policy, Status
from tests.candidates.lattices import CELLS, HIERARCHIES, Original, originals
from tests.support.command_line import call
from tests.support.small_tables import table

POLICIES = st.fixed_dictionaries(
    {"k_anonymity": st.integers(1, 4)},
    optional={
        "distinct_l_diversity": st.integers(1, 3),
        "t_closeness": st.sampled_from([0.1, 0.3, 0.5]),
        "entropy_l_diversity": st.just(1.2),
        "p29": st.just(0.1),
        "reidentification_risk": st.sampled_from([0.3, 0.5]),
        SUPPRESSION: st.sampled_from([0.2, 0.5]),
        NO_ATTACK: st.just(True),
    },
)
ROLES = metrics.Roles(["age"])
PRICES = Parameters(profitability=ProfitabilityParameters(adversary_cost=150, adversary_gain=300))


@given(originals(), POLICIES, st.data())
def test_a_generalization_found_within_the_limits_meets_the_policy(
    original: tuple[metrics.Table, metrics.Roles, dict[str, metrics.Hierarchy]],
    chosen: dict[str, float],
    data: st.DataObject,
) -> None:
    content, roles, hierarchies = original
    policy = Policy("own", chosen)
    parameters = policy.limit_parameters(PRICES)
    limits = search_limits(policy)
    rule = suppression_rule(limits, parameters)
    found = explore(content, roles, hierarchies, rule=rule, limits=limits, parameters=parameters)
    assert not_enforced(policy, limits, ROLES) == ()
    index = data.draw(st.integers(0, found.nodes_evaluated - 1))
    levels = found.levels_of(index)
    made = generalized_table(content, roles, hierarchies, levels, rule=rule, parameters=parameters)
    card = metrics.score(made, roles, original=content, hierarchies=hierarchies, parameters=parameters)
    assert (policy.check(card).status is Status.MEETS) == found.feasible()[index]


@pytest.mark.parametrize("name", ENFORCED)
@pytest.mark.parametrize("seed", range(3))
def test_every_limit_is_kept_also_where_a_search_leaves_out_generalizations(name: str, seed: int) -> None:
    """Limits lie between figures of generalizations where they can, so that some meet them and some miss them."""
    draw = Random(seed)
    columns = {**CELLS, "age": ("21", "25", "33", "61"), "illness": ("a", "b"), "pay": ("10", "20", "35")}
    cells = {column: draw.choices(columns[column], k=30) for column in ("age", "job", "sex", "illness", "pay")}
    roles = metrics.Roles(quasi_identifiers=["age", "job", "sex"], sensitive=["illness", "pay"])
    content: Original = (table(cells), roles, {column: HIERARCHIES[column] for column in ("age", "job")})
    rule = {K: draw.randint(1, 3)}
    for bound in bounds_between(name, content, rule):
        policy = Policy("own", {SUPPRESSION: 0.2, name: bound})  # where all may be suppressed, nothing is left out
        limits, parameters = search_limits(policy), policy.limit_parameters(PRICES)
        given: dict[str, Any] = {"rule": rule, "limits": limits, "parameters": parameters}
        every = explore(*content, **given)
        pruned = explore(*content, **given, every=False, max_nodes=draw.choice([5, MAX_NODES]))
        if pruned.proven:
            best, found = ([] if one.best is None else [one.figures["loss"][one.best]] for one in (every, pruned))
            assert found == pytest.approx(best), f"{name}: a generalization within the limit was left out, see `values`"
        index = draw.randrange(every.nodes_total)
        made = generalized_table(*content, every.levels_of(index), rule=rule, parameters=parameters)
        card = metrics.score(made, roles, original=content[0], hierarchies=content[2], parameters=parameters)
        assert (policy.check(card).status is Status.MEETS) == every.feasible()[index], name


def bounds_between(name: str, content: Original, rule: Limits) -> list[float | bool]:
    """Limits between the figures of all generalizations, three at most; the loosest limit if all figures are alike."""
    measure, node = LIMITABLE_MEASURES[name], ENFORCED[name].node
    if measure.direction is Direction.TRUE:
        return [True]
    loosest = measure.maximum if measure.direction is Direction.LOWER else measure.minimum or 0
    loosest = 1e9 if loosest is None else loosest
    figures = explore(*content, rule=rule, limits={name: loosest}, parameters=PRICES).figures[node]
    reached = np.unique(figures[~is_missing(node, figures)].astype(np.float64))
    unit = content[0].rows if name == SUPPRESSION else 1
    between = (reached[:-1] + reached[1:])[np.diff(reached) > 1e-6] / 2 / unit
    return [loosest] if not len(between) else np.quantile(between, [0, 0.5, 1], method="nearest").tolist()


def test_limits_that_are_not_enforced_are_named() -> None:
    policy = Policy(
        "own", {"k_anonymity": 5, "t_closeness": 0.3, "record_linkage_attack": 0.1, "non_uniform_entropy": 0.5}
    )
    assert not_enforced(policy, search_limits(policy), ROLES) == ("non_uniform_entropy",)
    assert not_enforced(policy, repair_limits(policy), ROLES) == ("record_linkage_attack", "non_uniform_entropy")
    without = without_sensitive(search_limits(policy))
    assert not_enforced(policy, without, ROLES) == ("t_closeness", "non_uniform_entropy")


def test_a_limit_of_0_is_enforced_like_any_other() -> None:
    policy = Policy("own", {"t_closeness": 0, "record_linkage_attack": 0, SUPPRESSION: 0})
    assert not_enforced(policy, search_limits(policy), ROLES) == ()


def test_the_command_names_the_limits_that_it_does_not_search_by(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "people.csv").write_text("age,illness\n21,a\n25,b\n21,b\n25,a\n", encoding="utf-8")
    (tmp_path / "roles.yaml").write_text("quasi_identifiers: [age]\n", encoding="utf-8")
    (tmp_path / "trees").mkdir()
    (tmp_path / "trees" / "age.csv").write_text("21,20-29,*\n25,20-29,*\n", encoding="utf-8")
    limits = {"k_anonymity": 2, "t_closeness": 0.5, "non_uniform_entropy": 0.5}
    (tmp_path / "policy.json").write_text(json.dumps({"name": "own", "limits": limits}), encoding="utf-8")
    command = ["explore", "--original", tmp_path / "people.csv", "--roles", tmp_path / "roles.yaml"]
    command += ["--hierarchies", tmp_path / "trees", "--policy", tmp_path / "policy.json"]
    assert call(capsys, *command).out.splitlines()[-1] == (
        "Not part of the search: t-closeness and information kept. Check the result with `score` and the same policy."
    )
    assert call(capsys, *command, "--json").object["not_searched"] == ["t_closeness", "non_uniform_entropy"]


def test_a_risk_of_0_which_no_class_size_gives_is_not_said_to_be_enforced() -> None:
    policy = Policy("own", {"k_anonymity": 5, "reidentification_risk": 0})
    assert not_enforced(policy, repair_limits(policy), ROLES) == ("reidentification_risk",)


@pytest.mark.parametrize(("share", "records", "allowed"), [(0.29, 100, 29), (0.1, 19, 1), (0, 50, 0), (None, 50, 50)])
def test_the_records_that_may_be_suppressed_are_rounded_down_from_the_exact_share(
    share: float | None, records: int, allowed: int
) -> None:
    assert max_suppressed({} if share is None else {SUPPRESSION: share}, records) == allowed


@pytest.mark.parametrize("name", [SUPPRESSION, "t_closeness", "p29", "normalized_entropy_l_diversity"])
def test_a_share_is_limited_to_numbers_from_0_to_1(name: str) -> None:
    for bound in (0, 0.5, 1):
        assert checked({name: bound}) == {name: bound}
    for bound in (-0.1, 1.1):
        with pytest.raises(InputError, match=name):
            checked({name: bound})


@pytest.mark.parametrize("name", ["k_anonymity", "distinct_l_diversity", "entropy_l_diversity"])
def test_a_size_is_limited_to_numbers_from_1(name: str) -> None:
    assert checked({name: 1_000_000}) == {name: 1_000_000}
    with pytest.raises(InputError, match=name):
        checked({name: 0})


def test_a_limit_that_neither_search_nor_repair_enforces_is_refused() -> None:
    with pytest.raises(InputError, match="non_uniform_entropy cannot be enforced"):
        checked({"non_uniform_entropy": 0.5})


def test_limits_on_sensitive_attributes_can_be_left_out() -> None:
    of_sizes = {"k_anonymity": 3, NO_ATTACK: True}
    limits = {**of_sizes, "distinct_l_diversity": 2, "p29": 0.1, "normalized_entropy_l_diversity": 0.5}
    assert needs_sensitive(limits)
    assert without_sensitive(limits) == of_sizes
    assert not needs_sensitive(of_sizes)


def test_limits_have_short_names_in_json() -> None:
    found = by_name(search_limits(Policy("own", {"reidentification_risk": 0.3, SUPPRESSION: 0.1})))
    assert (found["k"], found["max_suppression"], found["t"], found["no_attack"]) == (4, 0.1, None, False)


def test_a_limit_on_records_is_not_enforced_on_people() -> None:
    policy, people = Policy("own", {"k_anonymity": 3}), metrics.Roles(["age"], person="id")
    assert not_enforced(policy, search_limits(policy), people) == ("people_per_class",)
