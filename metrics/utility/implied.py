"""The hierarchy that a pair of tables itself shows, for columns that come without one."""

from __future__ import annotations

from metrics.counts import Combinations
from metrics.hierarchy import Hierarchy
from metrics.specification import Unavailable
from metrics.table import SUPPRESSED


def implied_hierarchy(pair: Combinations) -> Hierarchy:
    """Levels original value, generalized value, `*`, read off which values became what.

    An anonymized value that is itself an original value stands on level 0. Raises Unavailable where one original value
    was generalized to two labels: two labels need an order, which only a hierarchy gives.
    """
    original, anonymized = pair.columns
    label_of: dict[str, str] = {}
    for before, after in zip(*pair.codes, strict=True):
        value, label = original.labels[before], anonymized.labels[after]
        if value is None or label is None:
            raise Unavailable(
                f'"{original.name}" has missing values and no hierarchy; upload one that says where they belong'
            )
        if label == SUPPRESSED or label in original.code_of:
            continue
        if label_of.setdefault(value, label) != label:
            raise Unavailable(
                f'"{original.name}" has no hierarchy, and one of its values was generalized in two ways; upload one'
            )
    rows = [
        [str(value), label_of.get(str(value), str(value)), SUPPRESSED]
        for value in original.labels
        if value != SUPPRESSED
    ]
    return Hierarchy(rows or [[SUPPRESSED]], name=f"{original.name} (implied)")
