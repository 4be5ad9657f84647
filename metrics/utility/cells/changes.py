"""Changes of cells: kept, generalized, suppressed or perturbed, and which value became which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from metrics.aggregates import Aggregates
from metrics.counting.counts import Combinations
from metrics.errors import Unavailable
from metrics.hierarchies.hierarchy import Hierarchies, Hierarchy
from metrics.hierarchies.implied import implied_hierarchy
from metrics.hierarchies.labels import covered_by_form
from metrics.interruption import watched
from metrics.matching.column_reading import perturbed_pairs
from metrics.tables.table import SUPPRESSED, Column, Flags, Integers
from metrics.texts import text

MAX_LINKS: Final = 60
MAX_VALUES: Final = 10


class Change(StrEnum):
    """Change of a cell."""

    KEPT = "kept"
    """The value it had before, a `*` of the original's own included."""
    GENERALIZED = "generalized"
    """An ancestor of the value it had."""
    SUPPRESSED = "suppressed"
    """`*`, or the whole record is deleted."""
    PERTURBED = "perturbed"
    """No ancestor of the value it had: 35 for 39."""
    REPLACED = "replaced"
    """Another value; nothing tells whether it is an ancestor."""


CHANGES: Final = tuple(Change)
"""The numbers that arrays hold for changes are positions here."""


@dataclass(frozen=True, eq=False)
class Placement:
    """Positions of a column's pairs in its hierarchy."""

    hierarchy: Hierarchy
    leaf: Integers
    """Per pair, the leaf of the original value."""
    level: Integers
    """Per pair, the level of the anonymized value."""


@dataclass(frozen=True)
class ColumnChanges:
    """Records of one column by what became of their cell; they add up to all records, deleted ones included."""

    kept: int
    generalized: int
    suppressed: int
    perturbed: int
    replaced: int = 0
    """Records with another value, where no hierarchy tells generalized from perturbed."""

    @property
    def records(self) -> int:
        """All records."""
        return self.kept + self.changed

    @property
    def changed(self) -> int:
        """Records whose cell has changed."""
        return self.generalized + self.suppressed + self.perturbed + self.replaced

    def count(self, change: Change) -> int:
        """Records with that change."""
        number: int = getattr(self, change.value)
        return number


@dataclass(frozen=True, eq=False)
class PairChanges:
    """Change of each (original, anonymized) pair of values of one column."""

    pair: Combinations
    change: npt.NDArray[np.int8]
    """Per pair, the position in CHANGES."""
    why_indistinct: str | None = None
    """Why generalized and perturbed cells cannot be distinguished; None where they can."""

    @cached_property
    def totals(self) -> ColumnChanges:
        """Records by change."""
        totals = _sums(self.change, self.pair.counts, len(CHANGES))
        return ColumnChanges(**{kind.value: int(number) for kind, number in zip(CHANGES, totals, strict=True)})

    def restricted_to(self, anonymized: int) -> PairChanges:
        """Keep only the records whose anonymized value has that code."""
        selected = self.pair.codes[1] == anonymized
        codes = tuple(codes[selected] for codes in self.pair.codes)
        return PairChanges(
            Combinations(self.pair.columns, codes, self.pair.counts[selected]),
            self.change[selected],
            self.why_indistinct,
        )


def positions_in_hierarchy(pair: Combinations, hierarchy: Hierarchy) -> Placement:
    """Find a column's values in its hierarchy. Raises Unavailable where the hierarchy misses one."""
    original, anonymized = pair.columns
    leaf, level = hierarchy.leaves_of(original), hierarchy.levels_of(anonymized)
    if missed := int((leaf < 0).sum()):
        raise Unavailable(text("unavailable.incomplete_hierarchy_original", column=original.name, values=missed))
    if missed := int((level < 0).sum()):
        raise Unavailable(text("unavailable.incomplete_hierarchy_anonymized", column=anonymized.name, values=missed))
    return Placement(hierarchy, leaf[pair.codes[0]], level[pair.codes[1]])


