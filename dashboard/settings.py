"""A session's settings to a file and back. No Streamlit."""

from __future__ import annotations

from dataclasses import replace

from dashboard.loading import LoadedTable
from dashboard.workspace import Workspace
from metrics.config.matching_rule import MatchingRule
from metrics.formatting import join_names, visible
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.policy.settings import Settings, TableSettings


def settings_of(state: Workspace) -> Settings:
    """All that a session has set, with the tables it was set for; ground distances of sensitive columns only."""
    roles = state.chosen_roles()
    closeness = state.parameters.t_closeness
    distances = {column: distance for column, distance in closeness.distance.items() if column in roles.sensitive}
    return Settings(
        roles=roles,
        parameters=replace(state.parameters, t_closeness=replace(closeness, distance=distances)),
        policy=state.policy,
        hierarchies=dict(state.hierarchies),
        original=None if state.original is None else _table_settings(state.original),
        anonymized=tuple(
            _table_settings(loaded, state.matching.own.get(label)) for label, loaded in state.candidates.items()
        ),
    )


def _table_settings(loaded: LoadedTable, matching: MatchingRule | None = None) -> TableSettings:
    return TableSettings(loaded.name, loaded.sha256, loaded.options, matching)


def restore(state: Workspace, settings: Settings) -> list[str]:
    """Put settings in place of the session's, whole or not at all; tables stay, read as the settings say.

    Returns a sentence for each thing that they speak of and the session lacks. Raises InputError where a loaded table
    cannot be read as they say.
    """
    saved = {table.sha256: table for table in settings.tables}
    reread = {
        (slot, label): loaded.read_again(saved[loaded.sha256].reading)
        for slot, label, loaded in state.tables()
        if loaded.sha256 in saved and loaded.options != saved[loaded.sha256].reading
    }
    for (slot, label), loaded in reread.items():
        state.replace_table(slot, label, loaded)
    roles, columns = settings.roles, state.columns
    role_columns = (*roles.quasi_identifiers, *roles.sensitive, *roles.insensitive, *roles.identifiers)
    state.roles = {}
    state.assign_roles({column: roles.of(column) for column in dict.fromkeys((*columns, *role_columns))})
    state.matching.choose_for_all(roles.matching)
    rules = {table.sha256: table.matching for table in settings.anonymized}
    for label, table in state.candidates.items():
        state.matching.choose(label, rules.get(table.sha256) or roles.matching)
    state.matching.forget_absent(state.labels, columns)
    state.weight = roles.weight if roles.weight in columns else None
    state.person = roles.person if roles.person in columns else None
    state.household = roles.household if roles.household in columns else None
    state.key_sets = {name: tuple(key_columns) for name, key_columns in roles.key_sets.items()}
    state.parameters = settings.parameters
    state.choose_policy(settings.policy)
    state.hierarchies = {
        column: _current_if_equal(state.hierarchies.get(column), hierarchy)
        for column, hierarchy in settings.hierarchies.items()
    }
    return _lacking(state, settings)


def _current_if_equal(current: Hierarchy | None, restored: Hierarchy) -> Hierarchy:
    """The current hierarchy if it is equal to the restored one, so that what was counted with it is kept."""
    is_equal = current is not None and (current.rows, current.name) == (restored.rows, restored.name)
    return current if is_equal and current is not None else restored


def _lacking(state: Workspace, settings: Settings) -> list[str]:
    loaded = {table.sha256 for _, _, table in state.tables()}
    absent = [
        f"{visible(table.name)} (sha256 {table.sha256[:12]}…)"
        for table in settings.tables
        if table.sha256 not in loaded
    ]
    sentences = []
    if absent:
        files = "this file" if len(absent) == 1 else "these files"
        sentences.append(
            f"Settings contain no tables. Load {files} again, or make a candidate again from its recipe: "
            f"{join_names(absent)}."
        )
    for key in settings.roles.matching.key:
        if key not in state.columns:
            sentences.append(f"No loaded table has the key column {visible(key)}; records are matched by position.")
    return sentences
