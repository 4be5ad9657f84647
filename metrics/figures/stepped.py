"""Step functions of any length, drawn with as many points as a screen can show."""

from __future__ import annotations

import numpy as np

from metrics.tables.table import Floats, Integers

MAX_POINTS = 2_000
"""Most points of one line."""


def visible_points(*coordinates: Integers | Floats, max_points: int = MAX_POINTS) -> Integers:
    """Positions of at most `max_points` points that look like all of them.

    Each of the coordinates rises or falls throughout. A point is left out if a kept one lies within a cell of a grid
    that divides each coordinate's range into some `max_points` / number of coordinates parts; the ends are always kept.
    """
    length = len(coordinates[0])
    if length <= max_points:
        return np.arange(length)
    parts = (max_points - 2) // len(coordinates) - 1
    is_step = np.zeros(length - 1, dtype=bool)
    for coordinate in coordinates:
        low, high = float(coordinate.min()), float(coordinate.max())
        cell = np.floor((coordinate - low) * (parts / ((high - low) or 1.0)))
        is_step |= cell[1:] != cell[:-1]
    positions = np.flatnonzero(is_step) + 1
    return np.unique(np.concatenate([[0], positions, [length - 1]]))
