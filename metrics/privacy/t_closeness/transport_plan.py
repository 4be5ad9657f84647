"""The mass that must move to turn one class's distribution into the table's, and what each move costs.

The costs sum to the class's distance t, whichever ground distance is chosen.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from metrics.config.parameters import GroundDistance
from metrics.counting.histograms import Histogram
from metrics.errors import Unavailable
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.tables.table import Floats, Integers
from metrics.texts import text


@dataclass(frozen=True, eq=False)
class EqualMass:
    """Values that are all 1 apart: the surplus of some fills the shortfall of others.

    The arrays hold one entry per value of the table, in reading order; shares are 0 to 1.
    """

    labels: tuple[str | None, ...]
    in_class: Floats
    in_table: Floats
    t: float

    @property
    def extra(self) -> Floats:
        """Share in the class less share in the table: above 0 a surplus, below a shortfall; the surpluses sum to t."""
        return self.in_class - self.in_table

    def to_arrow(self) -> pa.Table:
        """One row per value."""
        return pa.table(
            {
                "value": pa.array(self.labels, pa.string()),
                "in_class": self.in_class,
                "in_table": self.in_table,
                "extra": self.extra,
            }
        )


@dataclass(frozen=True, eq=False)
class OrderedMass:
    """Numbers in their order: from each rank to the next the cumulated difference is carried over.

    The arrays hold one entry per distinct number of the table, ascending; shares are 0 to 1.
    """

    labels: tuple[str | None, ...]
    """Each number as the table writes it; the first of several ways."""
    in_class: Floats
    """Cumulated share of the class: its records that hold this number or a smaller one."""
    in_table: Floats
    """Cumulated share of the table."""
    t: float

    @property
    def carried(self) -> Floats:
        """Cumulated share of the class less that of the table: above 0 the class holds the smaller numbers."""
        return self.in_class - self.in_table

    @property
    def cost(self) -> Floats:
        """Cost of the step from each rank to the next, the absolute difference over m - 1; the costs sum to t."""
        steps: Floats = np.abs(self.carried) / max(len(self.labels) - 1, 1)
        return steps

    def to_arrow(self) -> pa.Table:
        """One row per number."""
        return pa.table(
            {
                "number": pa.array(self.labels, pa.string()),
                "in_class_cumulated": self.in_class,
                "in_table_cumulated": self.in_table,
                "cost": self.cost,
            }
        )


@dataclass(frozen=True)
class TreeNode:
    """One node of a hierarchy that holds records; all shares are 0 to 1."""

    level: int
    """0 for a leaf."""
    label: str
    parent: int | None
    """Position of the parent among the nodes; None for the root."""
    in_class: float
    in_table: float
    surplus: float
    """Sum over its children of what each holds more than in the table; 0 for a leaf."""
    shortfall: float
    """Sum over its children of what each holds less than in the table; 0 for a leaf."""
    cost: float
    """The cost of the share moved among its children: level / height times the smaller of the two."""

    @property
    def moved(self) -> float:
        """Share of the class's records that is moved among the children."""
        return min(self.surplus, self.shortfall)

    @property
    def passed(self) -> float:
        """Share left and passed up: share in the class less share in the table."""
        return self.in_class - self.in_table


@dataclass(frozen=True, eq=False)
class HierarchicalMass:
    """A value hierarchy: every inner node evens out its children as far as it can and passes the rest up."""

    nodes: tuple[TreeNode, ...]
    """Root first, each followed by all its descendants, in the hierarchy's order."""
    height: int
    t: float

    def to_arrow(self) -> pa.Table:
        """One row per node, root first."""
        fields = ("level", "label", "in_class", "in_table", "surplus", "shortfall", "moved", "cost", "passed")
        return pa.table({field: [getattr(node, field) for node in self.nodes] for field in fields})


TransportPlan = EqualMass | OrderedMass | HierarchicalMass


def transport_plan(
    histogram: Histogram, index: int, distance: GroundDistance, hierarchy: Hierarchy | None = None
) -> TransportPlan:
    """The moves that make up the distance of one class from the table by one ground distance.

    Raises Unavailable where the ground distance does not apply to the attribute.

    Source: N. Li, T. Li, S. Venkatasubramanian, "t-Closeness: Privacy Beyond k-Anonymity and l-Diversity", ICDE 2007,
    section 4, doi 10.1109/ICDE.2007.367856.
    """
    if distance is GroundDistance.EQUAL:
        return _equal(histogram, index)
    if distance is GroundDistance.ORDERED:
        return _ordered_mass(histogram, index)
    return _hierarchical(histogram, index, hierarchy)


def _equal(histogram: Histogram, index: int) -> EqualMass:
    size, kept = int(histogram.sizes[index]), histogram.kept
    order = histogram.column.order
    order = order[histogram.totals[order] > 0]
    in_class, in_table = histogram.of_class(index)[order], histogram.totals[order]
    surplus = int(np.maximum(in_class * kept - in_table * size, 0).sum())
    return EqualMass(
        labels=tuple(histogram.column.labels[code] for code in order.tolist()),
        in_class=in_class / size,
        in_table=in_table / kept,
        t=surplus / (size * kept),
    )


