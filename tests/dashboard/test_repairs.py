"""Repairs of a candidate: which limits they enforce and name, and that each is worked out once."""

import metrics
from dashboard.repairs import (
    checked_limits,
    limit_names,
    repaired_measures,
    why_unrepairable,
)
from metrics.aggregates import TableAggregates
from metrics.candidates.limits.enforced import K, T
from metrics.candidates.repair.by_policy import computed_repair, limits_for
from metrics.candidates.repair.to_limits import Method
from metrics.config.parameters import Parameters
from metrics.policy.limitable_measures import SUPPRESSION
from metrics.policy.policy import Policy
from tests.support.small_tables import table

ROLES = metrics.Roles(quasi_identifiers=["age"], sensitive=["illness"])
RELEASED = table({"age": ["20-29"] * 3 + ["30-39"], "illness": ["a", "b", "a", "b"]})


def candidate(roles: metrics.Roles = ROLES) -> TableAggregates:
    return TableAggregates(RELEASED, roles)


def test_limits_on_sensitive_attributes_are_left_out_where_the_table_has_none() -> None:
    policy = Policy("own", {"k_anonymity": 3, "t_closeness": 0.3})
    assert limits_for(policy, candidate()) == {"k_anonymity": 3, "t_closeness": 0.3}
    assert limits_for(policy, candidate(metrics.Roles(quasi_identifiers=["age"]))) == {"k_anonymity": 3}


def test_limits_are_named_in_one_order_and_unknown_ones_left_out() -> None:
    assert limit_names([T, K]) == limit_names([K, T, "other"]) == "k and t"
    assert limit_names([]) == ""


def test_a_limit_on_the_highest_risk_is_named_with_the_k_that_enforces_it() -> None:
    limits = {"k_anonymity": 5}
    assert checked_limits(Policy("own", {"k_anonymity": 5}), limits) == "k"
    assert checked_limits(Policy("own", {"reidentification_risk": 0.2}), limits) == "k and highest risk"
    assert checked_limits(
        Policy("own", {"reidentification_risk": 0.2}), {"k_anonymity": 5, "distinct_l_diversity": 2, "t_closeness": 0.5}
    ) == ("k, l, t and highest risk")
    assert checked_limits(Policy("own", {"reidentification_risk": 0.2}), {}) == ""


def test_only_a_limit_on_suppression_that_is_missed_makes_repairs_useless() -> None:
    card = metrics.score(
        table({"age": ["*", "30-39"], "illness": ["a", "b"]}),
        ROLES,
        original=table({"age": ["31", "32"], "illness": ["a", "b"]}),
    )
    assert why_unrepairable(Policy("own", {"k_anonymity": 9}).check(card)) is None
    assert why_unrepairable(Policy("own", {SUPPRESSION: 0.5}).check(card)) is None
    reason = why_unrepairable(Policy("own", {SUPPRESSION: 0.4}).check(card))
    assert reason is not None
    assert "50%" in reason
    assert "40%" in reason


def test_the_last_repairs_of_a_candidate_are_kept() -> None:
    aggregates, parameters = candidate(), Parameters()
    first = computed_repair(aggregates, {"k_anonymity": 2}, Method.RECORDS, parameters)
    assert computed_repair(aggregates, {"k_anonymity": 2}, Method.RECORDS, parameters) is first
    others = [computed_repair(aggregates, {"k_anonymity": k}, Method.RECORDS, parameters) for k in (1, 3, 4)]
    assert computed_repair(aggregates, {"k_anonymity": 2}, Method.RECORDS, parameters) is first
    assert len({id(one) for one in (first, *others)}) == 4
    assert computed_repair(candidate(), {"k_anonymity": 2}, Method.RECORDS, parameters) is not first
    computed_repair(aggregates, {"k_anonymity": 5}, Method.RECORDS, parameters)
    assert computed_repair(aggregates, {"k_anonymity": 2}, Method.RECORDS, parameters) is not first


def test_figures_after_a_repair_are_those_of_the_repaired_table() -> None:
    parameters = Parameters()
    repair = computed_repair(candidate(), {"k_anonymity": 3}, Method.RECORDS, parameters)
    found = repaired_measures(repair, ["k_anonymity", "no_attack"], parameters)
    anew = metrics.score(repair.table, ROLES)
    assert found["k_anonymity"].value == anew["k_anonymity"].value == 3
    assert found["no_attack"].value == anew["profitability"].details["no_attack"]
