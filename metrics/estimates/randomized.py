"""What published cells of a randomized column count for, so that sums over them are expected to be the true ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from metrics.aggregates import Aggregates
from metrics.aggregates.agreement import is_drawn, positions
from metrics.aggregates.label_shares import column_domain
from metrics.config.analyses import Term
from metrics.estimates.grouping import GroupedColumn, grouped_column, value_groups
from metrics.estimates.records import Numbers
from metrics.hierarchies.shares import Domain, Shares
from metrics.tables.randomization import Randomization
from metrics.tables.table import Column, Floats
from metrics.tables.values import parse_numbers


def randomization_of(aggregates: Aggregates, name: str) -> Randomization | None:
    """How the cells of a released column were drawn, where that is known and not contradicted."""
    has_column = name in aggregates.anonymized and is_drawn(aggregates, name)
    return aggregates.anonymized[name].randomization if has_column else None


def unbiased_groups(aggregates: Aggregates, term: Term) -> GroupedColumn:
    """The groups that a term asks for; a cell of a randomized column counts for each. Raises Unavailable."""
    by = randomization_of(aggregates, term.column)
    tells = by is None or by.unbiased(np.zeros(len(by.values))) is not None
    found = grouped_column(aggregates, term, tells=tells)
    if by is None or not tells:
        return found
    group, names = value_groups(aggregates, term)
    counted = _counted(column_domain(aggregates, term.column), by, np.eye(len(names) + 1)[group, :-1])
    assert counted is not None
    lookup, every = positions(aggregates.anonymized[term.column], by), ((),) * len(names)  # not of some labels alone
    released = replace(found.own, lookup=lookup, shares=counted, labels=every)
    return GroupedColumn(found.own, found.own, released)


def unbiased_numbers(column: Column, by: Randomization) -> Numbers:
    """By label of a randomized column the number that it counts as; none where a value, or a missing cell, has none."""
    numbers, published = parse_numbers(by.values, column.decimal), positions(column, by)
    counted = None if numbers is None else by.unbiased(numbers)
    if counted is None:
        return Numbers.of(column.name, np.full(column.distinct, np.nan))
    return replace(Numbers.of(column.name, np.where(published < 0, np.nan, counted[published])), is_unbiased=True)


def unbiased_chances(released: Shares, by: Randomization, figures: Floats, unknown: Floats) -> Floats:
    """By label of a randomized column what its cells count for, given figures by value of the domain.

    The sum over all cells is expected to be the true one. `unknown`: those of a label, or of every one, that tells
    nothing.
    """
    counted, position = _counted(released.domain, by, figures), positions(released.column, by)
    found = np.tile(unknown, (len(position), 1))
    if counted is not None:
        found[position >= 0] = counted[position[position >= 0]]
    return found


def _counted(domain: Domain, by: Randomization, figures: Floats) -> Floats | None:
    """By value of the randomization what is expected to be its figure; None where the cells tell nothing."""
    code_of, none = domain.column.code_of, np.zeros(figures.shape[1])
    return by.unbiased(np.array([figures[code_of[value]] if value in code_of else none for value in by.values]))
