"""P_29: the terms of the score, the classes that fail a condition, and repairs."""

import streamlit as st

from dashboard.components.candidate_picker import chosen_candidate
from dashboard.components.figure import draw_with_data
from dashboard.components.fragments import numbers_first
from dashboard.components.guard import require_card, unavailable
from dashboard.components.p29_controls import p29_controls
from dashboard.components.p29_repairs import p29_repairs
from dashboard.components.server_count import stays_on_server
from dashboard.components.views import show_view
from dashboard.components.violations import violation_table
from dashboard.components.working import show_working
from dashboard.links import write_link
from dashboard.session import workspace
from dashboard.text import about
from metrics.figures.p29 import p29_attributes, p29_breakdown, p29_conditions
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
    parts = {"Failing classes": lambda: conditions(result), "Attributes and weights": lambda: weights(result)}
    if not stays_on_server(state, chosen_candidate(state)):
        parts["Repair options"] = lambda: repairs(result)
    show_view("p29", parts)
    show_working(card, "p29", state.parameters)


def score(result: P29) -> None:
    """The score, the sliders that move it, and the figure that shows how."""
    st.container(key="finding").markdown(result.summary())
    places = st.columns(4)
    with places[0]:
        st.metric(base.metric.title, f"{result.value:.4f}", help=about(base.metric, result.value))
        with st.container(key="p29_if_open"):
            without = f"{sum(result.terms.values()):.4f} if all conditions were met"
            st.caption(without if result.violating.any() else "maximum: 1")
    places[1].metric(
        "Class size (k)",
        f"{1 - result.Nk:.4f}",
        help=f"1 − Nk′, where Nk′ is 1 over the size of the smallest class ({result.components.k_min:,}). "
        "0 to 1, higher is better.",
    )
    places[2].metric(
        "Diversity (l)",
        f"{result.Nl:.4f}",
        help="Nl′, the mean l of all classes and sensitive attributes. 0 to 1, higher is better. "
        f"Unrounded: {result.Nl}",
    )
    places[3].metric(
        "Closeness (t)",
        f"{1 - result.Nt:.4f}",
        help="1 − Nt′, where Nt′ is the mean normalized t of all classes and sensitive attributes. "
        "0 to 1, higher is better. P_29 measures t by the variational distance and the t-closeness page by each "
        "attribute's own distance, so the classes that exceed the limit can differ. "
        f"Unrounded: {1 - result.Nt}",
    )
    numbers_first()
    left, right = st.columns([1, 2], gap="medium")
    with left:
        p29_controls(state)
    with right:
        draw_with_data(p29_breakdown(result), "p29_breakdown")


def weights(result: P29) -> None:
    """Each attribute's part, and the score over every choice of weights."""
    left, right = st.columns(2)
    with left:
        draw_with_data(p29_attributes(result), "p29_attributes")
    with right:
        draw_with_data(p29_triangle(result), "p29_triangle")


def conditions(result: P29) -> None:
    """How many classes fail which condition, and each of them."""
    if not result.violating.any():
        st.markdown(
            "All three P_29 conditions are met: no class has a single record, a single value of a sensitive attribute "
            "(l = 0), or a t above the limit."
        )
        return
    left, right = st.columns([2, 3], gap="medium")
    with left:
        draw_with_data(p29_conditions(result), "p29_gates")
    with right:
        violation_table(card.classes, result)


def repairs(result: P29) -> None:
    """Two repairs side by side, if there is anything to repair."""
    if result.violating.any():
        p29_repairs(card.aggregates, state.parameters.p29)
    else:
        st.markdown("All three P_29 conditions are met, so no repair is needed.")


shown()
with st.expander("The definition"):
    st.latex(base.metric.formula)
    st.markdown(f"{base.metric.meaning} {base.metric.good}")
