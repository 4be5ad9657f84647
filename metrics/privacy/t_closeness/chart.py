"""t-closeness: how far the classes lie from the whole table, attribute by attribute."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from metrics.drawing.theme import (
    PRIVACY,
    VIOLATION,
    chart,
    class_count,
    count_axis,
    empty_chart,
    hover,
    label_above,
    line_at,
    note,
    number_axis,
)
from metrics.formatting import beside, exact_number, format_number, join_names, shortened, visible
from metrics.privacy.t_closeness.measure import TCloseness
from metrics.tables.table import Floats, Integers
from metrics.texts import text

MAX_BINS = 40
MAX_PANELS = 8
_PANEL = 110
_GAP = 34


def distance_distribution(result: TCloseness, attributes: Sequence[str] | None = None) -> go.Figure:
    """How many classes lie how far from the whole table, one panel per attribute; beyond the limit as violations.

    `result`: distance of each class, by attribute, 0 to 1; a limit of 1 is none. `attributes`: the panels; by default
    the attributes with the largest distances, at most MAX_PANELS. Raises KeyError if an attribute is not in the result.
    """
    if not result.classes or not result.per_class:
        return empty_chart(text("charts.no_distances"))
    farthest = sorted(result.per_class, key=lambda name: -float(result.per_class[name].max()))
    shown_attributes = list(attributes) if attributes is not None else farthest[:MAX_PANELS]
    has_limit = result.limit < 1
    edges = _edges(max(float(result.per_class[name].max()) for name in shown_attributes), result.limit)
    height = len(shown_attributes) * (_PANEL + _GAP) - _GAP
    traces: list[dict[str, Any]] = []
    shapes, notes = [], []
    axes: dict[str, Any] = {}
    for i, name in enumerate(shown_attributes):
        suffix = "" if i == 0 else str(i + 1)
        x, y = f"x{suffix}", f"y{suffix}"
        top = 1 - i * (_PANEL + _GAP) / height
        last = i == len(shown_attributes) - 1
        axes[f"xaxis{suffix}"] = {
            **number_axis("distance t from the whole table (0 to 1)" if last else None),
            "range": [edges[0], edges[-1]],
            "anchor": y,
            "showticklabels": last,
        }
        bars = _bars(name, result.per_class[name], edges, result.limit, x, y)
        axes[f"yaxis{suffix}"] = {
            **count_axis("classes", max(max(trace["y"]) for trace in bars), nticks=4),
            "domain": [max(top - _PANEL / height, 0), top],
            "anchor": x,
        }
        traces += bars
        if has_limit:
            shapes.append(line_at(result.limit, axes=(x, y)))
        notes.append(
            note(
                f"{shortened(visible(name), 24)} ({result.distance[name]} distance)",
                xref=f"{x} domain",
                x=0,
                xanchor="left",
                yref=f"{y} domain",
                y=1,
                yanchor="bottom",
            )
        )
    if has_limit:
        label = label_above(f"limit t = {exact_number(result.limit)}", result.limit, (edges[0], edges[-1]))
        notes.append({**label, "yshift": 16})
    return chart(
        traces,
        _finding(result, shown_attributes),
        plot_height=height,
        headroom=36 if has_limit else 20,
        barmode="overlay",
        bargap=0.05,
        hovermode="x",
        shapes=shapes,
        annotations=notes,
        **axes,
    )


def _edges(farthest: float, limit: float) -> list[float]:
    """Bounds of at most MAX_BINS bins that cover 0 to the largest distance and to the limit, which is one of them.

    Bins are equally wide, unless so small a limit needs a narrow first one. For a limit of 0 the first lies below 0 and
    holds the classes whose distance is 0.
    """
    range_beyond = max(farthest - limit, 0.0)
    for n_below in range(MAX_BINS, 0, -1) if limit else ():
        bins_beyond = range_beyond * n_below / limit
        if n_below + bins_beyond <= MAX_BINS:
            width, n_above = limit / n_below, math.ceil(bins_beyond)
            return [width * i for i in range(n_below)] + [limit + width * i for i in range(n_above + 1)]
    width = (range_beyond or 1.0) / (MAX_BINS - 1)
    return [0.0 if limit else -width] + [limit + width * i for i in range(MAX_BINS - 1)] + [limit + range_beyond]


def _bins(distances: Floats, edges: Sequence[float]) -> Integers:
    """Classes per bin; a bin holds its upper bound, as the limit itself is close enough, and the first bin also 0."""
    position = np.searchsorted(np.array(edges), distances, side="left") - 1
    return np.bincount(np.clip(position, 0, len(edges) - 2), minlength=len(edges) - 1)


def _bars(name: str, distances: Floats, edges: Sequence[float], limit: float, x: str, y: str) -> list[dict[str, Any]]:
    """The bins up to the limit, and those beyond."""
    bins = list(zip(edges[:-1], edges[1:], _bins(distances, edges).tolist(), strict=True))
    traces = []
    for color, shown_bins in (
        (PRIVACY, [bar for bar in bins if bar[1] <= limit and bar[2]]),
        (VIOLATION, [bar for bar in bins if bar[1] > limit and bar[2]]),
    ):
        if not shown_bins:
            continue
        traces.append(
            {
                "type": "bar",
                "x": [(low + high) / 2 for low, high, _ in shown_bins],
                "width": [0.9 * (high - low) for low, high, _ in shown_bins],
                "y": [classes for *_, classes in shown_bins],
                "hovertext": [
                    hover(name, f"t from {format_number(max(low, 0))} to {format_number(high)}: {class_count(classes)}")
                    for low, high, classes in shown_bins
                ],
                "hoverinfo": "text",
                "marker": {"color": color, "line": {"width": 0}},
                "xaxis": x,
                "yaxis": y,
            }
        )
    return traces


def _finding(result: TCloseness, shown_attributes: Sequence[str]) -> str:
    n_hidden = len(result.per_class) - len(shown_attributes)
    if len(shown_attributes) > 1 or not n_hidden:
        finding, attributes = _of_all(result, shown_attributes), len(result.per_class)
        if not n_hidden:
            return finding
        return text("charts.some_attributes", finding=finding, shown=len(shown_attributes), attributes=attributes)
    name, limit = shown_attributes[0], result.limit
    distances = result.per_class[name]
    n_above, largest = int((distances > result.limit).sum()), float(distances.max())
    if result.limit >= 1:
        return text("charts.t_closeness.unlimited", column=name, largest=largest)
    if not n_above:
        return text("charts.t_closeness.within", column=name, limit=limit, largest=beside(largest, limit))
    return text("charts.t_closeness.exceeded", column=name, failing=n_above, classes=len(distances), limit=limit)


def _of_all(result: TCloseness, shown_attributes: Sequence[str]) -> str:
    """The finding; if classes exceed the limit for several attributes, how many for each, the most first."""
    counts = {name: int((result.per_class[name] > result.limit).sum()) for name in shown_attributes}
    failing = sorted(filter(counts.__getitem__, counts), key=lambda name: -counts[name])
    if len(failing) < 2:
        return result.finding.removesuffix(".")
    parts = [text("charts.t_closeness.attribute", failing=counts[name], column=name) for name in failing]
    return text(
        "charts.t_closeness.by_attribute",
        failing=result.exceeding,
        classes=result.classes,
        limit=result.limit,
        attributes=join_names(parts),
    )
