"""The loaded hierarchies, and which values each of them misses."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from dashboard.components.data_table import data_table
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.classes import suppressed_records
from metrics.hierarchy import Hierarchy
from metrics.roles import Role
from metrics.wording import counted, visible

_SHOWN = 200


def hierarchy_list(state: Workspace) -> None:
    """One line per hierarchy: levels, values, what it misses; each can be looked into and removed."""
    for column, hierarchy in list(state.hierarchies.items()):
        missing = missed_values(state, column, hierarchy)
        size = f"{len(hierarchy.rows):,} values on {hierarchy.height + 1} levels"
        fault = f" · misses {counted(len(missing), 'value')}" if missing else ""
        with st.expander(f"**{plain(column)}** · {size}{fault}", icon=":material/warning:" if missing else None):
            _content(hierarchy, missing)
            st.button(
                "Remove",
                key=f"remove_hierarchy_{column}",
                on_click=state.remove_hierarchy,
                args=(column,),
                icon=":material/delete:",
            )


def _content(hierarchy: Hierarchy, missing: list[tuple[str, str]]) -> None:
    st.caption(plain(hierarchy.name) + (": a root \\* was added" if hierarchy.root_added else ""))
    if hierarchy.ambiguous_labels:
        st.warning(
            f"{counted(len(hierarchy.ambiguous_labels), 'label')} stand on two levels with different meanings; for "
            "levels the lower one counts, for coverage both."
        )
    if missing:
        st.warning("Add these values to the file and upload it again; metrics that need them are unavailable.")
        frame = pd.DataFrame(missing[:_SHOWN], columns=pd.Index(["missing value", "table"]))
        data_table(frame, "Values that the hierarchy misses")
    levels = pd.Index([f"level {level}" for level in range(hierarchy.height + 1)])
    data_table(pd.DataFrame(hierarchy.rows[:_SHOWN], columns=levels), "The hierarchy's rows, leaf first")


def missed_values(state: Workspace, column: str, hierarchy: Hierarchy) -> list[tuple[str, str]]:
    """Values that the hierarchy lacks and a metric needs, each with the table that holds it.

    Of a sensitive attribute that are the values of records in a class; numbers have an order instead of a hierarchy.
    """
    found: list[tuple[str, str]] = []
    role = state.roles.get(column)
    if role is Role.QUASI_IDENTIFIER and state.original is not None and column in state.original.table:
        original = state.original.table
        found += [(visible(value), original.name) for value in hierarchy.missing_leaves(original[column])]
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
        found += [(visible(value), label) for value in missing]
    return found
