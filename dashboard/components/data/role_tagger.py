"""Roles from a file, and the columns of survey weights, of people and of households."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.components.uploader import use_uploads
from dashboard.loading import parse_document
from dashboard.session import synced_key
from dashboard.text import plain
from dashboard.workspace import LOADING, Workspace
from metrics.config.roles import PERSON_ROLES, Role, parse_roles_file
from metrics.errors import InputError
from metrics.formatting import join_names, pluralize, visible

_NOTES = "roles_notes"


def weight_choice(state: Workspace) -> None:
    """A choice of the column of survey weights."""

    def choose() -> None:
        """Keep the choice in the workspace."""
        state.weight = st.session_state["survey_weight"] or None

    st.selectbox(
        "Survey weights",
        # No column has an empty name.
        ["", *(name for name in state.columns if state.roles[name] is Role.INSENSITIVE)],
        key=synced_key("survey_weight", state.chosen_roles().weight or ""),
        format_func=lambda column: f"the column “{visible(column)}”" if column else "none",
        on_change=choose,
        help="The number of people that each record represents. Must be an insensitive column of numbers above 0.",
    )


def person_choice(state: Workspace) -> None:
    """Choices of the columns that say whose record each is, and who live together."""
    roles = state.chosen_roles()
    help_text = (
        "Number of the person: equal for all records of one person. Must be an identifier or insensitive column."
    )
    _column_choice(state, "person", "Person", "each record is one person", {roles.weight, roles.household}, help_text)
    help_text = (
        "Number of the household: equal for people who live together. Must be an identifier or insensitive column."
    )
    _column_choice(state, "household", "Household", "not known", {roles.weight, roles.person}, help_text)


def _column_choice(
    state: Workspace, name: str, label: str, none: str, other_marks: set[str | None], help_text: str
) -> None:
    def choose() -> None:
        """Keep the choice in the workspace."""
        setattr(state, name, st.session_state[name] or None)

    options = (column for column in state.columns if state.roles[column] in PERSON_ROLES and column not in other_marks)
    st.selectbox(
        label,
        ["", *options],
        key=synced_key(name, getattr(state.chosen_roles(), name) or ""),
        format_func=lambda column: f"the column “{visible(column)}”" if column else none,
        on_change=choose,
        help=help_text,
    )


def roles_uploader(state: Workspace, place: DeltaGenerator) -> None:
    """Takes a roles file, in the native form or that of PETWorks, in a `place`; below it, what came of it."""
    file = place.file_uploader(
        "Roles from a file",
        type=["yaml", "yml"],
        key=f"upload_roles_{state.uploader_generation}",
        help="The role of each column, as YAML with quasi_identifiers, sensitive, insensitive and identifiers, or as a "
        "PETWorks file.",
    )
    if file is None:
        state.messages[_NOTES] = []
    use_uploads(state, "roles", [] if file is None else [file], apply_roles)
    for sentence in state.messages[_NOTES]:
        st.caption(f":material/check: {plain(sentence)}")


def apply_roles(state: Workspace, name: str, content: bytes) -> None:
    """Tag columns as a roles file says. Raises InputError where it names a column that no table has."""
    parsed = parse_document(parse_roles_file, name, content)
    roles, columns = parsed.roles, state.columns
    role_columns = [*roles.quasi_identifiers, *roles.sensitive, *roles.insensitive, *roles.identifiers]
    marked_columns = tuple(name for name in (roles.weight, roles.person, roles.household) if name is not None)
    for column in (*role_columns, *roles.matching.key, *marked_columns):
        if column not in columns:
            raise InputError("no loaded table has such a column", remedy="correct the name", file=name, column=column)
    changed = [column for column in columns if state.roles[column] is not roles.of(column)]
    changes = f" ({join_names([visible(column) for column in changed])})" if changed else ""
    state.messages[_NOTES] = [f"Roles set from {name}: {pluralize(len(changed), 'column')} changed{changes}."]
    if parsed.hierarchies is not None and not state.hierarchies:
        state.messages[LOADING] = [
            f"{name} names a folder of hierarchies, which cannot be opened from here; upload its files."
        ]
    state.matching.choose_for_all(roles.matching)
    state.weight = roles.weight
    state.person = roles.person
    state.household = roles.household
    state.not_identifying = set(roles.not_identifying)
    state.key_sets = {key_set: tuple(key_columns) for key_set, key_columns in roles.key_sets.items()}
    state.assign_roles({column: roles.of(column) for column in columns})
