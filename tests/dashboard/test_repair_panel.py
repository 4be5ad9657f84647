"""The page Repair: judged by the policy of the session only, and an all-clear names it."""

import pytest
from streamlit.testing.v1 import AppTest

import metrics
from metrics.candidates.repair_to import Method
from metrics.policy.policy import Policy
from metrics.policy.release_contexts import DEFAULT_POLICY
from tests.dashboard.application import (
    choose,
    csv,
    go,
    metric,
    press,
    sample,
    sound,
    start,
    state_of,
    tag,
    upload,
)
from tests.support.small_tables import columns_of

LABELS = ("Records changed", "Cells changed", "Newly suppressed", "Method")


def told(app: AppTest) -> tuple[str, ...]:
    """The figures of the repair."""
    return tuple(metric(app, label) for label in LABELS)


def texts(app: AppTest) -> str:
    shown = [one.value for kind in (app.header, app.warning, app.success, app.info, app.caption) for one in kind]
    return "\n".join(shown).replace("\\", "")


def judged_by(app: AppTest, **limits: float | bool) -> AppTest:
    """The page under a policy with these limits only."""
    state_of(app).choose_policy(Policy("Ours", limits))
    return sound(app.run())


@pytest.fixture
def page() -> AppTest:
    """The page on the balanced sample, whose smallest class holds fewer than 20 records."""
    app = go(choose(sample(), "candidate", "candidate_balanced.csv"), "repair")
    return judged_by(app, k_anonymity=20)


def test_each_way_tells_its_figures(page: AppTest) -> None:
    found = {}
    for method in Method:
        choose(page, "repair_method", method)
        found[method] = told(page)
    assert found[Method.RECORDS][0] == found[Method.RECORDS][2]
    assert found[Method.RECORDS][3] == "optimal"
    assert all(figures[0] != "0" for figures in found.values())
    assert len(set(found.values())) == 3


@pytest.mark.parametrize("method", list(Method))
def test_what_is_kept_becomes_a_candidate_that_meets_the_limits(page: AppTest, method: Method) -> None:
    choose(page, "repair_method", method)
    judged_by(page, k_anonymity=20, distinct_l_diversity=3, t_closeness=0.4)
    before = set(state_of(page).candidates)
    press(page, "keep_repair")
    state = state_of(page)
    (label,) = set(state.candidates) - before
    card = state.card(label)
    assert card["k_anonymity"].value >= 20
    assert card["distinct_l_diversity"].value >= 3
    assert card["t_closeness"].value <= 0.4
    kept = state.candidates[label]
    assert columns_of(metrics.read_table(kept.file.unpacked(), name=kept.name)) == columns_of(kept.table)
    assert page.selectbox(key="candidate").value == label
    assert len(page.success) == 1
    met = "k of at least 20, l of at least 3 and t of at most 0.4; there is nothing to repair."
    assert f"Meets the policy “Ours”: all 3 limits are met. Every class meets {met}" in texts(page)


def test_without_limits_there_is_no_all_clear(page: AppTest) -> None:
    judged_by(page)
    assert not page.success
    assert "No limits set." in texts(page)
    judged_by(page, p29=0.01)
    assert told(page)[0] != "0"


def test_without_limits_on_k_l_and_t_there_is_no_all_clear(page: AppTest) -> None:
    judged_by(page, k_anonymity=2)
    assert not page.success
    assert (
        "Meets the policy “Ours”: its only limit is met. Every class meets k of at least 2. l and t have no limit, so "
        "classes may still disclose what these limits prevent."
    ) in texts(page)
    judged_by(page, k_anonymity=2, granularity=1)
    assert not page.success
    assert "Fails the policy “Ours”: 1 of 2 limits is not met" in texts(page)
    assert "Not part of the repair: " in texts(page)


def test_a_table_that_the_verdict_refuses_gets_no_all_clear() -> None:
    """A table like Adult: large classes, and one sensitive value in some of them."""
    rows = [("30-39", "Private", "<=50K")] * 40 + [("40-49", "State-gov", one) for one in ("<=50K", ">50K") * 20]
    app = upload(start(), "upload_anonymized", {"adult.csv": csv(("age", "workclass", "salary"), *rows)})
    tag(app, {"age": "quasi-identifier", "workclass": "quasi-identifier", "salary": "sensitive"})
    go(app, "repair")
    assert state_of(app).policy == DEFAULT_POLICY
    assert not app.success
    choose(app, "repair_method", Method.RECORDS)
    assert told(app)[0] == "40"
    assert "Suppressing whole records is not enough" in texts(app)


def test_limits_that_cannot_be_met_are_named(page: AppTest) -> None:
    choose(page, "repair_method", Method.RECORDS)
    judged_by(page, k_anonymity=20, suppression=0.01)
    assert "203 records are suppressed where at most 100 may be" in texts(page)
    assert not [button for button in page.button if button.key == "keep_repair"]


def test_a_table_beyond_the_limit_on_suppression_is_not_repaired() -> None:
    rows = [("30", "flu")] * 6 + [("40", "cold")] * 2 + [("*", "flu")] * 4
    app = upload(start(), "upload_anonymized", {"t.csv": csv(("age", "illness"), *rows)})
    tag(app, {"age": "quasi-identifier", "illness": "sensitive"})
    judged_by(go(app, "repair"), k_anonymity=3, suppression=0.1)
    assert "No repair can meet the policy: 33.3% of the records are suppressed" in texts(app)
    assert "never restores a record" in texts(app)
    assert not app.radio
    go(app, "scorecard")
    assert any("No repair can meet the policy" in text.value for text in app.markdown)
    judged_by(go(app, "repair"), k_anonymity=3, suppression=0.5)
    assert app.radio
    assert "No repair" not in texts(app)


def test_many_classes_wait_for_a_word(monkeypatch: pytest.MonkeyPatch, page: AppTest) -> None:
    monkeypatch.setattr("dashboard.components.repair_panel._AT_ONCE", 10)
    page.run()
    assert not [card for card in page.metric if card.label == LABELS[0]]
    choose(page, "repair_large", True)
    assert told(page)[0] != "0"


def test_without_a_sensitive_attribute_the_limits_on_sensitive_values_are_left_out(page: AppTest) -> None:
    tag(go(page, "data"), {"diagnosis": "insensitive", "length_of_stay": "insensitive"})
    judged_by(go(page, "repair"), k_anonymity=20, distinct_l_diversity=2)
    assert "no column is tagged sensitive" in texts(page)
    assert told(page)[0] != "0"
    judged_by(page, k_anonymity=2, distinct_l_diversity=2)
    assert not page.success
    assert "is not measured (at least 2 required)" in texts(page)


def test_p29_leads_here() -> None:
    app = go(choose(sample(), "candidate", "candidate_light.csv"), "p29")
    choose(app, "p29_view", "Repair options")
    (link,) = app.get("page_link")
    assert (link.proto.label, link.proto.page) == ("Repair to the policy", "repair")
    choose(app, "candidate", "candidate_strict.csv")
    assert not app.get("page_link")
