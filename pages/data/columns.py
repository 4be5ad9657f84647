"""The columns: those that identify people, the roles of all, also from a file, and of weights, people and key sets."""

from __future__ import annotations

from functools import partial
from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.components.uploader import use_uploads
from dashboard.loading import parse_document
from dashboard.session import bound
from dashboard.text import plain
from dashboard.workspace import LOADING, Workspace
from metrics.config.roles import PERSON_ROLES, Role
from metrics.config.roles_file import parse_roles
from metrics.errors import InputError
from metrics.formatting import join_names, percent, pluralize, shortened, visible
from metrics.identifiers.detection import identifier_of
from metrics.identifiers.kinds import Identifier, masked
from metrics.identifiers.released import identifier_in_role
from metrics.identifiers.suggested_roles import suggest_role
from metrics.tables.dictionary_codes import arrow_of
from metrics.tables.table import SUPPRESSED, Column, quoted
from metrics.texts import text

_AT_ONCE = 40
_EXAMPLES, _EXAMPLE_LENGTH = 3, 18
_WIDTHS = (6, 5, 3)
_HELP = (
    "Quasi-identifier: others may know it about a person. Sensitive: must not become known. Identifier: names a "
    "person; no metric uses it as an attribute. Insensitive: everything else."
)

_STATED_HELP = "States that the values identify nobody; kept in the settings and named in the report."
_NOTES = "roles_notes"
_MAX_NAME = 60


def column_table(state: Workspace) -> None:
    """A row with the choice of the role for every column; long tables get a filter."""
    columns, loaded = state.columns, state.loaded_columns
    names = list(columns)
    heading = st.container(horizontal=True, vertical_alignment="center", key="heading_columns")
    with heading:
        st.header("Columns", anchor=False, help=_HELP, width="content")
        if state.unconfirmed_roles:
            confirm = f"Confirm the {pluralize(len(state.unconfirmed_roles), 'proposed role')}"
            st.button(confirm, key="confirm_roles", on_click=state.confirm_roles, type="tertiary")
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
    st.segmented_control(
        f"Role of {plain(name)}",
        [role.value for role in Role],
        default=state.roles[name].value,
        required=True,
        label_visibility="collapsed",
        **bound(f"role_{name}", state.roles[name].value, partial(_set_role, state, name)),
    )


def _set_role(state: Workspace, name: str, role: str | None) -> None:
    if role is not None:
        state.assign_roles({name: Role(role)})


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


def weight_choice(state: Workspace) -> None:
    """A choice of the column of survey weights."""

    st.selectbox(
        "Survey weights",
        # No column has an empty name.
        ["", *(name for name in state.columns if state.roles[name] is Role.INSENSITIVE)],
        format_func=lambda column: f"the column “{visible(column)}”" if column else "none",
        help="The number of people that each record represents. Must be an insensitive column of numbers above 0.",
        **bound(
            "survey_weight", state.chosen_roles().weight or "", lambda name: setattr(state, "weight", name or None)
        ),
    )


def person_choice(state: Workspace) -> None:
    """Choices of the columns that say whose record each is, and who live together."""
    roles = state.chosen_roles()
    help_text = "The column that says whose record this is. Tag it as identifier or insensitive."
    _column_choice(state, "person", "Person", "each record is one person", {roles.weight, roles.household}, help_text)
    help_text = (
        "Number of the household: equal for people who live together. Must be an identifier or insensitive column."
    )
    _column_choice(state, "household", "Household", "not known", {roles.weight, roles.person}, help_text)
    marks = {roles.weight, roles.person, roles.household}
    help_text = "What people have several of over their records, such as diagnoses or purchases; a column of any role."
    _column_choice(state, "item", "Items", "none", marks, help_text, tuple(Role))


def _column_choice(
    state: Workspace,
    name: str,
    label: str,
    none: str,
    other_marks: set[str | None],
    help_text: str,
    permitted: tuple[Role, ...] = PERSON_ROLES,
) -> None:
    options = (column for column in state.columns if state.roles[column] in permitted and column not in other_marks)
    st.selectbox(
        label,
        ["", *options],
        format_func=lambda column: f"the column “{visible(column)}”" if column else none,
        help=help_text,
        **bound(name, getattr(state.chosen_roles(), name) or "", lambda column: setattr(state, name, column or None)),
    )


def roles_uploader(state: Workspace, place: DeltaGenerator) -> None:
    """Takes a roles file, in the native form or that of PETWorks, in a `place`; below it, what came of it."""
    file = place.file_uploader(
        "Roles from a file",
        type=["yaml", "yml"],
        key=f"upload_roles_{state.tables.uploader_generation}",
        help="The role of each column, as YAML with quasi_identifiers, sensitive, insensitive and identifiers, or as a "
        "PETWorks file.",
    )
    if file is None:
        state.tables.messages[_NOTES] = []
    use_uploads(state, "roles", [] if file is None else [file], apply_roles)
    for sentence in state.tables.messages[_NOTES]:
        st.caption(f":material/check: {plain(sentence)}")


