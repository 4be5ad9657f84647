"""Step functions of any length, drawn with as many points as a screen can show."""

from __future__ import annotations

from typing import Any

import numpy as np

from metrics.drawing.theme import VIOLATION
from metrics.formatting import percent
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


def step_line(
    name: str, x: Integers | Floats, counts: Integers, end: float, total: int, condition: str, unit: str, **line: Any
) -> dict[str, Any]:
    """Shares of `total` in percent as steps: each count holds up to the next x, the last one up to `end`.

    What is shown on hovering begins with `condition`, a part of Plotly's template such as "risk above %{x:.2%}"; `unit`
    says what is counted.
    """
    numbers = np.append(counts, counts[-1])
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": np.append(x, end),
        "y": 100 * numbers / total,
        "customdata": numbers,
        "text": [percent(share) for share in (numbers / total).tolist()],
        "hovertemplate": f"{condition}: %{{customdata:,}} of {total:,} {unit} (%{{text}})<extra></extra>",
        "line": {"width": 2.5, "shape": "hv", **line},
    }


def limit_point(limit: float, share: float, hovertext: str, color: str = VIOLATION) -> dict[str, Any]:
    """The point of a step line at a limit."""
    return {
        "type": "scatter",
        "mode": "markers",
        "showlegend": False,
        "x": [limit],
        "y": [100 * share],
        "hovertext": hovertext,
        "hoverinfo": "text",
        "cliponaxis": False,
        "marker": {"color": color, "size": 9, "line": {"width": 0}},
    }
