"""Mondrian's division of records, every partition of a depth at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metrics.candidates.methods.dimensions import Dimension, Ordered, Tree
from metrics.tables.table import Codes, Flags, Integers

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
    dimensions: Sequence[Dimension], records: Integers, demand: PartitionRequirements, *, strict: bool
) -> MondrianPartitions:
    """Divide until no partition can be cut in any dimension so that all parts meet the demand.

    Each partition is cut in the dimension in which it is widest, or else the next widest that allows a cut; the first
    in order where several are equally wide. `records` holds the numbers of all records; where a relaxed cut goes
    through equal values, those that stand first there go to the lower side.
    """
    starts = np.zeros(1, dtype=np.int64)
    of_record = np.zeros(len(records), dtype=np.int64)
    lows: list[Integers] = []
    highs: list[Integers] = []
    done = 0
    while len(records):
        sizes = np.diff(starts, append=len(records))
        bounds = [_bounds(dimension.rank[records], starts) for dimension in dimensions]
        low, high = (np.array(side) for side in zip(*bounds, strict=True))
        cut, group = _split(dimensions, records, sizes, (low, high), demand, strict=strict)
        ended = ~cut
        number = done + np.cumsum(ended) - 1
        staying = np.repeat(ended, sizes)
        of_record[records[staying]] = np.repeat(number, sizes)[staying]
        lows.append(low[:, ended])
        highs.append(high[:, ended])
        done += int(ended.sum())
        order = np.argsort(group[~staying], kind="stable")
        records = records[~staying][order]
        group = group[~staying][order]
        starts = np.flatnonzero(np.diff(group, prepend=-1))
    return MondrianPartitions(
        of_record,
        tuple(np.concatenate([low[place] for low in lows]) for place in range(len(dimensions))),
        tuple(np.concatenate([high[place] for high in highs]) for place in range(len(dimensions))),
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
    *,
    strict: bool,
) -> tuple[Flags, Integers]:
    """Choose which partitions are cut, and for each of their records the part it goes to."""
    low, high = bounds
    widths = np.array([dimension.widths(*ends) for dimension, *ends in zip(dimensions, low, high, strict=True)])
    preferred = np.argsort(-widths, axis=0, kind="stable")
    cut = np.zeros(len(sizes), dtype=bool)
    group = np.full(len(records), -1, dtype=np.int64)
    groups = 0
    for choice in preferred:
        for place, dimension in enumerate(dimensions):
            wanted = ~cut & (choice == place) & (high[place] > low[place]) & (sizes >= 2 * demand.k)
            chosen = np.flatnonzero(wanted)
            if not len(chosen):
                continue
            inside = np.flatnonzero(np.repeat(wanted, sizes))
            owner = np.repeat(np.arange(len(chosen)), sizes[chosen])
            region = _Region(records[inside], owner, sizes[chosen], low[place][chosen], high[place][chosen])
            part, allowed = _children(dimension, region, demand, strict=strict)
            cut[chosen[allowed]] = True
            taken = allowed[owner]
            group[inside[taken]] = groups + part[taken]
            groups += int(part.max(initial=-1)) + 1
    return cut, group


def _children(
    dimension: Dimension, region: _Region, demand: PartitionRequirements, *, strict: bool
) -> tuple[Integers, Flags]:
    """Divide along a dimension: for each record its part, ascending within a partition, and which may be cut so."""
    if isinstance(dimension, Tree):
        return _split_along_tree(dimension, region, demand)
    part, allowed = (_split_between_values if strict else _split_at_median)(dimension, region, demand)
    if demand.sensitive:
        both = demand.diverse(region.records, part, 2 * len(region.sizes)).reshape(-1, 2)
        allowed &= both.all(axis=1)
    return part, allowed


def _split_between_values(dimension: Ordered, region: _Region, demand: PartitionRequirements) -> tuple[Integers, Flags]:
    """Cut between two values, where the parts are most alike in size; the lower of two such places."""
    rank = dimension.rank[region.records]
    keys, counts = _occurring_keys(region.partition * dimension.size + rank, len(region.sizes) * dimension.size)
    owner, value = np.divmod(keys, dimension.size)
    first = np.flatnonzero(np.diff(owner, prepend=-1))
    before = np.cumsum(region.sizes) - region.sizes
    below = np.cumsum(counts) - before[owner]
    smaller = np.minimum(below, region.sizes[owner] - below)
    best = np.maximum.reduceat(smaller, first)
    at = np.flatnonzero(smaller == best[owner])
    at = at[np.diff(owner[at], prepend=-1) != 0]
    return 2 * region.partition + (rank > value[at][region.partition]), best >= demand.k


def _split_at_median(dimension: Ordered, region: _Region, demand: PartitionRequirements) -> tuple[Integers, Flags]:
    """Cut into halves, through equal values if need be."""
    key = region.partition * dimension.size + dimension.rank[region.records]
    order = np.argsort(key, kind="stable")
    before = np.cumsum(region.sizes) - region.sizes
    above = np.empty(len(order), dtype=np.int64)
    partition = region.partition[order]
    above[order] = np.arange(len(order)) - before[partition] >= (region.sizes // 2)[partition]
    return 2 * region.partition + above, region.sizes // 2 >= demand.k


def _split_along_tree(dimension: Tree, region: _Region, demand: PartitionRequirements) -> tuple[Integers, Flags]:
    """Cut into the nodes below the lowest that holds the partition; those that miss the demand stay together.

    Where these do not meet it together either, the smallest node that does joins them.
    """
    level = dimension.level(region.low, region.high)
    key = region.partition * dimension.size + dimension.child(level[region.partition], dimension.rank[region.records])
    keys, counts = _occurring_keys(key, len(region.sizes) * dimension.size)
    node = np.searchsorted(keys, key)
    owner = keys // dimension.size
    apart = (counts >= demand.k) & demand.diverse(region.records, node, len(keys))
    first = np.flatnonzero(np.diff(owner, prepend=-1))
    while True:
        pooled = np.where(apart, 0, counts)
        pool = np.add.reduceat(pooled, first)
        # Nodes of their own stand where they are; those kept together under the first node of the partition.
        group = np.where(apart, np.arange(len(keys)) + 1, 0)
        part = np.where(apart, np.arange(len(keys)) + len(first), owner)
        lacking = (pool > 0) & (
            (pool < demand.k) | ~demand.diverse(region.records, part[node], len(first) + len(keys))[: len(first)]
        )
        candidates = np.where(apart, counts, np.iinfo(np.int64).max)
        smallest = np.minimum.reduceat(candidates, first)
        lacking &= smallest < np.iinfo(np.int64).max
        if not lacking.any():
            break
        at = np.flatnonzero(apart & lacking[owner] & (candidates == smallest[owner]))
        apart[at[np.diff(owner[at], prepend=-1) != 0]] = False
    number = np.add.reduceat((group > 0).astype(np.int64), first) + (pool > 0)
    met = (pool == 0) | ((pool >= demand.k) & ~lacking)
    return part[node], (number > 1) & met


def _occurring_keys(keys: Integers, space: int) -> tuple[Integers, Integers]:
    """The distinct keys, ascending, and how often each occurs."""
    if space <= _DENSE * len(keys):
        counts = np.bincount(keys, minlength=space)
        found = np.flatnonzero(counts)
        return found, counts[found]
    ordered = np.sort(keys)
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    return ordered[starts], np.diff(starts, append=len(ordered))
