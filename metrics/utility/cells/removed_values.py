"""Values of quasi-identifiers that suppression removes altogether: groups that are missing from the released table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from metrics.aggregates.protocol import Aggregates
from metrics.formatting import join_names, visible
from metrics.tables.table import SUPPRESSED, Floats, Integers
from metrics.texts import MAX_NAMES, text

MIN_SHARE: Final = 0.005
"""Smallest share of the records for which it is reported that they lose their value."""


@dataclass(frozen=True)
class RemovedValues:
    """Values of a column that all their records lose, while other values of the column remain."""

    column: str
    values: tuple[str | None, ...]
    """The values that at least 0.5% of the original records have, the most frequent first."""
    rare: int
    """Number of other values, which are never named: few people have them."""
    distinct: int
    """Number of values of the original."""
    records: int
    """Original records with any of these values."""

    def summary(self) -> str:
        """The values and their records, in one sentence."""
        number, names = len(self.values) + self.rare, [visible(value) for value in self.values[:MAX_NAMES]]
        if not names:
            named = ""
        elif len(names) < number:
            named = text("suppressed_cells.removed_among", names=join_names(names))
        else:
            named = text("suppressed_cells.removed_named", names=join_names(names))
        return text(
            "suppressed_cells.removed",
            number=number,
            values=self.distinct,
            column=self.column,
            named=named,
            records=self.records,
        )


def removed_values(
    column: str, labels: Sequence[str | None], records: Integers | Floats, lost: Integers | Floats
) -> RemovedValues | None:
    """Find the values of a column that no kept record has; None if fewer than 0.5% of the records have one of them.

    `records` and `lost` hold, per label, the original records and those of them that lose the value. A column that
    keeps nothing at all has none: that is reported for the column. An empty cell is no value that could be lost.
    """
    occurs = (records > 0) & np.fromiter(map(bool, labels), dtype=bool, count=len(labels))
    is_removed = (lost >= records) & occurs
    if is_removed.sum() == occurs.sum():
        return None
    removed = np.flatnonzero(is_removed)
    if records[removed].sum() < max(MIN_SHARE * records.sum(), 1):
        return None
    frequent = [code for code in removed.tolist() if records[code] >= MIN_SHARE * records.sum()]
    values = sorted(frequent, key=lambda code: (-records[code], visible(labels[code])))
    return RemovedValues(
        column,
        tuple(labels[code] for code in values),
        len(removed) - len(values),
        int(occurs.sum()),
        int(records[removed].sum()),
    )


def removed_from(aggregates: Aggregates) -> list[RemovedValues]:
    """The values that a table removes, by column; none without matched records."""
    if aggregates.original is None or aggregates.comparison.unmatched is not None:
        return []
    removed = []
    for name in aggregates.roles.quasi_identifiers:
        if name in aggregates.original:
            pair = aggregates.comparison.pair(name)
            (original, released), (before, after) = pair.columns, pair.codes
            suppressed = after == released.code_of.get(SUPPRESSED, -1)
            records = np.bincount(before, weights=pair.counts, minlength=original.distinct)
            lost = np.bincount(before, weights=pair.counts * suppressed, minlength=original.distinct)
            removed.append(removed_values(name, original.labels, records, lost))
    return [removal for removal in removed if removal is not None]


def removed_summary(removals: Iterable[RemovedValues]) -> str | None:
    """Describe the removed values of the column that loses most, in one sentence; None if none are removed."""
    worst = max(removals, key=lambda removal: removal.records, default=None)
    return None if worst is None else worst.summary()
