"""What does not fit between the loaded tables, and columns that look like direct identifiers."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

import streamlit as st

from dashboard.workspace import Workspace
from metrics.config.roles import Role, Roles
from metrics.errors import InputError
from metrics.formatting import percent, pluralize, visible
from metrics.hierarchies.files import check_coverage
from metrics.identifiers.kinds import Identifier
from metrics.identifiers.released import identifier_in_role
from metrics.identifiers.suggested_roles import suggest_role
from metrics.tables.table import SUPPRESSED, Table, quoted

_STATED_HELP = "States that the values identify nobody; kept in the settings and named in the report."


def problems(state: Workspace) -> list[str]:
    """Sentences that name the file, what is wrong and what to do; none if all is well."""
    sentences: dict[str, None] = {}
    original = None if state.tables.original is None else state.tables.original.table
    if not state.chosen_roles().quasi_identifiers:
        return []
    for label, loaded in state.tables.versions.items():
        table, roles = loaded.table, state.roles_for(label)
        if not _passes(sentences, roles.check, table, original):
            continue
        if original is not None:
            _passes(sentences, _check_columns, original, table, roles)
            _passes(sentences, _check_order, original, table, roles)
            refusal = state.matched(label, original).records.refusal
            if refusal is not None:
                sentences[str(refusal)] = None
        distances = state.policy.parameters.t_closeness.distance
        _passes(sentences, check_coverage, state.hierarchies, roles, table, original, distances)
    for label, version in state.tables.server.versions.items():
        original_sample = None if state.tables.server.original is None else state.tables.server.original.sample
        roles = state.roles_for(label)
        if _passes(sentences, roles.check, version.sample, original_sample) and original_sample is not None:
            _passes(sentences, _check_columns, original_sample, version.sample, roles)
    if state.tables.population is not None:
        _passes(sentences, _check_population, state.tables.population.table, state.chosen_roles())
    refused = state.refused_holdout()
    if refused is not None:
        sentences[refused] = None
    return list(sentences)


def _passes(sentences: dict[str, None], check: Callable[..., object], *inputs: Any) -> bool:
    """Whether a check holds; if not, its sentence is added, once."""
    try:
        check(*inputs)
    except InputError as error:
        sentences[str(error)] = None
        return False
    return True


def _check_population(population: Table, roles: Roles) -> None:
    """Raise InputError where the population lacks a quasi-identifier, and so cannot be compared with."""
    missing = [name for name in roles.quasi_identifiers if name not in population]
    if missing:
        raise InputError(
            f"the population lacks {quoted(missing)}, so it is left out",
            remedy="load one that has every quasi-identifier",
            file=population.name,
        )


def _check_order(original: Table, anonymized: Table, roles: Roles) -> None:
    """Raise InputError where cells are suppressed in the original alone."""
    in_original, in_anonymized = (
        {name for name in roles.quasi_identifiers if name in table and SUPPRESSED in table[name].code_of}
        for table in (original, anonymized)
    )
    if in_original and not in_anonymized:
        raise InputError(
            f"the original has suppressed cells (*) in {quoted(sorted(in_original))}, and {anonymized.name} has none",
            remedy="if the two were swapped, remove both and load each in the other place",
            file=original.name,
        )


def _check_columns(original: Table, anonymized: Table, roles: Roles) -> None:
    """Raise InputError where two tables have different columns, identifiers that were removed apart."""
    missing = [name for name in original.names if name not in anonymized and name not in roles.identifiers]
    extra = [name for name in anonymized.names if name not in original]
    if missing or extra:
        parts = [f"lacks {quoted(missing)}"] if missing else []
        parts += [f"also has {quoted(extra)}"] if extra else []
        raise InputError(
            f"its columns differ from those of {original.name}: it {' and '.join(parts)}",
            remedy="load matching tables, or continue if this is intended",
            file=anonymized.name,
        )


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
