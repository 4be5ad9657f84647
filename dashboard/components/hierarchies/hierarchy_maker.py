"""Make a hierarchy from a column's values: choose a way, see what it gives, use it."""

from __future__ import annotations

import re

import pandas as pd
import streamlit as st

from dashboard.components.figure import data_table, draw
from dashboard.components.hierarchies.hierarchy_options import WAY_OF, Way, available_ways, make_hierarchy
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.config.roles import Role
from metrics.errors import InputError
from metrics.figures.hierarchy_tree import hierarchy_tree
from metrics.formatting import pluralize, shortened, visible
from metrics.hierarchies.builders import suggest, to_csv
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.tables.table import Column

_EXAMPLES = 4
_NOT_IN_A_NAME = re.compile(r'[\x00-\x1f/\\:*?"<>|]')
_FIRST = (Role.QUASI_IDENTIFIER, Role.SENSITIVE)


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
        hierarchy = make_hierarchy(state, column, Way(way), suggestion)
    except InputError as error:
        st.info(plain(str(error)), icon=":material/info:")
        return
    levels_table(hierarchy)
    draw(hierarchy_tree(hierarchy, column.name, column), "maker_tree")
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
