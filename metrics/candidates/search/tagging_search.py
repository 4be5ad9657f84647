"""Prove which generalization of a lattice is the best by counting the classes of a few nodes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from metrics.candidates.generalization.rollup import Node
from metrics.candidates.search.bounds import ColumnCosts
from metrics.candidates.search.class_requirements import ClassRequirements
from metrics.candidates.search.evaluation import Evaluation

_ROUNDING = 1e-12


class TaggingSearch:
    """Looks at nodes that may be better than the best known, and leaves out all that lie below one that cannot.

    A node at which more records must be suppressed than may be is tagged together with everything below it (predictive
    tagging: El Emam et al., OLA, doi 10.1197/jamia.M3144; Kohlmayer et al., Flash, doi
    10.1109/SocialCom-PASSAT.2012.52). From such a node the search climbs to the highest one that still suppresses too
    many, so that a few nodes tag the rest: each is rolled up from the one before it, whose classes are few. A node
    costs at least what its levels cost without suppression; those that cost as much as the best known are left out.

    Two climbs at a time, from nodes that do not lie below each other: NumPy sorts without holding the interpreter.
    """

    def __init__(
        self, evaluation: Evaluation, requirements: ClassRequirements, costs: ColumnCosts, allowed: int
    ) -> None:
        """`requirements`: what every class must have; `allowed`: records that may be suppressed."""
        self._evaluation, self._requirements, self._allowed = evaluation, requirements, allowed
        columns = evaluation.columns
        self._heights = [column.highest for column in columns]
        self._levels = np.indices([height + 1 for height in self._heights], dtype=np.int8).reshape(len(columns), -1).T
        zeros = np.zeros(sum(column.width for column in columns), dtype=np.int64)
        positions = np.arange(len(columns))
        self._least = costs.by_level(positions.tolist(), zeros)[self._levels, positions].sum(axis=1)
        self._open = np.ones(len(self._levels), dtype=bool)
        self.limit = math.inf
        """Cost of the best known generalization: none that costs as much is searched for."""

    @property
    def least(self) -> float:
        """Lower bound on the cost of every admissible generalization that is not judged yet; at most the limit."""
        return float(self._least[self._open].min(initial=self.limit))

    def candidates(self) -> Iterator[Node | None]:
        """Nodes to judge, None after every climb; ends when none is left that may cost less than the limit."""
        with ThreadPoolExecutor(2) as workers:
            while True:
                self._open &= self._least < self.limit - _ROUNDING
                starts = self._starts()
                if not starts:
                    break
                candidates = [self._levels[self._open]] * len(starts)
                tops = list(workers.map(self._highest_suppressing, starts, candidates))
                for start, highest in zip(starts, tops, strict=True):
                    left_out = self._levels == start if highest is None else self._levels <= highest
                    self._open &= ~left_out.all(axis=1)
                    yield start if highest is None else None

    def _starts(self) -> list[Node]:
        """The open node that costs least, and of those neither above nor below it another one."""
        remaining = self._open.copy()
        starts: list[Node] = []
        while len(starts) < 2 and remaining.any():
            levels = self._levels[np.where(remaining, self._least, math.inf).argmin()]
            starts.append(tuple(levels.tolist()))
            remaining &= (self._levels > levels).any(axis=1) & (self._levels < levels).any(axis=1)
        return starts

    def _highest_suppressing(self, start: Node, candidates: npt.NDArray[np.int8]) -> Node | None:
        """The highest node found from this one upwards that suppresses too many records; None if this one does not.

        Goes up where most of the candidates are left out by it, as long as any is.
        """
        if not self._suppresses_too_many(start):
            return None
        node, raisable = start, [level < height for level, height in zip(start, self._heights, strict=True)]
        while any(raisable):
            candidates = candidates[(candidates > node).any(axis=1)]
            raised = [(*node[:i], level + 1, *node[i + 1 :]) for i, level in enumerate(node)]
            gains = [
                int((candidates <= upper).all(axis=1).sum()) if is_raisable else 0
                for upper, is_raisable in zip(raised, raisable, strict=True)
            ]
            column = int(np.argmax(gains))
            if not gains[column]:
                break
            if self._suppresses_too_many(raised[column]):
                node = raised[column]
                raisable[column] = node[column] < self._heights[column]
            else:
                raisable[column] = False
        return node

    def _suppresses_too_many(self, node: Node) -> bool:
        return (
            self._evaluation.records_failing(node, self._requirements.records, self._requirements.values)
            > self._allowed
        )
