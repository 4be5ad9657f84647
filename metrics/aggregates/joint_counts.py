"""Counts of the values of a few columns together, before and after: counted once for all metrics."""

from __future__ import annotations

import numpy as np

from metrics.aggregates.protocol import Aggregates
from metrics.counting.counts import Combinations, Relation


def released_counts(aggregates: Aggregates, names: tuple[str, ...]) -> Combinations:
    """Combinations of values of some anonymized columns."""
    return aggregates.memoize(_released, names)


def original_counts(aggregates: Aggregates, names: tuple[str, ...]) -> Combinations:
    """Combinations of values of some original columns. Raises Unavailable without an original."""
    return aggregates.memoize(_original, names)


def _released(aggregates: Aggregates, names: tuple[str, ...]) -> Combinations:
    return _counted(aggregates.relation, names)


def _original(aggregates: Aggregates, names: tuple[str, ...]) -> Combinations:
    return _counted(aggregates.comparison.original_relation, names)


def _counted(relation: Relation, names: tuple[str, ...]) -> Combinations:
    """In this way a relation in memory keeps no number of every record for each set of columns."""
    *groups, last = names
    if not groups:
        return relation.count(names)
    grouped, of_groups = relation.count_within(groups, last), relation.count(groups)
    codes = (*(codes[grouped.group] for codes in of_groups.codes), grouped.code.astype(np.int32))
    return Combinations((*of_groups.columns, grouped.column), codes, grouped.count.astype(np.int64))
