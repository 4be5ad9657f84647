"""A bound on the cost of every admissible generalization, which rises while more columns are searched together."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from metrics.candidates.generalization.rollup import Node
from metrics.candidates.search.bounds import ColumnCosts
from metrics.candidates.search.boxes import Boxes, ColumnGroup, LevelTable, admissible
from metrics.candidates.search.projections import Projections

_PER_TABLE = 5
"""Columns whose combinations are listed."""


@dataclass(eq=False)
class _Block:
    """Columns that are bounded together."""

    columns: tuple[int, ...]
    tables: list[tuple[tuple[int, ...], np.ndarray]]
    """Columns of which every admissible combination is listed."""
    floor: float
    """Lower bound on the cost of every combination."""

    def group(self, among: Sequence[int]) -> ColumnGroup:
        """Return these columns as a group in a search of more columns."""
        position_of = {column: i for i, column in enumerate(among)}
        tables = [
            LevelTable(np.array([position_of[column] for column in columns]), levels) for columns, levels in self.tables
        ]
        return ColumnGroup(tables, self.floor)


class BoundSearch:
    """Bounds a few columns by listing their combinations, then twice as many together, and at last all.

    The bound is the sum over the blocks of columns. It never falls. The search of all columns names nodes that may be
    the best, and ends with the proof that none costs less than `limit`.
    """

    def __init__(
        self, widths: Sequence[int], project: Callable[[Sequence[int]], Projections], costs: ColumnCosts, allowed: int
    ) -> None:
        """`widths`: labels of each column; `project`: makes projections to columns; `allowed`: records suppressed."""
        self._project, self._costs, self._allowed = project, costs, allowed
        self.limit = math.inf
        """Cost of the best known generalization: none that costs as much is searched for."""
        hardest = sorted(range(len(widths)), key=lambda i: -widths[i])
        number = -(-len(widths) // _PER_TABLE)
        size = -(-len(widths) // number)
        self._blocks = [_Block(tuple(hardest[start : start + size]), [], 0.0) for start in range(0, len(widths), size)]

    @property
    def least(self) -> float:
        """Lower bound on the cost of every admissible generalization, at most the limit."""
        return min(math.fsum(block.floor for block in self._blocks), self.limit)

    def candidates(self) -> Iterator[Node | None]:
        """Nodes to judge, None after every division; ends when none is left that costs less than the limit."""
        for block in self._blocks:
            yield from self._list(block)
        while len(self._blocks) > 1:
            merged_blocks = [
                self._merge_blocks(self._blocks[start : start + 2]) for start in range(0, len(self._blocks), 2)
            ]
            searches = [(block, self._boxes(block, parts)) for block, parts in merged_blocks if len(parts) > 1]
            self._blocks = [block for block, _ in merged_blocks]
            if len(self._blocks) == 1:
                yield from self._search_all_columns(*searches[0])
                return
            yield from self._search_blocks_separately(searches)
        (block,) = self._blocks
        yield from self._search_all_columns(block, self._boxes(block, [block]))

    def _list(self, block: _Block) -> Iterator[None]:
        """List a block's combinations."""
        projections = self._project(block.columns)
        for levels in admissible(projections, self._allowed):
            if levels is None:
                yield None
                continue
            costs = self._costs.by_level(block.columns, projections.whole().lost)
            block.tables.append((block.columns, levels))
            total_costs = costs[levels, np.arange(len(block.columns))].sum(axis=1)
            block.floor = float(total_costs.min(initial=math.inf))

    @staticmethod
    def _merge_blocks(parts: list[_Block]) -> tuple[_Block, list[_Block]]:
        columns = tuple(column for part in parts for column in part.columns)
        tables = [table for part in parts for table in part.tables]
        return _Block(columns, tables, math.fsum(part.floor for part in parts)), parts

    def _boxes(self, block: _Block, parts: list[_Block]) -> Boxes:
        groups = [part.group(block.columns) for part in parts]
        return Boxes(block.columns, self._project(block.columns), self._costs, self._allowed, groups)

    def _search_blocks_separately(self, searches: list[tuple[_Block, Boxes]]) -> Iterator[None]:
        """Search blocks in turn until the cheapest combination of each is known."""
        searching = list(searches)
        while searching:
            block, boxes = min(searching, key=lambda search: search[1].work)
            ended = boxes.done or boxes.expand() is not None
            if ended:
                searching.remove((block, boxes))
            else:
                block.floor = max(block.floor, boxes.least)
            yield None

    def _search_all_columns(self, block: _Block, boxes: Boxes) -> Iterator[Node | None]:
        """Search all columns: nodes in ascending order of the least they can cost."""
        order = np.argsort(block.columns)
        while True:
            boxes.limit = self.limit
            if boxes.done:
                break
            levels = boxes.expand()
            block.floor = max(block.floor, boxes.least)
            yield None if levels is None else tuple(levels[i] for i in order.tolist())
        block.floor = math.inf
