"""Which classes the table of classes shows: by violation, quasi-identifier, measure, and a region of the map."""

from __future__ import annotations

import streamlit as st

from dashboard.components.figure_data import figure_data
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.class_filter import FARTHEST, SIZE, ClassFilter, Violation, measures
from metrics.class_table import ClassTable
from metrics.figures.class_map import BRUSH, class_map, map_frame
from metrics.wording import listed, visible

_MOST_VALUES = 2_000


def class_filters(state: Workspace, table: ClassTable, candidate: str) -> ClassFilter:
    """What the controls ask for; every control keeps its choice while the page is left."""
    kinds = [Violation.NOTHING, Violation.K, *([Violation.T] if table.t else []), Violation.P_29]
    kind = st.segmented_control(
        "Show",
        [str(kind) for kind in kinds],
        key="class_filter",
        default=str(Violation.NOTHING),
        required=True,
        wrap=True,
        persist_state="session",
    )
    values: dict[str, frozenset[str | None]] = {}
    ranges: dict[str, tuple[float, float]] = {}
    with st.expander("Filter by quasi-identifier, size or metric"):
        left, right = st.columns(2)
        with left:
            for column in table.classes.columns:
                labels = [column.labels[code] for code in column.order[:_MOST_VALUES]]
                chosen = st.multiselect(
                    plain(column.name),
                    labels,
                    key=f"class_value_{column.name}",
                    format_func=visible,
                    placeholder="any",
                    persist_state="session",
                )
                values[column.name] = frozenset(label for label in chosen if label in column.code_of)
        with right:
            figures = measures(table)
            names = st.multiselect(
                "Measures", list(figures), key="class_measures", format_func=visible, persist_state="session"
            )
            for name in names:
                if name in figures:
                    ranges[name] = _range(name, float(figures[name].min()), float(figures[name].max()), candidate)
    active = [visible(name) for name, chosen in (*values.items(), *ranges.items()) if chosen]
    if active:
        st.caption(f"Filtered by {plain(listed(active))}.")
    brushed = _brushed(state, table, candidate)
    return ClassFilter(
        values=values,
        ranges={**ranges, **brushed},
        violation=Violation(str(kind)),
        k_limit=state.k_limit,
        t_limit=state.parameters.t_closeness.t,
    )


def _range(name: str, low: float, high: float, candidate: str) -> tuple[float, float]:
    left, right = st.columns(2)
    key = f"class_range_{candidate}_{name}"
    start = left.number_input(f"{plain(name)} from", value=low, key=f"{key}_low", persist_state="session")
    stop = right.number_input("to", value=high, key=f"{key}_high", persist_state="session")
    return float(start), float(stop)


def _brushed(state: Workspace, table: ClassTable, candidate: str) -> dict[str, tuple[float, float]]:
    """The map of classes; the ranges of the region drawn on it, none without one."""
    if not table.t:
        return {}
    chart = class_map(table, state.k_limit, state.parameters.t_closeness.t)
    st.caption("Drag over the map to see the classes there in the table; click beside the region to see all again.")
    event = st.altair_chart(chart, on_select="rerun", selection_mode=BRUSH, key=f"class_map_{candidate}")
    figure_data(lambda: map_frame(table, state.k_limit, state.parameters.t_closeness.t), "class_map")
    region = event["selection"].get(BRUSH) or {}
    names = {"size": SIZE, "t": FARTHEST}
    return {names[axis]: (min(ends), max(ends)) for axis, ends in region.items() if axis in names and len(ends) == 2}
