"""Make a hierarchy from a column's values: choose a way, see what it gives, use it."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from functools import partial

import pandas as pd
import streamlit as st

from dashboard.components.chart import data_table, draw_with_data
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.config.roles import Role
from metrics.drawing.hierarchy_tree import hierarchy_tree
from metrics.errors import InputError
from metrics.formatting import pluralize, shortened, visible
from metrics.hierarchies.builders import (
    DateForm,
    IntervalForm,
    Kind,
    Period,
    Side,
    Suggestion,
    bounded,
    dates,
    detect,
    equal_width,
    from_pair,
    masking,
    ordered_groups,
    quantiles,
    suggest,
    suppression,
    to_csv,
    with_level,
)
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.matching.records import match_records
from metrics.tables.table import Column
from metrics.tables.values import parse_number

_EXAMPLES = 4
_NOT_IN_A_NAME = re.compile(r'[\x00-\x1f/\\:*?"<>|]')
_FIRST = (Role.QUASI_IDENTIFIER, Role.SENSITIVE)

_MAX_ORDERED = 500
_JOIN = "Neighbours joined per level"
_JOIN_HELP = (
    "How many neighbours are joined on each higher level: 2, 2 turns intervals of 5 into 10, then 20. Empty: none."
)


@st.fragment
def hierarchy_maker(state: Workspace) -> None:
    """The controls, what they give as levels and as a tree, and the button that keeps it; closed at first."""
    if not st.toggle("Create a hierarchy from a column's values", key="maker_open", persist_state="session"):
        return
    if not state.loaded_columns:
        st.info("This needs all values, and these tables stay on the server: upload a table.")
        return
    with st.container(border=True):
        names = sorted(state.loaded_columns, key=lambda name: state.roles.get(name) not in _FIRST)
        name = st.selectbox("Column", names, format_func=visible, key="maker_column", persist_state="session")
        table = state.loaded_columns.get(name)
        if table is not None:
            _make(state, table[name])


def _make(state: Workspace, column: Column) -> None:
    try:
        suggestion = suggest(column)
    except InputError as error:
        st.info(plain(str(error)))
        return
    options = available_ways(state, column)
    suggested = WAY_OF[suggestion.kind]
    key = f"maker_way_{column.name}"
    way = st.selectbox("Method", options, index=options.index(suggested), key=key, persist_state="session")
    st.caption(f"Suggested: {suggested}, because {plain(suggestion.because)}.")
    try:
        maker = _MAKERS.get(Way(way), partial(_from_tables, state))
        hierarchy = maker(column, suggestion)
    except InputError as error:
        st.info(plain(str(error)), icon=":material/info:")
        return
    levels_table(hierarchy)
    draw_with_data(hierarchy_tree(hierarchy, column.name, column), "maker_tree")
    current = state.hierarchies.get(column.name)
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Use it", type="primary", key="maker_use", icon=":material/check:"):
            state.hierarchies[column.name] = hierarchy
            st.rerun()
        hierarchy_download(hierarchy, column.name, "maker_download")
    if current is not None:
        is_unchanged = current.rows == hierarchy.rows
        st.caption("This is the hierarchy in use." if is_unchanged else f"It replaces {plain(current.name)}.")


def levels_table(hierarchy: Hierarchy) -> None:
    """Each level with the number of its labels and the first of them."""
    rows = []
    for level in range(hierarchy.height + 1):
        labels = hierarchy.labels(level)
        examples = [shortened(visible(label), 30) for label in labels[:_EXAMPLES]]
        rows.append((level, len(labels), ", ".join(examples) + (" …" if len(labels) > _EXAMPLES else "")))
    frame = pd.DataFrame(rows, columns=pd.Index(["level", "distinct values", "examples"]))
    data_table(frame, f"The {pluralize(len(rows), 'level')} of the hierarchy")


def hierarchy_download(hierarchy: Hierarchy, column: str, key: str) -> None:
    """A button that saves the hierarchy as `<column>.csv`, in ARX's form."""
    st.download_button(
        "Download",
        lambda: to_csv(hierarchy),
        file_name=f"{_NOT_IN_A_NAME.sub('_', column)}.csv",
        mime="text/csv",
        key=key,
        help="One row per value, leaf first, cells separated by semicolons, no header: as ARX and this page read it.",
        icon=":material/download:",
        on_click="ignore",
    )


