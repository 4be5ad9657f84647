"""Every page with nothing, with the sample, and while its controls move."""

import math

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.navigation import PAGES
from dashboard.needs import Needs
from metrics.catalog import METRICS
from tests.dashboard.application import SCRIPTS, choose, go, metric, press, sample, start, state_of, tag

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
    assert not app.sidebar.selectbox


@pytest.fixture(scope="module")
def untagged() -> AppTest:
    """The sample with no column tagged."""
    app = sample()
    tag(app, dict.fromkeys(state_of(app).columns, "insensitive"))
    assert "quasi-identifier" in app.markdown[0].value
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
    press(app, "load_sample")
    assert [(slot, label) for slot, label, _ in state_of(app).tables()] == before


def test_the_scorecard_shows_every_metric_or_why_not() -> None:
    app = go(sample(), "scorecard")
    labels = [card.label for card in app.metric]
    assert all(labels.count(spec.title) == 1 for spec in METRICS)
    tag(go(app, "data"), {"diagnosis": "insensitive", "length_of_stay": "insensitive"})
    go(app, "scorecard")
    assert metric(app, "P_29") == "—"
    assert any("Unavailable" in text.value and "sensitive" in text.value for text in app.markdown)
    assert metric(app, "k-anonymity") == "1"


def test_tags_change_the_scores() -> None:
    app = go(sample(), "scorecard")
    before = figure(app, "Equivalence classes")
    tag(go(app, "data"), {"age": "insensitive"})
    go(app, "scorecard")
    assert 0 < figure(app, "Equivalence classes") < before
    tag(go(app, "data"), {"age": "quasi-identifier"})
    go(app, "scorecard")
    assert figure(app, "Equivalence classes") == before


def test_the_candidate_picker_changes_the_figures_of_every_page() -> None:
    app = go(sample(), "scorecard")
    seen = {}
    for candidate in ("candidate_light.csv", "candidate_balanced.csv", "candidate_strict.csv"):
        choose(app, "candidate", candidate)
        seen[candidate] = (metric(app, "k-anonymity"), metric(app, "Equivalence classes"))
    assert len(set(seen.values())) == 3
    go(app, "profitability")
    assert app.get_by_key("candidate").value == "candidate_strict.csv"
    go(app, "scorecard")
    assert (metric(app, "k-anonymity"), metric(app, "Equivalence classes")) == seen["candidate_strict.csv"]


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


def test_the_limit_on_t_shuts_and_opens_the_gate() -> None:
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
    app = go(sample(), "profitability")
    labels = ("Publisher's payout", "Records attacked", "Free of attacks", "Profitability")
    before = [metric(app, label) for label in labels]
    choose(app, key, amount)
    assert [metric(app, label) for label in labels] != before
    assert state_of(app).parameters.to_dict()["profitability"][key] == amount


def test_the_switch_asks_for_the_strict_definition() -> None:
    app = go(sample(), "profitability")
    before = (metric(app, "Profitability"), app.markdown[0].value)
    choose(app, "allow_attack", False)
    assert (metric(app, "Profitability"), app.markdown[0].value) != before
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
    assert metric(app, "Non-uniform entropy") == "—"
    assert metric(app, "k-anonymity") != "—"
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
    app = go(sample(), "p29")
    choose(app, "w_k", 0.9)
    go(app, "data")
    press(app, "forget_data")
    state = state_of(app)
    assert (state.original, state.candidates, state.roles, state.hierarchies) == (None, {}, {}, {})
    assert state.parameters.p29.w_k == 0.5
    assert not app.sidebar.selectbox
    assert not app.segmented_control
    press(app, "load_sample")
    assert app.get_by_key("role_age").value == "quasi-identifier"


def test_class_pages_follow_the_filter() -> None:
    app = go(sample(), "classes")
    choose(app, "class_page", 3)
    assert len(app.dataframe[0].value) == 293
    choose(app, "class_filter", "smaller than k")
    assert app.get_by_key("class_page").value == 1
    assert len(app.dataframe[0].value) == 1000
    choose(app, "k_limit", 1)
    assert [info.value for info in app.info] == ["No class is left by this filter."]
    choose(app, "k_limit", 100)
    assert (app.dataframe[0].value["size"] < 100).all()


def test_classes_are_sorted_by_what_is_chosen() -> None:
    app = go(sample(), "classes")
    for measure in ("size", "diagnosis.distinct", "diagnosis.normalized_entropy", "length_of_stay.t"):
        choose(app, "class_order", measure)
        assert app.dataframe[0].value[measure].is_monotonic_increasing
        choose(app, "class_descending", True)
        assert app.dataframe[0].value[measure].is_monotonic_decreasing
        choose(app, "class_descending", False)


def test_an_order_by_a_column_that_is_no_longer_sensitive_falls_back() -> None:
    app = go(sample(), "classes")
    choose(app, "class_order", "diagnosis.t")
    tag(go(app, "data"), {"diagnosis": "insensitive"})
    go(app, "classes")
    assert app.get_by_key("class_order").value == "quasi-identifiers"
