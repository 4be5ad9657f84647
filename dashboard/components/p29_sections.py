"""The parts of the P_29 page: the score with its sliders, the weights, and the classes that fail a condition."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dashboard.components.figure import draw_with_data
from dashboard.components.fragments import numbers_first
from dashboard.components.p29_controls import p29_controls
from dashboard.components.violations import violation_table
from dashboard.text import about
from dashboard.workspace import Workspace
from metrics.figures.p29 import p29_attributes, p29_breakdown, p29_conditions
from metrics.figures.p29_triangle import p29_triangle
from metrics.metric import Metric
from metrics.privacy.p29 import P29
from metrics.scoring.class_table import ClassTable


def score_section(state: Workspace, metric: Metric, result: P29) -> None:
    """The score, the sliders that move it, and the figure that shows how."""
    limits = state.policy.limits
    other = _other_limit(limits["t_closeness"], state.parameters.p29.t_max) if "t_closeness" in limits else ""
    st.container(key="finding").markdown(f"{result.summary()}{_against_policy(result, limits)}{other}")
    places = st.columns(4)
    with places[0]:
        st.metric(metric.title, f"{result.value:.4f}", help=about(metric, result.value))
        with st.container(key="p29_if_open"):
            without = f"{sum(result.terms.values()):.4f} without the conditions"
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
        "0 to 1, higher is better. Distances are scaled to those of this table, so tables "
        "cannot be compared by it. P_29 measures t by the variational distance and the t-closeness page by each "
        "attribute's own distance, so the classes that exceed the limit can differ. "
        f"Unrounded: {1 - result.Nt}",
    )
    numbers_first()
    left, right = st.columns([1, 2], gap="medium")
    with left:
        p29_controls(state)
    with right:
        draw_with_data(p29_breakdown(result, limit=limits.get(metric.id)), "p29_breakdown", [metric.id])


def _other_limit(limit: float, own: float) -> str:
    """Say that P_29 has a limit on t of its own, and meeting it does not mean meeting the policy's."""
    return (
        f" Its limit on t ({own:g}) applies to the variational distance; the policy's ({limit:g}) applies to the "
        "distance on the t-closeness page, so the classes that fail can differ."
    )


def _against_policy(result: P29, limits: Mapping[str, float | bool]) -> str:
    """Whether the score meets the policy's limit, where it has one."""
    if "p29" not in limits:
        return ""
    meets = "meets" if result.value >= limits["p29"] else "fails"
    return f" This {meets} the policy's limit (at least {limits['p29']:g})."


def weights_section(result: P29) -> None:
    """Each attribute's part, and the score over every choice of weights."""
    left, right = st.columns(2)
    with left:
        draw_with_data(p29_attributes(result), "p29_attributes")
    with right:
        draw_with_data(p29_triangle(result), "p29_triangle")


def conditions_section(classes: ClassTable, result: P29) -> None:
    """How many classes fail which condition, and each of them."""
    if not result.violating.any():
        st.markdown(
            "All three P_29 conditions are met: no class has a single record, a single value of a sensitive attribute, "
            "or a t above the limit."
        )
        return
    left, right = st.columns([2, 3], gap="medium")
    with left:
        draw_with_data(p29_conditions(result), "p29_gates")
    with right:
        violation_table(classes, result)
