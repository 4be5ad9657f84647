"""Trade-off of each version: two metrics against each other, and the Pareto front."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from metrics.candidates.compare.comparison import VersionComparison
from metrics.drawing.theme import NEUTRAL, chart, empty_chart, escaped, hover, number_axis
from metrics.drawing.version_styles import Styles, VersionStyle, legend_room, short_name, version_styles
from metrics.formatting import join_names, within_sentence
from metrics.metric import Direction, Metric
from metrics.scoring.catalog import BY_ID
from metrics.texts import text

_SMALLEST_SIZE, _LARGEST_SIZE, _MEDIUM_SIZE = 10, 28, 14
_MAX_NAMED = 2
_STEP = {Direction.HIGHER: "vh", Direction.TRUE: "vh", Direction.LOWER: "hv"}
"""How the front goes from one point to the next: no version reaches beyond it."""


def trade_off(
    comparison: VersionComparison, x: str, y: str, size: str | None = None, styles: Styles | None = None
) -> go.Figure:
    """Two metrics, one mark per version that has both figures, and the front of those nobody dominates.

    `styles`: styles of all versions; by default they follow the order of the comparison.
    """
    x_metric, y_metric = BY_ID[x], BY_ID[y]
    labels = [
        label
        for label in comparison.labels
        if comparison.value(label, x) is not None and comparison.value(label, y) is not None
    ]
    if not labels:
        return empty_chart(text("charts.trade_off.no_values", x=x_metric.title, y=y_metric.title))
    mark_styles = styles or version_styles(comparison.labels)
    front = comparison.pareto_front(x, y)
    parts = {} if size is None else dict(zip(comparison.labels, comparison.parts(size).tolist(), strict=True))
    shown_metrics = list(dict.fromkeys([x, y, *([] if size is None else [size])]))
    return chart(
        [
            _front(comparison, front, x, y),
            *(
                _mark(comparison, label, (x, y), mark_styles[label], parts.get(label), shown_metrics)
                for label in labels
            ),
        ],
        _finding(comparison, labels, front, x, y),
        plot_height=320 + legend_room(len(labels)),
        legend=True,
        xaxis=_axis(x_metric),
        yaxis=_axis(y_metric),
    )


def _front(comparison: VersionComparison, front: tuple[str, ...], x: str, y: str) -> dict[str, Any]:
    points = sorted((_number(comparison, label, x), _number(comparison, label, y)) for label in front)
    return {
        "type": "scatter",
        "mode": "lines",
        "name": "Pareto front",
        "x": [point[0] for point in points],
        "y": [point[1] for point in points],
        "line": {"color": NEUTRAL, "width": 1.5, "dash": "dot", "shape": _STEP[BY_ID[x].direction]},
        "hoverinfo": "skip",
    }


def _mark(
    comparison: VersionComparison,
    label: str,
    axes: tuple[str, str],
    style: VersionStyle,
    part: float | None,
    shown_metrics: list[str],
) -> dict[str, Any]:
    figures = [f"{BY_ID[metric].title}: {comparison.measure_text(label, metric)}" for metric in shown_metrics]
    is_bound = any(comparison.answers[label][metric_id].misstated for metric_id in axes)
    return {
        "type": "scatter",
        "mode": "markers",
        "name": escaped(short_name(label)) + " (bound)" * is_bound,
        "x": [_number(comparison, label, axes[0])],
        "y": [_number(comparison, label, axes[1])],
        "hovertext": hover(label, *figures),
        "hoverinfo": "text",
        "cliponaxis": False,
        "marker": {
            "color": style.colour,
            "symbol": f"{style.symbol}-open" if is_bound else style.symbol,
            "size": _MEDIUM_SIZE if part is None else _SMALLEST_SIZE + (_LARGEST_SIZE - _SMALLEST_SIZE) * part,
            "opacity": 0.9,
            "line": {"width": 2 if is_bound else 0},
        },
    }


def _number(comparison: VersionComparison, label: str, metric_id: str) -> float:
    return float(comparison.value(label, metric_id) or 0)


def _axis(metric: Metric) -> dict[str, Any]:
    title = f"{metric.title} ({metric.direction})"
    if metric.direction is Direction.TRUE:
        return number_axis(title, tickvals=[0, 1], ticktext=["no", "yes"], range=[-0.2, 1.2])
    return number_axis(title, rangemode="normal")


def _finding(comparison: VersionComparison, labels: list[str], front: tuple[str, ...], x: str, y: str) -> str:
    dominated = comparison.dominated((x, y))
    titles = [within_sentence(BY_ID[metric_id].title) for metric_id in dict.fromkeys((x, y))]
    metric_titles = join_names(titles)
    if not dominated:
        both = "both " if len(titles) > 1 else ""
        finding = text("charts.trade_off.none_dominated", metrics=f"{both}{metric_titles}")
    elif len(front) == 1:
        finding = text("charts.trade_off.best", version=short_name(front[0]), metrics=metric_titles)
    elif len(dominated) <= _MAX_NAMED:
        names = join_names([short_name(label) for label in dominated])
        finding = text("charts.trade_off.dominated", versions=names, number=len(dominated), metrics=metric_titles)
    else:
        finding = text(
            "charts.trade_off.front", front=str(len(front)), versions=str(len(labels)), metrics=metric_titles
        )
    n_lacking = len(comparison.labels) - len(labels)
    return f"{finding}; {text('charts.trade_off.lacking', versions=n_lacking)}" if n_lacking else finding
