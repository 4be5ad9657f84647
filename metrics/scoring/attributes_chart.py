"""A metric's chart for each attribute alone, for metrics that have no chart of their own."""

from __future__ import annotations

from typing import Final

import plotly.graph_objects as go

from metrics.drawing.theme import (
    MONEY,
    PRIVACY,
    UTILITY,
    categories,
    category_axis,
    chart,
    escaped,
    hover,
    number_axis,
    rows_height,
)
from metrics.formatting import format_number, visible
from metrics.metric import Family, Metric, Result
from metrics.texts import text

MAX_ATTRIBUTES: Final = 30
"""Most attributes drawn, the smallest figures first."""

_COLOURS: Final = {Family.PRIVACY: PRIVACY, Family.ATTACKS: PRIVACY, Family.UTILITY: UTILITY, Family.ECONOMICS: MONEY}


def chart_by_attribute(metric: Metric, result: Result) -> go.Figure:
    """One bar per attribute that has a chart, the smallest at the top; there must be one."""
    figures = sorted(
        ((name, float(number)) for name, number in result.attributes.items() if number is not None),
        key=lambda pair: pair[1],
    )
    shown_figures = figures[:MAX_ATTRIBUTES]
    names = [visible(name) for name, _ in shown_figures]
    numbers = [number for _, number in shown_figures]
    keys = categories(names)
    finding = text("charts.by_attribute.finding", title=metric.title, direction=metric.direction)
    if n_omitted := len(figures) - len(shown_figures):
        finding += f"; {text('charts.by_attribute.not_drawn', attributes=n_omitted)}"
    trace = {
        "type": "bar",
        "orientation": "h",
        "y": keys,
        "x": numbers,
        "text": [format_number(number) for number in numbers],
        "textposition": "auto",
        "hovertext": [
            hover(name, f"{metric.title}: {format_number(number)}") for name, number in zip(names, numbers, strict=True)
        ],
        "hoverinfo": "text",
        "marker": {"color": _COLOURS[metric.family], "line": {"width": 0}},
    }
    return chart(
        [trace],
        finding,
        plot_height=rows_height(len(shown_figures)),
        xaxis=number_axis(metric.unit),
        yaxis=category_axis(keys, [escaped(name, 20) for name in names], downwards=True),
    )
