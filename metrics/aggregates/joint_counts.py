"""Counts of the values of a few columns together, before and after: counted once for all metrics."""

from __future__ import annotations

import math
from typing import cast

import numpy as np

from metrics.aggregates.protocol import Aggregates
from metrics.counting.counts import Combinations, Relation
from metrics.counting.partitions import require_few_combinations
from metrics.tables.table import Described


def released_counts(aggregates: Aggregates, names: tuple[str, ...]) -> Combinations:
    """Combinations of values of some anonymized columns. Raises Unavailable where an engine has too many."""
    return aggregates.memoize(_released, names)


def original_counts(aggregates: Aggregates, names: tuple[str, ...]) -> Combinations:
    """Combinations of values of some original columns. Raises Unavailable without an original, or with too many."""
    return aggregates.memoize(_original, names)


def _released(aggregates: Aggregates, names: tuple[str, ...]) -> Combinations:
    return _counted(aggregates.anonymized, aggregates.relation, names, aggregates.max_classes)


def _original(aggregates: Aggregates, names: tuple[str, ...]) -> Combinations:
    relation = aggregates.comparison.original_relation
    return _counted(cast(Described, aggregates.original), relation, names, aggregates.max_classes)


def _counted(table: Described, relation: Relation, names: tuple[str, ...], max_combinations: int) -> Combinations:
    """In this way a relation in memory keeps no number of every record for each set of columns."""
    if math.prod(table[name].distinct for name in names) > max_combinations:
        require_few_combinations(table, names, max_combinations)
    *groups, last = names
    if not groups:
        return relation.count(names)
    grouped, of_groups = relation.count_within(groups, last), relation.count(groups)
    codes = (*(codes[grouped.group] for codes in of_groups.codes), grouped.code.astype(np.int32))
    return Combinations((*of_groups.columns, grouped.column), codes, grouped.count.astype(np.int64))
