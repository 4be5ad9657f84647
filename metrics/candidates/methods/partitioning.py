"""Mondrian's division of records, every partition of a depth at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metrics.candidates.methods.dimensions import Dimension, Ordered, Tree
from metrics.interruption import checkpoint
from metrics.tables.table import Codes, Flags, Floats, Integers

_DENSE = 4
"""Counts are held for all possible keys where there are at most this many times as many of them as records."""


@dataclass(frozen=True, eq=False)
class PartitionRequirements:
    """Requirements that every partition must meet."""

    k: int
    l: int  # noqa: E741 - the criterion's own letter
    sensitive: tuple[Codes, ...]
    """Per sensitive attribute the code of each record's value; none where l is 1."""

    def diverse(self, records: Integers, group: Integers, groups: int) -> Flags:
        """Whether each group holds at least l values of every sensitive attribute."""
        diverse = np.ones(groups, dtype=bool)
        for codes in self.sensitive:
            width = int(codes.max()) + 1
            keys, _ = _occurring_keys(group * width + codes[records], groups * width)
            diverse &= np.bincount(keys // width, minlength=groups) >= self.l
        return diverse


@dataclass(frozen=True, eq=False)
class MondrianPartitions:
    """The partition of each record, and the range of ranks that each partition spans."""

    of_record: Integers
    low: tuple[Integers, ...]
    """By dimension the lowest rank in each partition."""
    high: tuple[Integers, ...]


@dataclass(frozen=True, eq=False)
class _Region:
    """Records of some partitions, partition by partition."""

    records: Integers
    partition: Integers
    """Per record the place of its partition among these."""
    sizes: Integers
    low: Integers
    """By partition the lowest rank in the dimension that is cut."""
    high: Integers


def divide(
    dimensions: Sequence[Dimension],
    records: Integers,
    starts: Integers,
    demand: PartitionRequirements,
    *,
    strict: bool,
    weights: Floats,
) -> MondrianPartitions:
    """Divide until no partition can be cut in any dimension so that all parts meet the demand.

    Each partition is cut in the dimension in which it is widest, or else the next widest that allows a cut; the first
    in order where several are equally wide. A width counts by the weight of its dimension. `records` holds the numbers
    of the records, those of one partition after the other, which begin at `starts`; where a relaxed cut goes through
    equal values, those that stand first there go to the lower side.
    """
    of_record = np.zeros(int(records.max()) + 1, dtype=np.int64)
    lows: list[Integers] = []
    highs: list[Integers] = []
    n_finished = 0
    while len(records):
        checkpoint()
        sizes = np.diff(starts, append=len(records))
        bounds = [_bounds(dimension.rank[records], starts) for dimension in dimensions]
        low, high = (np.array(ends) for ends in zip(*bounds, strict=True))
        is_cut, group = _split(dimensions, records, sizes, (low, high), demand, weights, strict=strict)
        is_finished = ~is_cut
        number = n_finished + np.cumsum(is_finished) - 1
        in_finished = np.repeat(is_finished, sizes)
        of_record[records[in_finished]] = np.repeat(number, sizes)[in_finished]
        lows.append(low[:, is_finished])
        highs.append(high[:, is_finished])
        n_finished += int(is_finished.sum())
        order = np.argsort(group[~in_finished], kind="stable")
        records = records[~in_finished][order]
        group = group[~in_finished][order]
        starts = np.flatnonzero(np.diff(group, prepend=-1))
    return MondrianPartitions(
        of_record,
        tuple(np.concatenate([low[index] for low in lows]) for index in range(len(dimensions))),
        tuple(np.concatenate([high[index] for high in highs]) for index in range(len(dimensions))),
    )


def _bounds(ranks: Codes, starts: Integers) -> tuple[Integers, Integers]:
    low = np.minimum.reduceat(ranks, starts).astype(np.int64)
    return low, np.maximum.reduceat(ranks, starts).astype(np.int64)


def _split(
    dimensions: Sequence[Dimension],
    records: Integers,
    sizes: Integers,
    bounds: tuple[Integers, Integers],
    demand: PartitionRequirements,
    weights: Floats,
    *,
    strict: bool,
) -> tuple[Flags, Integers]:
    """Choose which partitions are cut, and for each of their records the part it goes to."""
    low, high = bounds
    widths = np.array([dimension.widths(*ends) for dimension, *ends in zip(dimensions, low, high, strict=True)])
    preferred = np.argsort(-widths * weights[:, np.newaxis], axis=0, kind="stable")
    is_cut = np.zeros(len(sizes), dtype=bool)
    group = np.full(len(records), -1, dtype=np.int64)
    groups = 0
    for choice in preferred:
        for index, dimension in enumerate(dimensions):
            is_eligible = ~is_cut & (choice == index) & (high[index] > low[index]) & (sizes >= 2 * demand.k)
            eligible = np.flatnonzero(is_eligible)
            if not len(eligible):
                continue
            positions = np.flatnonzero(np.repeat(is_eligible, sizes))
            owner = np.repeat(np.arange(len(eligible)), sizes[eligible])
            region = _Region(records[positions], owner, sizes[eligible], low[index][eligible], high[index][eligible])
            part, may_cut = _children(dimension, region, demand, strict=strict)
            is_cut[eligible[may_cut]] = True
            in_cut = may_cut[owner]
            group[positions[in_cut]] = groups + part[in_cut]
            groups += int(part.max(initial=-1)) + 1
    return is_cut, group


def _children(
    dimension: Dimension, region: _Region, demand: PartitionRequirements, *, strict: bool
) -> tuple[Integers, Flags]:
    """Divide along a dimension: for each record its part, ascending within a partition, and which may be cut so."""
    if isinstance(dimension, Tree):
        return _split_along_tree(dimension, region, demand)
    part, may_cut = (_split_between_values if strict else _split_at_median)(dimension, region, demand)
    if demand.sensitive:
        diverse = demand.diverse(region.records, part, 2 * len(region.sizes)).reshape(-1, 2)
        may_cut &= diverse.all(axis=1)
    return part, may_cut


def _split_between_values(dimension: Ordered, region: _Region, demand: PartitionRequirements) -> tuple[Integers, Flags]:
    """Cut between two values, where the parts are most alike in size; at the lower of two such cuts."""
    rank = dimension.rank[region.records]
    keys, counts = _occurring_keys(region.partition * dimension.size + rank, len(region.sizes) * dimension.size)
    owner, value = np.divmod(keys, dimension.size)
    first = np.flatnonzero(np.diff(owner, prepend=-1))
    before = np.cumsum(region.sizes) - region.sizes
    records_up_to = np.cumsum(counts) - before[owner]
    smaller = np.minimum(records_up_to, region.sizes[owner] - records_up_to)
    best = np.maximum.reduceat(smaller, first)
    cuts = np.flatnonzero(smaller == best[owner])
    cuts = cuts[np.diff(owner[cuts], prepend=-1) != 0]
    return 2 * region.partition + (rank > value[cuts][region.partition]), best >= demand.k


def _split_at_median(dimension: Ordered, region: _Region, demand: PartitionRequirements) -> tuple[Integers, Flags]:
    """Cut into halves, through equal values if need be."""
    key = region.partition * dimension.size + dimension.rank[region.records]
    order = np.argsort(key, kind="stable")
    before = np.cumsum(region.sizes) - region.sizes
    in_upper_half = np.empty(len(order), dtype=np.int64)
    partition = region.partition[order]
    in_upper_half[order] = np.arange(len(order)) - before[partition] >= (region.sizes // 2)[partition]
    return 2 * region.partition + in_upper_half, region.sizes // 2 >= demand.k


def _split_along_tree(dimension: Tree, region: _Region, demand: PartitionRequirements) -> tuple[Integers, Flags]:
    """Cut into the nodes below the lowest that holds the partition; those that miss the demand stay together.

    Where these do not meet it together either, the smallest node that does joins them.
    """
    level = dimension.level(region.low, region.high)
    key = region.partition * dimension.size + dimension.child(level[region.partition], dimension.rank[region.records])
    keys, counts = _occurring_keys(key, len(region.sizes) * dimension.size)
    node = np.searchsorted(keys, key)
    owner = keys // dimension.size
    separate = (counts >= demand.k) & demand.diverse(region.records, node, len(keys))
    first = np.flatnonzero(np.diff(owner, prepend=-1))
    while True:
        pooled = np.where(separate, 0, counts)
        pool = np.add.reduceat(pooled, first)
        # Each separate node is a part of its own; those kept together are the first part of their partition.
        group = np.where(separate, np.arange(len(keys)) + 1, 0)
        part = np.where(separate, np.arange(len(keys)) + len(first), owner)
        lacking = (pool > 0) & (
            (pool < demand.k) | ~demand.diverse(region.records, part[node], len(first) + len(keys))[: len(first)]
        )
        candidates = np.where(separate, counts, np.iinfo(np.int64).max)
        smallest = np.minimum.reduceat(candidates, first)
        lacking &= smallest < np.iinfo(np.int64).max
        if not lacking.any():
            break
        smallest_nodes = np.flatnonzero(separate & lacking[owner] & (candidates == smallest[owner]))
        separate[smallest_nodes[np.diff(owner[smallest_nodes], prepend=-1) != 0]] = False
    number = np.add.reduceat((group > 0).astype(np.int64), first) + (pool > 0)
    meets_demand = (pool == 0) | ((pool >= demand.k) & ~lacking)
    return part[node], (number > 1) & meets_demand


def _occurring_keys(keys: Integers, space: int) -> tuple[Integers, Integers]:
    """The distinct keys, ascending, and how often each occurs."""
    if space <= _DENSE * len(keys):
        counts = np.bincount(keys, minlength=space)
        distinct = np.flatnonzero(counts)
        return distinct, counts[distinct]
    sorted_keys = np.sort(keys)
    starts = np.flatnonzero(np.diff(sorted_keys, prepend=-1))
    return sorted_keys[starts], np.diff(starts, append=len(sorted_keys))
