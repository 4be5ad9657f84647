"""Counts of tables whose classes are too many to hold at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from metrics.counting.classes import ClassSizes, equivalence_classes, sum_class_sizes
from metrics.counting.counts import EngineTable
from metrics.counting.marginal_counts import CountedRelation
from metrics.errors import Unavailable
from metrics.tables.table import Described, Table


def class_sizes_by_partition(table: EngineTable, quasi_identifiers: Sequence[str], max_classes: int) -> ClassSizes:
    """How many classes of a table in an engine there are of each size, about `max_classes` counted at a time."""
    with table.partitions(quasi_identifiers, (), max_classes) as partitions:
        return sum_class_sizes(
            equivalence_classes(CountedRelation(combinations), quasi_identifiers).by_size for combinations in partitions
        )


def require_few_combinations(table: Described | None, columns: Sequence[str], max_classes: int) -> None:
    """Require that an engine's table has few enough combinations of columns to be held at once.

    `table`: a table; of one in memory nothing is required. Raises Unavailable if an engine's table has more.
    """
    if table is None or isinstance(table, Table) or table.rows <= max_classes:
        return
    estimate = cast(EngineTable, table).estimate_distinct([columns])[0]
    if estimate > max_classes:
        raise Unavailable(
            f"all combinations of values must be compared with each other, and {table.name} has about {estimate:,} of "
            f"them; at most {max_classes:,} can be held at once"
        )