def _ordered_mass(histogram: Histogram, index: int) -> OrderedMass:
    numbers = histogram.numbers
    if numbers is None:
        raise Unavailable(text("t_closeness.unavailable.not_numeric", column=histogram.column.name))
    size, kept = int(histogram.sizes[index]), histogram.kept
    in_use = np.flatnonzero(histogram.totals)
    distinct, first, rank = np.unique(numbers[in_use], return_index=True, return_inverse=True)
    in_class = np.cumsum(_sums_by_group(rank, histogram.of_class(index)[in_use], len(distinct)))
    in_table = np.cumsum(_sums_by_group(rank, histogram.totals[in_use], len(distinct)))
    # Summed as Python integers: with many ranks of many records the sum may pass what int64 holds.
    cost = sum(np.abs(in_class * kept - in_table * size).tolist())
    return OrderedMass(
        labels=tuple(histogram.column.labels[code] for code in in_use[first].tolist()),
        in_class=in_class / size,
        in_table=in_table / kept,
        t=cost / (max(len(distinct) - 1, 1) * size * kept),
    )


def _hierarchical(histogram: Histogram, index: int, hierarchy: Hierarchy | None) -> HierarchicalMass:
    if hierarchy is None:
        raise Unavailable(text("t_closeness.unavailable.no_hierarchy", column=histogram.column.name))
    in_use = np.flatnonzero(histogram.totals)
    leaves = hierarchy.leaves_of(histogram.column)[in_use]
    if (leaves < 0).any():
        raise Unavailable(text("t_closeness.unavailable.incomplete_hierarchy", column=histogram.column.name))
    counts, totals = histogram.of_class(index)[in_use], histogram.totals[in_use]
    levels = mass_by_level(hierarchy, leaves, counts, totals, int(histogram.sizes[index]), histogram.kept)
    nodes = _in_tree_order(hierarchy, levels, np.flatnonzero(levels[0].in_table))
    # From the whole numbers: the sum of the nodes' rounded costs differs in the last digits.
    cost = sum(
        level * int(np.minimum(nodes_of_level.surplus, nodes_of_level.shortfall).sum())
        for level, nodes_of_level in enumerate(levels)
    )
    scale = max(hierarchy.height, 1) * int(histogram.sizes[index]) * histogram.kept
    return HierarchicalMass(nodes, hierarchy.height, cost / scale)


@dataclass(frozen=True, eq=False)
class LevelMass:
    """The nodes of one level; surplus and shortfall times class size times records, in whole numbers."""

    in_class: Integers
    in_table: Integers
    surplus: Integers
    shortfall: Integers
    size: int
    kept: int


def mass_by_level(
    hierarchy: Hierarchy, leaves: Integers, counts: Integers, totals: Integers, size: int, kept: int
) -> list[LevelMass]:
    """What each node evens out, from the leaves up, with a leaf and the records of class and table for each value."""
    in_class, in_table = (_sums_by_group(leaves, records, len(hierarchy.rows)) for records in (counts, totals))
    zeros = np.zeros(len(in_class), dtype=np.int64)
    levels = [LevelMass(in_class, in_table, zeros, zeros, size, kept)]
    below = np.arange(len(in_class))
    for level in range(1, hierarchy.height + 1):
        above, lower = hierarchy.nodes(level), levels[-1]
        parent = np.empty(len(lower.in_class), dtype=np.int64)
        parent[below] = above
        width = len(hierarchy.labels(level))
        extra = lower.in_class * kept - lower.in_table * size
        levels.append(
            LevelMass(
                _sums_by_group(parent, lower.in_class, width),
                _sums_by_group(parent, lower.in_table, width),
                _sums_by_group(parent, np.maximum(extra, 0), width),
                _sums_by_group(parent, np.maximum(-extra, 0), width),
                size,
                kept,
            )
        )
        below = above
    return levels


def _in_tree_order(hierarchy: Hierarchy, levels: list[LevelMass], leaves: Integers) -> tuple[TreeNode, ...]:
    """The nodes above leaves that hold records, and these leaves, each branch whole before the next."""
    paths = np.array([hierarchy.nodes(level)[leaves] for level in range(hierarchy.height + 1)])
    nodes: list[TreeNode] = []
    position: dict[tuple[int, int], int] = {}
    for path in paths[:, np.lexsort(paths)].T.tolist():
        parent: int | None = None
        for level in range(hierarchy.height, -1, -1):
            key = (level, path[level])
            if key not in position:
                position[key] = len(nodes)
                nodes.append(_node(hierarchy, levels[level], level, path[level], parent))
            parent = position[key]
    return tuple(nodes)


def _node(hierarchy: Hierarchy, mass: LevelMass, level: int, index: int, parent: int | None) -> TreeNode:
    scale = mass.size * mass.kept
    surplus, shortfall = int(mass.surplus[index]), int(mass.shortfall[index])
    return TreeNode(
        level=level,
        label=hierarchy.labels(level)[index],
        parent=parent,
        in_class=int(mass.in_class[index]) / mass.size,
        in_table=int(mass.in_table[index]) / mass.kept,
        surplus=surplus / scale,
        shortfall=shortfall / scale,
        cost=level * min(surplus, shortfall) / (max(hierarchy.height, 1) * scale),
    )


def _sums_by_group(group: Integers, values: Integers, groups: int) -> Integers:
    sums = np.zeros(groups, dtype=np.int64)
    np.add.at(sums, group, values)
    return sums
