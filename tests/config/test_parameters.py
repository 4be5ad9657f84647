"""Settings: read from text, checked, and refused in one sentence."""

from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import InputError, Parameters
from metrics.config.parameters import AttackParameters, GroundDistance, P29Parameters, ProfitabilityParameters
from metrics.config.setting_values import rescale_weights

WEIGHTS = ("w_k", "w_l", "w_t")
# A slider gives hundredths, but links and files may hold anything.
weights = st.one_of(st.integers(0, 100).map(lambda percent: percent / 100), st.floats(0, 1))


def test_default_parameters_are_those_of_the_original_scripts() -> None:
    found = Parameters().to_dict()
    assert found["p29"] == {"w_k": 0.5, "w_l": 0.25, "w_t": 0.25, "t_max": 0.5}
    costs = {"adversary_cost": 4, "adversary_gain": 300, "publisher_loss": 300, "publisher_benefit": 1200}
    assert {name: found["profitability"][name] for name in costs} == costs
    assert found["profitability"]["allow_attack"] is True
    assert found["profitability"]["information_loss"] is False
    assert found["recursive_cl_diversity"] == {"l": 2}


def test_settings_are_read_from_text_and_from_numbers() -> None:
    settings = {
        "p29.w_k": "0.2",
        "p29.w_l": 0.3,
        "p29.w_t": " 0.5 ",
        "profitability.allow_attack": "No",
        "profitability.adversary_cost": "1e2",
        "recursive_cl_diversity.l": "3",
        "t_closeness.t": 1,
        "t_closeness.distance.salary.2020": "equal",
        "t_closeness.distance.illness": GroundDistance.HIERARCHICAL,
    }
    found = Parameters().with_settings(settings)
    assert (found.p29.w_k, found.p29.w_l, found.p29.w_t) == (0.2, 0.3, 0.5)
    assert found.profitability.allow_attack is False
    assert found.profitability.adversary_cost == 100
    assert found.recursive_cl_diversity.l == 3
    assert found.t_closeness.t == 1
    assert found.t_closeness.distance == {"salary.2020": "equal", "illness": "hierarchical"}
    assert found.with_settings({"t_closeness.distance.x": "ordered"}).t_closeness.distance == {
        **found.t_closeness.distance,
        "x": "ordered",
    }


def test_settings_leave_the_parameters_they_start_from_alone() -> None:
    start = Parameters()
    start.with_settings({"t_closeness.t": 0.9, "t_closeness.distance.x": "equal"})
    assert start == Parameters()
    with pytest.raises(FrozenInstanceError):
        start.p29.w_k = 1  # type: ignore[misc]


def test_whole_numbers_given_before_do_not_make_a_parameter_whole() -> None:
    start = Parameters(p29=P29Parameters(1, 0, 0))
    assert start.with_settings({"p29.w_k": "0.5", "p29.w_t": "0.5"}).p29.w_k == 0.5


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"p29.w_k": "0.9"}, "p29.w_k, p29.w_l and p29.w_t are not non-negative numbers with sum 1; set all three"),
        ({"p29.w_k": "1.5", "p29.w_l": "-0.5", "p29.w_t": "0"}, "are not non-negative numbers with sum 1"),
        ({"p29.w_k": "nan"}, "are not non-negative numbers with sum 1"),
        ({"p29.t_max": "1.01"}, "p29.t_max is not between 0 and 1"),
        ({"p29.t_max": "nan"}, "p29.t_max is not between 0 and 1"),
        ({"t_closeness.t": "-0.1"}, "t_closeness.t is not between 0 and 1"),
        ({"t_closeness.t": "a"}, "t_closeness.t is not a number"),
        ({"recursive_cl_diversity.l": "1"}, "recursive_cl_diversity.l is smaller than 2"),
        ({"recursive_cl_diversity.l": "2.5"}, "recursive_cl_diversity.l is not a whole number"),
        ({"profitability.adversary_cost": "-1"}, "profitability.adversary_cost is not an amount in range"),
        ({"profitability.publisher_loss": "inf"}, "profitability.publisher_loss is not an amount in range"),
        ({"profitability.publisher_benefit": "1e16"}, "set a number from 0 to 1,000"),
        ({"profitability.adversary_gain": "nan"}, "profitability.adversary_gain is not an amount in range"),
        ({"profitability.allow_attack": "maybe"}, "profitability.allow_attack is neither true nor false"),
        ({"t_closeness.distance.x": "far"}, "t_closeness.distance.x is not a ground distance; use equal, ordered"),
        ({"t_closeness.distance": "equal"}, 'there is no parameter "t_closeness.distance"'),
        ({"p29": "1"}, 'there is no parameter "p29"'),
        ({"p29.": "1"}, 'there is no parameter "p29."'),
        ({"": "1"}, 'there is no parameter ""'),
        ({"p29.x": "1"}, r'there is no parameter "p29.x"; use p29.w_k, .* or t_closeness.distance.COLUMN'),
        ({"k_anonymity.k": "1"}, 'there is no parameter "k_anonymity.k"'),
        ({"to_dict.x": "1"}, 'there is no parameter "to_dict.x"'),
        ({"__class__.x": "1"}, 'there is no parameter "__class__.x"'),
    ],
)
def test_a_setting_that_is_unknown_or_out_of_range_is_refused_by_its_name(
    settings: dict[str, str], problem: str
) -> None:
    with pytest.raises(InputError, match=problem):
        Parameters().with_settings(settings)


def test_parameters_made_by_hand_are_checked_as_well() -> None:
    with pytest.raises(InputError):
        P29Parameters(w_k=1)
    with pytest.raises(InputError):
        ProfitabilityParameters(publisher_loss=-1)


@pytest.mark.parametrize("known", [5, None, True, 1.5, {"age": 1}])
def test_known_columns_that_are_no_list_are_refused(known: Any) -> None:
    for refused in (lambda: Parameters().with_settings({"attack.known": known}), lambda: AttackParameters(known=known)):
        with pytest.raises(InputError, match=r"attack\.known is not a list of columns; name them, as in \[age, sex\]"):
            refused()


def p29_weights(parameters: P29Parameters) -> dict[str, float]:
    return {name: getattr(parameters, name) for name in WEIGHTS}


@given(st.lists(st.tuples(st.sampled_from(WEIGHTS), weights), min_size=1, max_size=40))
def test_the_sum_of_the_weights_stays_one_after_any_moves(moves: list[tuple[str, float]]) -> None:
    current = p29_weights(P29Parameters())
    for name, weight in moves:
        current = rescale_weights(current, name, weight)
        assert current[name] == weight
        assert p29_weights(P29Parameters(**current)) == current


@given(weights.filter(lambda weight: weight < 0.99), st.sampled_from(WEIGHTS))
def test_moving_one_weight_keeps_the_proportion_of_the_others(weight: float, name: str) -> None:
    before = p29_weights(P29Parameters(0.6, 0.3, 0.1))
    after = rescale_weights(before, name, weight)
    first, second = (other for other in WEIGHTS if other != name)
    assert after[first] * before[second] == pytest.approx(after[second] * before[first], abs=1e-9)


@pytest.mark.parametrize("name", WEIGHTS)
def test_weights_at_zero_share_the_rest_equally(name: str) -> None:
    after = rescale_weights({other: float(other == name) for other in WEIGHTS}, name, 0.4)
    assert after == pytest.approx({other: 0.4 if other == name else 0.3 for other in WEIGHTS})
