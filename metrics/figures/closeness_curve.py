"""How many classes and records lie beyond the limit t, over all limits."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from metrics.figures.stepped import visible_points
from metrics.figures.theme import (
    NEUTRAL,
    PRIVACY,
    VIOLATION,
    amount,
    empty_figure,
    figure,
    label_above,
    line_at,
    number_axis,
)
from metrics.privacy.closeness_curve import ClosenessCurve
from metrics.table import Integers

_REACHES = (0.05, 0.1, 0.2, 0.5, 1.0)


def exceeding_curve(curve: ClosenessCurve, limit: float) -> go.Figure:
    """Share of classes and of records beyond t for every t, and the limit."""
    classes, records = len(curve.farthest), int(curve.records[0] + _at_zero(curve))
    if not classes:
        return empty_figure("There are no classes whose distance could be measured")
    reach = next(end for end in _REACHES if end >= max(float(curve.limits[-1]), limit) or end == 1)
    drawn = visible_points(curve.limits, curve.classes, curve.records)
    beyond = curve.exceeding(limit)
    traces: list[dict[str, Any]] = []
    for name, color, dash, values, whole, held in (
        ("classes", PRIVACY, "solid", curve.classes, classes, beyond.classes),
        ("records", NEUTRAL, "solid", curve.records, records, beyond.records),
    ):
        traces += _line(name, color, dash, curve, values, whole, drawn, reach)
        traces.append(_point(name, limit, held, whole))
    return figure(
        traces,
        _finding(curve),
        headroom=30,
        legend=True,
        shapes=[line_at(limit)],
        annotations=[label_above(f"limit t = {limit:g}", limit, (0, reach))],
        xaxis=number_axis("limit t on the distance from the whole table", range=[0, reach]),
        yaxis=number_axis("beyond the limit (%)", range=[0, 104], tickvals=[0, 25, 50, 75, 100], ticksuffix=" %"),
    )
