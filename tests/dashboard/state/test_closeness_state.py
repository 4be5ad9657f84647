"""What a session keeps of distances: measured once, chosen by candidate, and never a distance that does not apply."""

import pytest

import metrics
from dashboard.state.closeness_state import ClosenessState
from metrics.aggregates import TableAggregates
from metrics.config.parameters import GroundDistance, TClosenessParameters
from metrics.errors import Unavailable
from metrics.privacy.t_closeness.measure import t_closeness
from tests.support.small_tables import Cells, table

ROLES = metrics.Roles(quasi_identifiers=["age"], sensitive=["pay", "illness"])


def candidate(pay: Cells = ("10", "10", "20", "30"), roles: metrics.Roles = ROLES) -> TableAggregates:
    content = {"age": ["20-29", "20-29", "30-39", "30-39"], "pay": list(pay), "illness": ["a", "b", "a", "a"]}
    return TableAggregates(table(content), roles)


def test_a_change_of_the_limit_measures_nothing_again() -> None:
    state, aggregates = ClosenessState(), candidate()
    first, curve = state.measured(aggregates, TClosenessParameters(0.1))
    second, same = state.measured(aggregates, TClosenessParameters(0.4))
    assert same is curve
    for found, limit in ((first, 0.1), (second, 0.4)):
        assert found.details() == t_closeness(aggregates.sensitive(), {}, limit, {}).details()
    assert first.details() != second.details()


def test_another_ground_distance_or_candidate_is_measured_anew() -> None:
    state, aggregates = ClosenessState(), candidate()
    ordered, _ = state.measured(aggregates, TClosenessParameters(0.1))
    equal, _ = state.measured(aggregates, TClosenessParameters(0.1, {"pay": GroundDistance.EQUAL}))
    assert (ordered.attributes["pay"], equal.attributes["pay"]) == (0.375, 0.5)
    other, _ = state.measured(candidate(("10", "30", "10", "30")), TClosenessParameters(0.1))
    assert other.attributes["pay"] == 0


def test_the_chosen_class_is_kept_by_candidate_and_is_the_farthest_at_first() -> None:
    state, one, other = ClosenessState(), candidate(), candidate()
    curves = [state.measured(of, TClosenessParameters(0.1))[1] for of in (one, other)]
    assert state.chosen_class(one, curves[0]) == curves[0].order[0]
    nearest = int(curves[0].order[-1])
    state.choose(one, nearest, "pay")
    assert state.chosen_class(one, curves[0]) == nearest
    assert state.chosen_class(other, curves[1]) == curves[1].order[0]
    state.choose(one, 0)
    assert state.attribute == "pay"


def test_a_distance_that_does_not_apply_is_refused_and_the_settings_stay() -> None:
    state, aggregates, settings = ClosenessState(), candidate(), TClosenessParameters(0.1)
    assert state.try_distance(aggregates, settings, "illness", GroundDistance.ORDERED) is settings
    assert state.refused is not None
    assert state.refused[0] == "illness"
    chosen = state.try_distance(aggregates, settings, "pay", GroundDistance.EQUAL)
    assert state.refused is None
    assert chosen == TClosenessParameters(0.1, {"pay": GroundDistance.EQUAL})
    assert state.try_distance(aggregates, chosen, "pay", None) == settings


def test_without_a_sensitive_attribute_there_is_nothing_to_measure() -> None:
    alone = candidate(roles=metrics.Roles(quasi_identifiers=["age"]))
    with pytest.raises(Unavailable):
        ClosenessState().measured(alone, TClosenessParameters(0.1))
