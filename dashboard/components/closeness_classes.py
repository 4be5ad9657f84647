"""Which classes lie how far from the table, one of them in full, and all beyond the limit in a table."""

from __future__ import annotations

import html
from dataclasses import replace

import pandas as pd
import plotly.graph_objects as go
import pyarrow as pa
import streamlit as st

from dashboard.components.data_table import data_table
from dashboard.components.figure import draw
from dashboard.components.figure_data import figure_data
from dashboard.session import controlled
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.class_table import ClassTable
from metrics.classes import EquivalenceClasses
from metrics.evidence import Evidence
from metrics.figures.classes import class_distribution
from metrics.figures.closeness_heatmap import closeness_heatmap, heatmap_classes
from metrics.figures.moved_mass import moved_mass_figure
from metrics.figures.theme import CONFIG
from metrics.privacy.closeness_curve import ClosenessCurve
from metrics.privacy.moved_mass import moved_mass
from metrics.privacy.t_closeness import TCloseness
from metrics.table import Integers
from metrics.wording import counted, visible

_AT_ONCE = 1_000
_LABEL = 70
_HEATMAP = "closeness_heatmap"


def choose_class(
    state: Workspace, evidence: Evidence, table: ClassTable, result: TCloseness, curve: ClosenessCurve
) -> int:
    """The heatmap, whose cells open a class, and the same choice in a list; the class that is chosen."""
    classes = evidence.classes
    chosen = state.closeness.chosen_class(evidence, curve)
    _clickable(closeness_heatmap(result, curve, classes, chosen), _HEATMAP, state, evidence, list(result.per_class))
    st.caption(
        "Vermilion lines mark distances beyond the limit. Click a cell, or choose below, to see the class in full."
    )
    figure_data(lambda: _distances(table, result, curve.order), "classes_by_t", "All classes as CSV")
    offered = heatmap_classes(result, curve).tolist()
    if chosen not in offered:
        offered.append(chosen)
    left, right = st.columns([2, 1])
    left.selectbox(
        "Class",
        offered,
        key=controlled("t_class", chosen),
        format_func=lambda index: _label(classes, curve, index),
        on_change=_choose,
        args=(state, evidence),
        help="The farthest classes, as in the figure.",
    )
    if len(result.per_class) > 1:
        right.selectbox(
            "Sensitive attribute",
            list(result.per_class),
            key=controlled("t_attribute", _attribute(state, result, chosen)),
            format_func=visible,
            on_change=_choose,
            args=(state, evidence),
        )
    return chosen


def _clickable(figure: go.Figure, key: str, state: Workspace, evidence: Evidence, attributes: list[str]) -> None:
    def click() -> None:
        """Keep the class and the attribute of the cell."""
        points = st.session_state[key]["selection"]["points"]
        if points:
            index, position = points[0]["customdata"]
            state.closeness.choose(evidence, int(index), attributes[int(position)])

    title = html.unescape(figure.layout.title.text.replace("<br>", " "))
    st.plotly_chart(figure, key=key, config=CONFIG, alt=title, on_select=click, selection_mode="points")


def _choose(state: Workspace, evidence: Evidence) -> None:
    state.closeness.choose(evidence, int(st.session_state["t_class"]), st.session_state.get("t_attribute"))


def _attribute(state: Workspace, result: TCloseness, index: int) -> str:
    """The chosen attribute, else the one in which the class is farthest."""
    attribute = state.closeness.attribute
    if attribute is not None and attribute in result.per_class:
        return attribute
    return max(result.per_class, key=lambda name: float(result.per_class[name][index]))


def _label(classes: EquivalenceClasses, curve: ClosenessCurve, index: int) -> str:
    size = counted(int(classes.sizes[index]), "record")
    who = ", ".join(f"{name} = {visible(label)}" for name, label in classes.labels(index).items())
    return f"t = {curve.farthest[index]:.4f} · {size} · {who}"


def class_in_full(state: Workspace, evidence: Evidence, result: TCloseness, index: int) -> None:
    """Who is in the class, one attribute's distribution beside the table's, and the mass that is moved."""
    classes = evidence.classes
    name = _attribute(state, result, index)
    who = ", ".join(f"{plain(q)} = **{plain(label)}**" for q, label in classes.labels(index).items())
    distances = ", ".join(f"{plain(other)} t = {values[index]:.4f}" for other, values in result.per_class.items())
    st.markdown(f"{who}: {counted(int(classes.sizes[index]), 'record')}; {distances}")
    histogram = evidence.histogram(name)
    mass = moved_mass(histogram, index, result.distance[name], evidence.hierarchies.get(name))
    left, right = st.columns(2)
    with left:
        draw(class_distribution(histogram, index, t=float(result.per_class[name][index])), "closeness_distribution")
    with right:
        draw(moved_mass_figure(mass, name), "moved_mass")
        figure_data(mass.to_arrow, "moved_mass")


def exceeding_table(table: ClassTable, result: TCloseness, curve: ClosenessCurve) -> None:
    """All classes beyond the limit, the farthest first, with their distance in each attribute."""
    beyond = curve.beyond(result.limit)
    if not len(beyond):
        st.markdown("No class lies beyond the limit.")
    else:
        if len(beyond) > _AT_ONCE:
            st.caption(f"The first {_AT_ONCE:,} of {len(beyond):,} are shown; the download holds all.")
        frame: pd.DataFrame = _distances(table, result, beyond[:_AT_ONCE]).to_pandas()
        data_table(
            frame,
            "Classes beyond the limit, the farthest first",
            key="closeness_table",
        )
        figure_data(lambda: _distances(table, result, beyond), "classes_beyond_t", "All of them as CSV")


def _distances(table: ClassTable, result: TCloseness, index: Integers) -> pa.Table:
    """Quasi-identifiers, size, and the distance in each attribute."""
    full = replace(table, t=result.per_class, joint=None).to_arrow(index)
    others = [f"{name}.{measure}" for name in table.distinct for measure in ("distinct", "normalized_entropy")]
    return full.drop_columns(others)
