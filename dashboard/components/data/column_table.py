"""One table of all columns: name, distinct values, examples, role, hierarchy."""

from __future__ import annotations

from html import escape

import streamlit as st

from dashboard.components.data.role_tagger import roles_uploader
from dashboard.session import synced_key
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.config.roles import Role
from metrics.formatting import pluralize, shortened, visible
from metrics.identifiers.detection import identifier_of
from metrics.identifiers.kinds import masked
from metrics.tables.dictionary_codes import arrow_of
from metrics.tables.table import SUPPRESSED, Column

_AT_ONCE = 40
_EXAMPLES, _EXAMPLE_LENGTH = 3, 18
_WIDTHS = (6, 5, 3)
_HELP = (
    "Quasi-identifier: others may know it about a person. Sensitive: must not become known. Identifier: names a "
    "person; no metric uses it as an attribute. Insensitive: everything else."
)


def column_table(state: Workspace) -> None:
    """A row with the choice of the role for every column; long tables get a filter."""
    columns, loaded = state.columns, state.loaded_columns
    names = list(columns)
    heading = st.container(horizontal=True, vertical_alignment="center", key="heading_columns")
    with heading:
        st.header("Columns", anchor=False, help=_HELP, width="content")
        if state.unconfirmed_roles:
            confirm = f"Confirm the {pluralize(len(state.unconfirmed_roles), 'proposed role')}"
            st.button(confirm, key="confirm_roles", on_click=_confirm, args=(state,), type="tertiary")
    roles_uploader(state, heading)
    if len(names) > _AT_ONCE:
        search = st.text_input("Find a column", key="find_column", persist_state="session")
        names = [name for name in names if search.lower() in name.lower()]
        if len(names) > _AT_ONCE:
            st.caption(f"{len(names):,} columns; the first {_AT_ONCE} are shown. Type to narrow them down.")
            names = names[:_AT_ONCE]
    with st.container(gap=None, key="column_table"):
        headings = st.columns(_WIDTHS)
        headings[0].html('<div class="column head"><b>Column</b><i>Distinct</i><span>Examples</span></div>')
        headings[1].html('<div class="column-head">Role</div>')
        headings[2].html('<div class="column-state column-head"><span></span><span>Hierarchy</span></div>')
        for name in names:
            about, role, status = st.columns(_WIDTHS, vertical_alignment="center")
            sample_note = "" if name in loaded else f"in a sample of {columns[name].rows:,} records"
            examples = _examples(state, columns[name][name])
            about.html(_column_html(columns[name][name], examples, sample_note))
            with role:
                _role(state, name)
            status.html(_status_html(state, name))


def _examples(state: Workspace, column: Column) -> str:
    """A few values; of one that identifies people the form only, as in the notice."""
    role, identifier = state.roles[column.name], identifier_of(column)
    looks = identifier is not None and (role is Role.INSENSITIVE or not identifier.kind.generalizable)
    is_hidden = role is Role.IDENTIFIER or (looks and column.name not in state.not_identifying)
    values = column.values[:20].filter(arrow_of(column.shown[:20])).to_pylist()[:_EXAMPLES]
    return ", ".join(shortened(visible(masked(value) if is_hidden else value), _EXAMPLE_LENGTH) for value in values)


def _column_html(column: Column, examples: str, sample_note: str) -> str:
    name = escape(visible(column.name))
    n_values = column.distinct - (SUPPRESSED in column.code_of)
    return (
        f'<div class="column"><b title="{name}">{name}</b>'
        f'<i title="{sample_note}">{n_values:,}</i><span>{escape(examples)}</span></div>'
    )


def _role(state: Workspace, name: str) -> None:
    key = synced_key(f"role_{name}", state.roles[name].value)
    st.segmented_control(
        f"Role of {plain(name)}",
        [role.value for role in Role],
        default=state.roles[name].value,
        key=key,
        required=True,
        label_visibility="collapsed",
        on_change=_set_role,
        args=(state, name, key),
    )


def _status_html(state: Workspace, name: str) -> str:
    """Whether the role was chosen, and the levels of the hierarchy."""
    decided = "proposed" if name in state.unconfirmed_roles else "confirmed"
    return (
        f'<div class="column-state"><span class="role-{decided}">{decided}</span>'
        f'<span class="column-hierarchy">{escape(_levels(state, name))}</span></div>'
    )


def _levels(state: Workspace, name: str) -> str:
    hierarchy = state.hierarchies.get(name)
    if hierarchy is not None:
        return f"{hierarchy.height + 1} levels"
    return "none" if state.roles[name] is Role.QUASI_IDENTIFIER else ""


def _set_role(state: Workspace, name: str, key: str) -> None:
    role = st.session_state[key]
    if role is not None:
        state.assign_roles({name: Role(role)})


def _confirm(state: Workspace) -> None:
    state.assign_roles({name: state.roles[name] for name in state.unconfirmed_roles})
