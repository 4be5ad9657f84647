"""How large a simple random sample of the original keeps its marginals as well as a released table does."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy  # its parts are imported when first used

from metrics.interruption import checkpoint
from metrics.tables.table import Floats, Integers

_STEPS = 1000
"""Shares of the original are compared in steps of 0.1%."""


def mean_deviation(rows: int, marked: Integers, drawn: int) -> Floats:
    """Mean absolute deviation of the marked ones among `drawn` of `rows`, without replacement (De Moivre)."""

    def log_choose(n: Integers | int, k: Integers | int) -> Any:
        log_factorial = scipy.special.gammaln
        return log_factorial(n + 1.0) - log_factorial(k + 1.0) - log_factorial(n - k + 1.0)

    above = drawn * marked // rows + 1
    deviation = np.zeros(len(marked))
    possible = (above <= np.minimum(marked, drawn)) & (drawn - above <= rows - marked)
    k, v = marked[possible], above[possible]
    log_chance = log_choose(k, v) + log_choose(rows - k, drawn - v) - log_choose(rows, drawn)
    deviation[possible] = 2 * v * ((rows - k - drawn + v) / rows) * np.exp(log_chance)
    return deviation


class Samples:
    """The expected scores of samples of the original, whose marginals are given by the counts of their cells."""

    def __init__(self, marginals: Sequence[Integers]) -> None:
        by_rows: dict[int, list[Integers]] = {}
        for counts in marginals:
            by_rows.setdefault(int(counts.sum()), []).append(counts[counts > 0])
        self._cells = [
            (rows, *np.unique(np.concatenate(counts), return_counts=True)) for rows, counts in by_rows.items()
        ]
        self._sets = len(marginals)

    def score(self, share: float) -> float:
        """The expected score of a simple random sample of this share of the records."""
        distance = 0.0
        for rows, counts, cells in self._cells:
            checkpoint()
            drawn = max(1, int(share * rows + 0.5))
            distance += float((cells * mean_deviation(rows, counts, drawn)).sum()) / drawn
        return 500 * (2 - distance / self._sets)

    def equal_to(self, score: float) -> float:
        """The least share whose sample is expected to reach a score, in steps of 0.1%; 0 if 0.1% suffices."""
        step = bisect_left(range(1, _STEPS), score - 1e-9, key=lambda step: self.score(step / _STEPS))
        return (step + 1) / _STEPS if step else 0.0
