"""One choice per column: what it is."""

from __future__ import annotations

import streamlit as st

from dashboard.components.uploads import take_in
from dashboard.session import controlled
from dashboard.text import plain
from dashboard.workspace import LOADING, Workspace
from metrics.errors import InputError
from metrics.figures.theme import shortened
from metrics.roles import Role, parse_roles
from metrics.wording import counted, visible

_AT_ONCE = 40
_EXPLAINED = (
    "**quasi-identifier**: others may know it of a person; **sensitive**: must not be learnt; "
    "**identifier**: names a person, ignored by every metric; **insensitive**: the rest."
)


def role_tagger(state: Workspace) -> None:
    """A control per column, with its number of distinct values and an example; long tables get a filter."""
    st.caption(_EXPLAINED)
    columns, loaded = state.columns, state.loaded_columns
    names = list(columns)
    if len(names) > _AT_ONCE:
        wanted = st.text_input("Find a column", key="find_column", persist_state="session")
        names = [name for name in names if wanted.lower() in name.lower()]
        if len(names) > _AT_ONCE:
            st.caption(f"{len(names):,} columns; the first {_AT_ONCE} are shown. Type to narrow them down.")
            names = names[:_AT_ONCE]
    for name in names:
        column = columns[name][name]
        key = controlled(f"role_{name}", state.roles[name].value)
        left, right = st.columns([2, 3], vertical_alignment="center")
        example = visible(next((label for label in column.labels if label), ""))
        left.markdown(f"**{plain(name)}**")
        among = "" if name in loaded else f" among {counted(columns[name].rows, 'record')}"
        left.caption(f"{column.distinct:,} distinct{among}, such as {plain(shortened(example, 40))}")
        right.segmented_control(
            f"Role of {plain(name)}",
            [role.value for role in Role],
            default=state.roles[name].value,
            key=key,
            required=True,
            label_visibility="collapsed",
            wrap=True,
            on_change=_tag,
            args=(state, name, key),
        )


def _tag(state: Workspace, name: str, key: str) -> None:
    chosen = st.session_state[key]
    if chosen is not None:
        state.roles[name] = Role(chosen)


def roles_uploader(state: Workspace) -> None:
    """Takes a roles file, in the native form or that of PETWorks."""
    file = st.file_uploader(
        "Roles from a file",
        type=["yaml", "yml"],
        key=f"upload_roles_{state.uploader_generation}",
        help="YAML with quasi_identifiers, sensitive, insensitive, identifiers; or a PETWorks file.",
    )
    take_in(state, "roles", [] if file is None else [file], apply_roles)


def apply_roles(state: Workspace, name: str, content: bytes) -> None:
    """Tag columns as a roles file says. Raises InputError where it names a column that no table has."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("the file is not UTF-8 text", remedy="give a YAML file of roles", file=name) from None
    parsed = parse_roles(text, name)
    roles = parsed.roles
    named = [*roles.quasi_identifiers, *roles.sensitive, *roles.insensitive, *roles.identifiers]
    for column in (*named, *roles.matching.key, *(() if roles.weight is None else (roles.weight,))):
        if column not in state.columns:
            raise InputError("no loaded table has such a column", remedy="correct the name", file=name, column=column)
    if parsed.hierarchies is not None and not state.hierarchies:
        state.messages[LOADING] = [f"{name} names a folder of hierarchies, which a page cannot open; upload its files."]
    state.matching.choose_for_all(roles.matching)
    state.weight = roles.weight
    for column in state.columns:
        state.roles[column] = roles.of(column)
