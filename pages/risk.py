"""Re-identification risk: how likely a record is found, in the table and in its population, and by which columns."""

import streamlit as st

from dashboard.components.data.key_sets import key_set_table
from dashboard.components.figure import draw_with_data
from dashboard.components.fragments import fragment, metrics_above_figures
from dashboard.components.guard import require_card, unavailable
from dashboard.components.on_demand import computing
from dashboard.components.order_notice import order_in_short
from dashboard.components.page_head import what_if_buttons, what_if_title
from dashboard.components.people.risk_sections import (
    column_ranking,
    population_models,
    population_table_figures,
    risk_threshold,
    sample_uniques,
)
from dashboard.components.verdict.assumptions import population_size
from dashboard.components.working import show_working
from dashboard.session import chosen_candidate, workspace
from dashboard.text import metric_help, plain
from metrics.explanations.workings import rescored
from metrics.figures.risk_curve import risk_curve_figure
from metrics.formatting import short_percent
from metrics.privacy.reidentification_risk import ReidentificationRisk
from metrics.texts import text

card = require_card()
state = workspace()
base = card["reidentification_risk"]
if base.unavailable is not None:
    what_if_title(state, "Re-identification risk", base.metric.id)
    unavailable(base.unavailable)


def show_risk() -> None:
    """The verdict, and how many records are at risk at any threshold."""
    what_if_title(state, "Re-identification risk", base.metric.id)
    order_in_short(state, card)
    parameters = state.what_if(base.metric.id).parameters
    result = rescored(card, base.metric.id, parameters)[base.metric.id].result
    assert isinstance(result, ReidentificationRisk)
    left, right = st.columns([1, 2], gap="medium")
    with left:
        risk_threshold(state)
        what_if_buttons(state, base.metric.id)
        tiles = [column for _ in range(2) for column in st.columns(2)]
    summary = result.prosecutor
    tiles[0].metric("Highest risk", short_percent(summary.highest), help=metric_help(base.metric))
    average_help = text("reidentification_risk.average_help")
    tiles[1].metric("Average risk", short_percent(summary.average), help=average_help)
    tiles[2].metric(
        "Records at risk",
        short_percent(summary.records_at_risk) if result.threshold < 1 else "no limit",
        help=text("reidentification_risk.at_risk_help"),
    )
    uniqueness = card["sample_uniqueness"]
    tiles[3].metric("Unique records", short_percent(float(uniqueness.value or 0)), help=metric_help(uniqueness.metric))
    metrics_above_figures()
    with left:
        if result.journalist is not None:
            st.metric(
                "Highest risk in the population",
                short_percent(result.journalist.highest),
                help=text("reidentification_risk.journalist_help"),
            )
        if result.individual is not None:
            st.metric(
                "Expected re-identifications (survey weights)",
                f"{result.individual.expected:,.1f}",
                help=text("reidentification_risk.expected_help"),
            )
    with right:
        figure = risk_curve_figure({chosen_candidate(state): result}, result.threshold)
        draw_with_data(figure, "risk_curve", [base.metric.id])
        if result.classes.suppressed:
            st.caption(text("reidentification_risk.not_counted", suppressed=result.classes.suppressed))
    for identifier in ("people_k_anonymity", "household_risk"):
        score = rescored(card, identifier, parameters)[identifier]
        if score.result is not None:
            st.markdown(f"**{score.metric.title}:** {plain(score.summary())}")
    show_working(card, base.metric.id, parameters)


fragment(show_risk, busy=computing())()
key_set_table(card["key_set_k_anonymity"])


def show_population() -> None:
    """How many of the people behind the sample are unique, for the population chosen."""
    st.header("In the population")
    left, right = st.columns([1, 2])
    with left:
        population_size(state)
    with right:
        population_models(rescored(card, "population_uniqueness", state.parameters)["population_uniqueness"])
    population_table_figures(card)


fragment(show_population, busy=computing())()
st.header("Which columns distinguish records")
work = column_ranking(state, card["quasi_identifier_ranking"])
st.header("Minimal sample uniques")
work = sample_uniques(state, card, card["minimal_sample_uniques"]) or work
if work is not None:
    work()
