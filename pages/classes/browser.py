"""The table of classes with its filters, their map, and one class in full."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.components.chart import chart_data, data_table, draw, draw_with_data
from dashboard.session import OPENED_CLASS, SHOWN_CLASS, chosen_version, workspace
from dashboard.text import plain
from metrics.drawing.classes import class_distribution
from metrics.drawing.theme import NEUTRAL
from metrics.explanations.class_map import class_map, map_frame
from metrics.explanations.class_profile import class_profile
from metrics.formatting import class_in_short, format_number, join_names, pluralize, visible
from metrics.policy.class_limits import class_limits, conditions_text
from metrics.policy.limitable_measures import LIMITABLE_MEASURES
from metrics.policy.policy import Policy
from metrics.privacy.t_closeness.measure import T_CLOSENESS
from metrics.scoring.class_filter import (
    FARTHEST,
    LARGEST_SHARE,
    QUASI_IDENTIFIERS,
    SIZE,
    WORST,
    ClassFilter,
    Violation,
    largest_first,
    limits_failed,
    matching_classes,
    measure_title,
    measures,
    named_failures,
    named_limits,
    ordered_classes,
    worst_first,
)
from metrics.scoring.class_table import ClassTable
from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import Integers
from metrics.texts import text

_AT_ONCE = 1_000
_FEWEST_REASONS = 2
_MAX_FAILURES = 4
_PROFILE_PX = 780
"""Width of the table of all measures of a class, which no column of the page limits."""
_MAX_BARS = 8
_ONE_LINE, _WRAPPED_PX = 38, 57
"""Letters of a class that fit in a line of the table, and the height of a row from which Streamlit wraps."""
_ROWS, _WRAPPED_ROWS = 12, 8
_CLASS_PX = 240
"""Width of the classes beside their other columns on a usual screen."""
_CLOSED = "class_closed"
"""Key of how often a class was closed."""
_MAX_VALUES = 2_000
_SHOWS_ALL = "class_filter_shows_all"
"""Key of whether all classes are shown only because none fails a limit."""


def _none_fails(policy: Policy, table: ClassTable) -> str:
    """Say why the filter on failing classes lists nothing."""
    conditions = conditions_text(named_limits(table, class_limits(policy)))
    return f"No class fails {conditions}" if conditions else "No limit of the policy applies to single classes"


def class_browser(card: Scorecard, policy: Policy) -> None:
    """The table of classes, worst first, and beside it their map, or the class that is selected."""
    table, version = card.classes, chosen_version(workspace())
    filters, notice = class_filters(policy, table, version)
    failing = matching_classes(table, replace(filters, values={}, ranges={}, violation=Violation.LIMIT))
    if filters.violation is Violation.NOTHING and not len(failing):
        notice.caption(f"{_none_fails(policy, table)}; all classes are listed.")
    elif filters.violation is Violation.LIMIT and _opened_class(version) not in (None, *failing):
        notice.caption("The class that you opened does not pass the filter, so all classes are listed.")
        filters = replace(filters, violation=Violation.NOTHING)
    left, right = st.container(key="class_columns").columns([5, 7], gap="medium")
    with right:
        selected = _class_list(table, filters, version)
    with left:
        if selected is None:
            map_of_classes(card, policy, version)
        else:
            class_detail(card, selected, policy)


def _opened_class(version: str) -> int | None:
    """The class of this version that was opened from another page."""
    opened_version, index = st.session_state.get(OPENED_CLASS, (None, None))
    return index if opened_version == version else None


def _class_list(table: ClassTable, filters: ClassFilter, version: str) -> int | None:
    """The classes that pass the filters; returns the selected one, None without any."""
    matching = matching_classes(table, filters)
    records = pluralize(int(table.classes.sizes[matching].sum()), "record")
    st.markdown(f"## {pluralize(len(matching), 'class', 'classes')}, {records}")
    with st.container(horizontal=True, vertical_alignment="bottom"):

        def set_direction() -> None:
            """The worst classes come first by any distance."""
            st.session_state["class_descending"] = largest_first(table, str(st.session_state["class_order"]))

        order = st.selectbox(
            "Sort by",
            [WORST, QUASI_IDENTIFIERS, *measures(table)],
            key="class_order",
            format_func=measure_title,
            on_change=set_direction,
            persist_state="session",
            help=f"Worst first: {text('classes.order_by_limits')}",
        )
        descending = False
        if order != WORST:
            descending = st.toggle("Largest first", key="class_descending", persist_state="session")
        pages = -(-len(matching) // _AT_ONCE) or 1
        page = 1
        if pages > 1:
            page = int(st.number_input(f"Page (1 to {pages:,})", 1, pages, key="class_page", width=120))
    if not len(matching):
        st.info("No class matches the filters.", icon=":material/info:")
        return None
    index = (
        worst_first(table, matching, filters.limits)
        if order == WORST
        else ordered_classes(table, matching, str(order), descending)
    )
    page_classes = index[(page - 1) * _AT_ONCE : page * _AT_ONCE]
    # Everything that decides which class is in which row, so that a click never applies to another class.
    page_digest = hashlib.sha256(page_classes.tobytes()).hexdigest()[:16]
    frame = _frame(table, page_classes, filters, order)
    wraps = frame["class"].str.len().median() > _ONE_LINE
    event = data_table(
        frame,
        "Equivalence classes with size, diversity and distance",
        on_select="rerun",
        selection_mode="single-row",
        shares=[name for name in frame if name == LARGEST_SHARE],
        widths={"class": _CLASS_PX},
        row_height=_WRAPPED_PX if wraps else None,
        rows=_WRAPPED_ROWS if wraps else _ROWS,
        key=f"class_table_{version}_{page_digest}_{st.session_state.get(_CLOSED, 0)}",
    )
    chart_data(lambda: table.to_arrow(index), "classes", "Download classes (CSV)", confidential=True)
    if region_of_map(version):
        st.caption("Only classes within the rectangle on the map are listed.")
    rows = event.selection.rows
    if rows and rows[0] < len(page_classes):
        st.session_state.pop(OPENED_CLASS, None)
        return int(page_classes[rows[0]])
    opened_class = _opened_class(version)
    return opened_class if opened_class is not None and opened_class in index else None


def _frame(table: ClassTable, page_classes: Integers, filters: ClassFilter, order: str) -> pd.DataFrame:
    """The classes with size, what they fail, their values, largest share and t, and the measure that sorts."""
    values = measures(table)
    shown_measures = [name for name in (LARGEST_SHARE, FARTHEST, order) if name in values and name != SIZE]
    columns: dict[str, Any] = {SIZE: table.classes.sizes[page_classes]}
    columns["fails"] = _failures(table, page_classes, filters)
    columns["class"] = [class_in_short(table.classes.labels(index).values()) for index in page_classes.tolist()]
    return pd.DataFrame({**columns, **{measure_title(name): values[name][page_classes] for name in shown_measures}})


def _failures(table: ClassTable, page_classes: Integers, filters: ClassFilter) -> list[str]:
    """The limits that each class fails or, where those that fail P_29 are listed, the conditions of P_29."""
    if filters.violation is Violation.P_29 and table.violations is not None:
        return [str(reason) for reason in table.violations.reason_texts(page_classes).to_pylist()]
    failing = named_failures(table, filters.limits)
    return [
        ", ".join(LIMITABLE_MEASURES[name].short for name, flags in failing.items() if flags[index])
        for index in page_classes.tolist()
    ]


def _close() -> None:
    """Show the map again; a row of a table cannot be deselected but by another table."""
    st.session_state.pop(OPENED_CLASS, None)
    st.session_state[_CLOSED] = st.session_state.get(_CLOSED, 0) + 1


def class_detail(card: Scorecard, index: int, policy: Policy) -> None:
    """One class: who is in it, one sensitive attribute compared with the whole table's, and why the class fails."""
    classes, table = card.aggregates.classes, card.classes
    with st.container(horizontal=True, vertical_alignment="top", gap="small", wrap=False):
        st.markdown(f"## Selected class: {pluralize(int(classes.sizes[index]), 'record')}", width="stretch")
        st.button("Back to the map", key="class_close", type="tertiary", icon=":material/close:", on_click=_close)
    st.markdown(", ".join(f"{plain(name)} = **{plain(label)}**" for name, label in classes.labels(index).items()))
    profile = class_profile(card, index, policy)
    failures = [row for row in profile if row.failure]
    if table.distinct:
        _open_on([row.attribute for row in failures if row.attribute in table.distinct], index)
        _distribution(card, index)
    else:
        st.caption("No column is tagged as sensitive, so there is no distribution to show.")
    lines = []
    for row in failures[:_MAX_FAILURES]:
        attribute = f" of {plain(row.attribute)}" if row.attribute else ""
        lines.append(f"- **{plain(row.measure)}**{attribute}: {plain(row.failure)}")
    if len(failures) > _MAX_FAILURES:
        lines.append(f"- and {len(failures) - _MAX_FAILURES} more, under “All measures”")
    st.markdown("\n".join(lines) if lines else "This class fails no limit.")
    with st.popover("All measures"):
        frame = pd.DataFrame([asdict(row) for row in profile])
        frame["figure"] = frame["figure"].map(format_number)
        name = "All measures of the selected class"
        data_table(frame, name, right=["figure"], key="class_profile", width=_PROFILE_PX)


