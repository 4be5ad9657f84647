"""Good generalizations soon: ruin a few levels of the best so far and recreate them greedily."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations

import numpy as np

from metrics.candidates.generalization.rollup import Node
from metrics.candidates.search.bounds import ColumnCosts
from metrics.candidates.search.projections import DividedPart, Part, Projections
from metrics.interruption import checkpoint

_SEED = 1
_MAX_RUINED = 6
_GAIN_EXPONENTS = (0.5, 1.0, 2.0)
"""Exponents of the gain; each attempt uses one of them."""
_NOISE = (0.0, 0.2, 0.5)
"""Standard deviations of the logarithm of the random factor of each choice, one of them for each attempt."""
_DEFERRED_SHARE = 0.25
"""Share of the columns put higher that wait."""
ACCEPTANCE_RATIO = 1.01
"""Ratio of a node's cost to the cheapest one's up to which it is examined, and started from."""


class RuinAndRecreate:
    """Ruin and recreate (Schrimpf et al., doi 10.1006/jcph.1999.6413).

    A few columns of the best node, or of one nearly as good (threshold accepting), are put on higher levels; then
    levels are lowered one by one while no more records are suppressed than allowed, always the one with the most gain
    for the growth in classes, as in top-down specialization (Fung, Wang and Yu, doi 10.1109/ICDE.2005.143), times a
    random factor. Some of the columns put higher wait until nothing else can be lowered, so that others get a turn.
    """

    def __init__(
        self,
        projections: Projections,
        costs: ColumnCosts,
        allowed: int,
        accepts: Callable[[Node], bool],
        *,
        acceptance_ratio: float = ACCEPTANCE_RATIO,
    ) -> None:
        """`accepts` says whether a node meets the limits that projections do not know, too."""
        self._acceptance_ratio = acceptance_ratio
        self._projections, self._costs, self._allowed, self._accepts = projections, costs, allowed, accepts
        self._heights = [column.highest for column in projections.columns]
        self._random = np.random.default_rng(_SEED)
        self._near: Node | None = None
        self._paired: Node | None = None
        self._pairs: list[tuple[int, ...]] = []
        self._exchanges = False
        self._least = math.inf
        self.work = 0
        """Divisions made so far."""

    def attempt(self, best: Node | None) -> Node | None:
        """A node that cannot be lowered in one column, made from the best so far, or else from the highest node.

        None if it costs clearly more than what was found before. Every other attempt puts two columns of the best node
        one level higher, each pair in turn; the others ruin at random.
        """
        if best != self._paired:
            self._paired, self._pairs = best, self._pairs_of(best)
        self._exchanges = not self._exchanges
        exchanged = self._pairs.pop() if self._pairs and self._exchanges else ()
        if best is None:
            node, deferred = list(self._heights), []
        elif exchanged:
            node, deferred = [level + (i in exchanged) for i, level in enumerate(best)], list(exchanged)
        else:
            node, deferred = self._ruined_node(
                best if self._near is None or self._random.random() < 0.5 else self._near
            )
        recreated, cost = self._recreated_node(tuple(node), deferred)
        self._least = min(self._least, cost)
        if cost > self._least * self._acceptance_ratio:
            return None
        self._near = recreated
        return recreated

    def _pairs_of(self, best: Node | None) -> list[tuple[int, ...]]:
        """The pairs of columns that can be raised, in random order."""
        raisable = [] if best is None else [i for i, level in enumerate(best) if level < self._heights[i]]
        pairs = list(combinations(raisable, 2))
        return [pairs[i] for i in self._random.permutation(len(pairs)).tolist()]

    def _ruined_node(self, start: Node) -> tuple[list[int], list[int]]:
        """A node with a few columns raised at random, and some of these columns."""
        node, deferred = list(start), []
        raisable = [i for i, level in enumerate(node) if level < self._heights[i]]
        number = min(int(self._random.integers(1, _MAX_RUINED + 1)), len(raisable))
        for column in self._random.choice(raisable, number, replace=False).tolist() if raisable else ():
            node[column] = int(self._random.integers(node[column] + 1, self._heights[column] + 1))
            if self._random.random() < _DEFERRED_SHARE:
                deferred.append(column)
        return node, deferred

    def _recreated_node(self, node: Node, deferred: list[int]) -> tuple[Node, float]:
        part = self._projections.at(node)
        self.work += len(node)
        lowest = [level if column in deferred else 0 for column, level in enumerate(node)]
        exponent, noise = (float(self._random.choice(options)) for options in (_GAIN_EXPONENTS, _NOISE))
        all_columns = np.arange(len(node))
        while True:
            checkpoint()
            lower, divisions = self._feasible_steps(node, part, lowest)
            costs = self._costs.by_level(all_columns.tolist(), part.lost)
            total_costs = costs[np.array([node, *lower]), all_columns].sum(axis=1)
            if not lower and not deferred:
                return node, float(total_costs[0])
            if not lower:
                for column in deferred:
                    lowest[column] = 0
                deferred = []
                continue
            gains = np.maximum(total_costs[0] - total_costs[1:], 0.0) ** exponent
            growth = np.log([max(division.classes, 1) / max(part.number, 1) for division in divisions])
            scores = gains / (np.maximum(growth, 0.0) + 1e-3) * self._random.lognormal(0.0, noise, len(lower))
            choice = int(scores.argmax())
            if self._accepts(lower[choice]):
                part, node = self._projections.taken(divisions[choice]), lower[choice]
            else:
                column = divisions[choice].column
                lowest[column] = node[column]

    def _feasible_steps(self, node: Node, part: Part, lowest: list[int]) -> tuple[list[Node], list[DividedPart]]:
        """The nodes with one level lowered that suppress no more than allowed; `lowest` is raised above the others."""
        nodes, divisions = [], []
        for column, level in enumerate(node):
            for lower in range(level - 1, lowest[column] - 1, -1):
                division = self._projections.divide(part, column, lower)
                self.work += 1
                if division.lost > self._allowed:
                    lowest[column] = lower + 1
                    break
                nodes.append((*node[:column], lower, *node[column + 1 :]))
                divisions.append(division)
        return nodes, divisions
