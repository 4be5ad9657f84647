"""Columns whose values look like direct identifiers and are not tagged so, with masked examples."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from weakref import WeakKeyDictionary

import streamlit as st

from dashboard.workspace import Workspace
from metrics.config.roles import Role
from metrics.formatting import percent, pluralize, visible
from metrics.identifiers.detection import identifier_of
from metrics.identifiers.kinds import Identifier
from metrics.tables.table import Column

_FOUND: WeakKeyDictionary[Column, Identifier | None] = WeakKeyDictionary()
"""Kind of identifier that each loaded column looks like: judged once, dropped with its table."""


def identifier_notice(state: Workspace) -> None:
    """A warning above the columns, and one button that tags them; nothing where all are tagged."""
    identifiers = list(untagged_identifiers(state))
    if not identifiers:
        return
    with st.container(border=True, key="direct_identifiers"):
        phrase = "column may identify" if len(identifiers) == 1 else "columns may identify"
        st.markdown(f":material/warning: **{len(identifiers):,} {phrase} people directly**")
        st.html(f'<ul class="identifiers">{"".join(map(_list_item, identifiers))}</ul>')
        st.button("Tag as suggested", key="tag_identifiers", on_click=_tag_identifiers, args=(state, identifiers))


def untagged_identifiers(state: Workspace) -> Iterator[Identifier]:
    """The columns to point out: those tagged as identifiers are settled; dates and places may have other roles."""
    for name, table in state.columns.items():
        role = state.roles[name]
        if role is Role.IDENTIFIER:
            continue
        column = table[name]
        if column not in _FOUND:
            _FOUND[column] = identifier_of(column, table.rows)
        identifier = _FOUND[column]
        if identifier is not None and (role is Role.INSENSITIVE or not identifier.kind.generalizable):
            yield identifier


def _list_item(identifier: Identifier) -> str:
    share = f"{percent(identifier.share)} of {pluralize(identifier.values, 'value')}"
    examples = ", ".join(f"<code>{escape(visible(example))}</code>" for example in identifier.examples)
    description = f"looks like {escape(identifier.title)} ({share}), such as {examples}"
    role = _suggested_role(identifier).value
    return f"<li><b>{escape(visible(identifier.column))}</b> {description}. Suggested role: {role}</li>"


def _suggested_role(identifier: Identifier) -> Role:
    """Suggest a role: what is generalized before release can be a quasi-identifier; the rest must not be released."""
    return Role.QUASI_IDENTIFIER if identifier.kind.generalizable else Role.IDENTIFIER


def _tag_identifiers(state: Workspace, identifiers: list[Identifier]) -> None:
    state.assign_roles({identifier.column: _suggested_role(identifier) for identifier in identifiers})
