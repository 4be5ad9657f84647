"""Every page with nothing, with the sample, and while its controls move."""

import math

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.navigation import PAGES
from dashboard.needs import Needs
from dashboard.text import plain
from metrics.policy.policy import Policy
from metrics.scoring.catalog import METRICS
from tests.dashboard.application import SCRIPTS, choose, go, metric, press, sample, start, state_of, tag, verdict_rows

NEED_DATA = [spec.script for spec in PAGES if spec.needs is Needs.CANDIDATE]
WEIGHTS = ("w_k", "w_l", "w_t")


def figure(app: AppTest, label: str) -> float:
    """The number on a card."""
    return float(metric(app, label).replace(",", ""))


@pytest.mark.parametrize("script", NEED_DATA)
def test_without_data_a_page_says_what_is_missing_and_links_to_it(script: str) -> None:
    app = go(start(), script)
    assert [info.value for info in app.info] == [
        "There is no anonymized table yet. Load one, or the sample, to see its figures."
    ]
    assert [link.value for link in app.page_link] == ["Go to the data"]
    assert not app.metric
    assert "candidate" not in [choice.key for choice in app.selectbox]


@pytest.fixture(scope="module")
def untagged() -> AppTest:
    """The sample with no column tagged."""
    app = sample()
    tag(app, dict.fromkeys(state_of(app).columns, "insensitive"))
    assert any("quasi-identifier" in text.value for text in app.markdown)
    return app


@pytest.mark.parametrize("script", NEED_DATA)
def test_without_a_quasi_identifier_a_page_says_so(untagged: AppTest, script: str) -> None:
    app = go(untagged, script)
    assert [info.value for info in app.info] == [
        "No column is tagged as a quasi-identifier. Tag those that others may know about a person."
    ]
    assert [link.value for link in app.page_link] == ["Go to the data"]


def test_the_sample_shows_something_on_every_page() -> None:
    app = sample()
    state = state_of(app)
    assert state.original is not None
    assert [label for _, label, _ in state.tables()] == [
        "hospital.csv",
        "candidate_light.csv",
        "candidate_balanced.csv",
        "candidate_strict.csv",
        "hospital_holdout.csv",
    ]
    assert not app.warning
    assert not app.error
    for script in SCRIPTS:
        go(app, script)
        assert not app.info
        assert app.title[0].value


def test_loading_the_sample_twice_changes_nothing() -> None:
    app = sample()
    before = [(slot, label) for slot, label, _ in state_of(app).tables()]
    go(press(app, "load_sample"), "data")
    assert [(slot, label) for slot, label, _ in state_of(app).tables()] == before


def test_the_verdict_shows_every_metric_or_why_not() -> None:
    app = sample("scorecard")
    titles = [row["title"] for row in verdict_rows(app)]
    reasons = " ".join(text.value for text in app.markdown)
    assert len(set(titles)) == len(titles) > len(METRICS) / 2
    assert all(spec.title in titles or plain(spec.title) in reasons for spec in METRICS)
    tag(go(app, "data"), {"diagnosis": "insensitive", "length_of_stay": "insensitive"})
    go(app, "scorecard")
    assert "P_29" not in [row["title"] for row in verdict_rows(app)]
    assert any("P_29" in text.value and "sensitive" in text.value for text in app.markdown)
    assert metric(app, "k-anonymity") == "1"


def test_the_verdict_says_whether_the_policy_is_met() -> None:
    app = choose(sample("scorecard"), "candidate", "candidate_light.csv")
    assert app.title[0].value == "Fails the policy · candidate_light\\.csv"
    marks = {row["id"]: row["mark"] for row in verdict_rows(app)}
    assert (marks["k_anonymity"], marks["reidentification_risk"], marks["p29"]) == ("fails", "fails", "")
    choose(app, "candidate", "candidate_strict.csv")
    assert app.title[0].value.startswith("Meets the policy")
    assert {row["id"]: row["status"] for row in verdict_rows(app)}["k_anonymity"] == "meets ≥ 5"
    choose(app, "policy", "No limits")
    assert app.title[0].value.startswith("No limits set")
    assert not any(row["mark"] for row in verdict_rows(app))


def test_an_edited_limit_holds_on_every_page_and_leaves_the_built_in_policy() -> None:
    app = choose(sample("scorecard"), "candidate", "candidate_strict.csv")
    choose(app, "limit_k_anonymity", 50.0)
    assert app.title[0].value.startswith("Fails the policy")
    assert app.get_by_key("policy").value == "Internal sharing, edited"
    assert go(app, "classes").get_by_key("k_limit").value == 50
    choose(app, "limit_t_closeness", 0.3)
    assert go(app, "t_closeness").get_by_key("t_limit").value == 0.3
    choose(app, "t_limit", 0.45)
    assert state_of(app).policy.limits["t_closeness"] == 0.45
    choose(app, "policy", "Internal sharing")
    assert state_of(app).k_limit == 5
    assert app.get_by_key("t_limit").value == 0.5


