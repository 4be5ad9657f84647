"""Every page with nothing, with the sample, and while its controls move."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dashboard.components.class_filters import measure_title
from dashboard.navigation import PAGES
from dashboard.page_requirement import PageRequirement
from dashboard.text import plain
from metrics.config.roles import Role
from metrics.policy.class_limits import class_limits
from metrics.policy.policy import Policy
from metrics.policy.release_contexts import DEFAULT_POLICY
from metrics.scoring.catalog import METRICS
from metrics.scoring.class_filter import limits_failed
from tests.dashboard.application import (
    FEW,
    SCRIPTS,
    choose,
    choose_all,
    csv,
    go,
    loaded,
    metric,
    opened,
    press,
    sample,
    sample_workspace,
    shorten_sample,
    start,
    state_of,
    tag,
    verdict_rows,
)

NEED_DATA = [spec.script for spec in PAGES if spec.requirement is PageRequirement.CANDIDATE]
WEIGHTS = ("w_k", "w_l", "w_t")
COLUMNS = ("age", "zip", "illness")
ORIGINAL = csv(COLUMNS, (31, 1, "flu"), (32, 1, "cold"), (45, 2, "flu"), (47, 3, "cold"))
LIGHT = csv(COLUMNS, ("3*", 1, "flu"), ("3*", 1, "cold"), ("4*", 2, "flu"), ("4*", 3, "cold"))
STRICT = csv(COLUMNS, ("3*", 1, "flu"), ("3*", 1, "cold"), ("4*", "*", "flu"), ("4*", "*", "cold"))


def figure(app: AppTest, label: str) -> float:
    """The number on a card."""
    return float(metric(app, label).replace(",", ""))


def test_without_data_or_a_quasi_identifier_a_page_says_what_is_missing_and_links_to_it() -> None:
    nothing = start()
    untagged = opened(loaded(ORIGINAL, LIGHT, age="insensitive", zip="insensitive", illness="insensitive"))
    assert any("quasi-identifier" in text.value for text in untagged.markdown)
    missing = {
        "There is no anonymized table yet. Load one, or the sample, to see results.": nothing,
        "No column is tagged as a quasi-identifier. Tag the columns that others may know about a person.": untagged,
    }
    for script in NEED_DATA:
        for sentence, app in missing.items():
            go(app, script)
            assert [info.value for info in app.info] == [sentence], script
            way_in = "Load a table or restore a session" if app is nothing else "Go to the data"
            assert [link.value for link in app.page_link] == [way_in]
            assert ("load_sample" in [button.key for button in app.button]) is (app is nothing)
            assert not app.metric
        assert "candidate" not in [choice.key for choice in nothing.selectbox]


def test_the_sample_leads_to_its_verdict_comes_once_and_is_forgotten(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shorten_sample(monkeypatch, tmp_path, FEW)
    app = press(start(), "load_sample")
    assert app.title[0].value == "Fails the policy · candidate_light\\.csv"
    state = state_of(app)
    for _ in range(2):
        go(app, "data")
        assert not app.warning
        assert not app.error
        assert [label for _, label, _ in state.tables()] == [
            "hospital.csv",
            "candidate_light.csv",
            "candidate_balanced.csv",
            "candidate_strict.csv",
            "hospital_holdout.csv",
        ]
        press(app, "load_sample")
    state.parameters = state.parameters.with_settings({"p29.w_k": 1, "p29.w_l": 0, "p29.w_t": 0})
    press(go(app, "data"), "forget_data")
    state = state_of(app)
    assert (state.original, state.candidates, state.roles, state.hierarchies) == (None, {}, {}, {})
    assert state.parameters.p29.w_k == 0.5
    assert "candidate" not in [choice.key for choice in app.selectbox]
    assert not app.segmented_control


def test_every_page_shows_something_and_nothing_is_lost_on_page_switches() -> None:
    state = sample_workspace(FEW)
    # Each doubles the work of the attacks.
    state.roles |= {"occupation": Role.INSENSITIVE, "admission": Role.INSENSITIVE}
    app = opened(state)
    tag(app, {"insurance": "sensitive"})
    choose(go(app, "scorecard"), "candidate", "candidate_balanced.csv")
    for script in SCRIPTS:
        go(app, script)
        assert not app.info, script
        assert app.title[0].value
    chosen = {
        "classes": {"k_limit": 12, "class_filter": "smaller than k", "class_order": "diagnosis.t"},
        "p29": {"w_k": 0.2, "p29_t_max": 0.4},
        "profitability": {"profitability_reach": 100, "publisher_loss": 20_000.0, "allow_attack": False},
    }
    choose(go(app, "profitability"), "profitability_reach", 100)  # before an amount that it lets in
    for script, values in chosen.items():
        choose_all(go(app, script), values)
    for script, values in chosen.items():
        go(app, script)
        assert {key: app.get_by_key(key).value for key in values} == values
        assert app.get_by_key("candidate").value == "candidate_balanced.csv"
    assert go(app, "data").get_by_key("role_insurance").value == "sensitive"


def test_the_verdict_shows_every_metric_or_why_not_and_follows_the_tags() -> None:
    app = sample("scorecard", FEW)
    titles = [row["title"] for row in verdict_rows(app)]
    reasons = " ".join(text.value for text in app.markdown)
    assert len(set(titles)) == len(titles) > len(METRICS) / 2
    assert all(spec.title in titles or plain(spec.title) in reasons for spec in METRICS)
    before = figure(app, "Average class size")
    tag(go(app, "data"), {"diagnosis": "insensitive", "length_of_stay": "insensitive"})
    go(app, "scorecard")
    assert "P_29" not in [row["title"] for row in verdict_rows(app)]
    assert any("P_29" in text.value and "sensitive" in text.value for text in app.markdown)
    assert metric(app, "k-anonymity") == "1"
    tag(go(app, "data"), {"age": "insensitive"})
    assert figure(go(app, "scorecard"), "Average class size") != before
    tag(go(app, "data"), {"age": "quasi-identifier"})
    assert figure(go(app, "scorecard"), "Average class size") == before


def test_the_verdict_says_whether_the_chosen_candidate_meets_the_policy() -> None:
    app = sample("scorecard")
    assert app.title[0].value == "Fails the policy · candidate_light\\.csv"
    marks = {row["id"]: row["mark"] for row in verdict_rows(app)}
    assert (marks["k_anonymity"], marks["reidentification_risk"], marks["p29"]) == ("fails", "fails", "")
    seen = {(metric(app, "k-anonymity"), metric(app, "t-closeness"))}
    for candidate in ("candidate_balanced.csv", "candidate_strict.csv"):
        choose(app, "candidate", candidate)
        strict = metric(app, "k-anonymity"), metric(app, "t-closeness")
        seen.add(strict)
    assert len(seen) == 3
    assert app.title[0].value.startswith("Meets the policy")
    assert {row["id"]: row["status"] for row in verdict_rows(app)}["k_anonymity"] == "meets (≥ 5)"
    assert go(app, "profitability").get_by_key("candidate").value == "candidate_strict.csv"
    go(app, "scorecard")
    assert (metric(app, "k-anonymity"), metric(app, "t-closeness")) == strict
    choose(app, "policy", "No limits")
    assert app.title[0].value.startswith("No limits set")
    assert not any(row["mark"] for row in verdict_rows(app))


def test_an_edited_limit_holds_on_every_page_and_leaves_the_built_in_policy() -> None:
    app = choose(sample("scorecard"), "candidate", "candidate_strict.csv")
    choose(app, "limit_k_anonymity", 50.0)
    assert app.title[0].value.startswith("Fails the policy")
    assert app.get_by_key("policy").value == "Internal sharing (edited)"
    assert go(app, "classes").get_by_key("k_limit").value == 50
    choose(app, "limit_t_closeness", 0.3)
    assert go(app, "t_closeness").get_by_key("t_limit").value == 0.3
    choose(app, "t_limit", 0.45)
    assert state_of(app).policy.limits["t_closeness"] == 0.45
    choose(app, "policy", "Internal sharing")
    assert state_of(app).k_limit == 5
    assert app.get_by_key("t_limit").value == 0.5


def test_an_original_alone_can_be_judged() -> None:
    roles = {"age": "quasi-identifier", "zip": "quasi-identifier", "illness": "sensitive"}
    app = press(opened(loaded(ORIGINAL, **roles)), "see_verdict")
    assert app.title[0].value == "Fails the policy · original\\.csv, unchanged"
    state = state_of(app)
    press(go(app, "explore"), "explore_keep")
    assert len(state.labels) == 2  # the original stays, to compare with and to repair
    assert state.labels[0] == "original.csv, unchanged"


def test_weights_keep_their_sum_and_the_limit_on_t_is_a_condition() -> None:
    app = choose(sample("p29"), "candidate", "candidate_strict.csv")
    before = metric(app, "P_29")
    assert float(before) > 0
    for name, weight in (("w_k", 1.0), ("w_t", 0.37)):
        choose(app, name, weight)
        values = {key: app.get_by_key(key).value for key in WEIGHTS}
        assert values[name] == weight
        assert math.fsum(values.values()) == pytest.approx(1, abs=1e-9)
        assert metric(app, "P_29") != before
        assert float(metric(app, "P_29")) == pytest.approx(
            values["w_k"] * figure(app, "Class size (k)")
            + values["w_l"] * figure(app, "Diversity (l)")
            + values["w_t"] * figure(app, "Closeness (t)"),
            abs=2e-4,
        )
    press(app, "p29_reset")
    assert metric(app, "P_29") == before
    assert [app.get_by_key(key).value for key in WEIGHTS] == [0.5, 0.25, 0.25]
    choose(app, "p29_t_max", 0.0)
    assert float(metric(app, "P_29")) == 0
    choose(app, "p29_t_max", 1.0)
    assert float(metric(app, "P_29")) > 0


def test_every_amount_moves_profitability_and_the_switch_asks_for_the_strict_definition() -> None:
    app = sample("profitability")
    labels = ("Publisher's payout", "Records attacked", "Free of attacks", "Profitability")
    before = (metric(app, "Profitability"), app.markdown[0].value)
    choose(app, "allow_attack", False)
    assert (metric(app, "Profitability"), app.markdown[0].value) != before
    for key, amount in {
        "publisher_loss": 3000.0,
        "publisher_benefit": 500.0,
        "adversary_cost": 100.0,
        "adversary_gain": 0.0,
    }.items():
        seen = [metric(app, label) for label in labels]
        choose(app, key, amount)
        assert [metric(app, label) for label in labels] != seen, key
        assert state_of(app).parameters.to_dict()["profitability"][key] == amount
    assert metric(app, "Free of attacks") == "yes"


def test_removing_a_table_leaves_the_others() -> None:
    roles = {"age": "quasi-identifier", "zip": "quasi-identifier", "illness": "sensitive"}
    app = opened(loaded(ORIGINAL, LIGHT, STRICT, **roles), "scorecard")
    assert app.get_by_key("candidate").value == "c0.csv"
    press(go(app, "data"), "remove_anonymized_c0.csv")
    assert go(app, "scorecard").get_by_key("candidate").value == "c1.csv"
    press(go(app, "data"), "remove_original_original.csv")
    titles = [row["title"] for row in verdict_rows(go(app, "scorecard"))]
    assert "Non-uniform entropy" not in titles
    assert "k-anonymity" in titles
    press(go(app, "data"), "remove_anonymized_c1.csv")
    assert not state_of(app).columns
    assert [info.value[:22] for info in go(app, "scorecard").info] == ["There is no anonymized"]


def test_classes_are_filtered_paged_and_sorted_as_chosen() -> None:
    app = choose(sample("classes"), "class_filter", "all")
    choose(app, "class_page", 3)
    assert len(app.dataframe[0].value) == 293
    choose(app, "class_filter", "smaller than k")
    assert app.get_by_key("class_page").value == 1
    assert len(app.dataframe[0].value) == 1000
    choose(app, "k_limit", 1)
    assert "No class matches the filters." in [info.value for info in app.info]
    choose(app, "k_limit", 100)
    assert (app.dataframe[0].value["size"] < 100).all()
    choose_all(app, {"class_filter": "all", "class_order": "largest t"})
    largest = app.dataframe[0].value[["t of diagnosis", "t of length_of_stay"]].max(axis=1)
    assert largest.is_monotonic_decreasing
    assert largest.iloc[0] == state_of(app).card("candidate_light.csv")["t_closeness"].value
    for measure, descending in {"length_of_stay.t": True, "diagnosis.normalized_entropy": False}.items():
        choose(app, "class_order", measure)
        for falls in (descending, not descending):
            if falls is not descending:
                choose(app, "class_descending", falls)
            column = app.dataframe[0].value[measure_title(measure)]
            assert column.is_monotonic_decreasing if falls else column.is_monotonic_increasing


def test_the_tree_begins_with_the_chosen_column() -> None:
    app = choose(sample("classes", FEW), "classes_view", "By quasi-identifier")
    for column in ("sex", "age"):
        choose(app, "tree_first", column)
        assert any(one.value.startswith("## ") and f"records by {column}" in one.value for one in app.markdown)


def test_no_page_assesses_classes_by_a_limit_that_the_policy_does_not_have() -> None:
    app = choose(sample("classes"), "policy", "No limits")
    said = " ".join(one.value for one in (*app.caption, *app.markdown))
    assert "The policy sets no limit on k, l or t; all classes are listed." in said
    assert "exceeds the t-closeness limit" not in said
    assert app.get_by_key("k_limit").value == 1
    for page, control in (("t_closeness", "t_limit"), ("risk", "risk_threshold")):
        assert go(app, page).get_by_key(control).value == 1
        assert "no limit" in [one.value for one in app.metric]
        assert not [one for one in app.markdown if "limit (1)" in one.value or "100% for" in one.value]
    choose(app, "policy", DEFAULT_POLICY.name)
    assert go(app, "t_closeness").get_by_key("t_limit").value == DEFAULT_POLICY.limits["t_closeness"]


def listed(app: AppTest) -> str:
    """How many classes the list says that it has."""
    (heading,) = [one.value for one in app.markdown if re.match(r"## [\d,]+ class", one.value)]
    return str(heading)


def test_a_class_opened_from_another_page_keeps_the_filter_if_it_fails_a_limit() -> None:
    app = choose(sample("classes"), "k_limit", 3)
    for opened_class, kept in ((True, True), (False, False)):
        failing = listed(app)
        table = state_of(app).card("candidate_light.csv").classes
        fails = limits_failed(table, class_limits(state_of(app).policy)) > 0
        app.session_state["class_selected"] = "candidate_light.csv", int(np.flatnonzero(fails == opened_class)[0])
        app.run()
        assert ("all classes are listed" in " ".join(one.value for one in app.caption)) is not kept
        assert (listed(app) == failing) is kept
    choose(app, "candidate", "candidate_balanced.csv")  # the class is not one of this table
    assert "class that you opened" not in " ".join(one.value for one in app.caption)


def test_the_list_of_classes_survives_limits_that_none_fails_and_other_sensitive_columns() -> None:
    state = loaded(None, STRICT, age="quasi-identifier", zip="quasi-identifier", illness="sensitive")
    state.choose_policy(Policy("Ours", {"k_anonymity": 2}))
    state.parameters = state.parameters.with_settings({"t_closeness.t": 1})
    app = opened(state, "classes")
    assert any("No class fails " in caption.value for caption in app.caption)
    assert not any("No class is left" in info.value for info in app.info)
    choose(app, "class_order", "illness.t")
    state.roles["illness"] = Role.INSENSITIVE
    app.run()
    assert app.get_by_key("class_order").value == "worst first"
