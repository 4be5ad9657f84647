"""Names beside what they name: up to three lines where they are farthest apart, up to three bars in their longest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import log10
from typing import Any

import numpy as np

from metrics.tables.table import Floats

MAX_DIRECT = 3
"""Series up to which a figure needs no legend below it."""
_POINTS = 41
_LABEL = 0.15
"""Share of the plot that a label may take."""
_SHORT = 16
"""Characters of a name that fits beside its line."""
_APART = 0.1
"""Share of the height by which lines must be apart where their names stand."""
_LETTER = 0.025
"""Share of the plot that a letter in a bar takes on a narrow page."""
_EDGE = 0.12
"""Share of the plot at either end where a label would leave it."""


def named(traces: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The traces that a legend names."""
    return [trace for trace in traces if trace.get("name") and trace.get("showlegend", True)]


def are_lines(traces: Sequence[Mapping[str, Any]]) -> bool:
    """Whether all are lines over numbers, from left to right."""
    return all(
        trace.get("type") == "scatter"
        and str(trace.get("mode", "")).startswith("lines")
        and all(isinstance(x, int | float | np.number) for x in trace["x"])
        and not np.any(np.diff(np.array(trace["x"], dtype=np.float64)) < 0)
        for trace in traces
    )


def fit_directly(traces: Sequence[Mapping[str, Any]], axis: Mapping[str, Any]) -> bool:
    """Whether a few lines can bear their names: these are short, and somewhere the lines are apart."""
    if len(traces) > MAX_DIRECT or not are_lines(traces):
        return False
    if len(traces) == 1:
        return True
    _, heights = _heights(traces, axis)
    least = _APART * float(np.ptp(heights))
    apart = [np.abs(np.delete(heights, i, axis=0) - heights[i]).min(axis=0).max() for i in range(len(traces))]
    return max(len(trace["name"]) for trace in traces) <= _SHORT and min(apart) >= least


def named_bars(traces: Sequence[Mapping[str, Any]], layout: Mapping[str, Any]) -> list[Mapping[str, Any]] | None:
    """A few horizontal bars, stacked or overlaid, each with its name in its longest part; None if one is too short."""
    if len(traces) > MAX_DIRECT or layout.get("barmode") == "group":
        return None
    if not all(trace.get("orientation") == "h" and list(trace["y"]) == list(traces[0]["y"]) for trace in traces):
        return None
    lengths = np.abs([trace["x"] for trace in traces])
    longest, span = lengths.argmax(axis=1), lengths.sum(axis=0).max()
    if any(lengths[i].max() < _LETTER * len(trace["name"]) * span for i, trace in enumerate(traces)):
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


def line_labels(
    traces: Sequence[Mapping[str, Any]], axis: Mapping[str, Any], shapes: Iterable[Mapping[str, Any]] = ()
) -> list[dict[str, Any]]:
    """An annotation for each of several lines where the others are farthest from it, away from vertical thresholds.

    `axis` is the horizontal axis: its range, if it has one, and whether it is logarithmic. `shapes` are the figure's.
    """
    thresholds = [shape["x0"] for shape in shapes if shape["x0"] == shape["x1"] and shape.get("xref") == "x"]
    places, heights = _heights(traces, axis, thresholds)
    return [
        {"text": trace["name"], **_beside(places, heights[number], np.delete(heights, number, axis=0))}
        for number, trace in enumerate(traces)
    ]


def _heights(
    traces: Sequence[Mapping[str, Any]], axis: Mapping[str, Any], thresholds: Iterable[float] = ()
) -> tuple[Floats, Floats]:
    """Places of the horizontal axis that are free of thresholds, and how high each line is there, a row per line."""
    logarithmic = axis.get("type") == "log"
    lines = [_points(trace, logarithmic) for trace in traces]
    low, high = axis.get("range") or (min(x[0] for x, _ in lines), max(x[-1] for x, _ in lines))
    places = low + (high - low) * np.linspace(_EDGE, 1 - _EDGE, _POINTS)
    for threshold in thresholds:
        free = np.abs(places - (log10(threshold) if logarithmic else threshold)) > _LABEL * (high - low)
        places = places[free] if free.any() else places
    return places, np.array([np.interp(places, x, y) for x, y in lines])


def _beside(places: Floats, own: Floats, others: Floats) -> dict[str, Any]:
    """Where a line's label stands, on the side that the nearest other line is not; `others` has a row per line."""
    at = int(np.argmax(np.abs(others - own).min(axis=0)))
    above = bool(own[at] >= others[np.abs(others[:, at] - own[at]).argmin(), at])
    falls = bool(own[min(at + 1, len(places) - 1)] <= own[max(at - 1, 0)])
    return {
        "showarrow": False,
        "font": {"size": 12, "weight": 600},
        "x": float(places[at]),
        "y": float(own[at]),
        "xanchor": "left" if falls is above else "right",
        "yanchor": "bottom" if above else "top",
    }


def _points(trace: Mapping[str, Any], logarithmic: bool) -> tuple[Floats, Floats]:
    """A line's points from left to right, the horizontal ones as an annotation's place is given."""
    x = np.array([log10(x) if logarithmic else x for x in trace["x"] if not logarithmic or x > 0], dtype=np.float64)
    y = np.array(trace["y"], dtype=np.float64)[-len(x) :]
    held = ~np.isnan(y)
    order = np.argsort(x[held], kind="stable")
    return x[held][order], y[held][order]
