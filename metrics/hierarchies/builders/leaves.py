"""Parts that every way of making a hierarchy shares: the values that need a leaf, and the rows made of their labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

import numpy as np

from metrics.errors import InputError
from metrics.formatting import pluralize
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.tables.table import SUPPRESSED, Column

_MAX_JOINS = 30
"""Levels of joined neighbours: no column has values enough for more, as each joins at least two."""


def values_of(column: Column) -> list[str]:
    """The distinct values that need a leaf, in reading order; "" for missing cells, suppressed ones left out.

    Raises InputError if there is none.
    """
    labels = (column.labels[code] for code in column.order)
    values = list(dict.fromkeys(label or "" for label in labels if label != SUPPRESSED))
    if not values:
        raise InputError("the column has no values", remedy="choose another column", column=column.name)
    return values


def build_hierarchy(column: Column, above: Mapping[str, Sequence[str]], keep_others: bool, what: str) -> Hierarchy:
    """The hierarchy whose rows are each value, its labels `above`, and the root `*`, in the order of `above`.

    The blank value, if the column holds it, comes last and stays blank below the root. Values without labels are
    refused by InputError, or with `keep_others` stay unchanged on every level below the root.
    """
    values = values_of(column)
    other_values = [value for value in values if value and value not in above]
    if other_values and not keep_others:
        raise InputError(
            f"{pluralize(len(other_values), 'value')} cannot be read as a {what}",
            remedy="correct these values, declare them missing, or leave them unchanged",
            row=first_line(column, set(other_values)),
            column=column.name,
        )
    depth = max((len(labels) for labels in above.values()), default=0)
    labels = {label for row in above.values() for label in row}
    conflicts = labels.intersection(other_values)
    if conflicts:
        raise InputError(
            "a value left unchanged is the same as one of the new labels",
            remedy="correct it, or declare it missing",
            row=first_line(column, conflicts),
            column=column.name,
        )
    leaves = [*above, *other_values, *([""] if "" in values else [])]
    rows = [[leaf, *above.get(leaf, [leaf] * depth), SUPPRESSED] for leaf in leaves]
    return Hierarchy(rows, name=hierarchy_name(column))


def check_merge(merge: Sequence[int], column: Column) -> None:
    """Raise InputError where the levels of joined neighbours are too many, or one would join none."""
    if len(merge) > _MAX_JOINS:
        raise InputError(
            f"{len(merge):,} levels of joined neighbours are asked for",
            remedy=f"list {_MAX_JOINS} numbers or fewer",
            column=column.name,
        )
    if any(factor < 2 for factor in merge):
        raise InputError("a level would join fewer than 2 neighbours", remedy="join 2 or more", column=column.name)


def hierarchy_name(column: Column) -> str:
    """Name a hierarchy made for a column: as the file that belongs to the column."""
    return f"{column.name}.csv"


def first_line(column: Column, values: Set[str]) -> int:
    """The line of the first record that holds one of the values, the header being line 1."""
    matches = np.array([(label or "") in values for label in column.labels])
    return int(matches[column.codes].argmax()) + 2
