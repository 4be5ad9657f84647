"""What suppression removed: records, cells, and some values far more often than others; what it leaves readable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, combinations
from typing import Final

import numpy as np

from metrics.aggregates import Aggregates, computed_once
from metrics.aggregates.agreement import is_sampled
from metrics.aggregates.label_shares import label_numbers, released_shares
from metrics.config.analyses import Estimated
from metrics.counting.counts import Combinations, Matching, combination_codes
from metrics.estimates.grouping import MAX_GROUPS
from metrics.formatting import beside, join_names, visible
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.matching.released_values import holds_numbers
from metrics.policy.limitable_measures import SUPPRESSION, measured
from metrics.privacy.alpha_k_anonymity.measure import NEARLY_CERTAIN
from metrics.privacy.t_closeness.measure import TCloseness
from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import SUPPRESSED, Codes, Column, Integers, Table
from metrics.texts import text
from metrics.utility.cells.removed_values import MIN_SHARE, removed_from, removed_summary

_MORE_CELLS: Final = 0.01
"""Smallest share of cells, beyond those of suppressed records, for which suppressed cells have their own figure."""
_MIN_SUPPRESSED: Final = 5
"""Fewest suppressed records for which it is reported what they share."""
_MOST_GROUPS: Final = 4
_SHARE_OF_LOST: Final = 0.02
_MOST_COLUMNS: Final = 4
_MOST_VALUES: Final = 3
"""How many removed groups are named, of which share of the suppressed records at least, and by how many columns."""
_MIN_PART: Final = 0.1
"""Smallest share of a value's records that is named as left out."""
_MIN_RECORDS: Final = 10
"""Fewest records of a value that is named as left out."""
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
    values_lost = []
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
        n_lost = int((suppressed == records).sum())
        if 0 < n_lost < original.distinct:
            values_lost.append(text("suppressed_cells.values", lost=n_lost, values=original.distinct, column=name))
        for code in np.flatnonzero(records >= max(MIN_SHARE * total, 1)).tolist():
            share, overall = suppressed[code] / records[code], suppressed.sum() / total
            value_shares.append((share - overall, share, overall, name, original.labels[code]))
    if not value_shares:
        return None
    difference, share, overall, name, value = max(value_shares, key=lambda value: value[0])
    if difference < _NOTICEABLE:
        return None
    lost = text("suppressed_cells.values_lost", values=join_names(values_lost)) if values_lost else ""
    share, overall = float(share), float(overall)
    return text("suppressed_cells.uneven", column=name, value=value, share=share, overall=overall, lost=lost)


@computed_once
def left_out(aggregates: Aggregates, analysis: Estimated) -> str | None:
    """How many records an analysis loses in the release, and the values that lose the largest shares of theirs.

    None where no value of at least 10 records loses a tenth of them, and at least twice the share of all records,
    or where tables are not matched in memory.
    """
    compared = aggregates.matched_records
    matching, released = compared.comparison.matching, compared.anonymized
    if not isinstance(matching, Matching):
        return None
    original, complete = matching.original, np.ones(matching.original.rows, dtype=bool)
    kept = np.arange(original.rows) < released.rows
    for name in filter(released.__contains__, analysis.column_names):
        complete &= original[name].shown[original[name].codes]
        column, is_number = released[name], holds_numbers(original[name])
        unknown = np.isnan(label_numbers(compared, column)) if is_number else released_shares(compared, name).unknown
        if not unknown.all():  # else an analysis does without the column
            kept[: released.rows] &= ~unknown[column.codes]
    lost, shares = complete & ~kept, list[tuple[float, float, int, int, str, str | None]]()
    number, overall = int(lost.sum()), float(lost.sum() / max(complete.sum(), 1))
    for name in dict.fromkeys((*aggregates.roles.quasi_identifiers, *analysis.column_names)):
        if name in original and (column := original[name]).distinct <= MAX_GROUPS:
            people, left = (np.bincount(column.codes[rows], minlength=column.distinct) for rows in (complete, lost))
            part, more = left / np.maximum(people, 1), left - overall * people
            for code in np.flatnonzero((people >= _MIN_RECORDS) & (part >= max(2 * overall, _MIN_PART))).tolist():
                numbers = float(part[code]), float(more[code]), int(left[code]), int(people[code])
                shares.append((*numbers, name, column.labels[code]))
    if not shares:
        return None
    largest = sorted(shares, key=lambda found: found[:2], reverse=True)[:_MOST_VALUES]
    groups = [
        text("analyses.left_out_group", column=name, value=value, left=left, records=records)
        for *_, left, records, name, value in largest
    ]
    others = text("analyses.left_out_others", others=len(shares) - len(largest)) if len(shares) > len(largest) else ""
    return text(
        "analyses.left_out_of",
        left_out=number,
        least=_MIN_RECORDS,
        groups=join_names(groups),
        others=others,
        overall=overall,
    )


def removed_groups(aggregates: Aggregates) -> str | None:
    """The largest groups that lose more than half of their records, by the labels of up to four quasi-identifiers.

    It names groups of people, and so is for the analyst only. None where tables are not matched in memory.
    """
    matching = aggregates.matched_records.comparison.matching
    return _removed_groups(aggregates, matching) if isinstance(matching, Matching) else None