def changes_of(pair: Combinations, placement: Placement | None) -> npt.NDArray[np.int8]:
    """Classify the change of each pair, as positions in CHANGES.

    A label that occurs on two levels of the hierarchy is an ancestor if it is one on either. Without a placement, what
    the form of a label does not tell is REPLACED.
    """
    numbers: dict[str, int] = {}
    before, after = (
        # A missing value equals a blank one, as in hierarchies.
        np.array([numbers.setdefault(label or "", len(numbers)) for label in watched(column.labels)], dtype=np.int64)[
            codes
        ]
        for column, codes in zip(pair.columns, pair.codes, strict=True)
    )
    unchanged = before == after
    suppressed = after == numbers.get(SUPPRESSED, -1)
    change = np.full(len(unchanged), CHANGES.index(Change.REPLACED), dtype=np.int8)
    change[_covered_by_form(pair) if placement is None else slice(None)] = CHANGES.index(Change.GENERALIZED)
    hierarchy = None if placement is None else placement.hierarchy
    change[perturbed_pairs(pair, hierarchy)] = CHANGES.index(Change.PERTURBED)
    change[suppressed] = CHANGES.index(Change.SUPPRESSED)
    change[unchanged] = CHANGES.index(Change.KEPT)
    return change


def _covered_by_form(pair: Combinations) -> Flags:
    """Pairs whose label covers the original value by its form, as an interval does."""
    original, anonymized = pair.columns
    by_form = covered_by_form(anonymized, original, original)
    covered = [
        np.isin(before, by_form.get(anonymized.labels[after] or "", ()))
        for before, after in watched(zip(*pair.codes, strict=True))
    ]
    return np.array(covered, dtype=bool)


def _sums(keys: npt.NDArray[np.integer[Any]], counts: Integers, length: int) -> Integers:
    """Sum of counts per key; whole numbers below 2**53 are exact as doubles."""
    return np.bincount(keys, weights=counts, minlength=length).astype(np.int64)


def pair_changes(pair: Combinations, hierarchies: Hierarchies) -> PairChanges:
    """Classify the change of each pair; where the hierarchy does not tell, or none can be implied, say why."""
    given = hierarchies.get(pair.columns[0].name)
    by_form = PairChanges(pair, changes_of(pair, None))
    if given is None and not by_form.totals.replaced:
        return by_form
    try:
        placement = positions_in_hierarchy(pair, given or implied_hierarchy(pair))
    except Unavailable as reason:
        return replace(by_form, why_indistinct=str(reason)) if by_form.totals.replaced else by_form
    change = changes_of(pair, placement)
    if given is None:  # An implied hierarchy takes every other value for a group; a form can tell that it is none.
        change[by_form.change == CHANGES.index(Change.PERTURBED)] = CHANGES.index(Change.PERTURBED)
    return PairChanges(pair, change)


def changes_by_column(aggregates: Aggregates) -> Mapping[str, PairChanges]:
    """Classify the changes of every quasi-identifier; raises Unavailable without an original."""
    return aggregates.memoize(_changes_by_column)


def _changes_by_column(aggregates: Aggregates) -> Mapping[str, PairChanges]:
    columns = aggregates.roles.quasi_identifiers
    return {name: pair_changes(aggregates.comparison.pair(name), aggregates.hierarchies) for name in columns}


def cells_changed(changes: Mapping[str, PairChanges]) -> tuple[int, int]:
    """Changed cells of all columns, and all cells."""
    totals = [change.totals for change in changes.values()]
    return sum(total.changed for total in totals), sum(total.records for total in totals)


@dataclass(frozen=True)
class FlowNode:
    """A value on one side of a flow, or several folded into one."""

    label: str | None
    """The value; None also where it is missing. Not to be read where `folded` is above 0."""
    records: int
    folded: int = 0
    """How many values stand together here as "other values"; 0 for a value of its own."""


@dataclass(frozen=True)
class FlowLink:
    """Records that went from one node to another in one way."""

    source: int
    target: int
    change: Change
    records: int


@dataclass(frozen=True)
class Flow:
    """Original to anonymized values of one column: `links` join positions in `original` and `anonymized`."""

    column: str
    original: tuple[FlowNode, ...]
    """In reading order; `*` and other values last."""
    anonymized: tuple[FlowNode, ...]
    """In the order of the values they come from; `*` and other values last."""
    links: tuple[FlowLink, ...]
    """The largest first."""

    @property
    def records(self) -> int:
        """All records, folded ones included."""
        return sum(link.records for link in self.links)


