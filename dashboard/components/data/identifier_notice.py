"""Columns whose values look like direct identifiers and are not tagged so, with masked examples."""

from __future__ import annotations

from html import escape

import streamlit as st

from dashboard.workspace import Workspace
from metrics.config.roles import Role
from metrics.formatting import percent, pluralize, visible
from metrics.identifiers.kinds import Identifier
from metrics.identifiers.released import identifier_in_role
from metrics.identifiers.suggested_roles import suggest_role

_STATED_HELP = "States that the values identify nobody; kept in the settings and named in the report."


def identifier_notice(state: Workspace) -> None:
    """A warning above the columns, one button that tags them, and per column the statement that it identifies nobody.

    Nothing where all are tagged and none is stated to identify nobody.
    """
    found = identifying_columns(state)
    stated = [column for column in found if column in state.not_identifying]
    identifiers = {column: identifier for column, (identifier, _) in found.items() if column not in stated}
    if not found:
        return
    with st.container(border=True, key="direct_identifiers", gap="xsmall"):
        if identifiers:
            phrase = "column may identify" if len(identifiers) == 1 else "columns may identify"
            st.markdown(f":material/warning: **{len(identifiers):,} {phrase} people directly**")
        for name, (identifier, role) in found.items():
            with st.container(horizontal=True, vertical_alignment="center"):
                st.html(f'<div class="identifiers">{_about(identifier, role, is_stated=name in stated)}</div>')
                _statement_button(state, name, is_stated=name in stated)
        if identifiers:
            roles = {name: found[name][1] for name in identifiers}
            st.button("Tag as suggested", key="tag_identifiers", on_click=state.assign_roles, args=(roles,))


def identifying_columns(state: Workspace) -> dict[str, tuple[Identifier, Role]]:
    """The columns whose values identify people in their role in any table, each with the role suggested for it."""
    found: dict[str, tuple[Identifier, Role]] = {}
    for table in state.described_tables():
        for column in table.columns:
            identifier = identifier_in_role(column, state.roles[column.name])
            if identifier is not None:
                found.setdefault(column.name, (identifier, suggest_role(column, table.rows)))
    return {name: found[name] for name in state.columns if name in found}


def _about(identifier: Identifier, role: Role, *, is_stated: bool) -> str:
    name = f"<b>{escape(visible(identifier.column))}</b>"
    if is_stated:
        return f"{name} looks like {escape(identifier.title)}. You stated that it identifies nobody."
    share = f"{percent(identifier.share)} of {pluralize(identifier.values, 'value')}"
    examples = ", ".join(f"<code>{escape(visible(example))}</code>" for example in identifier.examples)
    return f"{name} looks like {escape(identifier.title)} ({share}), such as {examples}. Suggested role: {role.value}"


def _statement_button(state: Workspace, name: str, *, is_stated: bool) -> None:
    """The statement that a column identifies nobody, or its withdrawal."""

    def change() -> None:
        """Make the statement, or withdraw it."""
        state.not_identifying ^= {name}

    if is_stated:
        st.button("Withdraw", key=f"identifying_{name}", on_click=change, type="tertiary")
    else:
        st.button(
            "It identifies nobody", key=f"not_identifying_{name}", on_click=change, help=_STATED_HELP, type="tertiary"
        )
