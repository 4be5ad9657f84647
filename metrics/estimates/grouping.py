"""The groups of a column in an analysis, and which of them the labels of a release tell apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from metrics.aggregates import Aggregates
from metrics.aggregates.comparison import NO_ORIGINAL
from metrics.aggregates.label_shares import column_domain, original_shares, released_shares
from metrics.config.analyses import Term
from metrics.errors import Unavailable
from metrics.hierarchies.shares import Shares
from metrics.tables.table import Column, Floats, Integers
from metrics.texts import text

MAX_GROUPS: Final = 100
_MAX_CELLS: Final = 2**25
"""Labels times groups."""
_EXACT: Final = 12
"""Decimals in which shares are the same."""


@dataclass(frozen=True, eq=False)
class Grouping:
    """The groups or blocks of groups that a table's labels stand for: labels of the same shares have one profile."""

    column: str
    lookup: Integers
    """Profile of each label; -1 where the label tells no group."""
    shares: Floats
    """By profile and group the probability of the group."""
    names: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]
    """By group the labels that may stand for it."""
    members: tuple[tuple[int, ...], ...]
    """By block the groups of the original that it joins; each group alone where nothing is joined."""

    @property
    def is_unbiased(self) -> bool:
        """Whether a label of a randomized column counts so that the true shares are expected: also below 0."""
        return bool((self.shares < 0).any())


@dataclass(frozen=True, eq=False)
class GroupedColumn:
    """One column of an analysis in both tables."""

    own: Grouping
    """The original in its own groups."""
    blocks: Grouping
    """The original in the blocks that the release tells apart."""
    released: Grouping
    """The release in these blocks."""

    @cached_property
    def exact(self) -> dict[int, int]:
        """The group of each block that is a single one."""
        return {block: groups[0] for block, groups in enumerate(self.blocks.members) if len(groups) == 1}

    @cached_property
    def block_of(self) -> dict[int, int]:
        """The block of each group."""
        return {group: block for block, groups in enumerate(self.blocks.members) for group in groups}

    @cached_property
    def shared(self) -> frozenset[int]:
        """The blocks that labels stand for, but none for one alone."""
        most = self.released.shares.max(axis=0, initial=0).round(_EXACT)
        return frozenset() if self.released.is_unbiased else frozenset(np.flatnonzero((most > 0) & (most < 1)).tolist())

    @property
    def is_removed(self) -> bool:
        """Whether the release tells no group from another."""
        return len(self.blocks.names) == 1 < len(self.own.names)


def grouped_column(aggregates: Aggregates, term: Term, *, tells: bool = True) -> GroupedColumn:
    """The groups that a term asks for, in the release unless its cells tell nothing.

    Raises Unavailable where the original has none or too many.
    """
    name = term.column
    group, names = value_groups(aggregates, term)
    original = original_shares(aggregates, name)
    has_column = name in aggregates.anonymized
    released = released_shares(aggregates, name) if has_column and tells else None
    touched = np.unique(group[original.value])
    cells = len(names) * max(original.column.distinct, 0 if released is None else released.column.distinct)
    if (touched >= 0).sum() > MAX_GROUPS or cells > _MAX_CELLS:
        raise Unavailable(text("analyses.unavailable.too_many_groups", column=name, limit=MAX_GROUPS))
    own_shares = original.of_groups(group, len(names))
    own = _grouping(name, original, own_shares, names)
    if released is None or not released.sizes.any():
        one = replace(
            own,
            shares=np.ones((len(own.shares), 1)),
            names=(text("analyses.everything"),),
            labels=((),),
            members=(tuple(range(len(names))),),
        )
        width = aggregates.anonymized[name].distinct if has_column else 0
        hidden = replace(one, lookup=np.zeros(width, dtype=np.int64), shares=np.ones((1, 1)))
        return GroupedColumn(own, one, hidden)
    shares = released.of_groups(group, len(names))
    blocks = blocks_of(released, group, shares)
    joined = tuple(tuple(np.flatnonzero(blocks == block).tolist()) for block in range(int(blocks.max()) + 1))
    of_blocks = _joined(shares, joined)
    block_names = _block_names(released, of_blocks, names, joined)
    found = replace(_grouping(name, released, of_blocks, block_names), members=joined)
    is_exact = len(joined) == len(names)
    return GroupedColumn(
        own, own if is_exact else replace(found, lookup=own.lookup, shares=_joined(own.shares, joined)), found
    )


def original_column(aggregates: Aggregates, name: str) -> Column:
    """A column of the original. Raises Unavailable where there is none."""
    if aggregates.original is None:
        raise Unavailable(NO_ORIGINAL)
    if name not in aggregates.original:
        raise Unavailable(text("analyses.unavailable.no_column", column=name))
    return aggregates.original[name]


def value_groups(aggregates: Aggregates, term: Term) -> tuple[Integers, tuple[str, ...]]:
    """The group of each value of the domain, and the names of the groups."""
    original_column(aggregates, term.column)
    domain = column_domain(aggregates, term.column)
    values = domain.column.labels
    if not term.level:
        return np.arange(len(values)), tuple(value or "" for value in values)
    hierarchy = domain.hierarchy
    if hierarchy is None or term.level > hierarchy.height:
        raise Unavailable(text("analyses.unavailable.no_level", column=term.column, level=term.level))
    nodes = hierarchy.nodes(term.level)
    group = [int(nodes[hierarchy.leaf_index[value]]) if value in hierarchy.leaf_index else -1 for value in values]
    return np.array(group, dtype=np.int64), hierarchy.labels(term.level)


def _grouping(name: str, shares: Shares, of_groups: Floats, names: tuple[str, ...]) -> Grouping:
    tells = of_groups.sum(axis=1) > 0
    _, first, position = np.unique(of_groups[tells].round(_EXACT), axis=0, return_index=True, return_inverse=True)
    profiles = of_groups[tells][first]
    lookup = np.full(len(of_groups), -1, dtype=np.int64)
    lookup[tells] = position.ravel()
    written = shares.column.labels
    labels = tuple(tuple(written[code] or "" for code in np.flatnonzero(column > 0)) for column in of_groups.T)
    each = tuple((member,) for member in range(len(names)))
    return Grouping(name, lookup, profiles, names, labels, each)


def _joined(shares: Floats, joined: Sequence[Sequence[int]]) -> Floats:
    return np.stack([shares[:, list(groups)].sum(axis=1) for groups in joined], axis=1)


def blocks_of(released: Shares, group: Integers, shares: Floats) -> Integers:
    """The block of each group: two are one if every label covers the same share of both; numbered by first group."""
    values = np.maximum(np.bincount(group[group >= 0], minlength=shares.shape[1]), 1)
    covered = (shares * released.sizes[:, np.newaxis] / values).round(_EXACT)
    blocks: dict[bytes | int, int] = {}
    found = []
    for position, column in enumerate(np.ascontiguousarray(covered.T)):
        key = column.tobytes() if column.any() else position
        found.append(blocks.setdefault(key, len(blocks)))
    return np.array(found, dtype=np.int64)


def _block_names(
    released: Shares, of_blocks: Floats, names: tuple[str, ...], joined: Sequence[Sequence[int]]
) -> tuple[str, ...]:
    """A group's name; of several the label that stands for just these, else all names."""
    block_names = []
    for groups, share in zip(joined, of_blocks.T, strict=True):
        alone = np.flatnonzero(share.round(_EXACT) == 1)
        whole = len(groups) > 1 and len(alone) == 1
        label = released.column.labels[alone[0]] if whole else None
        block_names.append(label or ", ".join(names[group] for group in groups))
    return tuple(block_names)
