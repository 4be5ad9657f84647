"""Compare: all candidates side by side, which is best on what, and which is dominated."""

import streamlit as st

from dashboard.components.compare_sections import curves, every_metric, preferences, verdict_and_trade_off
from dashboard.components.follow_records import follow_records
from dashboard.components.guard import require_cards
from dashboard.session import workspace
from metrics.candidates.compare import compare
from metrics.figures.candidate_styles import candidate_styles

st.title("Compare")
cards = require_cards()
state = workspace()
comparison = compare(cards)
styles = candidate_styles(state.labels)


@st.fragment
def chosen_metrics() -> None:
    """What the metrics chosen decide: the verdict, the trade-off, the ranking."""
    verdict_and_trade_off(comparison, styles)
    st.header("What you prefer")
    preferences(comparison, styles)


@st.fragment
def table() -> None:
    """Every metric, and what changed against a baseline."""
    st.header("Every metric")
    every_metric(comparison)


@st.fragment
def overlay() -> None:
    """Class sizes and risks over all thresholds."""
    st.header("Class sizes and risk")
    curves(state, cards, styles)


@st.fragment
def trail() -> None:
    """Where one record, or the records of one class, went."""
    st.header("Follow a record or a class")
    follow_records(state, cards)


chosen_metrics()
table()
overlay()
trail()
