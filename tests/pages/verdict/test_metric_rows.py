"""The families of metrics on the verdict page, and the parameters that the dialog of one names."""

import pytest

from metrics import Parameters
from metrics.config.parameters import GROUPS
from metrics.metric import Metric
from metrics.scoring.catalog import BY_ID, METRICS
from pages.verdict.metric_rows import families, parameter_labels
from tests.dashboard.application import app_of_part, csv, loaded


def test_low_attack_rates_on_perturbed_values_are_not_shown_as_safety() -> None:
    rows = [(str(age), illness) for age, illness in zip(range(30, 50), "ab" * 10, strict=True)]
    shifted = [(str(int(age) + 1), illness) for age, illness in rows]
    titles = []
    for released in (rows, shifted):
        tables = [csv(("age", "illness"), *of) for of in (rows, released)]
        state = loaded(*tables, age="quasi-identifier", illness="sensitive")
        card = state.card(state.tables.labels[0])
        shown = families(card, state.policy.current.check(card), {})
        titles.append(next(one["title"] for one in shown if one["title"].startswith("Attacks")))
    assert ["may understate the risk" in title for title in titles] == [False, True]


@pytest.mark.parametrize("spec", METRICS, ids=lambda spec: spec.id)
def test_every_parameter_of_a_metric_has_a_label(spec: Metric) -> None:
    labels = [parameter.partition(": ") for parameter in parameter_labels(Parameters(), spec)]
    assert bool(labels) == bool(set(spec.settings) & set(GROUPS))  # saved analyses are no parameters
    assert all("_" not in label and value for label, _, value in labels)


def test_values_of_parameters_are_in_words() -> None:
    settings = {
        "t_closeness.distance.illness": "equal",
        "attack.known": ("age", "sex"),
        "classes.missing_cell": "wildcard",
    }
    parameters = Parameters().with_settings(settings)
    found = {name: "; ".join(parameter_labels(parameters, BY_ID[name])) for name in BY_ID}
    assert "Ground distances: illness equal" in found["t_closeness"]
    assert "The attacker also knows the other sensitive attributes: no" in found["t_closeness"]
    assert "Columns that the attacker knows: age, sex" in found["record_linkage_attack"]
    assert "A suppressed cell matches: only itself; A missing cell matches: any value" in found["k_anonymity"]
    assert "Column to predict: automatic" in found["classification_accuracy"]


@pytest.mark.parametrize("opened", ["t_closeness", "entropy_l_diversity"])
def test_the_chart_of_a_metric_is_drawn_where_it_is_opened(opened: str) -> None:
    def part() -> None:
        import streamlit as st

        from dashboard.session import workspace
        from pages.verdict.metric_rows import metric_detail

        state = workspace()
        metric_detail(state, state.card(state.tables.labels[0]), st.session_state["opened"])

    state = loaded(None, csv(("age", "illness"), (20, "a"), (20, "b")), age="quasi-identifier", illness="sensitive")
    assert len(app_of_part(part, state, opened=opened).get("plotly_chart")) == len(BY_ID[opened].charts)
