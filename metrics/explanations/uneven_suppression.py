"""Whether suppression removes some values of a quasi-identifier far more often than others."""

from __future__ import annotations

from typing import Final

import numpy as np

from metrics.aggregates import Aggregates
from metrics.policy.thresholds import CRITERIA, SUPPRESSION
from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import SUPPRESSED
from metrics.texts import text
from metrics.utility.removed_values import MIN_SHARE, removed_from, removed_summary

_MORE_CELLS: Final = 0.01
"""Smallest share of cells, beyond those of suppressed records, for which suppressed cells have their own figure."""
_NOTICEABLE: Final = 0.2
"""Smallest difference from the share in all records that is mentioned."""


def uneven_suppression(aggregates: Aggregates) -> str | None:
    """The values that suppression removes altogether, or else the one that it removes most often compared with others.

    None without matched records, or where no value of at least 0.5% of the records is suppressed in a share that is at
    least 20 percentage points above that of all records.
    """
    if aggregates.original is None or aggregates.comparison.unmatched is not None:
        return None
    removed = removed_summary(removed_from(aggregates))
    if removed is not None:
        return removed
    uneven: list[tuple[float, float, float, str, str | None]] = []
    lost_values: dict[str, tuple[int, int, int]] = {}
    for name in aggregates.roles.quasi_identifiers:
        if name not in aggregates.original:
            continue
        pair = aggregates.comparison.pair(name)
        original, released = pair.columns
        before, after = pair.codes
        lost = after == released.code_of.get(SUPPRESSED, -1)
        records = np.bincount(before, weights=pair.counts, minlength=original.distinct)
        gone = np.bincount(before, weights=pair.counts * lost, minlength=original.distinct)
        total = records.sum()
        unchanged = np.array(
            [released.labels[label] == original.labels[cell] for cell, label in zip(before, after, strict=True)],
            dtype=bool,
        )
        kept = len(np.unique(before[unchanged]))
        number = int((gone == records).sum())
        lost_values[name] = number if number < original.distinct else 0, kept, original.distinct
        for code in np.flatnonzero(records >= max(MIN_SHARE * total, 1)).tolist():
            share, overall = gone[code] / records[code], gone.sum() / total
            uneven.append((share - overall, share, overall, name, original.labels[code]))
    if not uneven:
        return None
    difference, share, overall, name, value = max(uneven, key=lambda value: value[0])
    if difference < _NOTICEABLE:
        return None
    name_lost, (number, kept, values) = max(lost_values.items(), key=lambda column: column[1][0])
    lost = ""
    if number:
        lost = text("suppressed_cells.values_lost", lost=number, kept=kept, values=values, column=name_lost)
    share, overall = float(share), float(overall)
    return text("suppressed_cells.uneven", column=name, value=value, share=share, overall=overall, lost=lost)


def cells_beyond_records(card: Scorecard) -> float | None:
    """The share of suppressed cells, where noticeably more are suppressed than those of suppressed records."""
    share, records = card["suppressed_cells"].value, CRITERIA[SUPPRESSION].measure(card).value
    return None if share is None or share <= float(records or 0) + _MORE_CELLS else float(share)
