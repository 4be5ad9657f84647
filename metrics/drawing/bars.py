"""Horizontal bars of named numbers, with a threshold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import plotly.graph_objects as go

from metrics.drawing.theme import (
    UTILITY,
    categories,
    category_axis,
    chart,
    hover,
    in_two_lines,
    label_above,
    line_at,
    number_axis,
    rows_height,
)
from metrics.formatting import visible


class Bar(NamedTuple):
    """A bar by its name, and what is told where it is pointed at."""

    name: str
    number: float
    told: str


def bars(of: Sequence[Bar], finding: str, axis: str, *, end: float, threshold: tuple[str, float]) -> go.Figure:
    """The bars in their order, on an axis from 0 to `end`; `threshold` is a label and where its line is."""
    keys = categories([bar.name for bar in of])
    marks = {
        "type": "bar",
        "orientation": "h",
        "x": [bar.number for bar in of],
        "y": keys,
        "hovertext": [hover(visible(bar.name), bar.told) for bar in of],
        "hoverinfo": "text",
        "marker": {"color": UTILITY, "line": {"width": 0}},
    }
    label, at = threshold
    return chart(
        [marks],
        finding,
        plot_height=rows_height(len(of)),
        headroom=20,
        shapes=[line_at(at)],
        annotations=[label_above(label, at, (0, end))],
        xaxis=number_axis(axis, range=[0, end]),
        yaxis=category_axis(keys, [in_two_lines(visible(bar.name), 28) for bar in of], downwards=True),
    )
