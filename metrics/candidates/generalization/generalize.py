"""The original generalized to chosen levels, records of small classes suppressed: a candidate as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from metrics.aggregates import TableAggregates
from metrics.candidates.generalization.levels import ColumnLevels, lattice_columns, levels_in_order
from metrics.candidates.limits.enforced import Limits, needs_sensitive
from metrics.candidates.limits.suppression import kept_classes
from metrics.config.parameters import Parameters
from metrics.config.roles import Roles
from metrics.errors import InputError
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.identifiers.released import suppress_identifiers
from metrics.reading import as_table
from metrics.tables.frames import TableLike
from metrics.tables.table import Flags, Table

Levels = Mapping[str, int] | Sequence[int]
"""A level per quasi-identifier: by name (unnamed ones stay on level 0), or in the order of the original's columns."""


def generalized_table(
    original: TableLike,
    roles: Roles,
    hierarchies: Hierarchies | None,
    levels: Levels,
    *,
    rule: Limits | None = None,
    suppressed: Flags | None = None,
    parameters: Parameters | None = None,
) -> Table:
    """The original with every quasi-identifier replaced by its label on the chosen level.

    Identifiers become `*`, as no release may show them; other columns stay.

    Parameters
    ----------
    original : Table or data frame
        The table to generalize; its records keep their order.
    roles : Roles
        The role of each column.
    hierarchies : mapping of str to Hierarchy or None
        Generalization hierarchies, by column. A quasi-identifier without one has two levels: as it is, and `*`.
    levels : mapping of str to int, or sequence of int
        A level per quasi-identifier, 0 for the values themselves: by name (those not named stay on level 0), or in the
        order of the original's columns.
    rule : mapping of str to float, optional
        Records of classes that it does not keep get `*` in every quasi-identifier; without it none does.
    suppressed : array of bool, shape (records,), optional
        The records that get `*` in every quasi-identifier, instead of a rule.
    parameters : Parameters, optional
        The ground distances that a rule on t uses.

    Returns
    -------
    Table
        The candidate, with as many records as the original.

    Raises
    ------
    InputError
        If a hierarchy misses values of the original, or a level does not exist.
    """
    original = as_table(original, "original")
    columns = lattice_columns(original, roles, hierarchies)
    node = levels_in_order(columns, levels)
    table = _with_generalized_columns(original, columns, node, None)
    if suppressed is None and rule is not None:
        suppressed = suppressed_by(table, roles, hierarchies, rule, parameters)
    if suppressed is not None and suppressed.any():
        if len(suppressed) != original.rows:
            raise InputError(
                f"there are {len(suppressed):,} flags for {original.rows:,} records", remedy="pass one flag per record"
            )
        table = _with_generalized_columns(original, columns, node, suppressed)
    return suppress_identifiers(table, roles)


def suppressed_by(
    table: Table, roles: Roles, hierarchies: Hierarchies | None, rule: Limits, parameters: Parameters | None = None
) -> Flags:
    """For each record of a generalized table whether a rule suppresses its class; those suppressed already are not."""
    aggregates = TableAggregates(table, roles, None, hierarchies)
    histograms = {name: aggregates.histogram(name) for name in roles.sensitive} if needs_sensitive(rule) else {}
    sizes, settings = aggregates.classes.sizes, parameters or Parameters()
    is_kept = kept_classes(rule, sizes, histograms, aggregates.hierarchies, settings)
    # The last flag is for the records in no class, which the number -1 represents.
    flags: Flags = np.append(~is_kept, False)[aggregates.class_of_record()]
    return flags


def _with_generalized_columns(
    original: Table, columns: Sequence[ColumnLevels], levels: Sequence[int], suppressed: Flags | None
) -> Table:
    generalized = {
        column_levels.column.name: column_levels.generalized(level, suppressed)
        for column_levels, level in zip(columns, levels, strict=True)
    }
    return Table(
        original.name,
        tuple(generalized.get(column.name, column) for column in original.columns),
        original.rows,
        original.source,
    )
