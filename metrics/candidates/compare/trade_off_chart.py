"""Trade-off of each version: two metrics against each other, and the Pareto front."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from metrics.candidates.compare.comparison import VersionComparison
from metrics.candidates.compare.summary import front_sentence, with_interval
from metrics.candidates.compare.uncertainty import Uncertainty
from metrics.drawing.theme import NEUTRAL, chart, empty_chart, escaped, hover, number_axis
from metrics.drawing.version_styles import Styles, VersionStyle, legend_room, short_name, short_names, version_styles
from metrics.formatting import join_names, short_percent, within_sentence
from metrics.metric import Direction, Metric
from metrics.scoring.catalog import BY_ID
from metrics.texts import text

_SMALLEST_SIZE, _LARGEST_SIZE, _MEDIUM_SIZE = 10, 28, 14
_FAINTEST = 0.3
_MAX_NAMED = 2
_STEP = {Direction.HIGHER: "vh", Direction.TRUE: "vh", Direction.LOWER: "hv"}
"""How the front goes from one point to the next: no version reaches beyond it."""


def trade_off(
    comparison: VersionComparison,
    x: str,
    y: str,
    size: str | None = None,
    styles: Styles | None = None,
    found: Uncertainty | None = None,
) -> go.Figure:
    """Two metrics, one mark per version that has both figures, and the front of those nobody dominates.

    `styles`: styles of all versions; by default they follow the order of the comparison. `found`: what halves of the
    people say; marks then have their intervals, and are the fainter the less often they are on the front.
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
    marks = [_mark(comparison, label, (x, y), mark_styles[label], parts.get(label)) for label in labels]
    for mark, label in zip(marks, labels, strict=True):
        figures = [(metric_id, comparison.measure_text(label, metric_id)) for metric_id in shown_metrics]
        named = [f"{BY_ID[one].title}: {with_interval(found, label, one, figure)}" for one, figure in figures]
        mark["hovertext"] = hover(label, *named)
    if found is not None:
        marks = [_uncertain(mark, found, label, (x, y)) for mark, label in zip(marks, labels, strict=True)]
    return chart(
        [_front(comparison, front, x, y), *marks],
        _finding(comparison, labels, front, x, y) if found is None else front_sentence(found, x, y),
        plot_height=320 + legend_room(len(labels)) * (found is None),
        legend=found is None,
        xaxis=metric_axis(x_metric),
        yaxis=metric_axis(y_metric),
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
    comparison: VersionComparison, label: str, axes: tuple[str, str], style: VersionStyle, part: float | None
) -> dict[str, Any]:
    is_bound = any(comparison.answers[label][metric_id].misstated for metric_id in axes)
    return {
        "type": "scatter",
        "mode": "markers",
        "name": escaped(short_name(label)) + " (bound)" * is_bound,
        "x": [_number(comparison, label, axes[0])],
        "y": [_number(comparison, label, axes[1])],
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


def _uncertain(mark: dict[str, Any], found: Uncertainty, label: str, axes: tuple[str, str]) -> dict[str, Any]:
    """A mark with its intervals, and beside it in how many halves it is on the front."""
    share = found.front(*axes)[label]
    bars = {}
    for axis, metric_id in zip("xy", axes, strict=True):
        interval, (value,) = found.interval(label, metric_id), mark[axis]
        if interval is not None:
            ends = {"array": [interval.high - value], "arrayminus": [value - interval.low]}
            bars[f"error_{axis}"] = {**ends, "symmetric": False, "color": mark["marker"]["color"], "thickness": 1.5}
    return {
        **mark,
        **bars,
        "mode": "markers+text",
        "text": [escaped(f"{short_names(found.labels)[label]} {short_percent(share)}")],
        "textposition": "top center",
        "opacity": _FAINTEST + (1 - _FAINTEST) * share,
    }


def _number(comparison: VersionComparison, label: str, metric_id: str) -> float:
    return float(comparison.value(label, metric_id) or 0)


def metric_axis(metric: Metric) -> dict[str, Any]:
    """The axis of a metric's figures, with the direction that is better."""
    title = f"{metric.title} ({metric.direction})"
    if metric.direction is Direction.TRUE:
        return number_axis(title, tickvals=[0, 1], ticktext=["no", "yes"], range=[-0.2, 1.2])
    return number_axis(title, rangemode="normal", **({"tickformat": "~%"} if metric.is_share else {}))


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
