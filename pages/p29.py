"""P_29: what the score is made of, what shuts its gates, and what would lift it."""

import streamlit as st

from dashboard.components.candidate_picker import chosen_candidate
from dashboard.components.figure import draw_with_data
from dashboard.components.fragments import numbers_first
from dashboard.components.guard import require_card, unavailable
from dashboard.components.lift import lift
from dashboard.components.p29_controls import p29_controls
from dashboard.components.server_count import stays_on_server
from dashboard.components.violations import violation_table
from dashboard.components.working import show_working
from dashboard.links import write_link
from dashboard.session import workspace
from metrics.figures.p29 import p29_attributes, p29_breakdown, p29_gates
from metrics.figures.p29_triangle import p29_triangle
from metrics.privacy.p29 import P29, p29

card = require_card()
base = card["p29"]
if not isinstance(base.result, P29):
    unavailable(base.unavailable or "")
state = workspace()
components = base.result.components
st.title("P_29")


@st.fragment
def shown() -> None:
    """All that the sliders move, in one fragment: the score they change at once comes first."""
    result = p29(components, state.parameters.p29)
    score(result)
    write_link(state)
    weights(result)
    gates(result)
    if result.violating.any() and not stays_on_server(state, chosen_candidate(state)):
        lift(card.evidence, state.parameters.p29)


def score(result: P29) -> None:
    """The score, the sliders that move it, and the figure that shows how."""
    st.markdown(result.in_words())
    left, right = st.columns([1, 2])
    with left:
        st.metric(base.metric.title, f"{result.value:.4f}", help=f"Full figure: {result.value}")
        if result.violating.any():
            with st.container(key="p29_if_open"):
                st.markdown(f"It would be **{sum(result.terms.values()):.4f}** if no gate were shut.")
        numbers_first()
        p29_controls(state)
    with right:
        draw_with_data(p29_breakdown(result), "p29_breakdown")
    places = st.columns(3)
    places[0].metric("k: 1 − Nk′", f"{1 - result.Nk:.4f}", help=f"Smallest class: {result.components.k_min:,}")
    places[1].metric("l: Nl′", f"{result.Nl:.4f}", help=f"Full figure: {result.Nl}")
    places[2].metric("t: 1 − Nt′", f"{1 - result.Nt:.4f}", help=f"Nt′ in full: {result.Nt}")


def weights(result: P29) -> None:
    """Each attribute's part, and the score over every choice of weights."""
    left, right = st.columns(2)
    with left:
        draw_with_data(p29_attributes(result), "p29_attributes")
    with right:
        draw_with_data(p29_triangle(result), "p29_triangle")


def gates(result: P29) -> None:
    """What shuts the gates, class by class."""
    st.header("Gates")
    if result.violating.any():
        draw_with_data(p29_gates(result), "p29_gates")
    violation_table(card.classes, result)


shown()
show_working(card, "p29", state.parameters)
with st.expander("The definition"):
    st.latex(base.metric.formula)
    st.markdown(f"{base.metric.meaning} {base.metric.good}")
