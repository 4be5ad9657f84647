"""What a page tries: nothing follows it until it is used everywhere, and then every page says so."""

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.settings import settings_of
from metrics.policy.built_in_policies import DEFAULT_POLICY
from pages.report.downloads import report_of
from tests.dashboard.application import (
    FEW,
    captions,
    choose,
    choose_all,
    figures,
    go,
    metric,
    press,
    sample,
    state_of,
    verdict_rows,
)

STRICT = "candidate_strict.csv"
STANDARD, TRIED = "0.859", "0.976"
"""P_29 of that table with the notebook's weights, and with all weight on k."""
MARK = "What-if"
CHANGED = "P_29 (changed settings)"
WEIGHTS = "P_29: weight of k 1 instead of 0.5, weight of l 0 instead of 0.25, weight of t 0 instead of 0.25."

PAGES = {
    "p29": ("p29", "w_k", 1.0),
    "t_closeness": ("t_closeness", "t_limit", 0.9),
    "classes": ("k_anonymity", "k_limit", 2),
    "risk": ("reidentification_risk", "risk_threshold", 0.5),
    "profitability": ("profitability", "adversary_cost", 60.0),
}
"""By script the metric whose settings or limit it tries, a control, and another value of it."""


def notice(app: AppTest) -> str:
    """What the pages say about changes that are used everywhere."""
    (said,) = [text for text in captions(app) if "On all pages" in text] or [""]
    return said.replace("\\", "")


def tried_weights() -> AppTest:
    """The page of P_29 with all weight on k."""
    return choose(choose(sample("p29"), "candidate", STRICT), "w_k", 1.0)


@pytest.mark.parametrize("page", PAGES)
def test_a_slider_changes_its_page_only_until_it_is_used_everywhere(page: str) -> None:
    metric_id, key, value = PAGES[page]
    app = sample(page)
    state = state_of(app)
    before = settings_of(state).to_json()
    assert app.get_by_key("use_everywhere").disabled
    choose(app, key, value)
    assert MARK in app.title[0].value
    assert settings_of(state).to_json() == before
    assert state.policy.is_tried(metric_id)
    press(app, "what_if_undo")
    assert MARK not in app.title[0].value
    assert app.get_by_key(key).value != value
    press(choose(app, key, value), "use_everywhere")
    assert MARK not in app.title[0].value
    assert app.get_by_key(key).value == value
    assert app.get_by_key("use_everywhere").disabled
    assert settings_of(state).to_json() != before
    if page != "profitability":  # whose amounts are facts of the case
        press(app, "reset_settings")
        assert settings_of(state).to_json() == before
    assert not notice(app)


def test_tried_weights_of_p29_stay_on_its_page() -> None:
    app = tried_weights()
    assert metric(app, "P_29") == TRIED
    go(app, "verdict")
    assert metric(app, "P_29") == STANDARD
    assert figures(go(app, "compare"), "All metrics by version")["P_29"][-1].startswith(STANDARD)
    assert not notice(app)
    assert metric(go(app, "p29"), "P_29") == TRIED


def test_weights_of_p29_used_everywhere_are_marked_wherever_it_stands() -> None:
    app = press(tried_weights(), "use_everywhere")
    assert WEIGHTS in notice(app)
    assert metric(go(app, "verdict"), CHANGED) == TRIED
    (row,) = [row for row in verdict_rows(app) if row["title"] == CHANGED]
    assert "weights 1, 0 and 0 of k, l and t (standard: 0.5, 0.25 and 0.25)" in row["sentence"]
    assert WEIGHTS in notice(app)
    go(app, "compare")
    assert figures(app, "All metrics by version")[CHANGED][-1].startswith(TRIED)
    (results,) = app.get("vega_lite_chart")
    assert f"{CHANGED}: " in results.proto.alt
    assert WEIGHTS in notice(app)
    state = state_of(app)
    assert CHANGED in report_of(state, STRICT, state.card(STRICT))
    press(app, "reset_settings")
    assert not notice(app)
    assert metric(go(app, "verdict"), "P_29") == STANDARD


def test_a_limit_used_everywhere_is_said_against_the_built_in_policy() -> None:
    app = press(choose(sample("classes"), "k_limit", 2), "use_everywhere")
    assert "Internal sharing (edited): k ≥ 2 instead of k ≥ 5." in notice(app)
    assert "k ≥ 2" in notice(go(app, "verdict"))
    press(app, "reset_settings")
    assert state_of(app).policy.current == DEFAULT_POLICY


def test_a_chosen_policy_ends_what_pages_try_of_the_former_one() -> None:
    app = choose_all(sample("t_closeness"), {"t_limit": 0.9})
    choose(app, "policy", "No limits")
    assert app.get_by_key("t_limit").value == 1
    assert MARK not in app.title[0].value


def test_a_highest_risk_that_says_the_same_as_k_is_named_as_k_alone() -> None:
    app = sample("verdict", FEW)

    def named() -> str:
        line = next(caption for caption in captions(app) if "suppression" in caption)
        return line.replace("\u00a0", " ").replace("\\", "")

    assert named() == "k ≥ 5 · l ≥ 2 · t ≤ 0.5 · suppression ≤ 10%"
    choose(app, "limit_reidentification_risk", 10)
    assert named() == "k ≥ 5 · l ≥ 2 · t ≤ 0.5 · highest risk ≤ 10% · suppression ≤ 10%"
    choose(app, "limit_reidentification_risk", 20)
    choose(app, "limit_k_anonymity", None)
    assert named() == "l ≥ 2 · t ≤ 0.5 · highest risk ≤ 20% · suppression ≤ 10%"
