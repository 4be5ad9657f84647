"""Widgets that show what the workspace holds."""

import pytest

from dashboard.session import exact_step
from tests.dashboard.application import FEW, go, sample, state_of


@pytest.mark.parametrize(
    ("value", "step", "expected"),
    [(0.5, 0.01, 0.01), (0.376, 0.01, 0.001), (0.3333, 0.01, 0.0001), (1 / 3, 0.01, 0.0001), (0.0, 0.01, 0.01),
     (1.0, 0.01, 0.01), (300.0, 10.0, 10.0), (304.0, 10.0, 1.0), (4.5, 1.0, 0.1), (0.29, 0.01, 0.01)],
)  # fmt: skip
def test_the_step_of_a_slider_holds_its_value(value: float, step: float, expected: float) -> None:
    assert exact_step(value, step) == pytest.approx(expected)


def test_sliders_hold_the_exact_limits() -> None:
    app = sample("t_closeness", FEW)
    state = state_of(app)
    state.policy.set_limit("t_closeness", 0.376)
    state.policy.set_limit("reidentification_risk", 0.125)
    state.policy.parameters = state.policy.parameters.with_settings(
        {"p29.t_max": 0.376, "profitability.adversary_cost": 4.5}
    )
    sliders = {
        "t_closeness": "t_limit",
        "risk": "risk_threshold",
        "p29": "p29_t_max",
        "profitability": "adversary_cost",
    }
    for page, key in sliders.items():
        slider = go(app, page).slider(key=key)
        steps = slider.value / slider.step
        assert slider.value in (0.376, 0.125, 4.5)
        assert steps == pytest.approx(round(steps))
