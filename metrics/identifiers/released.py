"""Direct identifiers that a release shows, and the same table with them suppressed."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Final

import numpy as np
import pyarrow as pa

from metrics.config.roles import Role, Roles
from metrics.identifiers.detection import identifier_of
from metrics.identifiers.kinds import Identifier, IdentifierKind
from metrics.tables.table import SUPPRESSED, Column, Described, Table

EXAMINED_IN_ENGINE: Final = 10_000
"""Records of a table in an engine that are examined."""


def released_identifiers(table: Described, roles: Roles) -> dict[str, Identifier | None]:
    """Return the columns by which the table identifies people: those tagged as identifiers, and others by their values.

    A tagged column counts where it shows a value, unless records are matched, or people and households told apart by
    it: it serves the assessment. Any other one counts if its values identify people in its role, unless the roles state
    that they do not, or it holds record numbers that serve the assessment.

    The tagged columns first, with None; the others in the order of the table, with what they look like. `table`: the
    table to release; of one in an engine the first records are examined.
    """
    linking_columns, stated = serving(roles), frozenset(roles.not_identifying)
    tagged = (name for name in roles.identifiers if name not in linking_columns and name in table)
    found: dict[str, Identifier | None] = {name: None for name in tagged if table.shows(name)}
    examined = table.sample(EXAMINED_IN_ENGINE)
    for column in examined.columns:
        identifier = identifier_in_role(column, roles.of(column.name))
        if identifier is None or column.name in stated:
            continue
        if identifier.kind is not IdentifierKind.RECORD_NUMBER or column.name not in linking_columns:
            found[column.name] = identifier
    return found


def identifier_in_role(column: Column, role: Role) -> Identifier | None:
    """What a column's values identify people by, unless its role settles that: None for an identifier.

    Dates and places may be quasi-identifiers or sensitive, and quasi-identifiers may differ in every record: both are
    judged by classes.
    """
    identifier = None if role is Role.IDENTIFIER else identifier_of(column)
    if identifier is None or (identifier.kind.generalizable and role is not Role.INSENSITIVE):
        return None
    return None if identifier.kind.by_uniqueness and role is Role.QUASI_IDENTIFIER else identifier


def released_keys(table: Described, roles: Roles) -> tuple[str, ...]:
    """Return the columns that only serve the assessment and of which the table shows a value.

    Columns by which records are matched, or people and households distinguished, that have no other use.
    """
    other_use = {*roles.quasi_identifiers, *roles.sensitive}
    names = (name for name in serving(roles) if name not in other_use and name in table)
    return tuple(name for name in names if table.shows(name))


def serving(roles: Roles) -> tuple[str, ...]:
    """The columns by which records are matched, or people and households distinguished, each once."""
    names = (*roles.matching.key, roles.person, roles.household)
    return tuple(dict.fromkeys(name for name in names if name is not None))


def suppressible(names: Iterable[str], roles: Roles) -> tuple[str, ...]:
    """Those of the released identifiers that have no other use: no quasi-identifier, sensitive attribute or key."""
    used = {*roles.quasi_identifiers, *roles.sensitive, *serving(roles)}
    return tuple(name for name in names if name not in used)


def suppress_identifiers(table: Table, roles: Roles) -> Table:
    """Replace every cell of the released identifiers that have no other use by `*`.

    The same records in the same order.
    """
    return suppress_columns(table, suppressible(released_identifiers(table, roles), roles))


def suppress_columns(table: Table, names: Collection[str]) -> Table:
    """Replace every cell of these columns by `*`; a table can also lack them."""
    stars = pa.array([SUPPRESSED], pa.string())
    columns = (
        Column.from_codes(column.name, np.zeros(table.rows, dtype=np.int32), stars, column.decimal)
        if column.name in names
        else column
        for column in table.columns
    )
    return replace(table, columns=tuple(columns))
