"""How many classes and records lie beyond the limit t, over all limits."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from metrics.drawing.stepped import limit_point, step_line, visible_points
from metrics.drawing.theme import NEUTRAL, PRIVACY, chart, hover, label_above, line_at, number_axis
from metrics.formatting import percent
from metrics.privacy.t_closeness.curve import ClosenessCurve
from metrics.texts import text

_AXIS_LIMITS = (0.1, 0.2, 0.5, 1.0)
"""Ends of the axis: it must not move with every step of the limit."""


def exceeding_curve(curve: ClosenessCurve, limit: float) -> go.Figure:
    """Share of classes and of records beyond t for every t from 0 on, and those beyond the limit.

    `limit`: limit on t, 0 to 1; 1 is no limit.
    """
    has_limit = limit < 1
    largest = max(float(curve.limits[-1]), limit)
    reach = next((end for end in _AXIS_LIMITS if end >= largest), 1.0)
    positions = visible_points(curve.limits, curve.classes, curve.records)
    beyond, classes = curve.exceeding(limit), len(curve.farthest)
    lines = (
        ("records", curve.records, curve.kept, beyond.records, NEUTRAL, 4.0),
        ("classes", curve.classes, classes, beyond.classes, PRIVACY, 2.5),
    )
    x = curve.limits[positions]
    traces = [
        step_line(unit, x, counts[positions], reach, total, "t above %{x:.3~g}", unit, color=color, width=width)
        for unit, counts, total, _, color, width in lines
    ]
    if has_limit:
        traces += [_point(limit, number, total, unit) for unit, _, total, number, *_ in lines]
    return chart(
        traces,
        _finding(curve),
        headroom=20,
        legend=True,
        shapes=[line_at(limit)] if has_limit else [],
        annotations=[label_above(f"limit t = {limit:g}", limit, (0, reach))] if has_limit else [],
        xaxis=number_axis("limit t on the distance from the whole table", range=[0, reach]),
        yaxis=number_axis("above the limit (%)", range=[0, 105], tickvals=[0, 25, 50, 75, 100]),
    )


def _point(limit: float, number: int, total: int, unit: str) -> dict[str, Any]:
    share = number / total
    hovertext = hover(f"Above the limit t = {limit:g}", f"{number:,} of {total:,} {unit} ({percent(share)})")
    return limit_point(limit, share, hovertext)


def _finding(curve: ClosenessCurve) -> str:
    """The smallest distance that at least half of the classes do not exceed."""
    largest = float(curve.limits[-1])
    if not largest:
        return text("charts.closeness_curve.equal")
    classes = len(curve.farthest)
    at = int(np.searchsorted(-curve.classes, -(classes // 2)))
    median = float(curve.limits[at])
    if median == largest:
        return text("charts.closeness_curve.maximum", largest=largest)
    return text("charts.closeness_curve.median", median=median)