class Way(StrEnum):
    """How a hierarchy can be made, as the user reads it."""

    WIDTH = "intervals of equal width"
    QUANTILES = "intervals of equally many records"
    BOUNDS = "intervals between given bounds"
    DATES = "dates"
    MASKING = "masking of characters"
    ORDERED = "groups of neighbours in an ordered list"
    HAND = "groups made by hand"
    SUPPRESSION = "suppression only"
    PAIR = "derived from an anonymized table"


WAY_OF = {
    Kind.INTERVALS: Way.WIDTH,
    Kind.DATES: Way.DATES,
    Kind.MASKING: Way.MASKING,
    Kind.NEIGHBOURS: Way.ORDERED,
    Kind.SUPPRESSION: Way.SUPPRESSION,
}
"""The way that a suggestion preselects."""


def available_ways(state: Workspace, column: Column) -> list[Way]:
    """The ways open to a column by its values; the last needs an original and an anonymized table that hold it."""
    excluded = set()
    if not any(parse_number(label, column.decimal) is not None for label in column.labels):
        excluded |= {Way.WIDTH, Way.QUANTILES, Way.BOUNDS}
    if not detect(column).forms:
        excluded.add(Way.DATES)
    if not _pairs(state, column.name):
        excluded.add(Way.PAIR)
    return [way for way in Way if way not in excluded]


def _key(option: str, column: Column) -> str:
    return f"maker_{option}_{column.name}"


def _width(column: Column, suggestion: Suggestion) -> Hierarchy:
    defaults = suggestion.arguments if suggestion.kind is Kind.INTERVALS else {}
    left, middle, right = st.columns(3)
    width = left.text_input(
        "Width", str(defaults.get("width", "10")), key=_key("width", column), persist_state="session"
    )
    lowest = middle.text_input(
        "Lowest bound", key=_key("lowest", column), persist_state="session", help="Numbers below it form one interval."
    )
    highest = right.text_input(
        "Highest bound",
        key=_key("highest", column),
        persist_state="session",
        help="Numbers at or above it form one interval.",
    )
    merge = _merge_sizes(Way.WIDTH, column, ", ".join(map(str, defaults.get("merge", ()))))
    form = _form(column)
    keep_others = _keeps_others("numbers", column, bool(defaults.get("keep_others")))
    low, high = lowest.strip() or None, highest.strip() or None
    return equal_width(column, width, merge=merge, lowest=low, highest=high, form=form, keep_others=keep_others)


def _quantiles(column: Column, suggestion: Suggestion) -> Hierarchy:
    number = st.number_input(
        "Intervals", min_value=1, max_value=1000, value=8, key=_key("number", column), persist_state="session"
    )
    merge, form = _merge_sizes(Way.QUANTILES, column, "2, 2"), _form(column)
    keep_others = _keeps_others("numbers", column, bool(suggestion.arguments.get("keep_others")))
    return quantiles(column, int(number), merge=merge, form=form, keep_others=keep_others)


def _bounds(column: Column, suggestion: Suggestion) -> Hierarchy:
    text = st.text_input(
        "Bounds, ascending",
        key=_key("bounds", column),
        persist_state="session",
        placeholder="18; 30; 45; 65",
        help="Two or more numbers; each interval begins at its bound and ends before the next.",
    )
    open_ends = st.checkbox(
        "Open intervals for numbers outside the bounds", True, key=_key("open", column), persist_state="session"
    )
    merge, form = _merge_sizes(Way.BOUNDS, column, ""), _form(column)
    keep_others = _keeps_others("numbers", column, bool(suggestion.arguments.get("keep_others")))
    # A comma within a number is not one between two.
    bounds = re.split(r"[;\s]+|,\s+" if column.decimal == "," else r"[;,\s]+", text.strip())
    return bounded(
        column,
        [bound for bound in bounds if bound],
        merge=merge,
        open_ends=open_ends,
        form=form,
        keep_others=keep_others,
    )


def _dates(column: Column, suggestion: Suggestion) -> Hierarchy:
    detection = detect(column)
    forms = list(DateForm)
    left, right = st.columns(2)
    form = left.selectbox(
        "Date format",
        forms,
        index=forms.index(detection.forms[0]) if detection.forms else 0,
        key=_key("form", column),
        persist_state="session",
        help="How the dates are written, shown for 31 March 2024.",
    )
    periods = right.multiselect(
        "Levels",
        list(Period),
        key=_key("periods", column),
        persist_state="session",
        placeholder="periods that distinguish values",
    )
    if detection.ambiguous:
        st.warning("The values do not show whether the day or the month comes first: choose the format.")
    keep_others = _keeps_others("dates", column, detection.others > 0)
    return dates(column, periods or None, form=form, keep_others=keep_others)