def _removed_groups(aggregates: Aggregates, matching: Matching) -> str | None:
    class_of_record = aggregates.class_of_record()
    classes = class_of_record if matching.positions is None else class_of_record[matching.positions]
    kept = np.append(classes >= 0, np.zeros(matching.deleted, dtype=bool))
    released = matching.anonymized
    names = [name for name in aggregates.roles.quasi_identifiers if name in matching.original and released.shows(name)]
    labels = {name: _labels_of_values(matching.count_pair(name), aggregates.hierarchies.get(name)) for name in names}
    of_record = [labels[name][1][matching.original[name].codes] for name in names]
    combination, number = combination_codes([(codes, int(codes.max(initial=0)) + 1) for codes in of_record], len(kept))
    one_of_each = np.zeros(number, dtype=np.int64)
    one_of_each[combination] = np.arange(len(kept))
    codes = {name: each[one_of_each] for name, each in zip(names, of_record, strict=True)}
    suppressed, left = (np.bincount(combination[rows], minlength=number) for rows in (~kept, kept))
    unnamed, found = suppressed, list[str]()
    fewest = max(_MIN_SUPPRESSED, _SHARE_OF_LOST * suppressed.sum())
    for _ in range(_MOST_GROUPS):
        more, columns, group = _largest_removed(codes, unnamed - left)
        if more < fewest:
            break
        of_group = np.logical_and.reduce([codes[name] == codes[name][group] for name in columns])
        values = [
            text("suppressed_cells.group", column=name, label=labels[name][0][codes[name][group]]) for name in columns
        ]
        lost, people = int(suppressed[of_group].sum()), int((suppressed + left)[of_group].sum())
        found.append(text("suppressed_cells.group_records", group=join_names(values), lost=lost, records=people))
        unnamed = np.where(of_group, 0, unnamed)
    others = text("suppressed_cells.others_removed") if _largest_removed(codes, unnamed - left)[0] else ""
    return text("suppressed_cells.groups_removed", groups="; ".join(found), others=others) if found else None


def _labels_of_values(pair: Combinations, tree: Hierarchy | None) -> tuple[list[str], Codes]:
    """The labels of a column, and by value of the original that of most of its records.

    A value of which none is left has the lowest label above it, or else itself.
    """
    (original, released), (before, after) = pair.columns, pair.codes
    order = np.argsort(pair.counts, kind="stable")
    order = order[released.shown[after[order]]]
    label = released.distinct + np.arange(original.distinct, dtype=np.int32)
    label[before[order]] = after[order]
    leaves = {} if tree is None else {leaf: tree.rows[row] for leaf, row in tree.leaf_index.items()}
    for code in np.flatnonzero(label >= released.distinct).tolist():
        above = leaves.get(original.labels[code] or "", ())
        label[code] = next((released.code_of[each] for each in above if _is_shown(released, each)), label[code])
    return [visible(name) for name in (*released.labels, *original.labels)], label


def _is_shown(column: Column, label: str) -> bool:
    return label in column.code_of and bool(column.shown[column.code_of[label]])


def _largest_removed(codes: Mapping[str, Codes], more: Integers) -> tuple[int, tuple[str, ...], int]:
    """By how many records more than are left the group loses that loses most, its columns, and a combination in it."""
    most: tuple[int, tuple[str, ...], int] = (0, (), 0)
    for columns in chain.from_iterable(combinations(codes, size) for size in range(1, _MOST_COLUMNS + 1)):
        group, number = combination_codes(
            [(codes[name], int(codes[name].max(initial=0)) + 1) for name in columns], len(more)
        )
        of_group = np.bincount(group, more, number)
        if of_group.max(initial=0) > most[0]:
            largest = int(of_group.argmax())
            most = int(of_group[largest]), columns, int(np.flatnonzero(group == largest)[0])
    return most


def cells_beyond_records(card: Scorecard) -> float | None:
    """The share of suppressed cells, where noticeably more are suppressed than those of suppressed records."""
    share, records = card["suppressed_cells"].value, measured(SUPPRESSION, card).value
    return None if share is None or share <= float(records or 0) + _MORE_CELLS else float(share)


def suppressed_cells(card: Scorecard) -> Iterator[str]:
    """How many cells are empty, where these are more than the cells of suppressed records."""
    share = cells_beyond_records(card)
    if share is not None:
        records = float(measured(SUPPRESSION, card).value or 0)
        table = card.aggregates.anonymized
        empty = [name for name in card.aggregates.roles.quasi_identifiers if name in table and not table.shows(name)]
        columns = text("suppressed_cells.of_columns", columns=empty) if empty else ""
        yield text("suppressed_cells.beyond_records", share=share, columns=columns, records=records)


def lost_records(aggregates: Aggregates) -> Iterator[str]:
    """How many records are suppressed and removed."""
    classes, removed = aggregates.class_sizes, aggregates.comparison.removed or 0
    lost = classes.suppressed + removed
    if lost and classes.count:
        records, suppressed, share = classes.kept + lost, classes.suppressed, lost / (classes.kept + lost)
        if is_sampled(aggregates):
            yield text("verdict.left_out", removed=lost, records=records)
        else:
            yield text("verdict.suppressed", suppressed=suppressed, records=records, removed=removed, share=share)


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
