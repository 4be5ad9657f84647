"""Profitability: whether publishing pays, and attacking does."""

import streamlit as st

from dashboard.components.figure import draw
from dashboard.components.guard import require_card, unavailable
from dashboard.components.profitability_controls import profitability_controls
from dashboard.session import workspace
from metrics.economics.profitability import Profitability, profitability
from metrics.figures.profitability import payout_by_class

card = require_card()
base = card["profitability"]
if not isinstance(base.result, Profitability):
    unavailable(base.unavailable or "")
state = workspace()
st.title("Profitability")


@st.fragment
def payout() -> None:
    """The verdict and what depends on the amounts."""
    result = profitability(card.evidence.classes, state.parameters.profitability)
    st.markdown(result.in_words())
    places = st.columns([1, 2, 1, 1])
    places[0].metric(base.metric.title, "yes" if result.value else "no", help=base.metric.meaning)
    places[1].metric("Publisher's payout", f"{result.publisher_payout:,.2f}")
    places[2].metric("Records attacked", f"{result.records_attacked:,}")
    places[3].metric("Free of attacks", "yes" if result.no_attack else "no")
    left, right = st.columns([1, 2])
    with left:
        profitability_controls(state)
    with right:
        draw(payout_by_class(result), "payout_by_class")
        size = "no class size removes it" if result.attack_free_size is None else f"{result.attack_free_size:,} records"
        st.caption(
            f"Class size that removes every attack: {size}. Classes attacked: {int(result.attacked.sum()):,} of "
            f"{len(result.sizes):,}; records that earn no more than they risk: "
            f"{int(result.sizes[result.unprofitable].sum()):,}."
        )


payout()
with st.expander("The definition"):
    st.latex(base.metric.formula)
    st.markdown(f"{base.metric.meaning} {base.metric.good}")
