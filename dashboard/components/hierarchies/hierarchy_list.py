"""The loaded hierarchies, and which values each of them misses."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from dashboard.components.figure import data_table, draw
from dashboard.components.hierarchies.hierarchy_editor import hierarchy_editor
from dashboard.components.hierarchies.hierarchy_faults import outside_labels
from dashboard.components.hierarchies.hierarchy_gaps import hierarchy_gaps
from dashboard.components.hierarchies.hierarchy_maker import hierarchy_download, levels_table
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.config.roles import Role
from metrics.counting.classes import suppressed_records
from metrics.figures.hierarchy_tree import hierarchy_tree
from metrics.formatting import pluralize, visible
from metrics.hierarchies.hierarchy import Hierarchy

_SHOWN = 200
_VIEWS = ("Rows", "Tree", "Edit")


def hierarchy_list(state: Workspace) -> None:
    """One line per hierarchy: levels, values, what it misses; each can be looked into, edited, saved and removed."""
    for column, hierarchy in list(state.hierarchies.items()):
        missing = missed_values(state, column, hierarchy)
        size = f"{pluralize(len(hierarchy.rows), 'value')} on {hierarchy.height + 1} levels"
        outside = outside_labels(state, column, hierarchy)
        faults = [f"{pluralize(len(missing), 'value')} missing"] if missing else []
        faults += [f"{pluralize(len(outside), 'value')} outside the interval above"] if outside else []
        ambiguous = hierarchy.ambiguous_labels
        faults += [f"{pluralize(len(ambiguous), 'label')} with two meanings"] if ambiguous else []
        label = " · ".join([f"**{plain(column)}**", size, *faults])
        icon = ":material/warning:" if faults else None
        # By its key it stays open while edits change its label.
        with st.expander(label, icon=icon, key=f"hierarchy_{column}"):
            _content(state, column, hierarchy, missing)
            with st.container(horizontal=True):
                hierarchy_download(hierarchy, column, f"download_hierarchy_{column}")
                st.button(
                    "Remove",
                    key=f"remove_hierarchy_{column}",
                    on_click=state.remove_hierarchy,
                    args=(column,),
                    icon=":material/delete:",
                )


def _content(state: Workspace, column: str, hierarchy: Hierarchy, missing: list[tuple[str, str]]) -> None:
    st.caption(plain(hierarchy.name) + (": a root \\* was added" if hierarchy.root_added else ""))
    if missing:
        hierarchy_gaps(state, column, hierarchy, missing)
    key = f"hierarchy_view_{column}"
    view = st.segmented_control("View", _VIEWS, default=_VIEWS[0], required=True, key=key, persist_state="session")
    if view == "Tree":
        table = state.loaded_columns.get(column)
        tree = hierarchy_tree(hierarchy, column, None if table is None else table[column])
        draw(tree, f"hierarchy_tree_{column}")
        levels_table(hierarchy)
    elif view == "Edit":
        hierarchy_editor(state, column, hierarchy)
    else:
        levels = pd.Index([f"level {level}" for level in range(hierarchy.height + 1)])
        data_table(pd.DataFrame(hierarchy.rows[:_SHOWN], columns=levels), "The hierarchy's rows, leaf first")


def missed_values(state: Workspace, column: str, hierarchy: Hierarchy) -> list[tuple[str, str]]:
    """Values that the hierarchy lacks and a metric needs, each with the table that holds it.

    Of a sensitive attribute that are the values of records in a class; numbers have an order instead of a hierarchy.
    """
    missed: list[tuple[str, str]] = []
    role = state.roles.get(column)
    if role is Role.QUASI_IDENTIFIER and state.original is not None and column in state.original.table:
        original = state.original.table
        missed += [(visible(value), original.name) for value in hierarchy.missing_leaves(original[column])]
    quasi_identifiers = state.chosen_roles().quasi_identifiers
    for label, loaded in state.candidates.items():
        table = loaded.table
        if column not in table:
            continue
        missing: Sequence[str | None] = ()
        if role is Role.QUASI_IDENTIFIER:
            missing = hierarchy.missing_labels(table[column])
        elif role is Role.SENSITIVE and all(name in table for name in quasi_identifiers):
            values = table[column].take(~suppressed_records(table, quasi_identifiers))
            missing = hierarchy.missing_leaves(values) if values.numbers is None else ()
        missed += [(visible(value), label) for value in missing]
    return missed
