"""Search a lattice too large to see: a good generalization soon, and at any moment a bound on what all others reach."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from metrics.candidates.bounding import Bounding
from metrics.candidates.bounds import BOUNDED, Costs
from metrics.candidates.evaluation import Evaluation
from metrics.candidates.figures import FIGURES, Figures, joined, upwards
from metrics.candidates.needs import Needs
from metrics.candidates.projections import Projections
from metrics.candidates.recreate import WORSE, Recreating
from metrics.candidates.rollup import Node
from metrics.metric import Direction
from metrics.tables.table import Table

_SHARE = 2
"""Divisions for better nodes, for each that goes into the bound."""
_WITHOUT_NEWS = 200
"""Attempts without a generalization not seen before, after which a search without a bound ends."""


@dataclass(frozen=True)
class Step:
    """What one step of a search found."""

    nodes: list[Node]
    figures: Figures
    bound: float | None
    """No node that meets the limits has a better figure; None if nothing is known."""
    proven: bool
    """Whether nothing is left that could be better."""


class BranchAndBound:
    """Takes turns at finding better nodes (`Recreating`) and at proving that there are none (`Bounding`)."""

    def __init__(self, original: Table, evaluation: Evaluation, measure: str) -> None:
        """The limits are those of the evaluation."""
        self._evaluation, self._measure = evaluation, measure
        needs = Needs.of(evaluation)
        self._careful = not needs.all
        self._bounded = measure in BOUNDED
        self._costs = Costs(evaluation, measure if self._bounded else "loss")
        allowed = evaluation.limits.max_suppressed(evaluation.records)

        def project(columns: Sequence[int]) -> Projections:
            return Projections(original, [evaluation.columns[i] for i in columns], needs, evaluation.cells.attributes)

        widths = [of.width for of in evaluation.columns]
        self._bounding = Bounding(widths, project, self._costs, allowed)
        worse = WORSE if self._bounded else math.inf
        self._recreating = Recreating(project(range(len(widths))), self._costs, allowed, self._meets, worse=worse)
        self._seen: dict[Node, bool] = {}
        self._news: list[tuple[list[Node], Figures]] = []
        self._all = self._careful
        """Whether to evaluate every node on the way; also once from the highest node down, which gives a front."""
        self._best: Node | None = None
        self._best_value = -math.inf

    def steps(self) -> Iterator[Step]:
        """Search on and on; ends when nothing better is left, or without a bound when nothing new is found."""
        candidates = self._bounding.candidates()
        attempt, idle, proven = 0, 0, False
        while not proven and idle < _WITHOUT_NEWS:
            before = self._recreating.work
            self._all = self._careful or attempt == 1
            node = self._recreating.attempt(None if attempt == 1 else self._best)
            if node is not None:
                self._judge(node)
            attempt += 1
            if self._bounded:
                proven = self._prove(candidates, max((self._recreating.work - before) // _SHARE, 1))
            else:
                idle = 0 if self._news else idle + 1
            nodes = [node for found, _ in self._news for node in found]
            figures = joined([of for _, of in self._news]) if nodes else {}
            self._news = []
            yield Step(nodes, figures, self._bound(), proven)

    def _prove(self, candidates: Iterator[Node | None], work: int) -> bool:
        """Go on with bounding; whether it has come to its end."""
        for _ in range(work):
            try:
                node = next(candidates)
            except StopIteration:
                return True
            if node is not None:
                self._judge(node)
        return False

    def _bound(self) -> float | None:
        if not self._bounded:
            return None
        bound = self._costs.figure(self._bounding.least)
        higher = FIGURES[self._measure].direction is Direction.HIGHER
        if self._best is None:
            return bound
        return max(bound, self._best_value) if higher else min(bound, -self._best_value)

    def _meets(self, node: Node) -> bool:
        return not self._all or self._judge(node) or not self._careful

    def _judge(self, node: Node) -> bool:
        """Whether a node meets the limits; evaluated at its first time."""
        if node not in self._seen:
            ((nodes, figures),) = self._evaluation.in_batches([node])
            self._evaluation.forget(nodes)
            self._news.append((nodes, figures))
            feasible = bool(self._evaluation.limits.feasible(figures, self._evaluation.records)[0])
            self._seen[node] = feasible
            value = float(upwards(self._measure, figures[self._measure])[0])
            if feasible and value > self._best_value:
                self._best, self._best_value = node, value
                if self._bounded:
                    self._bounding.limit = self._costs.cost(float(figures[self._measure][0]))
        return self._seen[node]
