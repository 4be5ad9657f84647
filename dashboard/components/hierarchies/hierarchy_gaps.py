"""Values that a hierarchy lacks: how often they occur, the leaf each is most like, and the button that adds them."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from dashboard.components.figure import data_table
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.config.roles import Role
from metrics.counting.classes import suppressed_records
from metrics.errors import InputError
from metrics.formatting import pluralize, visible
from metrics.hierarchies.builders import UncoveredValue, values_without_leaf, with_values
from metrics.hierarchies.hierarchy import Hierarchy

_SHOWN = 200


def hierarchy_gaps(state: Workspace, column: str, hierarchy: Hierarchy, missing: list[tuple[str, str]]) -> None:
    """The missed values in a table, and buttons that add those that should be leaves.

    `missing` are the values and tables that `missed_values` returned.
    """
    st.warning(
        "Metrics that need these values are unavailable. Add them here, upload a hierarchy that contains them, or make "
        "the table again with this hierarchy."
    )
    leaves = _leaves(state, column, hierarchy)
    data_table(_gaps_frame(missing[:_SHOWN], leaves), "Values missing from the hierarchy")
    matched = {leaf.value or "": leaf.like for _, leaf in leaves if leaf.like is not None}
    unmatched: dict[str, str | None] = {leaf.value or "": None for _, leaf in leaves if leaf.like is None}
    with st.container(horizontal=True):
        if matched:
            st.button(
                f"Add {pluralize(len(matched), 'value')} like {'its match' if len(matched) == 1 else 'their matches'}",
                key=f"add_alike_{column}",
                on_click=_add,
                args=(state, column, hierarchy, matched),
                icon=":material/add:",
            )
        if unmatched:
            st.button(
                f"Add {pluralize(len(unmatched), 'value')} without a match under the root",
                key=f"add_alone_{column}",
                on_click=_add,
                args=(state, column, hierarchy, unmatched),
                help="Each value stays unchanged on every level below the root.",
                icon=":material/add:",
            )
    for message in state.messages.get(f"add_{column}", []):
        st.error(plain(message), icon=":material/error:")


def _gaps_frame(missing: list[tuple[str, str]], leaves: list[tuple[str, UncoveredValue]]) -> pd.DataFrame:
    """One row per missed value and table, with the nearest leaf where there is one."""
    leaf_of = {(visible(leaf.value), table): leaf for table, leaf in leaves}
    rows: list[tuple[str, str, int | None, str, str]] = []
    for value, table in missing:
        leaf = leaf_of.get((value, table))
        if leaf is None:
            rows.append((value, table, None, "", ""))
        else:
            rows.append((value, table, leaf.records, "" if leaf.like is None else visible(leaf.like), leaf.how))
    names = ["missing value", "table", "records", "nearest match", "agrees in"]
    return pd.DataFrame(rows, columns=pd.Index(names)).astype({"records": "Int64"})


def _leaves(state: Workspace, column: str, hierarchy: Hierarchy) -> list[tuple[str, UncoveredValue]]:
    """Find the values that should be leaves and are not, with their table: of quasi-identifiers the original's values.

    Of a sensitive attribute, the values of records in a class.
    """
    role = state.roles.get(column)
    if role is Role.QUASI_IDENTIFIER:
        if state.original is None or column not in state.original.table:
            return []
        return [(state.original.name, leaf) for leaf in values_without_leaf(hierarchy, state.original.table[column])]
    quasi_identifiers = state.chosen_roles().quasi_identifiers
    gaps = []
    for label, loaded in state.candidates.items():
        table = loaded.table
        if column in table and all(name in table for name in quasi_identifiers):
            in_classes = table[column].take(~suppressed_records(table, quasi_identifiers))
            gaps += [(label, leaf) for leaf in values_without_leaf(hierarchy, in_classes)]
    return gaps


def _add(state: Workspace, column: str, hierarchy: Hierarchy, parents: Mapping[str, str | None]) -> None:
    try:
        state.hierarchies[column] = with_values(hierarchy, parents)
    except InputError as error:
        state.messages[f"add_{column}"] = [str(error)]
    else:
        state.messages.pop(f"add_{column}", None)
