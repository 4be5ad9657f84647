"""The table of classes, and one class in full."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, replace

import pandas as pd
import streamlit as st

from dashboard.components.candidate_picker import chosen_candidate
from dashboard.components.class_filters import SELECTED, class_filters, measure_title, region_of_map
from dashboard.components.data_table import data_table
from dashboard.components.figure import draw_with_data
from dashboard.components.figure_data import figure_data
from dashboard.session import workspace
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.explanations.class_profile import class_profile
from metrics.figures.classes import class_distribution
from metrics.policy.class_limits import class_limits
from metrics.scoring.class_filter import (
    FARTHEST,
    QUASI_IDENTIFIERS,
    SIZE,
    WORST,
    ClassFilter,
    Violation,
    farthest,
    largest_first,
    matching_classes,
    measures,
    ordered_classes,
    worst_first,
)
from metrics.scoring.class_table import ClassTable
from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import Integers
from metrics.wording import pluralize, visible

_AT_ONCE = 1_000
_MAX_FAILURES = 4
_MAX_BARS = 8
_CHOSEN = "Selected class"


def _none_fails(state: Workspace) -> str:
    """Say why the filter on failing classes lists nothing."""
    limits = class_limits(state.policy).limits_text
    return f"No class fails {limits}" if limits else "The policy sets no limit on k, l or t"


def class_browser(card: Scorecard) -> None:
    """The map of classes, beside it the table, worst first, and beside that the selected class, at first the worst."""
    table, state = card.classes, workspace()
    candidate = chosen_candidate(state)
    filters = class_filters(state, table, candidate)
    failing = matching_classes(table, replace(filters, values={}, ranges={}, violation=Violation.LIMIT))
    if filters.violation is Violation.NOTHING and not len(failing):
        st.caption(f"{_none_fails(state)}; all classes are listed.")
    elif filters.violation is Violation.LIMIT and _opened_class(candidate) not in (None, *failing):
        st.caption("The class that you opened does not pass the filter, so all classes are listed.")
        filters = replace(filters, violation=Violation.NOTHING)
    left, middle, right = st.columns([4, 7, 5], gap="medium")
    with left:
        region = region_of_map(state, table, candidate)
    filters = replace(filters, ranges={**filters.ranges, **region})
    with middle:
        chosen = _class_list(table, filters, candidate)
    with right:
        if chosen is not None:
            class_detail(card, *chosen)


def select_class(candidate: str, index: int) -> None:
    """Open a class of a candidate's table of classes, from another page."""
    st.session_state[SELECTED] = candidate, index


def _opened_class(candidate: str) -> int | None:
    """The class of this candidate that was opened from another page."""
    opened_for, index = st.session_state.get(SELECTED, (None, None))
    return index if opened_for == candidate else None


def _class_list(table: ClassTable, filters: ClassFilter, candidate: str) -> tuple[int, str] | None:
    """The classes that pass the filters; the selected one or else the first, and which it is; None without any."""
    places = matching_classes(table, filters)
    records = pluralize(int(table.classes.sizes[places].sum()), "record")
    st.markdown(f"## {pluralize(len(places), 'class', 'classes')}, {records}")
    with st.container(horizontal=True, vertical_alignment="bottom"):

        def set_direction() -> None:
            """The worst classes come first by any distance."""
            st.session_state["class_descending"] = largest_first(table, str(st.session_state["class_order"]))

        by = st.selectbox(
            "Sort by",
            [WORST, QUASI_IDENTIFIERS, *measures(table)],
            key="class_order",
            format_func=measure_title,
            on_change=set_direction,
            persist_state="session",
        )
        descending = False
        if by != WORST:
            descending = st.toggle("Largest first", key="class_descending", persist_state="session")
        pages = -(-len(places) // _AT_ONCE) or 1
        page = 1
        if pages > 1:
            page = int(st.number_input(f"Page (1 to {pages:,})", 1, pages, key="class_page", width=120))
    if not len(places):
        st.info("No class matches the filters.", icon=":material/info:")
        return None
    index = worst_first(table, places, filters) if by == WORST else ordered_classes(table, places, str(by), descending)
    on_page = index[(page - 1) * _AT_ONCE : page * _AT_ONCE]
    # All that decides which class stands in a row: a click must not pass on to another class.
    page_digest = hashlib.sha256(on_page.tobytes()).hexdigest()[:16]
    event = data_table(
        _frame(table, on_page),
        "Equivalence classes with size, diversity and distance",
        on_select="rerun",
        selection_mode="single-row",
        key=f"class_table_{candidate}_{page_digest}",
    )
    figure_data(lambda: table.to_arrow(index), "classes", "These classes as CSV", confidential=True)
    rows = event.selection.rows
    if rows and rows[0] < len(on_page):
        st.session_state.pop(SELECTED, None)
        return int(on_page[rows[0]]), _CHOSEN
    opened = _opened_class(candidate)
    if opened is not None and opened in index:
        return opened, _CHOSEN
    return int(on_page[0]), "Worst class" if by == WORST else "First class"


def _frame(table: ClassTable, on_page: Integers) -> pd.DataFrame:
    """The classes with size and largest t before the quasi-identifiers."""
    frame: pd.DataFrame = table.to_arrow(on_page).to_pandas()
    frame.insert(0, SIZE, frame.pop(SIZE))
    if table.t and FARTHEST not in frame:
        frame.insert(1, FARTHEST, farthest(table)[on_page])
    return frame.rename(columns={name: measure_title(name) for name in table.figures()})


def class_detail(card: Scorecard, index: int, title: str) -> None:
    """One class: who is in it, why it fails, and one sensitive attribute compared with the whole table's."""
    classes, table = card.aggregates.classes, card.classes
    st.markdown(f"## {title}: {pluralize(int(classes.sizes[index]), 'record')}")
    st.markdown(", ".join(f"{plain(name)} = **{plain(label)}**" for name, label in classes.labels(index).items()))
    profile = class_profile(card, index, workspace().k_limit, workspace().policy)
    failures = [row for row in profile if row.failure]
    lines = []
    for row in failures[:_MAX_FAILURES]:
        attribute = f" of {plain(row.attribute)}" if row.attribute else ""
        lines.append(f"- **{plain(row.measure)}**{attribute}: {plain(row.failure)}")
    if len(failures) > _MAX_FAILURES:
        lines.append(f"- and {len(failures) - _MAX_FAILURES} more, under “All measures”")
    st.markdown("\n".join(lines) if lines else "This class fails no limit.")
    if table.distinct:
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
        drawn = class_distribution(
            card.aggregates.histogram(name),
            index,
            t=table.t[name][index] if name in table.t else None,
            max_values=_MAX_BARS,
        )
        draw_with_data(drawn, "class_distribution")
    else:
        st.caption("No column is tagged as sensitive, so there is no distribution to show.")
    with st.popover("All measures"):
        frame = pd.DataFrame([asdict(row) for row in profile])
        data_table(frame, "All measures of the selected class", key="class_profile")
