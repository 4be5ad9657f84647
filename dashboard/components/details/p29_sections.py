"""The parts of the P_29 page: the score with its sliders, the weights, and the classes that fail a condition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import streamlit as st

from dashboard.components.details.p29_controls import p29_controls
from dashboard.components.details.violations import violation_table
from dashboard.components.figure import draw_with_data
from dashboard.components.fragments import metrics_above_figures
from dashboard.text import metric_help
from dashboard.workspace import Workspace
from metrics.figures.p29 import p29_attributes, p29_breakdown, p29_conditions
from metrics.figures.p29_triangle import p29_triangle
from metrics.formatting import format_number
from metrics.metric import Metric
from metrics.privacy.p29 import P29
from metrics.scoring.class_table import ClassTable
from metrics.texts import text


def score_section(state: Workspace, metric: Metric, result: P29) -> None:
    """The score, the sliders that move it, and the figure that shows how."""
    limits = state.policy.limits
    st.caption(metric.meaning)
    sentences = [result.summary(), *_against_policy(result, limits)]
    st.container(key="finding").markdown(" ".join(sentences))
    tiles = st.columns(4)
    tiles[0].metric(metric.title, format_number(result.value), help=metric_help(metric))
    k_help = text("p29.k_help", size=result.components.k_min)
    tiles[1].metric("Class size (k)", format_number(1 - result.Nk), help=k_help)
    tiles[2].metric("Diversity (l)", format_number(result.Nl), help=text("p29.l_help"))
    tiles[3].metric("Closeness (t)", format_number(1 - result.Nt), help=text("p29.t_help"))
    with st.container(key="p29_without_conditions"):
        without = text("p29.without_conditions", score=format_number(sum(result.terms.values())))
        st.caption(without if result.violating.any() else "maximum: 1")
    metrics_above_figures()
    left, right = st.columns([1, 2], gap="medium")
    with left:
        p29_controls(state)
    with right:
        # Where a class fails, the sentence above has said so, with what the score would be.
        heading = (
            text("p29.terms_heading", score=format_number(sum(result.terms.values()))) if result.violating.any() else ""
        )
        figure = p29_breakdown(result, limit=limits.get(metric.id))
        draw_with_data(figure, "p29_breakdown", [metric.id], heading=heading)


def _against_policy(result: P29, limits: Mapping[str, float | bool]) -> Iterator[str]:
    """Whether the score meets the policy's limit."""
    if "p29" in limits:
        limit = limits["p29"]
        meets = result.value >= limits["p29"]
        yield text("p29.meets_policy", limit=limit) if meets else text("p29.fails_policy", limit=limit)


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
        st.markdown(text("p29.conditions_met"))
        return
    left, right = st.columns([4, 7], gap="medium")
    with left:
        draw_with_data(p29_conditions(result), "p29_gates")
    with right:
        violation_table(classes, result)
