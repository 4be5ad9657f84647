"""The policy of a session: built-in ones never change, edited ones have a name of their own."""

from dataclasses import replace

import pytest

from dashboard.state.policy_state import DEFAULT_PARAMETERS, PolicyState
from metrics.config.parameters import GroundDistance, P29Parameters, TClosenessParameters
from metrics.errors import InputError
from metrics.policy.built_in_policies import DEFAULT_POLICY, POLICIES
from metrics.policy.policy import Policy


def test_a_session_begins_with_the_default_policy() -> None:
    state = PolicyState()
    assert state.current == DEFAULT_POLICY
    assert state.by_name == POLICIES
    assert state.k_limit == DEFAULT_POLICY.limits["k_anonymity"]


def test_a_changed_limit_makes_an_edited_copy_and_set_back_the_built_in_one() -> None:
    state = PolicyState()
    before = DEFAULT_POLICY.limits["k_anonymity"]
    state.set_limit("k_anonymity", 11)
    assert state.k_limit == 11
    assert state.current.name not in POLICIES
    assert set(state.by_name) == {*POLICIES, state.current.name}
    assert POLICIES[DEFAULT_POLICY.name].limits["k_anonymity"] == before
    state.set_limit("k_anonymity", before)
    assert state.current == DEFAULT_POLICY


def test_parameters_follow_the_limits_and_unlimited_figures_have_the_limit_that_everything_meets() -> None:
    state = PolicyState()
    state.choose(Policy("own", {"t_closeness": 0.3}))
    assert state.parameters.t_closeness.t == 0.3
    state.choose(Policy("none", {}))
    assert state.parameters.t_closeness.t == 1
    assert state.k_limit == 1
    state.set_limit("t_closeness", 0.2)
    assert state.parameters.t_closeness.t == 0.2
    state.set_limit("t_closeness", None)
    assert "t_closeness" not in state.limits
    assert state.parameters.t_closeness.t == 1


def test_a_wrong_limit_is_refused_and_nothing_changes() -> None:
    state = PolicyState()
    with pytest.raises(InputError):
        state.set_limit("t_closeness", 7)
    assert state.current == DEFAULT_POLICY
    assert state.parameters == DEFAULT_PARAMETERS


def test_a_policy_can_be_renamed_but_not_to_a_name_that_is_taken() -> None:
    state = PolicyState()
    state.choose(Policy("Study", {"k_anonymity": 3}))
    state.choose(DEFAULT_POLICY)
    state.set_limit("k_anonymity", 11)
    edited = state.current.name
    for taken in ("", DEFAULT_POLICY.name, edited, "Study"):
        state.rename(taken)
        assert state.current.name == edited
    assert state.by_name["Study"].limits == {"k_anonymity": 3}
    state.rename("Registry")
    assert (state.current.name, state.k_limit) == ("Registry", 11)
    assert edited not in state.by_name
    state.choose(DEFAULT_POLICY)
    assert set(state.by_name) == {*POLICIES, "Study", "Registry"}


def test_ground_distances_of_columns_that_are_not_sensitive_are_left_out() -> None:
    distances = {"illness": GroundDistance.EQUAL, "age": GroundDistance.ORDERED}
    state = PolicyState()
    state.parameters = replace(
        DEFAULT_PARAMETERS.with_settings({"profitability.adversary_cost": 7}),
        t_closeness=TClosenessParameters(0.2, distances),
    )
    found = state.parameters_of(["illness"])
    assert found.t_closeness.distance == {"illness": GroundDistance.EQUAL}
    assert found.t_closeness.t == 0.2
    assert found.profitability.adversary_cost == 7
    assert state.parameters.t_closeness.distance == distances


def test_what_a_page_tries_changes_nothing_else_until_it_is_used_everywhere() -> None:
    state = PolicyState()
    state.try_settings("p29", P29Parameters(1.0, 0.0, 0.0))
    state.try_limit("t_closeness", 0.9)
    assert (state.current, state.parameters) == (DEFAULT_POLICY, DEFAULT_PARAMETERS)
    assert state.what_if("p29").parameters.p29.w_k == 1
    assert state.what_if("p29").current == state.what_if("k_anonymity").current == DEFAULT_POLICY
    assert state.what_if("t_closeness").parameters.t_closeness.t == 0.9
    assert [name for name in ("p29", "t_closeness", "k_anonymity") if state.is_tried(name)] == ["p29", "t_closeness"]
    state.use_everywhere("t_closeness")
    assert (state.limits["t_closeness"], state.parameters.t_closeness.t) == (0.9, 0.9)
    assert state.parameters.p29 == P29Parameters()
    assert state.is_tried("p29")
    state.undo("p29")
    assert state.what_if("p29").parameters == state.parameters


def test_a_reset_goes_back_to_the_standard_and_keeps_facts_and_own() -> None:
    state = PolicyState()
    state.parameters = DEFAULT_PARAMETERS.with_settings({"profitability.adversary_cost": 60, "p29.t_max": 0.9})
    state.set_limit("k_anonymity", 2)
    assert state.edited_from == DEFAULT_POLICY
    state.reset()
    assert state.current == DEFAULT_POLICY
    assert state.parameters == DEFAULT_PARAMETERS.with_settings({"profitability.adversary_cost": 60})
    own = Policy("Ours", {"k_anonymity": 2})
    state.choose(own)
    state.reset()
    assert state.current == own
