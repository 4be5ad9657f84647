"""P_29: the terms of the score, the classes that fail a condition, and repairs."""

import streamlit as st

from dashboard.components.candidate_picker import chosen_candidate
from dashboard.components.details.p29_repairs import p29_repairs
from dashboard.components.details.p29_sections import conditions_section, score_section, weights_section
from dashboard.components.guard import require_card, unavailable
from dashboard.components.server_count import stays_on_server
from dashboard.components.views import show_view
from dashboard.components.what_if import what_if_title
from dashboard.components.working import show_working
from dashboard.links import write_link
from dashboard.session import workspace
from metrics.privacy.p29 import P29, p29

card = require_card()
base = card["p29"]
state = workspace()
if not isinstance(base.result, P29):
    what_if_title(state, "P_29", "p29")
    unavailable(base.unavailable or "")
components = base.result.components


@st.fragment
def show_score() -> None:
    """All that the sliders move, in one fragment: the score they change at once comes first."""
    what_if_title(state, "P_29", "p29")
    parameters = state.what_if("p29").parameters
    result = p29(components, parameters.p29)
    score_section(state, base.metric, result)
    write_link(parameters)
    parts = {
        "Failing classes": lambda: conditions_section(card.classes, result),
        "Attributes and weights": lambda: weights_section(result),
    }
    if not stays_on_server(state, chosen_candidate(state)):
        parts["Repair options"] = lambda: p29_repairs(
            card.aggregates, parameters.p29, result, state.policy.max_suppression
        )
    show_view("p29", parts)
    show_working(card, "p29", parameters)


show_score()
with st.expander("The definition"):
    st.latex(base.metric.formula)
    st.markdown(f"{base.metric.meaning} {base.metric.good}")