def flow(changes: PairChanges, max_links: int = MAX_LINKS, values: int = MAX_VALUES) -> Flow:
    """Which values of a column became which.

    Shows the most frequent values of each side and folds the rest into "other values": at most `values` of each side,
    and as many fewer as it takes to draw at most `max_links` links (5 or more). No record is left out.
    """
    pair = changes.pair
    totals = [
        _sums(codes, pair.counts, column.distinct) for column, codes in zip(pair.columns, pair.codes, strict=True)
    ]
    orders = [_order(column, records) for column, records in zip(pair.columns, totals, strict=True)]
    for number in range(values, -1, -1):
        sides = [_Side.from_column(*side, number) for side in zip(pair.columns, totals, orders, strict=True)]
        links = _links(changes, *sides)
        if len(links) <= max_links:
            break
    original, anonymized = (side.nodes for side in sides)
    # Numbers, which only a perturbed column has on this side, stay in their own order.
    order = _beside(anonymized, links) if pair.columns[1].numbers is None else range(len(anonymized))
    position = {node: i for i, node in enumerate(order)}
    reordered = tuple(replace(link, target=position[link.target]) for link in links)
    return Flow(pair.columns[0].name, original, tuple(anonymized[node] for node in order), reordered)


def _beside(nodes: Sequence[FlowNode], links: Sequence[FlowLink]) -> list[int]:
    """The nodes in the order of the mean position of the nodes that flow into them, so that few links cross."""
    total = [0] * len(nodes)
    for link in links:
        total[link.target] += link.source * link.records
    return sorted(range(len(nodes)), key=lambda i: (_lastly(nodes[i]), total[i] / nodes[i].records, i))


def _lastly(node: FlowNode) -> int:
    """Rank of a kind of node: values, then `*`, then other values."""
    return 2 if node.folded else int(node.label == SUPPRESSED)


def _order(column: Column, records: Integers) -> Integers:
    """The values that occur, by records; `*` first, which is folded only where all are."""
    first = records.copy()
    star = column.code_of.get(SUPPRESSED)
    if star is not None:
        first[star] += records.sum()
    order = np.lexsort((column.rank, -first))
    occurring: Integers = order[records[order] > 0]
    return occurring


@dataclass(frozen=True, eq=False)
class _Side:
    """The nodes of one side of a flow, and the node of each value."""

    nodes: tuple[FlowNode, ...]
    node_of: Integers

    @staticmethod
    def from_column(column: Column, records: Integers, order: Integers, shown: int) -> _Side:
        """Make nodes of the first values of the order, as read, and one of all others; one alone is not folded."""
        selected = order if len(order) <= shown + 1 else order[:shown]
        selected = selected[np.lexsort((column.rank[selected], selected == column.code_of.get(SUPPRESSED)))]
        node_of = np.full(column.distinct, len(selected), dtype=np.int64)
        node_of[selected] = np.arange(len(selected))
        nodes = [FlowNode(column.labels[code], int(records[code])) for code in selected]
        folded = len(order) - len(selected)
        if folded:
            nodes.append(FlowNode(None, int(records.sum() - records[selected].sum()), folded))
        return _Side(tuple(nodes), node_of)


def _links(changes: PairChanges, original: _Side, anonymized: _Side) -> tuple[FlowLink, ...]:
    sources, targets = (
        side.node_of[codes] for side, codes in zip((original, anonymized), changes.pair.codes, strict=True)
    )
    shape = (len(original.nodes), len(anonymized.nodes), len(CHANGES))
    keys = (sources * shape[1] + targets) * shape[2] + changes.change
    records = _sums(keys, changes.pair.counts, shape[0] * shape[1] * shape[2]).reshape(shape)
    links = [
        FlowLink(int(source), int(target), CHANGES[kind], int(records[source, target, kind]))
        for source, target, kind in zip(*np.nonzero(records), strict=True)
    ]
    return tuple(sorted(links, key=lambda link: -link.records))
