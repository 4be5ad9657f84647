"""Parameters in an address: those that differ, numbers and switches only, and the same when read again."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import environment
from dashboard.links import from_link, link_parameters
from dashboard.state.policy_state import DEFAULT_PARAMETERS
from metrics.config.parameters import GroundDistance, P29Parameters, Parameters
from metrics.errors import InputError
from metrics.policy.built_in_policies import DEFAULT_POLICY
from tests.dashboard.application import sound, state_of


def changed(**settings: object) -> Parameters:
    return DEFAULT_PARAMETERS.with_settings({name.replace("__", "."): value for name, value in settings.items()})


def test_an_address_without_changes_is_empty_and_stands_for_the_defaults() -> None:
    assert link_parameters(DEFAULT_PARAMETERS) == {}
    assert from_link({}) == DEFAULT_PARAMETERS


def test_an_address_carries_what_differs_and_nothing_else() -> None:
    parameters = changed(profitability__adversary_cost=12.5, profitability__allow_attack=False, t_closeness__t=0.25)
    assert link_parameters(parameters) == {"adversary_cost": "12.5", "allow_attack": "false", "t_limit": "0.25"}


@pytest.mark.parametrize("value", [0.1, 1 / 3, 1234567.5, 1e-6, 300])
def test_numbers_come_back_from_the_address(value: float) -> None:
    parameters = changed(profitability__adversary_gain=value)
    assert from_link(link_parameters(parameters)).profitability.adversary_gain == pytest.approx(value, rel=1e-9)


def test_switches_come_back_from_the_address() -> None:
    switched = replace(
        DEFAULT_PARAMETERS.profitability,
        allow_attack=not DEFAULT_PARAMETERS.profitability.allow_attack,
        information_loss=not DEFAULT_PARAMETERS.profitability.information_loss,
    )
    parameters = replace(DEFAULT_PARAMETERS, profitability=switched)
    assert from_link(link_parameters(parameters)) == parameters


def test_names_of_columns_never_stand_in_an_address() -> None:
    closeness = replace(DEFAULT_PARAMETERS.t_closeness, distance={"secret": GroundDistance.EQUAL})
    assert link_parameters(replace(DEFAULT_PARAMETERS, t_closeness=closeness)) == {}


def test_unknown_names_are_left_out_and_values_out_of_range_refused() -> None:
    assert from_link({"campaign": "x", "t_limit": "0.5"}).t_closeness.t == 0.5
    for wrong in ({"t_limit": "2"}, {"t_limit": "many"}, {"allow_attack": "perhaps"}):
        with pytest.raises(InputError):
            from_link(wrong)


def test_a_session_opened_by_an_address_tries_its_parameters_and_uses_them_nowhere_else() -> None:
    app = AppTest.from_file(environment.ROOT / "dashboard" / "main.py", default_timeout=60)
    for name, value in {"t_limit": "0.9", "w_k": "1", "w_l": "0", "w_t": "0"}.items():
        app.query_params[name] = value
    state = state_of(sound(app.run()))
    assert (state.policy.parameters, state.policy.current) == (DEFAULT_PARAMETERS, DEFAULT_POLICY)
    assert state.policy.what_if("p29").parameters.p29 == P29Parameters(1.0, 0.0, 0.0)
    assert state.policy.what_if("t_closeness").limits["t_closeness"] == 0.9
