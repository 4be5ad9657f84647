"""Search a lattice too large to see: upwards from the best node so far, leaving out what cannot be better."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from metrics.candidates.constraints import Constraints
from metrics.candidates.evaluation import Evaluation
from metrics.candidates.figures import Figures, joined, upwards
from metrics.candidates.rollup import Node
from metrics.tables.table import Floats, Integers

_MAX_EXPANDED_UNSEEN = 20_000
"""So many nodes are passed through without evaluation before the caller may look at the clock."""


class Bound:
    """The best that a node, or any above it, can reach by a measure; infinite for measures that have no such bound.

    Measures made of cells never get better by suppression, nor by generalizing further: their figure with nothing
    suppressed needs no classes. This holds whatever decides which classes are suppressed.
    """

    def __init__(self, evaluation: Evaluation, measure: str) -> None:
        self._evaluation, self._measure = evaluation, measure
        self._per_level = [
            tuple(np.minimum.accumulate(values[::-1])[::-1] for values in of_column)
            for of_column in evaluation.per_level
        ]

    def of(self, nodes: Sequence[Node]) -> Floats:
        """The bounds of nodes, higher is better."""
        levels = np.array(nodes, dtype=np.int64).reshape(len(nodes), len(self._per_level))
        share = np.array([of[0][levels[:, i]] for i, of in enumerate(self._per_level)])
        height = np.mean([of[1][levels[:, i]] for i, of in enumerate(self._per_level)], axis=0)
        bits = np.sum([of[2][levels[:, i]] for i, of in enumerate(self._per_level)], axis=0)
        figures = self._evaluation.of_columns(share, height, bits)
        if self._measure == "publisher_payout":
            logs = np.sum([of[3][levels[:, i]] for i, of in enumerate(self._per_level)], axis=0)
            figures["publisher_payout"] = self._evaluation.largest_payout(logs)
        if self._measure not in figures:
            return np.full(len(nodes), math.inf)
        bounds = upwards(self._measure, figures[self._measure])
        return bounds + 1e-12 * np.maximum(abs(bounds), 1.0)  # rounding must not hide a node that is just as good


class TooMuchSuppressed:
    """Nodes known to suppress more than allowed because a node above them does.

    Generalizing merges classes: records in classes below k or l, the suppressed ones, only become fewer. Not so with a
    limit on t, where a class that is kept can merge into one that is not; nothing is concluded then.
    """

    def __init__(self, evaluation: Evaluation, constraints: Constraints) -> None:
        self._evaluation = evaluation
        self._allowed = constraints.max_suppressed(evaluation.records)
        self._monotone = evaluation.rule.t is None
        self._highest: Integers = np.empty((0, len(evaluation.columns)), dtype=np.int64)

    def learn(self, nodes: Sequence[Node], suppressed: Integers) -> None:
        """Take note of evaluated nodes."""
        for node, records in zip(nodes, suppressed.tolist(), strict=True):
            # Where all cells become *, records are suppressed for another reason, which does not hold below.
            if self._monotone and records > self._allowed and not self._evaluation.hides_everything(node):
                below = (self._highest <= node).all(axis=1)
                self._highest = np.vstack([self._highest[~below], node])

    def includes(self, nodes: Sequence[Node]) -> npt.NDArray[np.bool_]:
        """For each node whether it is known to suppress too much."""
        levels = np.array(nodes, dtype=np.int64).reshape(len(nodes), self._highest.shape[1])
        return np.array([bool((node <= self._highest).all(axis=1).any()) for node in levels], dtype=bool)


def best_first(
    evaluation: Evaluation, heights: Sequence[int], measure: str, constraints: Constraints
) -> Iterator[tuple[list[Node], Figures]]:
    """Evaluate nodes in batches until none is left that could be better; the caller may stop earlier.

    From the most promising node known it climbs, each time to the best successor by the measure, until a node is
    feasible; the successors passed by are kept for later. Nodes whose bound does not exceed the best feasible figure
    are left out, with all above them; nodes known to suppress too much are passed through without evaluation. Batches
    without nodes tell that the search goes on.
    """
    bound, hopeless = Bound(evaluation, measure), TooMuchSuppressed(evaluation, constraints)
    bottom: Node = (0,) * len(heights)
    seen = {bottom}
    best = -math.inf
    waiting: list[tuple[float, Node]] = []
    current: Node | None = None
    batch, value, passed = [bottom], 0.0, 0
    while True:
        too_much = hopeless.includes(batch)
        nodes, skipped = _where(batch, ~too_much), _where(batch, too_much)
        _wait(waiting, ((node, value) for node in skipped))
        passed += len(skipped)
        climbing = None
        if nodes:
            figures = joined([of_batch for _, of_batch in evaluation.in_batches(nodes)])
            values = upwards(measure, figures[measure])
            feasible = constraints.feasible(figures, evaluation.records)
            best = max(best, float(values[feasible].max(initial=-math.inf)))
            hopeless.learn(nodes, figures["suppressed_rows"])
            yield nodes, figures
            chosen = int(values.argmax())
            climbing = None if feasible[chosen] else nodes[chosen]
            value = float(values[chosen])
            _wait(waiting, (pair for pair in zip(nodes, values.tolist(), strict=True) if pair[0] != climbing))
        if current is not None:
            evaluation.forget([current])
        if passed >= _MAX_EXPANDED_UNSEEN:
            passed = 0
            yield [], {}
        current = climbing
        if current is None:
            if not waiting:
                return
            negative, current = heapq.heappop(waiting)
            value = -negative
        above = [node for node in _successors(current, heights) if node not in seen]
        seen.update(above)
        batch = _where(above, bound.of(above) > best) if above else []


def _where(nodes: Sequence[Node], flags: npt.NDArray[np.bool_]) -> list[Node]:
    return [node for node, flag in zip(nodes, flags.tolist(), strict=True) if flag]


def _wait(waiting: list[tuple[float, Node]], nodes: Iterable[tuple[Node, float]]) -> None:
    """Put nodes with their values into the heap, from which the most promising is taken first."""
    for node, value in nodes:
        heapq.heappush(waiting, (-value, node))


def _successors(node: Node, heights: Sequence[int]) -> list[Node]:
    return [(*node[:i], level + 1, *node[i + 1 :]) for i, level in enumerate(node) if level < heights[i]]
