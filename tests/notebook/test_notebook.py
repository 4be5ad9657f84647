"""Controls in a notebook without a browser: what they refuse, change and show."""

import sys
from typing import Any

import pytest

import metrics
from metrics.errors import InputError

TABLE = {"age": ["30-39"] * 3 + ["40-49"] * 2, "illness": ["a", "b", "b", "c", "<img src=x>"]}
ROLES = metrics.Roles(quasi_identifiers=["age"], sensitive=["illness"])


@pytest.fixture
def card() -> metrics.Scorecard:
    import pandas as pd

    return metrics.score(pd.DataFrame(TABLE), ROLES)


def test_a_metric_without_settings_is_refused(card: metrics.Scorecard) -> None:
    with pytest.raises(InputError, match='"k_anonymity" has no settings to change here; use "p29", "profitability"'):
        card.controls("k_anonymity")
    with pytest.raises(KeyError):
        card.controls("no_such_metric")


def test_without_the_extra_one_sentence_names_it(card: metrics.Scorecard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    with pytest.raises(InputError, match="need ipywidgets, which is not installed; install the extra notebook"):
        metrics.classes_browser(card)


def test_a_table_without_classes_is_refused() -> None:
    import pandas as pd

    empty = metrics.score(pd.DataFrame({"age": ["*"], "illness": ["a"]}), ROLES)
    with pytest.raises(InputError, match="no equivalence class"):
        metrics.classes_browser(empty)


def widgets_of(widget: Any, kind: str) -> list[Any]:
    """All widgets of a kind, by the name of their class."""
    inner = [found for child in getattr(widget, "children", ()) for found in widgets_of(child, kind)]
    return [widget, *inner] if type(widget).__name__ == kind else inner


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


def test_values_of_the_table_are_text(card: metrics.Scorecard) -> None:
    import pandas as pd

    hostile = pd.DataFrame({"age": ["<img src=x onerror=alert(1)>"] * 3, "illness": ["<b>a</b>"] * 3})
    browser = metrics.classes_browser(metrics.score(hostile, ROLES))
    said = "".join(part.value for part in widgets_of(browser, "HTML"))
    assert "&lt;img src=x" in said
    assert "<img" not in said


def test_where_no_class_fails_a_limit_all_are_listed() -> None:
    import pandas as pd

    fine = pd.DataFrame({"age": ["30-39"] * 6 + ["40-49"] * 6, "illness": ["a", "b"] * 6})
    (listed,) = widgets_of(metrics.classes_browser(metrics.score(fine, ROLES)), "Select")
    assert [label.rpartition("age = ")[2] for label, _ in listed.options] == ["30-39", "40-49"]
