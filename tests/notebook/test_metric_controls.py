"""Controls of a metric in a notebook: what they refuse, change and show."""

import pytest

import metrics
from metrics.errors import InputError
from tests.notebook.widgets import ROLES, widgets_of


def test_a_metric_without_settings_is_refused(card: metrics.Scorecard) -> None:
    with pytest.raises(InputError, match='"k_anonymity" has no settings to change here; use "p29", "profitability"'):
        card.controls("k_anonymity")
    with pytest.raises(KeyError):
        card.controls("no_such_metric")


def test_a_slider_scores_again_and_leaves_the_card(card: metrics.Scorecard) -> None:
    controls = card.controls("p29")
    weights = {slider.description: slider for slider in widgets_of(controls, "FloatSlider")}
    weights["Weight of k"].value = 0.8
    assert [weights[f"Weight of {letter}"].value for letter in "klt"] == pytest.approx([0.8, 0.1, 0.1])
    again = metrics.score(
        card.aggregates.anonymized,
        ROLES,
        parameters=metrics.Parameters().with_settings({"p29.w_k": 0.8, "p29.w_l": 0.1, "p29.w_t": 0.1}),
    )
    assert controls.card["p29"].value == again["p29"].value
    assert card.parameters.p29.w_k == 0.5
    widgets_of(controls, "Button")[0].click()
    assert controls.card is card
    assert weights["Weight of k"].value == 0.5


def test_a_switch_asks_for_the_strict_definition(card: metrics.Scorecard) -> None:
    controls = card.controls("profitability")
    assert controls.card["profitability"].value is True
    strict = next(box for box in widgets_of(controls, "Checkbox") if box.description == "Attacks are acceptable")
    strict.value = False
    assert controls.card["profitability"].value is False
    assert "no" in widgets_of(controls, "HTML")[0].value