def test_an_original_alone_can_be_judged() -> None:
    app = press(sample(), "remove_anonymized_candidate_light.csv")
    for name in ("candidate_balanced.csv", "candidate_strict.csv"):
        press(app, f"remove_anonymized_{name}")
    press(app, "see_verdict")
    assert app.title[0].value == "Fails the policy · hospital\\.csv, unchanged"


def test_the_sample_leads_to_its_verdict() -> None:
    app = press(start(), "load_sample")
    assert app.title[0].value == "Fails the policy · candidate_light\\.csv"


def test_tags_change_the_scores() -> None:
    app = sample("scorecard")
    before = figure(app, "Average class size (AECS)")
    tag(go(app, "data"), {"age": "insensitive"})
    go(app, "scorecard")
    assert figure(app, "Average class size (AECS)") != before
    tag(go(app, "data"), {"age": "quasi-identifier"})
    go(app, "scorecard")
    assert figure(app, "Average class size (AECS)") == before


def test_the_candidate_picker_changes_the_figures_of_every_page() -> None:
    app = sample("scorecard")
    seen = {}
    for candidate in ("candidate_light.csv", "candidate_balanced.csv", "candidate_strict.csv"):
        choose(app, "candidate", candidate)
        seen[candidate] = (metric(app, "k-anonymity"), metric(app, "t-closeness"))
    assert len(set(seen.values())) == 3
    go(app, "profitability")
    assert app.get_by_key("candidate").value == "candidate_strict.csv"
    go(app, "scorecard")
    assert (metric(app, "k-anonymity"), metric(app, "t-closeness")) == seen["candidate_strict.csv"]


@pytest.mark.parametrize(("name", "weight"), [("w_k", 1.0), ("w_l", 0.0), ("w_t", 0.37), ("w_k", 0.0)])
def test_weights_keep_their_sum_and_move_the_score(name: str, weight: float) -> None:
    app = choose(sample(), "candidate", "candidate_strict.csv")
    go(app, "p29")
    before = metric(app, "P_29")
    assert float(before) > 0
    choose(app, name, weight)
    values = {key: app.get_by_key(key).value for key in WEIGHTS}
    assert values[name] == weight
    assert math.fsum(values.values()) == pytest.approx(1, abs=1e-9)
    assert metric(app, "P_29") != before
    assert float(metric(app, "P_29")) == pytest.approx(
        values["w_k"] * figure(app, "k: 1 − Nk′")
        + values["w_l"] * figure(app, "l: Nl′")
        + values["w_t"] * figure(app, "t: 1 − Nt′"),
        abs=2e-4,
    )
    press(app, "p29_reset")
    assert metric(app, "P_29") == before
    assert [app.get_by_key(key).value for key in WEIGHTS] == [0.5, 0.25, 0.25]


def test_the_limit_on_t_fails_and_passes_the_condition() -> None:
    app = choose(sample(), "candidate", "candidate_strict.csv")
    go(app, "p29")
    assert float(metric(app, "P_29")) > 0
    choose(app, "p29_t_max", 0.0)
    assert float(metric(app, "P_29")) == 0
    choose(app, "p29_t_max", 1.0)
    assert float(metric(app, "P_29")) > 0


@pytest.mark.parametrize(
    ("key", "amount"),
    [("adversary_cost", 100.0), ("adversary_gain", 0.0), ("publisher_loss", 3000.0), ("publisher_benefit", 500.0)],
)
def test_every_amount_moves_profitability(key: str, amount: float) -> None:
    app = sample("profitability")
    labels = ("Publisher's payout", "Records attacked", "Free of attacks", "Publishing is profitable")
    before = [metric(app, label) for label in labels]
    choose(app, key, amount)
    assert [metric(app, label) for label in labels] != before
    assert state_of(app).parameters.to_dict()["profitability"][key] == amount


def test_the_switch_asks_for_the_strict_definition() -> None:
    app = sample("profitability")
    before = (metric(app, "Publishing is profitable"), app.markdown[0].value)
    choose(app, "allow_attack", False)
    assert (metric(app, "Publishing is profitable"), app.markdown[0].value) != before
    choose(app, "adversary_gain", 0.0)
    assert metric(app, "Free of attacks") == "yes"


