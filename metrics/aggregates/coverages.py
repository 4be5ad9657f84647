"""How many original values each label of a quasi-identifier covers."""

from __future__ import annotations

from metrics.aggregates.protocol import Aggregates, computed_once
from metrics.hierarchies.domain import Coverage, coverage


@computed_once
def coverages(aggregates: Aggregates) -> dict[str, Coverage]:
    """Coverage of every quasi-identifier; raises Unavailable where a domain is unknown."""
    return {name: _coverage(aggregates, name) for name in aggregates.roles.quasi_identifiers}


def _coverage(aggregates: Aggregates, name: str) -> Coverage:
    hierarchy = aggregates.hierarchies.get(name)
    pair = aggregates.comparison.pair(name) if hierarchy is None and aggregates.original is not None else None
    return coverage(aggregates.anonymized[name], hierarchy, pair)
