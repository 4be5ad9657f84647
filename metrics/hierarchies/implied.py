"""The hierarchy that a pair of tables itself shows, for columns that come without one."""

from __future__ import annotations

from metrics.counting.counts import Combinations
from metrics.errors import Unavailable
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.tables.table import SUPPRESSED


def implied_hierarchy(pair: Combinations) -> Hierarchy:
    """Levels original value, generalized value, `*`, read off which values became what.

    An anonymized value that is itself an original value is on level 0. A missing value is a value of its own.
    Raises Unavailable if one original value was generalized to two labels (two labels need an order, which only a
    hierarchy gives), or to nothing.
    """
    original, anonymized = pair.columns
    original_labels = {label or "" for label in original.labels}
    label_of: dict[str, str] = {}
    for before, after in zip(*pair.codes, strict=True):
        value, label = original.labels[before] or "", anonymized.labels[after] or ""
        if label == SUPPRESSED or label in original_labels:
            continue
        if not label:
            raise Unavailable(
                f'"{original.name}" has blank cells where the original has none, and no hierarchy; upload one'
            )
        if label_of.setdefault(value, label) != label:
            raise Unavailable(
                f'"{original.name}" has no hierarchy, and one of its values was generalized in two ways; upload a '
                "hierarchy that contains all its labels"
            )
    rows = [[value, label_of.get(value, value), SUPPRESSED] for value in original_labels - {SUPPRESSED}]
    return Hierarchy(rows or [[SUPPRESSED]], name=f"{original.name} (implied)")
