"""The levels of the values, by hierarchies given or implied."""

from __future__ import annotations

from metrics.aggregates import Aggregates
from metrics.errors import Unavailable
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.hierarchies.implied import implied_hierarchy
from metrics.tables.table import Column, Integers
from metrics.texts import text


def levels_of(column: Column, hierarchy: Hierarchy) -> Integers:
    """The level of each distinct value of a column. Raises Unavailable where the hierarchy misses one."""
    levels = hierarchy.levels_of(column)
    missed = int((levels < 0).sum())
    if missed:
        raise Unavailable(text("unavailable.incomplete_hierarchy_anonymized", column=column.name, values=missed))
    return levels


def hierarchies_of(aggregates: Aggregates) -> dict[str, Hierarchy]:
    """The hierarchy of every quasi-identifier, given or implied by the pair; raises Unavailable if there is none."""
    return {
        name: aggregates.hierarchies.get(name) or aggregates.memoize(_hierarchy_implied_by_pair, name)
        for name in aggregates.roles.quasi_identifiers
    }


def _hierarchy_implied_by_pair(aggregates: Aggregates, name: str) -> Hierarchy:
    if aggregates.original is None:
        raise Unavailable(text("unavailable.unknown_domain", column=name))
    return implied_hierarchy(aggregates.comparison.pair(name))
