"""Good generalizations soon: ruin a few levels of the best so far and recreate them greedily."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from metrics.candidates.bounds import Costs
from metrics.candidates.projections import Division, Part, Projections
from metrics.candidates.rollup import Node

_SEED = 1
_MAX_RUINED = 5
_EAGERNESS = (0.5, 1.0, 2.0)
"""Exponents of the gain, one of which each attempt weighs it by."""


class Recreating:
    """Ruin and recreate (Schrimpf et al., doi 10.1006/jcph.1999.6413).

    A few columns are put on higher levels; then levels are lowered one by one while no more records are doomed than
    allowed, always the one with the most gain for the growth in classes, as in top-down specialization (Fung, Wang and
    Yu, doi 10.1109/ICDE.2005.143).
    """

    def __init__(self, projections: Projections, costs: Costs, allowed: int, judge: Callable[[Node], bool]) -> None:
        """`judge` says whether a node meets the limits that projections do not know, too."""
        self._projections, self._costs, self._allowed, self._judge = projections, costs, allowed, judge
        self._heights = [of.height for of in projections.columns]
        self._random = np.random.default_rng(_SEED)
        self.work = 0
        """Divisions made so far."""

    def attempt(self, best: Node | None) -> Node:
        """A node that cannot be lowered in one column, made from the best so far or from the highest node."""
        node = list(self._heights if best is None else best)
        free = [i for i, level in enumerate(node) if level < self._heights[i]]
        if free:
            number = min(int(self._random.integers(1, _MAX_RUINED + 1)), len(free))
            for column in self._random.choice(free, number, replace=False).tolist():
                node[column] = int(self._random.integers(node[column] + 1, self._heights[column] + 1))
        return self._completed(tuple(node))

    def _completed(self, node: Node) -> Node:
        part = self._projections.at(node)
        self.work += len(node)
        lowest = [0] * len(node)
        eagerness = float(self._random.choice(_EAGERNESS))
        places = np.arange(len(node))
        while True:
            lower, divisions = self._possible(node, part, lowest)
            if not lower:
                return node
            costs = self._costs.of(places.tolist(), part.lost)
            own = costs[np.array([node, *lower]), places].sum(axis=1)
            gains = np.maximum(own[0] - own[1:], 0.0) ** eagerness
            growth = np.log([max(of.classes, 1) / max(part.number, 1) for of in divisions])
            chosen = int((gains / (np.maximum(growth, 0.0) + 1e-3)).argmax())
            if self._judge(lower[chosen]):
                part, node = self._projections.taken(divisions[chosen]), lower[chosen]
            else:
                column = divisions[chosen].column
                lowest[column] = node[column]

    def _possible(self, node: Node, part: Part, lowest: list[int]) -> tuple[list[Node], list[Division]]:
        """The nodes with one level lowered that doom no more than allowed; `lowest` is raised above the others."""
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