def test_nothing_is_lost_on_page_switches() -> None:
    app = sample()
    tag(app, {"insurance": "sensitive"})
    choose(app, "candidate", "candidate_balanced.csv")
    chosen = {
        "classes": {"k_limit": 12, "class_filter": "smaller than k", "class_order": "diagnosis.t"},
        "p29": {"w_k": 0.2, "p29_t_max": 0.4},
        "profitability": {"profitability_reach": 100, "publisher_loss": 20_000.0, "allow_attack": False},
    }
    for script, values in chosen.items():
        go(app, script)
        for key, value in values.items():
            choose(app, key, value)
    for script in [*SCRIPTS, *reversed(SCRIPTS)]:
        go(app, script)
        for key, value in chosen.get(script, {}).items():
            assert app.get_by_key(key).value == value, key
        assert app.get_by_key("candidate").value == "candidate_balanced.csv"
    go(app, "data")
    assert app.get_by_key("role_insurance").value == "sensitive"


def test_removing_a_table_leaves_the_others() -> None:
    app = choose(sample(), "candidate", "candidate_light.csv")
    press(app, "remove_anonymized_candidate_light.csv")
    assert app.get_by_key("candidate").value == "candidate_balanced.csv"
    press(app, "remove_original_hospital.csv")
    go(app, "scorecard")
    titles = [row["title"] for row in verdict_rows(app)]
    assert "Non-uniform entropy" not in titles
    assert "k-anonymity" in titles
    go(app, "data")
    for name in ("candidate_balanced.csv", "candidate_strict.csv"):
        press(app, f"remove_anonymized_{name}")
    assert not state_of(app).columns
    assert [info.value[:22] for info in go(app, "scorecard").info] == ["There is no anonymized"]


def test_removing_a_hierarchy() -> None:
    app = press(sample(), "remove_hierarchy_age")
    assert "age" not in state_of(app).hierarchies
    assert "diagnosis" in state_of(app).hierarchies


def test_forgetting_drops_everything() -> None:
    app = sample("p29")
    choose(app, "w_k", 0.9)
    go(app, "data")
    press(app, "forget_data")
    state = state_of(app)
    assert (state.original, state.candidates, state.roles, state.hierarchies) == (None, {}, {}, {})
    assert state.parameters.p29.w_k == 0.5
    assert "candidate" not in [choice.key for choice in app.selectbox]
    assert not app.segmented_control
    go(press(app, "load_sample"), "data")
    assert app.get_by_key("role_age").value == "quasi-identifier"


def test_class_pages_follow_the_filter() -> None:
    app = choose(sample("classes"), "class_filter", "all")
    choose(app, "class_page", 3)
    assert len(app.dataframe[0].value) == 293
    choose(app, "class_filter", "smaller than k")
    assert app.get_by_key("class_page").value == 1
    assert len(app.dataframe[0].value) == 1000
    choose(app, "k_limit", 1)
    assert "No class is left by this filter." in [info.value for info in app.info]
    choose(app, "k_limit", 100)
    assert (app.dataframe[0].value["size"] < 100).all()


def test_classes_are_sorted_by_what_is_chosen() -> None:
    app = sample("classes")
    for measure in ("size", "diagnosis.distinct", "diagnosis.normalized_entropy"):
        choose(app, "class_order", measure)
        assert app.dataframe[0].value[measure].is_monotonic_increasing
        choose(app, "class_descending", True)
        assert app.dataframe[0].value[measure].is_monotonic_decreasing


def test_the_largest_distances_come_first() -> None:
    app = choose(sample("classes"), "class_filter", "all")
    choose(app, "class_order", "largest t")
    largest = app.dataframe[0].value[["diagnosis.t", "length_of_stay.t"]].max(axis=1)
    assert largest.is_monotonic_decreasing
    assert largest.iloc[0] == state_of(app).card("candidate_light.csv")["t_closeness"].value
    choose(app, "class_order", "length_of_stay.t")
    assert app.dataframe[0].value["length_of_stay.t"].is_monotonic_decreasing
    choose(app, "class_descending", False)
    assert app.dataframe[0].value["length_of_stay.t"].is_monotonic_increasing
    choose(app, "class_order", "size")
    assert app.dataframe[0].value["size"].is_monotonic_increasing


def test_an_order_by_a_column_that_is_no_longer_sensitive_falls_back() -> None:
    app = sample("classes")
    choose(app, "class_order", "diagnosis.t")
    tag(go(app, "data"), {"diagnosis": "insensitive"})
    go(app, "classes")
    assert app.get_by_key("class_order").value == "worst first"


def test_where_no_class_fails_a_limit_all_are_listed() -> None:
    app = sample("classes")
    choose(app, "candidate", "candidate_strict.csv")
    state_of(app).choose_policy(Policy("Ours", {"k_anonymity": 2}))
    state_of(app).parameters = state_of(app).parameters.with_settings({"t_closeness.t": 1})
    app.run()
    assert any("No class fails a limit" in caption.value for caption in app.caption)
    assert not any("No class is left" in info.value for info in app.info)
