"""Which classes the table of classes shows: by violation, quasi-identifier, measure, and a region of the map."""

from __future__ import annotations

import streamlit as st

from dashboard.components.figure import draw
from dashboard.text import plain
from metrics.figures.class_map import class_map, map_frame
from metrics.figures.theme import NEUTRAL
from metrics.formatting import join_names, visible
from metrics.policy.class_limits import class_limits
from metrics.policy.policy import Policy
from metrics.scoring.class_filter import FARTHEST, SIZE, ClassFilter, Violation, limits_failed, measures
from metrics.scoring.class_table import ClassTable

_MAX_VALUES = 2_000
_SHOWS_ALL = "class_filter_shows_all"
"""Key of whether all classes are shown only because none fails a limit."""
SELECTED = "class_selected"
"""Key of the candidate and the class that were opened from another page, until another class is chosen."""


def class_filters(policy: Policy, table: ClassTable, candidate: str) -> ClassFilter:
    """Return the filter set by the controls and the map; controls keep their choice across pages."""
    limits = class_limits(policy)
    _follow_limits(bool(limits_failed(table, limits).any()))
    left, right = st.columns([3, 1], vertical_alignment="center")
    kind = left.segmented_control(
        "Show",
        [str(kind) for kind in Violation],
        key="class_filter",
        default=str(Violation.LIMIT),
        required=True,
        wrap=True,
        on_change=_on_filter_change,
        label_visibility="collapsed",
        persist_state="session",
    )
    values: dict[str, frozenset[str | None]] = {}
    ranges: dict[str, tuple[float, float]] = {}
    with right.popover("More filters", icon=":material/filter_alt:", width="stretch"):
        for column in table.classes.columns:
            labels = [column.labels[code] for code in column.order[:_MAX_VALUES]]
            chosen = st.multiselect(
                plain(column.name),
                labels,
                key=f"class_value_{column.name}",
                format_func=visible,
                placeholder="any",
                persist_state="session",
            )
            values[column.name] = frozenset(label for label in chosen if label in column.code_of)
        figures = measures(table)
        names = st.multiselect(
            "Measures", list(figures), key="class_measures", format_func=measure_title, persist_state="session"
        )
        for name in names:
            if name in figures:
                ranges[name] = _range(name, float(figures[name].min()), float(figures[name].max()), candidate)
    region = region_of_map(candidate) if table.t else {}
    active = [visible(name) for name, selection in (*values.items(), *ranges.items()) if selection]
    if active:
        st.caption(f"Filtered by {plain(join_names(active))}.")
    return ClassFilter(values, ranges | region, Violation(str(kind)), limits)


def _on_filter_change() -> None:
    """The filter is the user's from now on, and a class opened from another page no longer decides."""
    st.session_state.pop(SELECTED, None)
    st.session_state[_SHOWS_ALL] = False


def _follow_limits(any_fails: bool) -> None:
    """Show all classes while none fails a limit, and then again those that fail one, unless the user chose."""
    chosen = st.session_state.get("class_filter", str(Violation.LIMIT))
    if not any_fails and chosen == Violation.LIMIT:
        st.session_state["class_filter"], st.session_state[_SHOWS_ALL] = str(Violation.NOTHING), True
    elif any_fails and st.session_state.get(_SHOWS_ALL):
        st.session_state["class_filter"], st.session_state[_SHOWS_ALL] = str(Violation.LIMIT), False


def measure_title(name: str) -> str:
    """A measure of the table of classes as its reader names it: "normalized entropy of diagnosis"."""
    column, dot, measure = name.rpartition(".")
    return f"{measure.replace('_', ' ')} of {visible(column)}" if dot else visible(name)


def _range(name: str, low: float, high: float, candidate: str) -> tuple[float, float]:
    left, right = st.columns(2)
    key = f"class_range_{candidate}_{name}"
    start = left.number_input(
        f"{plain(measure_title(name))} from", value=low, key=f"{key}_low", persist_state="session"
    )
    stop = right.number_input("to", value=high, key=f"{key}_high", persist_state="session")
    return float(start), float(stop)


def region_of_map(candidate: str) -> dict[str, tuple[float, float]]:
    """The ranges of the rectangle drawn on the map, none without one; they stay while the map is not shown."""
    region: dict[str, tuple[float, float]] = st.session_state.get(_region_key(candidate), {})
    return region


def _region_key(candidate: str) -> str:
    return f"class_region_{candidate}"


def map_of_classes(policy: Policy, table: ClassTable, candidate: str) -> None:
    """The map of classes, on which a rectangle can be drawn."""
    if not table.t:
        st.caption("Tag a column as sensitive to map the classes by size and distance t.")
        return
    limits = class_limits(policy)
    region, key = region_of_map(candidate), f"class_map_{candidate}"

    def draw_region() -> None:
        """Keep the rectangle: to the browser, the figure drawn with it is a new one."""
        boxes = st.session_state[key]["selection"]["box"]
        axes = (("x", SIZE), ("y", FARTHEST))
        ranges = {name: (min(boxes[0][axis]), max(boxes[0][axis])) for axis, name in axes} if boxes else {}
        st.session_state[_region_key(candidate)] = ranges

    figure = class_map(table, limits)
    if region:
        (x0, x1), (y0, y1) = region[SIZE], region[FARTHEST]
        figure.add_shape(type="rect", x0=x0, x1=x1, y0=y0, y1=y1, line={"color": NEUTRAL, "width": 1.5, "dash": "dot"})
    draw(
        figure,
        key,
        lambda: map_frame(table, limits),
        list(limits),
        confidential=True,
        on_select=draw_region,
        selection_mode="box",
    )
    with st.container(horizontal=True, vertical_alignment="center", wrap=False):
        st.caption(
            "The map shows all classes; a larger mark stands for more of them. "
            "Drag a rectangle on it to list only those inside.",
            width="stretch",
        )
        if region:
            st.button(
                "Clear the rectangle",
                key="class_map_clear",
                type="tertiary",
                on_click=st.session_state.pop,
                args=(_region_key(candidate),),
            )
