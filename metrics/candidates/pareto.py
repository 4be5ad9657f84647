"""The Pareto front: points than which no other is better in one figure without being worse in the other."""

from __future__ import annotations

import numpy as np

from metrics.tables.table import Floats, Integers


def pareto_front(first: Floats, second: Floats) -> Integers:
    """Positions of the points that no other dominates, both figures higher is better; the first figure descending.

    A point is dominated where another is at least as good in both and better in one. Equal points stand together.
    Points where a figure is minus infinity have none and are left out.
    """
    measured = np.flatnonzero((first > -np.inf) & (second > -np.inf))
    order = measured[np.lexsort((-second[measured], -first[measured]))]
    x, y = first[order], second[order]
    starts = np.flatnonzero(np.diff(x, prepend=np.nan) != 0)
    group = np.cumsum(np.diff(x, prepend=np.nan) != 0) - 1
    best_of_group = y[starts]
    best_before = np.maximum.accumulate(np.concatenate(([-np.inf], best_of_group)))[:-1]
    front: Integers = order[(y == best_of_group[group]) & (y > best_before[group])]
    return front
