"""Compare: which candidate to choose under the policy, and every candidate in detail."""

from collections.abc import Callable

import streamlit as st

from dashboard.components.attacks.attack_comparison import attack_comparison
from dashboard.components.compare.compare_sections import (
    curves_section,
    every_metric_section,
    preferences_section,
    recommendation_section,
    two_metrics_section,
)
from dashboard.components.compare.follow_records import follow_records
from dashboard.components.guard import require_cards
from dashboard.session import workspace
from metrics.candidates.compare.comparison import compare
from metrics.explanations.recommendation import recommend
from metrics.figures.candidate_styles import candidate_styles

state = workspace()
cards = require_cards()
best = recommend(cards, state.policy).best
in_order = cards if best is None else {best.label: best.card, **cards}  # the one to choose before all others
cards = {label: state.attacks.with_known_singling_out(card) for label, card in in_order.items()}
st.title("Compare")
comparison = compare(cards)
styles = candidate_styles(state.labels)


def show_every_metric() -> None:
    """Every metric, and what changed against a baseline."""
    every_metric_section(cards, comparison)


_DETAILS: dict[str, Callable[[], None]] = {
    "Every metric": show_every_metric,
    "Your weights": lambda: preferences_section(state, cards, comparison, styles),
    "Any two metrics": lambda: two_metrics_section(state, comparison, styles),
    "Class sizes and risk": lambda: curves_section(state, cards, styles),
    "Attacks": lambda: attack_comparison(state, cards, styles),
    "Follow a record or a class": lambda: follow_records(state, cards),
}


@st.fragment
def show_details() -> None:
    """One view at a time."""
    st.header("Details")
    view = st.segmented_control(
        "View",
        list(_DETAILS),
        default=next(iter(_DETAILS)),
        key="compare_view",
        required=True,
        label_visibility="collapsed",
        persist_state="session",
    )
    _DETAILS[str(view)]()


recommendation_section(state, cards)
show_details()
