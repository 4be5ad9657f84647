"""Distances of classes from the whole table, by the ground distance of an attribute.

All are computed from the cells that are not zero and in whole numbers until one last division, so a figure depends
neither on the order of records nor on rounding.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from metrics.config.parameters import GroundDistance
from metrics.counting.histograms import Histogram
from metrics.errors import Unavailable
from metrics.hierarchies.hierarchy import Hierarchies, Hierarchy
from metrics.tables.table import Column, Floats, Integers
from metrics.tables.values import parse_number
from metrics.texts import text

_EXACT = 2**62


def equal_distance(histogram: Histogram) -> Floats:
    """Half the sum of |p_s - q_s| over all values, for each class: 0 to 1.

    Only values that occur more often than expected are summed; the others' shortfall is the same amount.
    """
    if not len(histogram.sizes):
        return np.zeros(0)
    surplus = np.maximum(_extra(histogram.count, histogram.totals[histogram.code], histogram), 0)
    distances: Floats = np.add.reduceat(surplus, histogram.starts) / (histogram.sizes * float(histogram.kept))
    return distances


def ordered_distance(histogram: Histogram) -> Floats:
    """Earth mover's distance over the ranks of a numeric attribute, for each class: 0 to 1, 0 for a constant.

    Equal numbers written differently share a rank. Raises Unavailable unless every value is a number.
    """
    numbers = histogram.numbers
    if numbers is None:
        raise Unavailable(text("t_closeness.unavailable.not_numeric", column=histogram.column.name))
    in_use = histogram.totals > 0
    ranks = np.searchsorted(np.unique(numbers[in_use]), numbers)
    steps = len(np.unique(numbers[in_use])) - 1
    if steps < 1 or not len(histogram.sizes):
        return np.zeros(len(histogram.sizes))
    group, rank, count = _merge(histogram.group, ranks[histogram.code], histogram.count, steps + 1)
    totals = np.zeros(steps + 1, dtype=np.int64)
    np.add.at(totals, ranks[in_use], histogram.totals[in_use])
    return _summed_cumulated_differences(group, rank, count, totals, histogram) / (
        steps * histogram.sizes * float(histogram.kept)
    )


def _summed_cumulated_differences(
    group: Integers, rank: Integers, count: Integers, totals: Integers, histogram: Histogram
) -> Floats:
    """Sum over ranks of |cumulated share of the class - of the table|, times class size times records.

    A class's cumulated count stays the same from one of its values to the next, so each such stretch of ranks is summed
    at once from prefix sums: below the crossing the class is ahead, above it the table is.
    """
    starts = np.searchsorted(group, np.arange(len(histogram.sizes)))
    cumulated = np.cumsum(count)
    cumulated -= (cumulated[starts] - count[starts])[group]
    stop = np.append(rank[1:], len(totals))
    last = np.append(starts[1:], len(group)) - 1
    stop[last] = len(totals)
    first = rank[starts]
    size, kept = histogram.sizes[group], histogram.kept
    table = np.cumsum(totals)
    exact = kept * kept * len(totals) < _EXACT
    number = np.int64 if exact else np.float64
    prefix = np.concatenate(([0], np.cumsum(table.astype(number))))
    crossing = np.searchsorted(table, cumulated * kept // size, side="right")
    crossing = np.clip(crossing, rank, stop)
    class_share = cumulated.astype(number) * kept
    below = (crossing - rank) * class_share - size * (prefix[crossing] - prefix[rank])
    above = size * (prefix[stop] - prefix[crossing]) - (stop - crossing) * class_share
    total: Floats = np.add.reduceat(below + above, starts) + histogram.sizes * prefix[first]
    return total


def hierarchical_distance(histogram: Histogram, hierarchy: Hierarchy) -> Floats:
    """Earth mover's distance over a value hierarchy, for each class: 0 to 1, 0 where the hierarchy has one level.

    At each inner node of level v, v/height times the smaller of its children's surplus and shortfall is moved, the rest
    passed up. Raises Unavailable where the hierarchy misses a value.
    """
    leaves = hierarchy.leaves_of(histogram.column)
    if (leaves[histogram.totals > 0] < 0).any():
        raise Unavailable(text("t_closeness.unavailable.incomplete_hierarchy", column=histogram.column.name))
    if hierarchy.height < 1 or not len(histogram.sizes):
        return np.zeros(len(histogram.sizes))
    in_use = histogram.totals > 0
    # Blank and missing cells share a leaf.
    group, node, count = _merge(histogram.group, leaves[histogram.code], histogram.count, len(hierarchy.rows))
    totals = np.zeros(len(hierarchy.rows), dtype=np.int64)
    np.add.at(totals, leaves[in_use], histogram.totals[in_use])
    ancestor = np.arange(len(hierarchy.rows))
    cost = np.zeros(len(histogram.sizes), dtype=np.int64)
    for level in range(1, hierarchy.height + 1):
        above = hierarchy.nodes(level)
        parent_of = np.empty(len(totals), dtype=np.int64)
        parent_of[ancestor] = above
        surplus = np.maximum(_extra(count, totals[node], histogram, group), 0)
        upper_totals = np.zeros(len(hierarchy.labels(level)), dtype=np.int64)
        np.add.at(upper_totals, parent_of, totals)
        upper_group, upper_node, upper_count, upper_surplus = _merge_two(
            group, parent_of[node], count, surplus, len(upper_totals)
        )
        net = _extra(upper_count, upper_totals[upper_node], histogram, upper_group)
        balanced = np.minimum(upper_surplus, upper_surplus - net)
        np.add.at(cost, upper_group, level * balanced)
        group, node, count, totals, ancestor = upper_group, upper_node, upper_count, upper_totals, above
    return cost / (hierarchy.height * histogram.sizes * float(histogram.kept))


def _extra(count: Integers, total: Integers, histogram: Histogram, group: Integers | None = None) -> Integers:
    """(p_s - q_s) times class size times records, in whole numbers."""
    size = histogram.size_of_cell if group is None else histogram.sizes[group]
    extra: Integers = count * histogram.kept - total * size
    return extra


def _merge(group: Integers, node: Integers, count: Integers, width: int) -> tuple[Integers, Integers, Integers]:
    merged_group, merged_node, merged_count, _ = _merge_two(group, node, count, count, width)
    return merged_group, merged_node, merged_count


def _merge_two(
    group: Integers, node: Integers, first: Integers, second: Integers, width: int
) -> tuple[Integers, Integers, Integers, Integers]:
    """Sum two measures over cells that fall on the same node of the same class; sorted by class, then node."""
    keys = group * width + node
    order = np.argsort(keys, kind="stable")
    sorted_keys = keys[order]
    starts = np.flatnonzero(np.concatenate(([True], sorted_keys[1:] != sorted_keys[:-1])))
    distinct = sorted_keys[starts]
    return (
        distinct // width,
        distinct % width,
        np.add.reduceat(first[order], starts),
        np.add.reduceat(second[order], starts),
    )


def choose_distance(histogram: Histogram, hierarchy: Hierarchy | None, chosen: GroundDistance | None) -> GroundDistance:
    """The ground distance of a sensitive attribute.

    Ordered for numbers, hierarchical where there is a hierarchy, equal otherwise.
    """
    if chosen is not None:
        return chosen
    if histogram.numbers is not None:
        return GroundDistance.ORDERED
    return GroundDistance.EQUAL if hierarchy is None else GroundDistance.HIERARCHICAL


def values_without_order(histogram: Histogram) -> int:
    """How many values in use are missing or no numbers, where most values in use are numbers; else 0."""
    if histogram.numbers is not None:
        return 0
    labels = histogram.column.labels
    used_labels = [labels[code] for code in np.flatnonzero(histogram.totals > 0).tolist()]
    return _few_not_numbers(used_labels, histogram.column.decimal)


def _few_not_numbers(labels: Sequence[str | None], decimal: str) -> int:
    not_numbers = sum(parse_number(label, decimal) is None for label in labels)
    return not_numbers if 2 * not_numbers < len(labels) else 0


def not_ordered_for_few_values(
    columns: Iterable[Column], hierarchies: Hierarchies, chosen: Mapping[str, GroundDistance]
) -> list[str]:
    """Name the attributes compared for equality only because a few of their values are missing or no numbers."""
    return [
        column.name
        for column in columns
        if column.name not in chosen
        and column.name not in hierarchies
        and column.numbers is None
        and _few_not_numbers(column.labels, column.decimal)
    ]


def class_distances(histogram: Histogram, distance: GroundDistance, hierarchy: Hierarchy | None) -> Floats:
    """Distance of each class from the table.

    One distance per class, 0 to 1. Raises Unavailable where the ground distance does not apply.
    """
    if distance is GroundDistance.EQUAL:
        return equal_distance(histogram)
    if distance is GroundDistance.ORDERED:
        return ordered_distance(histogram)
    if hierarchy is None:
        raise Unavailable(text("t_closeness.unavailable.no_hierarchy", column=histogram.column.name))
    return hierarchical_distance(histogram, hierarchy)
