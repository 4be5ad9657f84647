"""All versions over several metrics: parallel coordinates, each axis turned so that better is right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from metrics.candidates.compare.comparison import VersionComparison
from metrics.drawing.theme import FAINT, chart, empty_chart, escaped, hover, number_axis, wrapped
from metrics.drawing.version_styles import Styles, VersionStyle, legend_room, short_name, version_styles
from metrics.formatting import join_names
from metrics.scoring.catalog import BY_ID
from metrics.texts import text

_ROW = 62
_NAME_WIDTH = 18
"""Letters of a name in one line, so that the plot has most of a narrow page."""


def parallel_coordinates(
    comparison: VersionComparison, metric_ids: Sequence[str], styles: Styles | None = None
) -> go.Figure:
    """One line per version through an axis per metric, from the worst of the versions at the left to the best.

    The axes lie one below the other. A line has a gap where its version has no chart, or one that looks better than
    the table is. `metric_ids`: metrics of the axes; those without a chart are left out. `styles`: styles of all
    versions; by default they follow the order of the comparison.
    """
    shown_metrics = [metric_id for metric_id in metric_ids if comparison.measured(metric_id)]
    if not shown_metrics:
        return empty_chart(text("charts.parallel_coordinates.no_values"))
    line_styles = styles or version_styles(comparison.labels)
    return chart(
        [_line(comparison, index, shown_metrics, line_styles[label]) for index, label in enumerate(comparison.labels)],
        _finding(comparison, shown_metrics),
        plot_height=_ROW * len(shown_metrics) + 20 + legend_room(len(comparison.labels)),
        legend=True,
        shapes=[
            {"type": "line", "x0": 0, "x1": 1, "y0": row, "y1": row, "line": {"color": FAINT, "width": 2}}
            for row in range(len(shown_metrics))
        ],
        xaxis=number_axis(
            "from the worst version to the best",
            range=[-0.06, 1.06],
            tickvals=[0, 1],
            ticktext=["worst", "best"],
            showgrid=False,
            zeroline=False,
        ),
        yaxis=number_axis(
            None,
            range=[len(shown_metrics) - 0.5, -0.5],
            tickvals=list(range(len(shown_metrics))),
            ticktext=[_name(comparison, metric_id) for metric_id in shown_metrics],
            showgrid=False,
            zeroline=False,
        ),
    )


def _line(
    comparison: VersionComparison, index: int, shown_metrics: Sequence[str], style: VersionStyle
) -> dict[str, Any]:
    label = comparison.labels[index]
    comparable = [comparison.comparable(metric_id)[index] > -np.inf for metric_id in shown_metrics]
    parts = [float(comparison.parts(metric_id)[index]) for metric_id in shown_metrics]
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": escaped(short_name(label)),
        "x": [part if is_comparable else None for part, is_comparable in zip(parts, comparable, strict=True)],
        "y": list(range(len(shown_metrics))),
        "hovertext": [
            hover(label, f"{BY_ID[metric_id].title}: {comparison.measure_text(label, metric_id)}")
            for metric_id in shown_metrics
        ],
        "hoverinfo": "text",
        "connectgaps": False,
        "cliponaxis": False,
        "line": {"color": style.colour, "dash": style.dash, "width": 2.5},
        "marker": {"color": style.colour, "symbol": style.symbol, "size": 11, "line": {"width": 0}},
    }


def _name(comparison: VersionComparison, metric_id: str) -> str:
    """The metric, and under it the figures at the ends of its axis."""
    figures = comparison.comparable(metric_id).tolist()
    ranked = sorted((chart, index) for index, chart in enumerate(figures) if chart > -float("inf"))
    if not ranked:
        return f"{wrapped(BY_ID[metric_id].title, _NAME_WIDTH)}<br>not comparable"
    ends = [comparison.measure_text(comparison.labels[index], metric_id) for _, index in (ranked[0], ranked[-1])]
    equal = "all " if len(ranked) == len(figures) else ""
    span = f"{equal}{ends[0]}" if ranked[0][0] == ranked[-1][0] else f"{ends[0]} to {ends[1]}"
    if any(comparison.answers[label][metric_id].misstated for label in comparison.labels):
        span += "; bounds not ranked"
    return f"{wrapped(BY_ID[metric_id].title, _NAME_WIDTH)}<br>{wrapped(span, _NAME_WIDTH)}"


def _finding(comparison: VersionComparison, shown_metrics: Sequence[str]) -> str:
    best_counts = {
        label: sum(label in comparison.best(metric_id) for metric_id in shown_metrics) for label in comparison.labels
    }
    highest_count = max(best_counts.values())
    if not highest_count:
        return text("charts.parallel_coordinates.no_difference")
    names = [short_name(label) for label, count in best_counts.items() if count == highest_count]
    metrics = sum(comparison.is_scored(metric_id) for metric_id in shown_metrics)
    if len(names) == 1:
        return text("charts.parallel_coordinates.best", version=names[0], won=highest_count, metrics=metrics)
    if len(names) == 2:
        versions = join_names(names)
        return text("charts.parallel_coordinates.tied", versions=versions, won=highest_count, metrics=metrics)
    return text("charts.parallel_coordinates.tied_many", number=str(len(names)), won=highest_count, metrics=metrics)
