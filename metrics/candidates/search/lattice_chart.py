"""The generalization lattice: every node by two figures with the front, and the lattice itself with the way up."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import plotly.graph_objects as go

from metrics.candidates.limits.measures import KEPT, NODE_MEASURES, is_missing, oriented_values
from metrics.candidates.pareto import pareto_front
from metrics.candidates.search.exploration import Exploration
from metrics.drawing.theme import (
    BEYOND,
    NEUTRAL,
    PRIVACY,
    UTILITY,
    VIOLATION,
    chart,
    hover,
    label_above,
    line_at,
    number_axis,
)
from metrics.formatting import format_number, percent, pluralize, visible
from metrics.scoring.catalog import INFORMATION, RISK
from metrics.tables.table import Flags, Floats, Integers
from metrics.texts import text
from metrics.utility.analyses import ANALYSES

_ACROSS, _UP = 50, 40
_HEIGHT = 360
_MARKS = ((UTILITY, "diamond-open"), ("#AA4499", "circle-open"), ("#6A7FDB", "square-open"))
"""Colour and symbol of points marked beside the nodes; open, so that a node shows inside."""

_AXES = {RISK: "highest risk (log scale)", INFORMATION: "information kept", ANALYSES.id: "analyses kept"}
"""Titles of the axes, worded as on the tiles beside the chart."""


_DOT: Final = {"color": PRIVACY, "size": 7, "line": {"width": 0}}
_CROSS: Final = {"symbol": "x-thin", "size": 11, "line": {"width": 2, "color": VIOLATION}}
"""Larger than a dot: many nodes lie exactly on the limit, and both show where one lies on the other."""


def node_cloud(
    exploration: Exploration | None,
    across: str,
    up: str,
    *,
    feasible: Flags | None = None,
    best: int | None = None,
    marked: Mapping[str, tuple[float | None, float | None]] | None = None,
    limit: float | None = None,
) -> go.Figure:
    """Nodes by two figures: those that meet the limits in blue, the front among them as a line, the best as a star.

    Nodes closer on both axes than a mark share one, feasible ones apart; its customdata is the highest of them.

    `exploration`: the nodes; None to draw only `marked`. `feasible`: which nodes meet the limits; by default those that
    the exploration found to do so. `marked`: further points by their labels, as (across, up); one that is the best node
    shares its star. `limit`: the largest acceptable chart on the horizontal axis; what lies beyond is shaded. Raises
    KeyError if a chart was not computed.
    """
    traces: list[dict[str, Any]] = []
    marked = marked or {}
    points = _points(marked)
    finding = _shown_finding(marked, across, up)
    highest = _highest(exploration, up, points)
    axes = _span(across, exploration, 1.0), _span(up, exploration, highest)
    if exploration is not None:
        meets = exploration.feasible() if feasible is None else feasible
        has_figures = ~(is_missing(across, exploration.figures[across]) | is_missing(up, exploration.figures[up]))
        traces = _nodes(exploration, (across, up), axes, meets, has_figures)
        if best is not None:
            star = _star(exploration, best, across, up)
            star_points = _sharing(points, star)
            points |= star_points
            traces += [] if star_points else [star]
        finding = _feasible_finding(exploration, int(meets.sum()), int((~has_figures).sum()))
    traces += points.values()
    limit_shapes, limit_labels = ([], []) if limit is None else _limit_drawing(limit)
    return chart(
        traces,
        finding,
        plot_height=_HEIGHT,
        legend=True,
        annotations=limit_labels,
        headroom=20 if limit_labels else 12,
        shapes=limit_shapes,
        xaxis=number_axis(_AXES.get(across, NODE_MEASURES[across].title), **axes[0]),
        yaxis=number_axis(_AXES.get(up, NODE_MEASURES[up].title), **axes[1]),
    )


def _points(marked: Mapping[str, tuple[float | None, float | None]]) -> dict[str, dict[str, Any]]:
    """The points that have both figures, by their labels."""
    return {
        label: _marked(label, x, y, *style)
        for (label, (x, y)), style in zip(marked.items(), _MARKS, strict=False)
        if x is not None and y is not None
    }


def _sharing(points: Mapping[str, dict[str, Any]], star: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The points that are the best, drawn as its star."""
    return {label: star | {"name": f"best = {label}"} for label, point in points.items() if _same_place(point, star)}