def _open_on(failing: Sequence[str], index: int) -> None:
    """Let a class open on a sensitive attribute that fails, if the one that was shown last does not."""
    shown = chosen_version(workspace()), index
    if (
        st.session_state.get(SHOWN_CLASS) != shown
        and failing
        and st.session_state.get("class_attribute") not in failing
    ):
        st.session_state["class_attribute"] = failing[0]
    st.session_state[SHOWN_CLASS] = shown


def _distribution(card: Scorecard, index: int) -> None:
    """One sensitive attribute in a class, compared with the whole table's."""
    table = card.classes
    name = str(
        st.segmented_control(
            "Sensitive attribute",
            list(table.distinct),
            default=next(iter(table.distinct)),
            key="class_attribute",
            format_func=visible,
            required=True,
            wrap=True,
            label_visibility="collapsed",
            persist_state="session",
        )
    )
    chart = class_distribution(
        card.aggregates.histogram(name),
        index,
        t=table.t[name][index] if name in table.t else None,
        max_values=_MAX_BARS,
    )
    draw_with_data(chart, "class_distribution", confidential=True)


def class_filters(policy: Policy, table: ClassTable, version: str) -> tuple[ClassFilter, DeltaGenerator]:
    """The filter set by the map and controls, which keep their choice across pages, and the place of a notice."""
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
    line = st.container(horizontal=True, vertical_alignment="center", key="class_filter_line")
    with line:
        reasons = _reasons(table, limits) if kind == Violation.LIMIT else ()
        notice = st.empty()  # keeps the line while nothing is said: what stands below does not move
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
        measured = measures(table)
        names = st.multiselect(
            "Measures", list(measured), key="class_measures", format_func=measure_title, persist_state="session"
        )
        for name in names:
            if name in measured:
                ranges[name] = _range(name, float(measured[name].min()), float(measured[name].max()), version)
    region = region_of_map(version) if table.t else {}
    active = [visible(name) for name, selection in (*values.items(), *ranges.items()) if selection]
    if active:
        line.caption(f"Filtered by {plain(join_names(active))}.")
    return ClassFilter(values, ranges | region, Violation(str(kind)), limits, reasons), notice


