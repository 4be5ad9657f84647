"""Change a loaded hierarchy by hand: groups, levels, or its rows as text."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import streamlit as st

from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.errors import InputError
from metrics.formatting import visible
from metrics.hierarchies.builders import regrouped, to_csv, with_level, without_level
from metrics.hierarchies.files import read_hierarchy
from metrics.hierarchies.hierarchy import Hierarchy

_MAX_VALUES = 2_000
_MAX_ROWS = 5_000


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
    for message in state.messages.get(_messages_key(column), []):
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


def _change(state: Workspace, column: str, change: Callable[[], Hierarchy]) -> None:
    """Keep what a change gives, or the sentence that says why it cannot be."""
    try:
        state.hierarchies[column] = change()
    except InputError as error:
        state.messages[_messages_key(column)] = [str(error)]
    else:
        state.messages.pop(_messages_key(column), None)


def _messages_key(column: str) -> str:
    return f"edit_hierarchy_{column}"
