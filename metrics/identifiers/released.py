"""Direct identifiers that a release shows, and the same table with them suppressed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from metrics.config.roles import Roles
from metrics.tables.table import SUPPRESSED, Column, Flags, Table


def released_identifiers(table: Table, roles: Roles) -> tuple[str, ...]:
    """Return the columns tagged as identifiers of which the table shows a value.

    Left out are columns by which records are matched, or people and households told apart: they serve the assessment.

    Parameters
    ----------
    table : Table
        The table to release.
    roles : Roles
        The role of each column.

    Returns
    -------
    tuple of str
        In the order of the roles; empty where every such cell is missing or `*`.
    """
    linking_columns = _serving(roles)
    return tuple(
        name for name in roles.identifiers if name not in linking_columns and name in table and _shows(table[name])
    )


def released_keys(table: Table, roles: Roles) -> tuple[str, ...]:
    """Return the columns that only serve the assessment and of which the table shows a value.

    Parameters
    ----------
    table : Table
        The table to release.
    roles : Roles
        The role of each column.

    Returns
    -------
    tuple of str
        Columns by which records are matched, or people and households distinguished, that have no other use.
    """
    other_use = {*roles.quasi_identifiers, *roles.sensitive, *roles.insensitive}
    return tuple(name for name in _serving(roles) if name not in other_use and name in table and _shows(table[name]))


def _serving(roles: Roles) -> tuple[str, ...]:
    """The columns by which records are matched, or people and households distinguished, each once."""
    names = (*roles.matching.key, roles.person, roles.household)
    return tuple(dict.fromkeys(name for name in names if name is not None))


def suppress_identifiers(table: Table, roles: Roles) -> Table:
    """Replace every cell of the released identifiers by `*`.

    Parameters
    ----------
    table : Table
        The table to release.
    roles : Roles
        The role of each column.

    Returns
    -------
    Table
        The same records in the same order.
    """
    released = released_identifiers(table, roles)
    stars = pa.array([SUPPRESSED], pa.string())
    columns = (
        Column.from_codes(column.name, np.zeros(table.rows, dtype=np.int32), stars, column.decimal)
        if column.name in released
        else column
        for column in table.columns
    )
    return replace(table, columns=tuple(columns))


def _shows(column: Column) -> bool:
    """Whether a cell is neither missing nor suppressed."""
    is_hidden: Flags = pc.is_in(column.values, value_set=pa.array([None, "", SUPPRESSED], pa.string())).to_numpy(
        zero_copy_only=False
    )
    return bool((~is_hidden)[column.codes].any())
