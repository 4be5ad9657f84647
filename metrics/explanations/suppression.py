"""What suppression removed: records, cells, and some values far more often than others; what it leaves readable."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from metrics.aggregates import Aggregates
from metrics.formatting import beside
from metrics.policy.limitable_measures import SUPPRESSION, measured
from metrics.privacy.alpha_k_anonymity.measure import NEARLY_CERTAIN
from metrics.privacy.t_closeness.measure import TCloseness
from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import SUPPRESSED, Table
from metrics.texts import text
from metrics.utility.cells.removed_values import MIN_SHARE, removed_from, removed_summary

_MORE_CELLS: Final = 0.01
"""Smallest share of cells, beyond those of suppressed records, for which suppressed cells have their own figure."""
_MIN_SUPPRESSED: Final = 5
"""Fewest suppressed records for which it is reported what they share."""
_NOTICEABLE: Final = 0.2
"""Smallest difference from the share in all records that is mentioned."""


def uneven_suppression(aggregates: Aggregates) -> str | None:
    """The values that suppression removes altogether, or else the one that it removes most often compared with others.

    None without matched records, or where no value of at least 0.5% of the records is suppressed in a share that is at
    least 20 percentage points above that of all records.
    """
    if aggregates.original is None or aggregates.comparison.unmatched is not None:
        return None
    summary = removed_summary(removed_from(aggregates))
    if summary is not None:
        return summary
    value_shares: list[tuple[float, float, float, str, str | None]] = []
    lost_by_column: dict[str, tuple[int, int, int]] = {}
    for name in aggregates.roles.quasi_identifiers:
        if name not in aggregates.original:
            continue
        pair = aggregates.comparison.pair(name)
        original, released = pair.columns
        before, after = pair.codes
        lost = after == released.code_of.get(SUPPRESSED, -1)
        records = np.bincount(before, weights=pair.counts, minlength=original.distinct)
        suppressed = np.bincount(before, weights=pair.counts * lost, minlength=original.distinct)
        total = records.sum()
        unchanged = np.array(
            [
                released.labels[released_code] == original.labels[original_code]
                for original_code, released_code in zip(before, after, strict=True)
            ],
            dtype=bool,
        )
        n_unchanged = len(np.unique(before[unchanged]))
        n_lost = int((suppressed == records).sum())
        lost_by_column[name] = n_lost if n_lost < original.distinct else 0, n_unchanged, original.distinct
        for code in np.flatnonzero(records >= max(MIN_SHARE * total, 1)).tolist():
            share, overall = suppressed[code] / records[code], suppressed.sum() / total
            value_shares.append((share - overall, share, overall, name, original.labels[code]))
    if not value_shares:
        return None
    difference, share, overall, name, value = max(value_shares, key=lambda value: value[0])
    if difference < _NOTICEABLE:
        return None
    name_lost, (n_lost, n_unchanged, n_values) = max(lost_by_column.items(), key=lambda column: column[1][0])
    lost = ""
    if n_lost:
        lost = text("suppressed_cells.values_lost", lost=n_lost, kept=n_unchanged, values=n_values, column=name_lost)
    share, overall = float(share), float(overall)
    return text("suppressed_cells.uneven", column=name, value=value, share=share, overall=overall, lost=lost)


def cells_beyond_records(card: Scorecard) -> float | None:
    """The share of suppressed cells, where noticeably more are suppressed than those of suppressed records."""
    share, records = card["suppressed_cells"].value, measured(SUPPRESSION, card).value
    return None if share is None or share <= float(records or 0) + _MORE_CELLS else float(share)


def suppressed_cells(card: Scorecard) -> Iterator[str]:
    """How many cells are empty, where these are more than the cells of suppressed records."""
    share = cells_beyond_records(card)
    if share is not None:
        records = float(measured(SUPPRESSION, card).value or 0)
        yield text("suppressed_cells.beyond_records", share=share, records=records)


def lost_records(aggregates: Aggregates) -> Iterator[str]:
    """How many records are suppressed and removed."""
    classes, removed = aggregates.class_sizes, aggregates.comparison.removed or 0
    lost = classes.suppressed + removed
    if lost and classes.count:
        records, suppressed = classes.kept + lost, classes.suppressed
        yield text("verdict.suppressed", suppressed=suppressed, records=records, removed=removed, share=lost / records)


def suppressed_group(card: Scorecard) -> Iterator[str]:
    """What the suppressed records, which are in no class, disclose: nearly one value, or more than t allows."""
    aggregates, closeness = card.aggregates, card["t_closeness"].result
    if not isinstance(aggregates.anonymized, Table):
        return
    is_suppressed = aggregates.class_of_record() < 0
    records = int(is_suppressed.sum())
    if records < _MIN_SUPPRESSED or records == len(is_suppressed):
        return
    for name in aggregates.roles.sensitive:
        column = aggregates.anonymized[name]
        suppressed_counts, other_counts = (
            np.bincount(column.codes[rows], minlength=column.distinct) for rows in (is_suppressed, ~is_suppressed)
        )
        mode = int(suppressed_counts.argmax())
        share = float(suppressed_counts[mode] / records)
        if column.labels[mode] in (None, SUPPRESSED):
            continue
        if share >= NEARLY_CERTAIN:
            others = float(other_counts[mode] / other_counts.sum())
            yield text("verdict.suppressed_values", share=share, records=records, column=name, others=others)
        elif isinstance(closeness, TCloseness):
            distance = closeness.distance_of_group(name, suppressed_counts, other_counts)
            if distance is not None and distance > closeness.limit:
                yield text(
                    "verdict.suppressed_distance",
                    records=records,
                    column=name,
                    distance=beside(distance, closeness.limit),
                    limit=closeness.limit,
                )
