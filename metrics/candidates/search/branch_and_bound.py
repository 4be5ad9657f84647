"""Search a lattice too large to see: a good generalization soon, and at any moment a bound on what all others reach."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from metrics.candidates.generalization.rollup import Node
from metrics.candidates.limits.enforced import max_suppressed
from metrics.candidates.limits.measures import NODE_MEASURES, NodeMeasures, concatenate_measures, oriented_values
from metrics.candidates.limits.of_nodes import feasible
from metrics.candidates.search.bound_search import BoundSearch
from metrics.candidates.search.bounds import BOUNDED, ColumnCosts
from metrics.candidates.search.class_requirements import ClassRequirements
from metrics.candidates.search.evaluation import Evaluation
from metrics.candidates.search.projections import Projections
from metrics.candidates.search.ruin_and_recreate import ACCEPTANCE_RATIO, RuinAndRecreate
from metrics.candidates.search.tagging_search import TaggingSearch
from metrics.interruption import checkpoint
from metrics.metric import Direction

_MAX_LISTED = 1_000_000
"""Lattices of up to this many nodes are bounded node by node."""
_IMPROVEMENT_STEPS_PER_BOUND_STEP = 2
"""Divisions for better nodes, for each step towards the proof."""
_BOUND_STEPS_PER_REPORT = 20
"""Steps towards the proof after which the search reports what it knows."""
_MAX_STALE_ATTEMPTS = 200
"""Attempts without a generalization not seen before, after which a search without a bound ends."""


@dataclass(frozen=True)
class SearchStep:
    """Result of one step of a search."""

    nodes: list[Node]
    figures: NodeMeasures
    bound: float | None
    """No node that meets the limits has a better figure; None if nothing is known."""
    proven: bool
    """Whether nothing is left that could be better."""


class BranchAndBound:
    """Alternates between finding better nodes (`RuinAndRecreate`) and a bound (`TaggingSearch` or `BoundSearch`)."""

    def __init__(self, evaluation: Evaluation, measure: str, *, max_listed: int = _MAX_LISTED) -> None:
        """The limits are those of the evaluation; lattices of up to `max_listed` nodes are bounded node by node."""
        self._evaluation, self._measure = evaluation, measure
        requirements = ClassRequirements.from_evaluation(evaluation)
        self._careful = not requirements.all
        self._bounded = measure in BOUNDED
        self._costs = ColumnCosts(evaluation, measure if self._bounded else "loss")
        allowed = max_suppressed(evaluation.limits, evaluation.records)

        def project(columns: Sequence[int]) -> Projections:
            chosen_columns = [evaluation.columns[i] for i in columns]
            return Projections(evaluation.relation, chosen_columns, requirements, evaluation.cells.attributes)

        widths = [column_levels.width for column_levels in evaluation.columns]
        nodes = math.prod(column_levels.highest + 1 for column_levels in evaluation.columns)
        is_listed = nodes <= max_listed
        self._bound_search = (
            TaggingSearch(evaluation, requirements, self._costs, allowed)
            if is_listed
            else BoundSearch(widths, project, self._costs, allowed)
        )
        # A lattice that is listed is soon proven; of a larger one the first answer comes sooner without its front.
        self._front_at = 0 if is_listed else 1
        acceptance_ratio = ACCEPTANCE_RATIO if self._bounded else math.inf
        self._improvement = RuinAndRecreate(
            project(range(len(widths))), self._costs, allowed, self._meets, acceptance_ratio=acceptance_ratio
        )
        self._candidates = self._bound_search.candidates()
        self._bound_steps = 0
        self._feasible: dict[Node, bool] = {}
        self._evaluated_nodes: list[tuple[list[Node], NodeMeasures]] = []
        self._evaluates_all = self._careful
        """Whether to evaluate every node on the way; also once from the highest node down, which gives a front."""
        self._best: Node | None = None
        self._best_value = -math.inf

    def steps(self) -> Iterator[SearchStep]:
        """Search step by step; ends when nothing better is left, or without a bound when nothing new is found."""
        attempt, idle, proven = 0, 0, False
        while not proven and idle < _MAX_STALE_ATTEMPTS:
            if self._bounded and self._improvement.work > _IMPROVEMENT_STEPS_PER_BOUND_STEP * self._bound_steps:
                proven = self._tighten_bound()
            else:
                self._attempt(attempt)
                attempt += 1
                idle = 0 if self._evaluated_nodes or self._bounded else idle + 1
            nodes = [node for batch, _ in self._evaluated_nodes for node in batch]
            figures = concatenate_measures([evaluated for _, evaluated in self._evaluated_nodes]) if nodes else {}
            self._evaluated_nodes = []
            yield SearchStep(nodes, figures, self._bound(), proven)

    def _attempt(self, number: int) -> None:
        """Look for a better node; once, also evaluate all from the highest node down."""
        from_highest = number == self._front_at
        self._evaluates_all = self._careful or from_highest
        node = self._improvement.attempt(None if from_highest else self._best)
        if node is not None:
            self._is_feasible(node)

    def _tighten_bound(self) -> bool:
        """Continue bounding; return whether it has ended."""
        for _ in range(_BOUND_STEPS_PER_REPORT):
            checkpoint()
            try:
                node = next(self._candidates)
            except StopIteration:
                return True
            self._bound_steps += 1
            if node is not None:
                self._is_feasible(node)
        return False

    def _bound(self) -> float | None:
        if not self._bounded:
            return None
        bound = self._costs.figure(self._bound_search.least)
        higher = NODE_MEASURES[self._measure].direction is Direction.HIGHER
        if self._best is None:
            return bound
        return max(bound, self._best_value) if higher else min(bound, -self._best_value)

    def _meets(self, node: Node) -> bool:
        return not self._evaluates_all or self._is_feasible(node) or not self._careful

    def _is_feasible(self, node: Node) -> bool:
        """Whether a node meets the limits; it is evaluated the first time."""
        if node not in self._feasible:
            ((nodes, figures),) = self._evaluation.in_batches([node])
            self._evaluation.forget(nodes)
            self._evaluated_nodes.append((nodes, figures))
            meets = bool(feasible(self._evaluation.limits, figures, self._evaluation.records)[0])
            self._feasible[node] = meets
            value = float(oriented_values(self._measure, figures[self._measure])[0])
            if meets and value > self._best_value:
                self._best, self._best_value = node, value
                if self._bounded:
                    self._bound_search.limit = self._costs.cost(float(figures[self._measure][0]))
        return self._feasible[node]
