"""Bound what all generalizations cost by some columns alone: boxes of levels, the cheapest first."""

from __future__ import annotations

import heapq
import itertools
import math
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from metrics.candidates.search.bounds import ColumnCosts
from metrics.candidates.search.projections import Part, Projections
from metrics.tables.table import Floats, Integers

_PARTS_BYTES = 100_000_000
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class LevelTable:
    """Every combination of levels of a few columns that does not suppress too many records."""

    places: Integers
    """The columns' places among those of the search that uses the table."""
    levels: Integers
    """A combination per row."""

    def least(self, corner: Integers, highest: Integers, costs: Floats) -> float:
        """The least cost of a combination within these levels; infinite if there is none."""
        low, high = corner[self.places], highest[self.places]
        rows = self.levels[((self.levels >= low) & (self.levels <= high)).all(axis=1)]
        return float(costs[rows, self.places].sum(axis=1).min(initial=math.inf))


@dataclass(eq=False)
class ColumnGroup:
    """Columns whose combinations are known, or were bounded together before."""

    tables: list[LevelTable]
    floor: float = 0.0
    """Lower bound on the cost of every combination."""


@dataclass(frozen=True, eq=False)
class _Box:
    """The nodes that have the levels `corner` of the columns taken, and at least these of the others."""

    corner: tuple[int, ...]
    taken: tuple[int, ...]
    """Columns in the order taken."""
    costs: Floats
    branch: int | None = None
    """The column to decide next, once the other columns' lowest levels are known."""


@dataclass(eq=False)
class Boxes:
    """Boxes of combinations of some columns' levels; the cheapest is divided until it holds one combination.

    Branch and bound (Land and Doig, doi 10.2307/1910129). Records that the levels of some columns suppress stay so
    whatever the levels of the others (`Projections`): where these are more than may be suppressed, a box is left out
    with everything below it, as predictive tagging does with nodes (El Emam et al., OLA, doi 10.1197/jamia.M3144;
    Kohlmayer et al., Flash, doi 10.1109/SocialCom-PASSAT.2012.52). What columns that are searched apart cost at least,
    they cost together, too: bounds of few columns carry those of more (Verfaillie, Lemaître and Schiex, Russian doll
    search, AAAI 1996).
    """

    columns: tuple[int, ...]
    """Positions of the columns among those of the lattice."""
    projections: Projections
    costs: ColumnCosts
    allowed: int
    """Records that may be suppressed."""
    groups: list[ColumnGroup]
    limit: float = math.inf
    """Boxes that cost as much are left out."""
    work: int = 0
    """Divisions made so far."""
    _boxes: list[tuple[float, int, _Box]] = field(default_factory=list)
    _number: Iterator[int] = field(default_factory=itertools.count)
    _parts: OrderedDict[tuple[tuple[int, int], ...], Part] = field(default_factory=OrderedDict)
    _held: int = 0

    def __post_init__(self) -> None:
        self._heights = np.array([column_levels.highest for column_levels in self.projections.columns])
        costs = self.costs.by_level(self.columns, self.projections.whole().lost)
        self._push(_Box((0,) * len(self.columns), (), costs), 0.0)

    @property
    def least(self) -> float:
        """Lower bound on the cost of every combination; the limit if none is left that costs less."""
        return min(self._boxes[0][0], self.limit) if self._boxes else self.limit

    @property
    def done(self) -> bool:
        """Whether none is left that costs less than the limit."""
        return not self._boxes or self._boxes[0][0] >= self.limit - _ROUNDING

    def expand(self) -> tuple[int, ...] | None:
        """Divide the cheapest box; returns its combination where it holds one only, and leaves it out."""
        lower_bound, _, box = heapq.heappop(self._boxes)
        corner = np.array(box.corner)
        decided = corner == self._heights
        decided[list(box.taken)] = True
        if decided.all():
            return box.corner
        if box.branch is None:
            self._push(self._without_infeasible_levels(box), lower_bound)
            return None
        part, column = self._part(box), box.branch
        division = self.projections.divide(part, column, box.corner[column])
        self.work += 1
        if division.lost <= self.allowed:
            divided, taken_columns = self.projections.taken(division), (*box.taken, column)
            self._keep(box.corner, taken_columns, divided)
            costs = box.costs if divided.lost is part.lost else self.costs.by_level(self.columns, divided.lost)
            self._push(_Box(box.corner, taken_columns, costs), lower_bound)
        higher = tuple(level + (i == column) for i, level in enumerate(box.corner))
        self._push(
            replace(box, corner=higher, branch=column if higher[column] < self._heights[column] else None), lower_bound
        )
        return None

    def _push(self, box: _Box, lower_bound: float) -> None:
        """Keep a box unless it costs too much; the lower bound on its cost is known from a larger one."""
        corner, highest = np.array(box.corner), self._heights.copy()
        taken_columns = list(box.taken)
        highest[taken_columns] = corner[taken_columns]
        bound = sum(
            max(group.floor, sum(table.least(corner, highest, box.costs) for table in group.tables))
            for group in self.groups
        )
        cost = max(bound, lower_bound)
        if cost < self.limit - _ROUNDING:
            heapq.heappush(self._boxes, (cost, next(self._number), box))

    def _without_infeasible_levels(self, box: _Box) -> _Box:
        """The box without levels that suppress too many records with those taken; and the column that divides most."""
        part, corner = self._part(box), list(box.corner)
        max_classes, branch = -1, 0
        for column, height in enumerate(self._heights.tolist()):
            while column not in box.taken and corner[column] < height:
                division = self.projections.divide(part, column, corner[column])
                self.work += 1
                if division.lost <= self.allowed:
                    if division.classes > max_classes:
                        max_classes, branch = division.classes, column
                    break
                corner[column] += 1
        return replace(box, corner=tuple(corner), branch=branch)

    def _part(self, box: _Box) -> Part:
        key = tuple((column, box.corner[column]) for column in box.taken)
        cached = self._parts.get(key)
        if cached is not None:
            self._parts.move_to_end(key)
            return cached
        part = self.projections.whole()
        for column, level in key:
            part = self.projections.taken(self.projections.divide(part, column, level))
            self.work += 1
        self._keep(box.corner, box.taken, part)
        return part

    def _keep(self, corner: Sequence[int], columns: Sequence[int], part: Part) -> None:
        self._parts[tuple((column, corner[column]) for column in columns)] = part
        self._held += part.nbytes
        while self._held > _PARTS_BYTES and len(self._parts) > 1:
            self._held -= self._parts.popitem(last=False)[1].nbytes


def admissible(projections: Projections, allowed: int) -> Iterator[Integers | None]:
    """The combinations of levels that suppress no more than allowed, as the last item; None after each division.

    Columns are added one by one; from the highest level downwards, until a level suppresses too many.
    """
    heights = [column_levels.highest for column_levels in projections.columns]
    combinations: list[tuple[int, ...]] = []
    stack: list[tuple[tuple[int, ...], Part]] = [((), projections.whole())]
    while stack:
        levels, part = stack.pop()
        column = len(levels)
        for level in range(heights[column], -1, -1):
            division = projections.divide(part, column, level)
            yield None
            if division.lost > allowed:
                break
            if column + 1 == len(heights):
                combinations.append((*levels, level))
            else:
                stack.append(((*levels, level), projections.taken(division)))
    yield np.array(combinations, dtype=np.int64).reshape(-1, len(heights))