def _masking(column: Column, suggestion: Suggestion) -> Hierarchy:
    left, right = st.columns(2)
    side = left.selectbox(
        "Hide first",
        list(Side),
        format_func=lambda side: "the last characters" if side is Side.SUFFIX else "the first characters",
        key=_key("side", column),
        persist_state="session",
    )
    steps = right.text_input(
        "Characters masked per level",
        key=_key("steps", column),
        persist_state="session",
        placeholder="1, 1, …",
        help="How many more characters are masked on each level, such as 1, 1, 2. Empty: one, or more for long values.",
    )
    return masking(column, steps=_whole_numbers(steps, column) or None, side=Side(str(side)))


def _groups_in_order(column: Column, suggestion: Suggestion) -> Hierarchy:
    size = st.number_input(
        "Values per group", min_value=2, max_value=1000, value=2, key=_key("size", column), persist_state="session"
    )
    defaults = suggestion.arguments if suggestion.kind is Kind.NEIGHBOURS else {}
    merge = _merge_sizes(Way.ORDERED, column, ", ".join(map(str, defaults.get("merge", (2,)))))
    if column.distinct > _MAX_ORDERED:
        st.caption("Too many values to order by hand; they are in sorted order.")
        return ordered_groups(column, int(size), merge=merge)
    labels = defaults.get("order") or [column.labels[code] for code in column.order]
    text = st.text_area(
        "Order, one value per line",
        "\n".join(label for label in labels if label),
        key=_key("order", column),
        persist_state="session",
    )
    order = [line.strip() for line in text.splitlines() if line.strip() not in ("", "*")]
    return ordered_groups(column, int(size), merge=merge, order=order)


def _by_hand(column: Column, suggestion: Suggestion) -> Hierarchy:
    st.caption("Select “Use it”, then group the values under “Edit” in the card of the hierarchy.")
    return with_level(suppression(column), 1)


def _from_tables(state: Workspace, column: Column, suggestion: Suggestion) -> Hierarchy:
    label = st.selectbox(
        "Anonymized table",
        _pairs(state, column.name),
        format_func=visible,
        key=_key("pair", column),
        persist_state="session",
    )
    # Offered only where there is one.
    original = state.tables.original
    if original is None:
        raise InputError("there is no original table", remedy="load it", column=column.name)
    anonymized = state.tables.versions[str(label)].table
    matching = match_records(original.table, anonymized, state.matching.rule_for(str(label)))
    return from_pair(matching.count_pair(column.name))


def _pairs(state: Workspace, column: str) -> list[str]:
    if state.tables.original is None or column not in state.tables.original.table:
        return []
    return [label for label, loaded in state.tables.versions.items() if column in loaded.table]


def _merge_sizes(way: Way, column: Column, default: str) -> list[int]:
    key = _key(f"join_{way.name.lower()}", column)
    return _whole_numbers(st.text_input(_JOIN, default, key=key, persist_state="session", help=_JOIN_HELP), column)


def _form(column: Column) -> IntervalForm:
    return IntervalForm(
        str(
            st.radio(
                "Written as", list(IntervalForm), horizontal=True, key=_key("written", column), persist_state="session"
            )
        )
    )


def _keeps_others(kind: str, column: Column, default: bool) -> bool:
    return st.checkbox(
        f"Keep values that are not {kind}", default, key=_key(f"keep_{kind}", column), persist_state="session"
    )


def _whole_numbers(text: str, column: Column) -> list[int]:
    parts = [part for part in re.split(r"[;,\s]+", text.strip()) if part]
    if not all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
        raise InputError(
            "the field is not a list of whole numbers", remedy="write numbers such as 2, 2", column=column.name
        )
    return [int(part) for part in parts]


_MAKERS: dict[Way, Callable[[Column, Suggestion], Hierarchy]] = {
    Way.WIDTH: _width,
    Way.QUANTILES: _quantiles,
    Way.BOUNDS: _bounds,
    Way.DATES: _dates,
    Way.MASKING: _masking,
    Way.ORDERED: _groups_in_order,
    Way.HAND: _by_hand,
    Way.SUPPRESSION: lambda column, _: suppression(column),
}
