"""Which classes are worst."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from metrics.scoring.catalog import METRICS
from metrics.tables.table import Flags, Floats, Integers


@dataclass(frozen=True, eq=False)
class Ranking:
    """Figures that make a class worse than another; arrays hold one entry per class."""

    violating: Flags
    """Whether it violates a definition, such as a condition of P_29."""
    sizes: Integers
    severity: Floats
    """Distance of each class from what is wanted; 0 where it is unknown."""

    @cached_property
    def order(self) -> Integers:
        """The worst first: those that violate, of these the smallest, of equally small ones the most severe."""
        return np.lexsort((-self.severity, self.sizes, ~self.violating))

    def take(self, chosen: Integers) -> Ranking:
        """Select some of the classes."""
        return Ranking(self.violating[chosen], self.sizes[chosen], self.severity[chosen])

    def followed_by(self, other: Ranking) -> Ranking:
        """Append other classes."""
        return Ranking(
            np.concatenate([self.violating, other.violating]),
            np.concatenate([self.sizes, other.sizes]),
            np.concatenate([self.severity, other.severity]),
        )


def ranking(sizes: Integers, results: Mapping[str, object]) -> Ranking:
    """Rank classes of these sizes by the results of metrics, which are given by metric id."""
    violating = np.zeros(len(sizes), dtype=bool)
    severity: Floats = np.zeros(len(sizes))
    for metric in METRICS:
        if metric.per_class is None or metric.id not in results:
            continue
        result = results[metric.id]
        if metric.per_class.violating is not None:
            violating = violating | metric.per_class.violating(result)
        if metric.per_class.severity is not None:
            severity = metric.per_class.severity(result)
    return Ranking(violating, sizes, severity)