def _reasons(table: ClassTable, limits: Mapping[str, float]) -> Sequence[str]:
    """The limits chosen among those that classes fail, to list only the classes that fail one of these."""
    failing = {name: int(flags.sum()) for name, flags in named_failures(table, limits).items() if flags.any()}
    if len(failing) < _FEWEST_REASONS:
        return ()
    chosen: list[str] = st.pills(
        "Limits that they fail",
        list(failing),
        selection_mode="multi",
        format_func=lambda name: f"{LIMITABLE_MEASURES[name].short}: {failing[name]:,}",
        key="class_reasons",
        label_visibility="collapsed",
        width="content",
        on_change=_on_filter_change,
        persist_state="session",
    )
    return chosen


def _on_filter_change() -> None:
    """The filter is the user's from now on, and a class opened from another page no longer decides."""
    st.session_state.pop(OPENED_CLASS, None)
    st.session_state[_SHOWS_ALL] = False


def _follow_limits(any_fails: bool) -> None:
    """Show all classes while none fails a limit, and then again those that fail one, unless the user chose."""
    chosen = st.session_state.get("class_filter", str(Violation.LIMIT))
    if not any_fails and chosen == Violation.LIMIT:
        st.session_state["class_filter"], st.session_state[_SHOWS_ALL] = str(Violation.NOTHING), True
    elif any_fails and st.session_state.get(_SHOWS_ALL):
        st.session_state["class_filter"], st.session_state[_SHOWS_ALL] = str(Violation.LIMIT), False


def _range(name: str, low: float, high: float, version: str) -> tuple[float, float]:
    left, right = st.columns(2)
    key = f"class_range_{version}_{name}"
    start = left.number_input(
        f"{plain(measure_title(name))} from", value=low, key=f"{key}_low", persist_state="session"
    )
    stop = right.number_input("to", value=high, key=f"{key}_high", persist_state="session")
    return float(start), float(stop)


def region_of_map(version: str) -> dict[str, tuple[float, float]]:
    """The ranges of the rectangle drawn on the map, none without one; they stay while the map is not shown."""
    region: dict[str, tuple[float, float]] = st.session_state.get(_region_key(version), {})
    return region


def _region_key(version: str) -> str:
    return f"class_region_{version}"


def map_of_classes(card: Scorecard, policy: Policy, version: str) -> None:
    """The map of classes, on which a rectangle can be drawn."""
    table = card.classes
    if not table.t:
        st.caption(plain(f"No map of the classes by size and distance t: {card[T_CLOSENESS.id].unavailable}."))
        return
    limits = class_limits(policy)
    region, key = region_of_map(version), f"class_map_{version}"
    revision = f"_{region}" if region else ""

    def draw_region() -> None:
        """Keep the rectangle: the chart drawn with it is a new one, so that nothing is selected on it."""
        boxes = st.session_state[f"{key}{revision}"]["selection"]["box"]
        axes = (("x", SIZE), ("y", FARTHEST))
        ranges = {name: (min(boxes[0][axis]), max(boxes[0][axis])) for axis, name in axes} if boxes else {}
        st.session_state[_region_key(version)] = ranges

    chart = class_map(table, limits)
    if region:
        (x0, x1), (y0, y1) = region[SIZE], region[FARTHEST]
        chart.add_shape(type="rect", x0=x0, x1=x1, y0=y0, y1=y1, line={"color": NEUTRAL, "width": 1.5, "dash": "dot"})
    draw(
        chart,
        key,
        lambda: map_frame(table, limits),
        list(limits),
        confidential=True,
        revision=revision,
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
                args=(_region_key(version),),
            )
