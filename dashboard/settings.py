"""A session's settings to a file and back. No Streamlit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from dashboard.loading import LoadedTable
from dashboard.text import file_stem
from dashboard.workspace import Workspace
from metrics.formatting import visible
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.policy.settings import Settings, TableSettings

SETTINGS_FILE: Final = "confidential-settings.json"
"""Confidential because its hierarchies list values of the original."""
ORIGINAL_ORDER: Final = "Table in original order"
"""What the file of a kept version is called that can be loaded again; its name begins with what says why."""
_ORIGINAL_ORDER_PREFIX = "confidential-original-order_"


def settings_of(state: Workspace) -> Settings:
    """All that a session has set, with the tables it was set for; ground distances of sensitive columns only."""
    roles = state.chosen_roles()
    closeness = state.policy.parameters.t_closeness
    distances = {column: distance for column, distance in closeness.distance.items() if column in roles.sensitive}
    return Settings(
        roles=roles,
        parameters=replace(state.policy.parameters, t_closeness=replace(closeness, distance=distances)),
        policy=state.policy.current,
        hierarchies=dict(state.hierarchies),
        original=None if state.tables.original is None else _table_settings(state.tables.original),
        anonymized=tuple(_version_settings(state, label, loaded) for label, loaded in state.tables.versions.items()),
        population=None if state.tables.population is None else _table_settings(state.tables.population),
        holdout=None if state.tables.holdout is None else _table_settings(state.tables.holdout),
    )


def _table_settings(loaded: LoadedTable) -> TableSettings:
    return TableSettings(loaded.name, loaded.sha256, loaded.options)


def _version_settings(state: Workspace, label: str, loaded: LoadedTable) -> TableSettings:
    """A version's; one that was made in this session is the file of it that can be loaded again."""
    name = loaded.name if state.recipe_of(label) is None else original_order_file(label)
    own_label = None if label == name else label
    return TableSettings(name, loaded.sha256, loaded.options, state.matching.own.get(label), own_label)


def original_order_file(label: str) -> str:
    """The name of the file of a kept version in the original's order."""
    return f"{_ORIGINAL_ORDER_PREFIX}{file_stem(label)}.parquet"


def restore(state: Workspace, settings: Settings) -> None:
    """Put settings in place of the session's, whole or not at all; tables stay, read and called as the settings say.

    Raises InputError where a loaded table cannot be read as they say.
    """
    saved = {table.sha256: table for table in settings.tables}
    reread = {
        (slot, label): loaded.read_again(saved[loaded.sha256].reading)
        for slot, label, loaded in state.tables.loaded()
        if loaded.sha256 in saved and loaded.options != saved[loaded.sha256].reading
    }
    for (slot, label), loaded in reread.items():
        state.tables.replace_table(slot, label, loaded)
    _restore_roles(state, settings)
    state.policy.parameters = settings.parameters
    state.policy.tried_settings.clear()
    state.policy.choose(settings.policy)
    state.hierarchies = {
        column: _current_if_equal(state.hierarchies.get(column), hierarchy)
        for column, hierarchy in settings.hierarchies.items()
    }
    state.restored = settings
    state.unnamed = {table.sha256: table.label for table in settings.anonymized if table.label is not None}
    state.name_restored()


def _restore_roles(state: Workspace, settings: Settings) -> None:
    """What columns are, and how records are matched by them."""
    roles, columns = settings.roles, state.columns
    role_columns = (*roles.quasi_identifiers, *roles.sensitive, *roles.insensitive, *roles.identifiers)
    state.roles = {}
    state.assign_roles({column: roles.of(column) for column in dict.fromkeys((*columns, *role_columns))})
    state.matching.choose_for_all(roles.matching)
    rules = {table.sha256: table.matching for table in settings.anonymized}
    for label, table in state.tables.versions.items():
        state.matching.choose(label, rules.get(table.sha256) or roles.matching)
    state.matching.forget_absent(state.tables.labels, columns)
    state.weight = roles.weight if roles.weight in columns else None
    state.person = roles.person if roles.person in columns else None
    state.household = roles.household if roles.household in columns else None
    state.item = roles.item if roles.item in columns else None
    state.column_weights, state.highest_levels = dict(roles.column_weights), dict(roles.highest_levels)
    state.not_identifying = set(roles.not_identifying)
    state.key_sets = {name: tuple(key_columns) for name, key_columns in roles.key_sets.items()}


def _current_if_equal(current: Hierarchy | None, restored: Hierarchy) -> Hierarchy:
    """The current hierarchy if it is equal to the restored one, so that what was counted with it is kept."""
    is_equal = current is not None and (current.rows, current.name) == (restored.rows, restored.name)
    return current if is_equal and current is not None else restored


@dataclass(frozen=True)
class SavedTable:
    """A table that restored settings were saved with, and whether it is loaded."""

    description: str
    is_loaded: bool


def saved_tables(state: Workspace) -> list[SavedTable]:
    """Every table that the restored settings were saved with."""
    if state.restored is None:
        return []
    loaded = {table.sha256 for _, _, table in state.tables.loaded()}
    return [SavedTable(_description(table), table.sha256 in loaded) for table in state.restored.tables]


def _description(table: TableSettings) -> str:
    described = f"{visible(table.name)} (sha256 {table.sha256[:12]}…)"
    if table.name.startswith(_ORIGINAL_ORDER_PREFIX):
        return f"{described}: the download “{ORIGINAL_ORDER}” on the page Report"
    return described


def lacking_keys(state: Workspace) -> list[str]:
    """A sentence for each column by which the restored settings match records and that no table has."""
    keys = () if state.restored is None else state.restored.roles.matching.key
    return [
        f"No loaded table has the key column {visible(key)}; records are matched by position."
        for key in keys
        if key not in state.columns
    ]
