"""Counts of the values of a few columns together, before and after: counted once for all metrics."""

from __future__ import annotations

import math
from typing import cast

import numpy as np

from metrics.aggregates.protocol import Aggregates
from metrics.counting.counts import Combinations
from metrics.counting.partitions import require_few_combinations
from metrics.tables.table import Described


def joint_counts(aggregates: Aggregates, names: tuple[str, ...], *, original: bool) -> Combinations:
    """Combinations of values of some columns. Raises Unavailable without an original, or where an engine has too many.

    Their order is that of the codes.
    """
    return aggregates.memoize(_counted, names, original)


def _counted(aggregates: Aggregates, names: tuple[str, ...], original: bool) -> Combinations:
    relation = aggregates.comparison.original_relation if original else aggregates.relation
    table = cast(Described, aggregates.original) if original else aggregates.anonymized
    if math.prod(table[name].distinct for name in names) > aggregates.max_classes:
        require_few_combinations(table, names, aggregates.max_classes)
    *groups, last = names
    if not groups:
        return relation.count(names)
    # A relation in memory keeps the combination of every record for columns that it counts, but not within groups.
    grouped, of_groups = relation.count_within(groups, last), relation.count(groups)
    codes = (*(codes[grouped.group] for codes in of_groups.codes), grouped.code.astype(np.int32))
    return Combinations((*of_groups.columns, grouped.column), codes, grouped.count.astype(np.int64))
