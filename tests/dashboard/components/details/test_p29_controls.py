"""Weights on sliders keep their sum at 1, whatever is moved."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from metrics.config.parameters import P29Parameters, rescale_weights

NAMES = ("w_k", "w_l", "w_t")
# A slider gives hundredths, but links and files may hold anything.
weights = st.one_of(st.integers(0, 100).map(lambda percent: percent / 100), st.floats(0, 1))


def weights_of(parameters: P29Parameters) -> dict[str, float]:
    return {name: getattr(parameters, name) for name in NAMES}


@given(st.lists(st.tuples(st.sampled_from(NAMES), weights), min_size=1, max_size=40))
def test_the_sum_of_the_weights_stays_one_after_any_moves(moves: list[tuple[str, float]]) -> None:
    current = weights_of(P29Parameters())
    for name, weight in moves:
        current = rescale_weights(current, name, weight)
        assert current[name] == weight
        assert weights_of(P29Parameters(**current)) == current


@given(weights.filter(lambda weight: weight < 0.99), st.sampled_from(NAMES))
def test_moving_one_weight_keeps_the_proportion_of_the_others(weight: float, name: str) -> None:
    before = weights_of(P29Parameters(0.6, 0.3, 0.1))
    after = rescale_weights(before, name, weight)
    first, second = (other for other in NAMES if other != name)
    assert after[first] * before[second] == pytest.approx(after[second] * before[first], abs=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_weights_at_zero_share_the_rest_equally(name: str) -> None:
    after = rescale_weights({other: float(other == name) for other in NAMES}, name, 0.4)
    assert after == pytest.approx({other: 0.4 if other == name else 0.3 for other in NAMES})


def draw_controls() -> None:
    import streamlit as st

    from dashboard.components.details.p29_controls import p29_controls
    from dashboard.workspace import Workspace

    p29_controls(st.session_state.setdefault("held", Workspace()))


@pytest.mark.parametrize("name", NAMES)
def test_a_slow_browser_does_not_pull_the_moved_weight_back(name: str) -> None:
    app = AppTest.from_function(draw_controls).run()
    start = weights_of(P29Parameters())
    app.slider(key=name).set_value(0.27).run()
    for weight in (0.28, 0.29):
        for other in NAMES:
            app.slider(key=other).set_value(weight if other == name else start[other])
        app.run()
    expected = pytest.approx(rescale_weights(start, name, 0.29), abs=1e-9)
    assert {one: app.slider(key=one).value for one in NAMES} == expected
    assert weights_of(app.session_state["held"].what_if("p29").parameters.p29) == expected
    another = NAMES[NAMES.index(name) - 1]
    app.slider(key=another).set_value(0.4).run()
    assert app.slider(key=another).value == 0.4
