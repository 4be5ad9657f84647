"""A policy in a search: what the search calls within the limits meets the policy, and what it leaves out is named."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics import Parameters
from metrics.candidates.generalization.generalize import generalized_table
from metrics.candidates.limits.constraints import Constraints
from metrics.candidates.limits.policy_limits import constraints_of, not_enforced, search_constraints, suppression_rule
from metrics.candidates.limits.suppression import SuppressionRule
from metrics.candidates.search.lattice import explore
from metrics.config.parameters import ProfitabilityParameters
from metrics.policy.limitable_measures import NO_ATTACK, SUPPRESSION
from metrics.policy.policy import Policy, Status
from tests.candidates.lattices import originals
from tests.support.command_line import call

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
    limits = search_constraints(policy)
    rule = suppression_rule(limits, parameters)
    found = explore(content, roles, hierarchies, rule=rule, constraints=limits, parameters=parameters)
    assert not_enforced(policy, limits) == ()
    index = data.draw(st.integers(0, found.nodes_evaluated - 1))
    levels = found.levels_of(index)
    made = generalized_table(content, roles, hierarchies, levels, rule=rule, parameters=parameters)
    card = metrics.score(made, roles, original=content, hierarchies=hierarchies, parameters=parameters)
    assert (policy.judge(card).status is Status.MEETS) == found.feasible()[index]


def test_classes_that_fail_k_l_or_t_or_pay_for_an_attack_are_suppressed() -> None:
    limits = Constraints(k=2, l=3, t=0.2)
    assert suppression_rule(limits, PRICES) == SuppressionRule(2, 3, 0.2)
    assert suppression_rule(Constraints(k=2, no_attack=True), PRICES) == SuppressionRule(3)
    assert suppression_rule(Constraints(), PRICES) == SuppressionRule(1)


def test_limits_that_are_not_enforced_are_named() -> None:
    policy = Policy(
        "own", {"k_anonymity": 5, "t_closeness": 0.3, "record_linkage_attack": 0.1, "non_uniform_entropy": 0.5}
    )
    assert not_enforced(policy, search_constraints(policy)) == ("non_uniform_entropy",)
    assert not_enforced(policy, constraints_of(policy)) == ("record_linkage_attack", "non_uniform_entropy")
    without = search_constraints(policy).without_sensitive()
    assert not_enforced(policy, without) == ("t_closeness", "non_uniform_entropy")


def test_a_limit_of_0_is_enforced_like_any_other() -> None:
    policy = Policy("own", {"t_closeness": 0, "record_linkage_attack": 0, SUPPRESSION: 0})
    assert not_enforced(policy, search_constraints(policy)) == ()


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
        "Not part of the search: t-closeness and non-uniform entropy. Check the result with `score` and the same "
        "policy."
    )
    assert call(capsys, *command, "--json").object["not_searched"] == ["t_closeness", "non_uniform_entropy"]


def test_a_risk_of_0_which_no_class_size_gives_is_not_said_to_be_enforced() -> None:
    policy = Policy("own", {"k_anonymity": 5, "reidentification_risk": 0})
    assert not_enforced(policy, constraints_of(policy)) == ("reidentification_risk",)