def _limit_drawing(limit: float) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The shapes and the label of a limit on the risk."""
    label = label_above(f"limit {100 * limit:.3g}%", float(np.log10(limit)), (-3, 0))
    return [_beyond(limit), line_at(limit)], [label]


def _feasible_finding(exploration: Exploration, feasible: int, unknown: int) -> str:
    """How many nodes meet the limits, and how many lack a chart."""
    evaluated = exploration.nodes_evaluated
    finding = (
        text("charts.lattice.feasible", feasible=feasible, generalizations=evaluated)
        if evaluated == exploration.nodes_total
        else text("charts.lattice.feasible_of_evaluated", feasible=feasible, generalizations=evaluated)
    )
    return f"{finding}; {text('charts.lattice.not_drawn', generalizations=unknown)}" if unknown else finding


def _shown_finding(marked: Mapping[str, tuple[float | None, float | None]], across: str, up: str) -> str:
    """The figures of the first point marked."""
    label, values = next(iter(marked.items()), ("", (None, None)))
    names = (_AXES.get(name, NODE_MEASURES[name].title).removesuffix(" (log scale)") for name in (across, up))
    figures = [f"{name} {percent(value)}" for name, value in zip(names, values, strict=True) if value is not None]
    return f"{label.capitalize()}: {', '.join(figures)}" if figures else text("charts.lattice.not_searched")


def _highest(exploration: Exploration | None, up: str, points: Mapping[str, Mapping[str, Any]]) -> float:
    """The highest of all marks."""
    heights = [float(point["y"][0]) for point in points.values()]
    if exploration is not None:
        figures = exploration.figures[up]
        heights += figures[~is_missing(up, figures)].tolist()
    return max(heights, default=1.0)


def _span(name: str, exploration: Exploration | None, highest: float) -> dict[str, Any]:
    """The ends of an axis: for shares a round one, so that marks do not move with every level."""
    if name == RISK:
        risks = np.ones(1) if exploration is None else exploration.figures[name]
        lowest = float(np.min(risks, where=risks > 0, initial=0.001))
        ticks = (0.00001, 0.0001, 0.001, 0.01, 0.05, 0.2, 1)
        return {
            "type": "log",
            "range": [np.log10(lowest) - 0.1, 0.08],
            "tickvals": ticks,
            "ticktext": [f"{100 * tick:g}%" for tick in ticks],
            "rangemode": "normal",
        }
    if name in KEPT:
        top = 1.0 if exploration is None else min(np.ceil(10 * highest + 1) / 10, 1.0)
        return {"range": [-0.02 * top, 1.04 * top], "tickformat": ".0%", "rangemode": "normal"}
    return {"rangemode": "normal"}


def _beyond(limit: float) -> dict[str, Any]:
    return {
        "type": "rect", "layer": "below", "line": {"width": 0}, "fillcolor": BEYOND,
        "x0": limit, "x1": 1.2, "yref": "paper", "y0": 0, "y1": 1,
    }  # fmt: skip


def _marked(label: str, x: float, y: float, colour: str, symbol: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": label,
        "x": [x],
        "y": [y],
        "hovertext": [hover(label, f"{x:.1%}", f"{y:.1%}")],
        "hoverinfo": "text",
        "cliponaxis": False,
        "marker": {"color": colour, "symbol": symbol, "size": 18, "line": {"width": 2}},
    }


def _nodes(
    exploration: Exploration,
    names: tuple[str, str],
    axes: tuple[Mapping[str, Any], Mapping[str, Any]],
    meets: Flags,
    has_figures: Flags,
) -> list[dict[str, Any]]:
    across, up = names
    x, y = (exploration.figures[name].astype(np.float64) for name in names)
    shown_nodes, n_represented = _thinned((x, y), axes, meets, has_figures)
    traces = []
    for flag, name, marker in ((False, "fails a limit", _CROSS), (True, "meets these limits", _DOT)):
        nodes = shown_nodes[meets[shown_nodes] == flag]
        if len(nodes):
            traces.append(_marks(exploration, nodes, n_represented, x, y, name, marker, names))
    front = _front(exploration, across, up, meets & has_figures)
    if len(front) > 1:
        order = front[np.argsort(x[front], kind="stable")]
        traces.append(
            {
                "type": "scatter",
                "mode": "lines",
                "name": "Pareto front",
                "x": x[order].tolist(),
                "y": y[order].tolist(),
                "hoverinfo": "skip",
                "line": {"color": NEUTRAL, "width": 1.5, "dash": "dot", "shape": "hv"},
            }
        )
    return traces


def _front(exploration: Exploration, across: str, up: str, meets: Flags) -> Integers:
    nodes = np.flatnonzero(meets)
    return nodes[pareto_front(*(oriented_values(name, exploration.figures[name])[nodes] for name in (across, up)))]


def _thinned(
    figures: tuple[Floats, Floats], axes: tuple[Mapping[str, Any], Mapping[str, Any]], meets: Flags, has_figures: Flags
) -> tuple[Integers, dict[int, int]]:
    """The highest node of each cell of a grid on the axes, feasible ones apart, and how many nodes it represents."""
    nodes = np.flatnonzero(has_figures)
    if not len(nodes):
        return nodes, {}
    nodes = nodes[np.argsort(-figures[1][nodes], kind="stable")]
    across, up = (
        _cells(values[nodes], axis, n_cells)
        for values, axis, n_cells in zip(figures, axes, (_ACROSS, _UP), strict=True)
    )
    key = (across * _UP + up) * 2 + meets[nodes]
    _, first_indices, counts = np.unique(key, return_index=True, return_counts=True)
    representatives = nodes[first_indices]
    return representatives, dict(zip(representatives.tolist(), counts.tolist(), strict=True))


def _cells(values: Floats, axis: Mapping[str, Any], n_cells: int) -> Integers:
    """The cell of an axis that each value is in; an axis without a range ends at the values."""
    places = np.log10(np.maximum(values, math.ulp(0.0))) if axis.get("type") == "log" else values
    low, high = axis.get("range", (float(places.min()), float(places.max())))
    cells: Integers = ((places - low) / ((high - low) or 1.0) * n_cells).astype(np.int64)
    return np.clip(cells, 0, n_cells - 1)


def _marks(
    exploration: Exploration,
    nodes: Integers,
    n_represented: dict[int, int],
    x: Any,
    y: Any,
    name: str,
    marker: Mapping[str, Any],
    names: Sequence[str],
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": x[nodes].tolist(),
        "y": y[nodes].tolist(),
        "customdata": nodes.tolist(),
        "hovertext": [_hover_text(exploration, index, names, n_represented[index] - 1) for index in nodes.tolist()],
        "hoverinfo": "text",
        "marker": marker,
    }


def _star(exploration: Exploration, best: int, across: str, up: str) -> dict[str, Any]:
    x, y = (float(exploration.figures[name][best]) for name in (across, up))
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "the best",
        "x": [x],
        "y": [y],
        "customdata": [best],
        "hovertext": [_hover_text(exploration, best, (across, up))],
        "hoverinfo": "text",
        "marker": {"color": PRIVACY, "size": 17, "symbol": "star", "line": {"width": 1, "color": "white"}},
    }


def _same_place(first: Mapping[str, Any], second: Mapping[str, Any]) -> bool:
    return bool(np.allclose([first["x"], first["y"]], [second["x"], second["y"]]))


def _hover_text(exploration: Exploration, index: int, names: Sequence[str] = (), others: int = 0) -> str:
    levels = ", ".join(f"{visible(name)} {level}" for name, level in exploration.levels_of(index).items())
    node = exploration.node(index)
    lines = [f"levels: {levels}", f"{node['suppressed_rows']:,} records suppressed, k = {node['smallest_class']}"]
    lines += [f"{NODE_MEASURES[name].title}: {format_number(node[name])}" for name in names]
    if others:
        lines.append(f"and {pluralize(others, 'generalization')} close by")
    return hover(*lines)
