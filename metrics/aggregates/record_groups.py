"""Records that belong together, of one person or one household, with the class of each."""

from __future__ import annotations

import numpy as np

from metrics.aggregates.guards import require_class_sizes, require_records
from metrics.aggregates.protocol import Aggregates
from metrics.errors import Unavailable
from metrics.tables.table import SUPPRESSED, Column, Integers, Table
from metrics.texts import text


def grouped_records(aggregates: Aggregates, role: str) -> tuple[Integers, Integers]:
    """For each record the number of its group, by the column of that role, and its class, -1 where suppressed.

    `role` is "person" or "household". Raises Unavailable without such a column, or where a record in a class is in no
    group.
    """
    require_class_sizes(aggregates)
    name = require_group(aggregates, role)
    groups, classes = group_of_record(require_records(aggregates)[name]), aggregates.class_of_record()
    nameless = int(((groups < 0) & (classes >= 0)).sum())
    if nameless:
        raise Unavailable(text("unavailable.nameless", records=nameless, role=role, column=name))
    return groups, classes


def people_per_class(aggregates: Aggregates) -> Integers:
    """Number of different people in each class. Raises Unavailable as `grouped_records` does."""
    people, classes = grouped_records(aggregates, "person")
    n_people = int(people.max(initial=0)) + 1
    pairs = np.unique((classes * n_people + people)[classes >= 0])
    return np.bincount(pairs // n_people).astype(np.int64)


def require_group(aggregates: Aggregates, role: str) -> str:
    """The column of a role, "person" or "household". Raises Unavailable without one, or where it divides a group."""
    name: str | None = getattr(aggregates.roles, role)
    if name is None:
        raise Unavailable(text("unavailable.no_person") if role == "person" else text("unavailable.no_household"))
    if is_divided(aggregates, name):
        raise Unavailable(text("unavailable.divided", role=role, column=name))
    return name


def is_divided(aggregates: Aggregates, name: str) -> bool:
    """Whether a group of the original has several names in the release, so that its records count as several groups."""
    original, comparison = aggregates.original, aggregates.comparison
    if not isinstance(original, Table) or name not in original or comparison.matching is None:
        return False
    pair = comparison.pair(name)
    is_named = [column.shown[codes] for column, codes in zip(pair.columns, pair.codes, strict=True)]
    named = pair.codes[0][is_named[0] & is_named[1]]
    return len(np.unique(named)) < len(named)


def group_of_record(column: Column) -> Integers:
    """For each record the number of its group; -1 where the cell is missing, empty or suppressed."""
    nobody = [column.code_of[label] for label in (None, "", SUPPRESSED) if label in column.code_of]
    return np.where(np.isin(column.codes, nobody), -1, column.codes.astype(np.int64))
