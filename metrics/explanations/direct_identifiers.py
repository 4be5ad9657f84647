"""The direct identifiers that a release shows, and what a repair does about them, each in a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates
from metrics.config.roles import Role
from metrics.counting.counts import Matching
from metrics.formatting import join_names
from metrics.identifiers.released import EXAMINED_IN_ENGINE, released_keys, serving, suppressible
from metrics.identifiers.revealing import revealing_columns
from metrics.policy.limitable_measures import identifiers_in_release
from metrics.tables.table import Table
from metrics.texts import text

_RARE = 5
"""A value that fewer records share is rare."""
_MANY = 100
"""Rare values from which a column is named: fewer can be exceptions."""


def shown_identifiers(aggregates: Aggregates) -> Iterator[str]:
    """Name the columns to remove before release, as tagged and by their values."""
    found = identifiers_in_release(aggregates)
    tagged = [name for name, identifier in found.items() if identifier is None]
    kinds = {name: identifier.title for name, identifier in found.items() if identifier is not None}
    if tagged:
        yield text("direct_identifiers.shown", columns=tagged, number=len(tagged))
    if kinds:
        names, titles = list(kinds), join_names(list(dict.fromkeys(kinds.values())))
        yield text("direct_identifiers.by_value", columns=names, kinds=titles, number=len(names))


def columns_to_settle(aggregates: Aggregates) -> Iterator[str]:
    """Name the columns that no limit concerns and that should be removed, or have another role, before release."""
    yield from _columns_that_serve(aggregates)
    yield from _rare_values(aggregates)
    for column, hidden in aggregates.memoize(_revealing).items():
        yield text("direct_identifiers.revealing", column=column, hidden=hidden)
    records = aggregates.anonymized.rows
    if not isinstance(aggregates.anonymized, Table) and records > EXAMINED_IN_ENGINE:
        yield text("direct_identifiers.examined", examined=EXAMINED_IN_ENGINE, records=records)


def identifiers_to_dict(aggregates: Aggregates) -> dict[str, Any]:
    """The columns that identify people, with their kind unless they are tagged, and what to settle before release."""
    found = identifiers_in_release(aggregates)
    kinds = {name: None if identifier is None else identifier.kind.value for name, identifier in found.items()}
    return {"columns": kinds, "to_settle": list(columns_to_settle(aggregates))}


def _columns_that_serve(aggregates: Aggregates) -> Iterator[str]:
    """The columns that only serve the assessment, such as keys."""
    keys = aggregates.memoize(_released_keys)
    if keys:
        yield text("direct_identifiers.keys", columns=keys, number=len(keys))


def _released_keys(aggregates: Aggregates) -> Sequence[str]:
    return released_keys(aggregates.anonymized, aggregates.roles)


def _rare_values(aggregates: Aggregates) -> Iterator[str]:
    """The columns tagged insensitive with many rare values; none if the table is elsewhere."""
    table, roles = aggregates.anonymized, aggregates.roles
    if not isinstance(table, Table):
        return
    named = {*identifiers_in_release(aggregates), *serving(roles), *roles.not_identifying, roles.weight}
    insensitive = [column for column in table.columns if roles.of(column.name) is Role.INSENSITIVE]
    numbers = {
        column.name: int(np.count_nonzero(column.counts()[column.shown] < _RARE))
        for column in insensitive
        if column.name not in named
    }
    many = {name: number for name, number in numbers.items() if number >= _MANY}
    if many:
        values = sum(many.values())
        yield text("direct_identifiers.rare", columns=list(many), number=len(many), values=values, records=_RARE)


def _revealing(aggregates: Aggregates) -> Mapping[str, str]:
    """The columns that give away what a quasi-identifier hides; none if nothing is compared."""
    matching, roles = aggregates.comparison.matching, aggregates.roles
    if not isinstance(matching, Matching):
        return {}
    hidden = [name for name in roles.quasi_identifiers if name in matching.original]
    others = [
        name
        for name in matching.anonymized.names
        if roles.of(name) is Role.INSENSITIVE and name not in (*serving(roles), roles.weight)
    ]
    return revealing_columns(matching, hidden, others)


def hiding_summary(aggregates: Aggregates) -> str | None:
    """Say which columns a repair suppresses as identifiers; None if there are none."""
    hidden = suppressible(identifiers_in_release(aggregates), aggregates.roles)
    return text("direct_identifiers.hidden", columns=hidden) if hidden else None
