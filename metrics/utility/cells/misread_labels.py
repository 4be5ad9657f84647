"""Labels on two levels that are read as the lower one, although the record was generalized to the upper one."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from metrics.counting.counts import Combinations
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.tables.table import Flags
from metrics.texts import text
from metrics.utility.cells.caveats import misread_columns
from metrics.utility.cells.changes import CHANGES, Change, Placement, changes_of, positions_in_hierarchy
from metrics.utility.cells.released_cells import MAX_PERTURBED, released_values


def misread_shares(pairs: Mapping[str, Combinations], hierarchies: Mapping[str, Hierarchy]) -> dict[str, float]:
    """By column, the share of released values read as those of a lower level, where it is above 1%."""
    shares = {
        name: _misread_records(pair, hierarchies[name]) / max(released_values(pair), 1)
        for name, pair in pairs.items()
        if name in hierarchies and hierarchies[name].ambiguous_labels
    }
    return {name: share for name, share in shares.items() if share > MAX_PERTURBED}


def with_misread(finding: str, shares: Mapping[str, float]) -> str:
    """The finding, and which columns have labels that make it look better than it is."""
    return f"{finding} {text('misread.caveat', reason=misread_columns(shares))}" if shares else finding


def _misread_records(pair: Combinations, hierarchy: Hierarchy) -> int:
    """Generalized records whose original value is not under their label on the level that it is read on."""
    placement = positions_in_hierarchy(pair, hierarchy)
    generalized = changes_of(pair, placement) == CHANGES.index(Change.GENERALIZED)
    return int(pair.counts[_is_misread(pair, placement) & generalized].sum())


def _is_misread(pair: Combinations, placement: Placement) -> Flags:
    hierarchy, is_misread = placement.hierarchy, np.zeros(len(pair.counts), dtype=np.bool_)
    released = np.array([label or "" for label in pair.columns[1].labels], dtype=object)[pair.codes[1]]
    for level in np.flatnonzero(np.bincount(placement.level)):
        at_level = placement.level == level
        labels = np.array(hierarchy.labels(int(level)), dtype=object)
        is_misread[at_level] = labels[hierarchy.nodes(int(level))[placement.leaf[at_level]]] != released[at_level]
    return is_misread