def apply_roles(state: Workspace, name: str, content: bytes) -> None:
    """Tag columns as a roles file says. Raises InputError where it names a column that no table has."""
    parsed = parse_document(parse_roles, name, content)
    roles, columns = parsed.roles, state.columns
    role_columns = [*roles.quasi_identifiers, *roles.sensitive, *roles.insensitive, *roles.identifiers]
    marked_columns = tuple(
        name for name in (roles.weight, roles.person, roles.household, roles.item) if name is not None
    )
    for column in (*role_columns, *roles.matching.key, *marked_columns):
        if column not in columns:
            raise InputError("no loaded table has such a column", remedy="correct the name", file=name, column=column)
    changed = [column for column in columns if state.roles[column] is not roles.of(column)]
    changes = f" ({join_names([visible(column) for column in changed])})" if changed else ""
    state.tables.messages[_NOTES] = [f"Roles set from {name}: {pluralize(len(changed), 'column')} changed{changes}."]
    if parsed.hierarchies is not None and not state.hierarchies:
        state.tables.messages[LOADING] = [
            f"{name} names a folder of hierarchies, which cannot be opened from here; upload its files."
        ]
    state.matching.choose_for_all(roles.matching)
    state.weight = roles.weight
    state.person = roles.person
    state.household = roles.household
    state.item = roles.item
    state.column_weights, state.highest_levels = dict(roles.column_weights), dict(roles.highest_levels)
    state.not_identifying = set(roles.not_identifying)
    state.key_sets = {key_set: tuple(key_columns) for key_set, key_columns in roles.key_sets.items()}
    state.assign_roles({column: roles.of(column) for column in columns})


def key_set_editor(state: Workspace) -> None:
    """Every key set with its columns, and a new one."""
    st.caption(text("key_set_k_anonymity.key_sets"))
    options = [name for name in state.columns if state.roles[name] is Role.QUASI_IDENTIFIER]
    known = set(options)
    for index, (name, columns) in enumerate(state.key_sets.items()):
        _columns_of(state, index, name, [column for column in columns if column in known], options)
    with st.form("new_key_set", clear_on_submit=True, border=False):
        left, middle, right = st.columns([2, 4, 1], vertical_alignment="bottom")
        name = left.text_input("New key set", max_chars=_MAX_NAME, placeholder="neighbour")
        chosen = middle.multiselect("Known columns", options, format_func=visible)
        if right.form_submit_button("Add", icon=":material/add:"):
            if not name.strip() or not chosen:
                st.warning("A key set needs a name and at least one column.", icon=":material/warning:")
            else:
                state.key_sets[name.strip()] = tuple(chosen)
                st.rerun()


def _columns_of(state: Workspace, index: int, name: str, columns: list[str], options: list[str]) -> None:
    def choose(chosen: list[str]) -> None:
        """Keep the columns; without any the key set is removed."""
        if chosen:
            state.key_sets[name] = tuple(chosen)
        else:
            del state.key_sets[name]

    st.multiselect(
        plain(name),
        options,
        default=columns,
        format_func=visible,
        **bound(f"key_set_{index}_{name}", columns, choose),
        help="The columns that this attacker knows. Remove every column to remove the key set.",
    )


def identifier_notice(state: Workspace) -> None:
    """A warning above the columns, one button that tags them, and per column the statement that it identifies nobody.

    Nothing where all are tagged and none is stated to identify nobody.
    """
    absent = absent_columns(state)
    found = {name: about for name, about in identifying_columns(state).items() if name not in absent}
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


def absent_columns(state: Workspace) -> list[str]:
    """The original's columns that no anonymized table has, and that are not tagged as identifiers."""
    original, versions = state.tables.original, state.tables.versions.values()
    if original is None or not versions:
        return []
    absent = [name for name in original.table.names if not any(name in version.table for version in versions)]
    return [name for name in absent if state.roles[name] is not Role.IDENTIFIER]


def absent_columns_notice(state: Workspace) -> None:
    """One line on the columns that were removed, and one button, after which no metric uses them."""
    names = absent_columns(state)
    if names:
        with st.container(horizontal=True, vertical_alignment="center", key="absent_columns"):
            st.markdown(f":material/warning: No anonymized table has {plain(quoted(names))}.", width="content")
            roles = dict.fromkeys(names, Role.IDENTIFIER)
            st.button("Tag as identifiers", key="tag_absent", on_click=state.assign_roles, args=(roles,))


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
