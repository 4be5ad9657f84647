"""Names beside what they name, for figures of up to three series: no legend to go back and forth to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from metrics.figures.label_placement import NARROW, Placed, Series, place_labels
from metrics.figures.plot_coordinates import PlotAxis, bar_parts, plot_axis, scatter_lanes, scatter_points

MAX_DIRECT = 3
"""Series up to which a figure needs no legend below it."""
_CHAR_WIDTH_SHARE = 0.025
"""Share of the plot that a letter in a bar takes on a narrow page."""
_LEADER = "rgba(138, 143, 152, 0.9)"


def named(traces: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The traces that a legend names."""
    return [trace for trace in traces if trace.get("name") and trace.get("showlegend", True)]


def label_directly(
    traces: Sequence[Mapping[str, Any]], layout: Mapping[str, Any], height: float
) -> tuple[Sequence[Mapping[str, Any]], list[dict[str, Any]]] | None:
    """Traces with their names inside, or annotations that bear them; None where only a legend can.

    Stacked and overlaid horizontal bars bear names in their longest parts if these fit. Everything else is named where
    the plot, `height` pixels high, has room.
    """
    names = named(traces)
    if not 1 < len(names) <= MAX_DIRECT:
        return None
    if bars := _named_bars(names, layout):
        return [*(trace for trace in traces if trace not in names), *bars], []
    if any(trace.get("type") not in ("scatter", "bar") or _is_stacked(trace, layout) for trace in names):
        return None
    labels = name_beside(names, traces, layout, height)
    return None if labels is None else (traces, labels)


def name_beside(
    names: Sequence[Mapping[str, Any]],
    traces: Sequence[Mapping[str, Any]],
    layout: Mapping[str, Any],
    height: float,
    narrow: int = NARROW,
) -> list[dict[str, Any]] | None:
    """An annotation for each of `names`, some of the traces, where the plot has room; None if there is too little.

    `narrow` is the plot's width in pixels where it is narrowest.
    """
    x, y = (plot_axis(layout.get(f"{side}axis", {}), traces, side) for side in "xy")
    if x is None or y is None:
        return None
    series, lines = _series(traces, names, x, y, layout), _thresholds(layout.get("shapes", ()), x, y)
    labels = place_labels(series, height * y.domain, lines, narrow)
    return None if labels is None else [_annotation(label, x, y) for label in labels]


def _is_stacked(trace: Mapping[str, Any], layout: Mapping[str, Any]) -> bool:
    """Whether lines to a trace's parts would cross the parts of others in the same bars."""
    return layout.get("barmode") == "stack" and trace.get("orientation") == "h"


def _named_bars(traces: Sequence[Mapping[str, Any]], layout: Mapping[str, Any]) -> list[Mapping[str, Any]] | None:
    """Horizontal bars, stacked or overlaid, each with its name in its longest part; None if one is too short."""
    if layout.get("barmode") == "group" or any(trace.get("type") != "bar" for trace in traces):
        return None
    if not all(trace.get("orientation") == "h" and list(trace["y"]) == list(traces[0]["y"]) for trace in traces):
        return None
    lengths = np.abs([trace["x"] for trace in traces])
    longest, span = lengths.argmax(axis=1), lengths.sum(axis=0).max()
    if any(lengths[i].max() < _CHAR_WIDTH_SHARE * len(trace["name"]) * span for i, trace in enumerate(traces)):
        return None
    return [
        {
            **trace,
            "text": [trace["name"] if row == longest[i] else "" for row in range(lengths.shape[1])],
            "textposition": "inside",
            "insidetextanchor": "middle",
            "textangle": 0,
            "insidetextfont": {"size": 12, "color": "black"},
        }
        for i, trace in enumerate(traces)
    ]


def _series(
    traces: Sequence[Mapping[str, Any]],
    names: Sequence[Mapping[str, Any]],
    x: PlotAxis,
    y: PlotAxis,
    layout: Mapping[str, Any],
) -> list[Series]:
    """Return the points and areas that each trace draws, the unnamed ones too."""
    parts, lanes = bar_parts(traces, x, y, layout), scatter_lanes(traces, layout)
    series = []
    for trace in traces:
        name = trace["name"] if any(trace is named_trace for named_trace in names) else ""
        if trace.get("type") == "bar":
            points, filled = parts[id(trace)]
            series.append(Series(name, points, filled, 0.0))
        elif trace.get("type") == "scatter" and trace.get("xaxis", "x") == "x":
            points = scatter_points(trace, x, y, lanes.get(id(trace), 0.0))
            has_markers = "markers" in str(trace.get("mode", ""))
            radius = float(np.max(trace.get("marker", {}).get("size", 6))) / 2 if has_markers else 0.0
            series.append(Series(name, points, np.tile(points, 2), radius))
    return series


def _thresholds(
    shapes: Iterable[Mapping[str, Any]], x: PlotAxis, y: PlotAxis
) -> list[tuple[float | None, float | None]]:
    """Shares of the width, or of the height, at which a line crosses the plot."""
    lines: list[tuple[float | None, float | None]] = []
    for shape in shapes:
        if shape.get("type") == "line" and shape["x0"] == shape["x1"] and shape.get("xref") == "x":
            lines.append((float(x.shares([shape["x0"]], shape=True)[0]), None))
        elif shape.get("type") == "line" and shape["y0"] == shape["y1"] and shape.get("yref") == "y":
            lines.append((None, float(y.shares([shape["y0"]], shape=True)[0])))
    return lines


def _annotation(placed: Placed, x: PlotAxis, y: PlotAxis) -> dict[str, Any]:
    """The label, and a line from it to what it names unless it lies beside that."""
    label = {
        "text": placed.text,
        "font": {"size": 12, "weight": 600},
        "xanchor": placed.anchor,
        "yanchor": "middle",
    }
    at, end = ((x.position(point[0]), y.position(point[1])) for point in (placed.at, placed.leader_end or placed.at))
    if placed.leader_end is None:
        return {**label, "showarrow": False, "x": at[0], "y": at[1]}
    leader = {"arrowhead": 0, "arrowwidth": 1, "arrowcolor": _LEADER, "standoff": 3}
    return {
        **label,
        **leader,
        "showarrow": True,
        "x": end[0],
        "y": end[1],
        "axref": "x",
        "ayref": "y",
        "ax": at[0],
        "ay": at[1],
    }
