"""The loaded hierarchies: which values each of them misses, and changes by hand."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import partial

import pandas as pd
import streamlit as st

from dashboard.components.chart import data_table, draw_with_data
from dashboard.components.hierarchy_faults import outside_labels
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.config.roles import Role
from metrics.counting.classes import suppressed_records
from metrics.drawing.hierarchy_tree import hierarchy_tree
from metrics.errors import InputError
from metrics.formatting import pluralize, visible
from metrics.hierarchies.builders import (
    UncoveredValue,
    regrouped,
    to_csv,
    values_without_leaf,
    with_level,
    with_values,
    without_level,
)
from metrics.hierarchies.files import read_hierarchy
from metrics.hierarchies.hierarchy import Hierarchy
from pages.data.hierarchy_maker import hierarchy_download, levels_table

_VIEWS = ("Rows", "Tree", "Edit")

_MAX_VALUES = 2_000
_MAX_ROWS = 5_000
_SHOWN = 200


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
        draw_with_data(tree, f"hierarchy_tree_{column}")
        levels_table(hierarchy)
    elif view == "Edit":
        hierarchy_editor(state, column, hierarchy)
    else:
        levels = pd.Index([f"level {level}" for level in range(hierarchy.height + 1)])
        data_table(
            pd.DataFrame(hierarchy.rows[:_SHOWN], columns=levels),
            f"Rows of the hierarchy of {visible(column)}, leaf first",
        )


def missed_values(state: Workspace, column: str, hierarchy: Hierarchy) -> list[tuple[str, str]]:
    """Values that the hierarchy lacks and a metric needs, each with the table that holds it.

    Of a sensitive attribute that are the values of records in a class; numbers have an order instead of a hierarchy.
    """
    missed: list[tuple[str, str]] = []
    role = state.roles.get(column)
    if role is Role.QUASI_IDENTIFIER and state.tables.original is not None and column in state.tables.original.table:
        original = state.tables.original.table
        missed += [(visible(value), original.name) for value in hierarchy.missing_leaves(original[column])]
    quasi_identifiers = state.chosen_roles().quasi_identifiers
    for label, loaded in state.tables.versions.items():
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


def hierarchy_editor(state: Workspace, column: str, hierarchy: Hierarchy) -> None:
    """Group labels, add and remove levels, or write the rows; every change is checked before it is applied."""
    level = _level(column, hierarchy)
    if level:
        _grouping(state, column, hierarchy, level)
    with st.container(horizontal=True):
        _button(state, column, "Add a level" + (f" above level {level}" if level else ""), level + 1, with_level)
        if level:
            _button(state, column, f"Add a level below level {level}", level, with_level)
            _button(state, column, f"Remove level {level}", level, without_level)
    _rows(state, column, hierarchy)
    for message in state.tables.messages.get(f"edit_hierarchy_{column}", []):
        st.error(plain(message), icon=":material/error:")


def _button(
    state: Workspace, column: str, label: str, level: int, change: Callable[[Hierarchy, int], Hierarchy]
) -> None:
    hierarchy = state.hierarchies[column]
    adds = change is with_level
    st.button(
        label,
        key=f"edit_{'add' if adds else 'drop'}_level_{level}_{column}",
        on_click=_change,
        args=(state, column, lambda: change(hierarchy, level)),
        icon=":material/add:" if adds else ":material/remove:",
    )


def _level(column: str, hierarchy: Hierarchy) -> int:
    """The level to put labels together on; 0 where only values and root are there."""
    if hierarchy.height < 2:
        st.caption("Add a level to group values.")
        return 0
    levels = list(range(1, hierarchy.height))
    key = f"edit_level_{column}"
    if st.session_state.get(key) not in levels:
        st.session_state.pop(key, None)
    chosen = st.segmented_control("Groups of level", levels, default=1, required=True, key=key)
    return int(chosen or 1)


def _grouping(state: Workspace, column: str, hierarchy: Hierarchy, level: int) -> None:
    parent = {row[level - 1]: row[level] for row in hierarchy.rows}
    options = list(parent)[:_MAX_VALUES]
    members_key, group_key = f"edit_members_{level}_{column}", f"edit_group_{level}_{column}"
    if not set(st.session_state.get(members_key, ())) <= parent.keys():
        st.session_state.pop(members_key, None)
    left, right = st.columns(2)
    left.multiselect(
        "Group these values",
        options,
        key=members_key,
        format_func=lambda label: f"{visible(label)} → {visible(parent[label])}",
        help="Each value is shown with its current group.",
    )
    right.text_input(
        "Group name",
        key=group_key,
        placeholder="new or existing name",
        help="A new name makes a group of the values; an existing name adds them to that group.",
    )
    if len(parent) > _MAX_VALUES:
        st.caption(f"The first {_MAX_VALUES:,} of {len(parent):,} are offered.")

    def put_together() -> Hierarchy:
        members, group = st.session_state[members_key], st.session_state[group_key]
        new_hierarchy = regrouped(hierarchy, level, members, group)
        st.session_state[members_key], st.session_state[group_key] = [], ""
        return new_hierarchy

    st.button(
        "Group",
        key=f"edit_put_{column}",
        on_click=_change,
        args=(state, column, put_together),
        type="primary",
        icon=":material/join:",
    )


def _rows(state: Workspace, column: str, hierarchy: Hierarchy) -> None:
    if len(hierarchy.rows) > _MAX_ROWS:
        st.caption(
            f"More than {_MAX_ROWS:,} rows cannot be edited here: download the file, edit it, and upload it again."
        )
        return
    content = to_csv(hierarchy)
    # Text of its own for each hierarchy: what was typed into another would overwrite it.
    key = f"edit_text_{hashlib.sha256(content).hexdigest()[:12]}_{column}"
    with st.form(f"edit_form_{column}", border=False):
        st.text_area(
            "Rows, leaf first",
            content.decode("utf-8"),
            key=key,
            height=240,
            help="One row per value, cells separated by semicolons, from the value to its most general form.",
        )

        def read() -> Hierarchy:
            return read_hierarchy(st.session_state[key].encode("utf-8"), name=hierarchy.name)

        st.form_submit_button("Apply", on_click=_change, args=(state, column, read))


def _change(state: Workspace, column: str, change: Callable[[], Hierarchy], place: str = "edit_hierarchy") -> None:
    """Keep what a change gives, or the sentence that says why it cannot be, for a place on the page."""
    messages = state.tables.messages[f"{place}_{column}"] = list[str]()
    try:
        state.hierarchies[column] = change()
    except InputError as error:
        messages.append(str(error))


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
                on_click=_change,
                args=(state, column, partial(with_values, hierarchy, matched), "add"),
                icon=":material/add:",
            )
        if unmatched:
            st.button(
                f"Add {pluralize(len(unmatched), 'value')} without a match under the root",
                key=f"add_alone_{column}",
                on_click=_change,
                args=(state, column, partial(with_values, hierarchy, unmatched), "add"),
                help="Each value stays unchanged on every level below the root.",
                icon=":material/add:",
            )
    for message in state.tables.messages.get(f"add_{column}", []):
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
        if state.tables.original is None or column not in state.tables.original.table:
            return []
        return [
            (state.tables.original.name, leaf)
            for leaf in values_without_leaf(hierarchy, state.tables.original.table[column])
        ]
    quasi_identifiers = state.chosen_roles().quasi_identifiers
    gaps = []
    for label, loaded in state.tables.versions.items():
        table = loaded.table
        if column in table and all(name in table for name in quasi_identifiers):
            in_classes = table[column].take(~suppressed_records(table, quasi_identifiers))
            gaps += [(label, leaf) for leaf in values_without_leaf(hierarchy, in_classes)]
    return gaps
