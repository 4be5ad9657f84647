"""How many original values each label of a quasi-identifier covers."""

from __future__ import annotations

from metrics.aggregates.protocol import Aggregates
from metrics.hierarchies.domain import Coverage, coverage


def coverages(aggregates: Aggregates) -> dict[str, Coverage]:
    """Coverage of every quasi-identifier; raises Unavailable where a domain is unknown."""
    return aggregates.whole.memoize(_coverages)


def _coverages(aggregates: Aggregates) -> dict[str, Coverage]:
    return {name: _coverage(aggregates, name) for name in aggregates.roles.quasi_identifiers}


def _coverage(aggregates: Aggregates, name: str) -> Coverage:
    hierarchy = aggregates.hierarchies.get(name)
    pair = aggregates.comparison.pair(name) if hierarchy is None and aggregates.original is not None else None
    return coverage(aggregates.anonymized[name], hierarchy, pair)
