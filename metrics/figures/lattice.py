"""The generalization lattice: every node by two figures with the front, and the lattice itself with the way up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from metrics.candidates.exploration import Exploration
from metrics.candidates.figures import FIGURES, has_none, upwards
from metrics.candidates.front import pareto_front
from metrics.figures.theme import MONEY, NEUTRAL, PRIVACY, VIOLATION, figure, hover, number_axis
from metrics.table import Integers
from metrics.wording import counted, shown, visible

Flags = npt.NDArray[np.bool_]
MOST_MARKS: Final = 2_000
_ACROSS, _UP = 50, 40
_IN_A_LAYER = 60


def node_cloud(
    found: Exploration, across: str, up: str, *, feasible: Flags | None = None, best: int | None = None
) -> go.Figure:
    """Nodes by two figures: those that meet the limits in blue, the front among them as a line, the best as a star.

    Nodes closer than a mark share one, at most 2,000 marks; its customdata is the node it shows, a feasible one first.
    Raises KeyError for a figure that was not computed.
    """
    meets = found.feasible() if feasible is None else feasible
    x, y = (found.figures[name].astype(np.float64) for name in (across, up))
    known = ~(has_none(across, found.figures[across]) | has_none(up, found.figures[up]))
    shown_nodes, number = _thinned(x, y, meets, known)
    traces = []
    for flag, name, colour in ((False, "misses a limit", NEUTRAL), (True, "meets every limit", PRIVACY)):
        chosen = shown_nodes[meets[shown_nodes] == flag]
        if len(chosen):
            traces.append(_marks(found, chosen, number, x, y, name, colour, (across, up)))
    front = _front(found, across, up, meets)
    if len(front) > 1:
        order = front[np.argsort(x[front], kind="stable")]
        traces.append(
            {
                "type": "scatter",
                "mode": "lines",
                "name": "front: nothing is better in both",
                "x": x[order].tolist(),
                "y": y[order].tolist(),
                "hoverinfo": "skip",
                "line": {"color": MONEY, "width": 2},
            }
        )
    if best is not None:
        traces.append(_star(found, best, x, y, (across, up)))
    return figure(
        traces,
        f"{int(meets.sum()):,} of {counted(found.nodes_evaluated, 'generalization')} meet the limits",
        plot_height=340,
        legend=True,
        xaxis=number_axis(FIGURES[across].title, rangemode="normal"),
        yaxis=number_axis(FIGURES[up].title, rangemode="normal"),
    )


def lattice_layers(found: Exploration, *, feasible: Flags | None = None, best: int | None = None) -> go.Figure:
    """The lattice from no generalization at the bottom upwards, a row per sum of levels, and a way up to the best node.

    A row stands for its nodes from the least suppressed to the most, gathered into at most 60 marks; a mark is the
    stronger, the more of its nodes meet the limits.
    """
    meets = found.feasible() if feasible is None else feasible
    layer = found.levels.sum(axis=1)
    suppressed = found.figures["suppressed_rows"]
    place = np.zeros(found.nodes_evaluated)
    x: list[float] = []
    y: list[int] = []
    share: list[float] = []
    texts: list[str] = []
    for height in np.unique(layer).tolist():
        nodes = np.flatnonzero(layer == height)
        nodes = nodes[np.argsort(suppressed[nodes], kind="stable")]
        place[nodes] = np.arange(len(nodes)) - (len(nodes) - 1) / 2
        bins = np.arange(len(nodes)) * min(len(nodes), _IN_A_LAYER) // len(nodes)
        for part in np.split(nodes, np.flatnonzero(np.diff(bins)) + 1):
            x.append(float(place[part].mean()))
            y.append(height)
            share.append(float(meets[part].mean()))
            texts.append(
                hover(
                    f"{counted(len(part), 'generalization')} with {counted(height, 'level')} in sum",
                    f"{int(meets[part].sum()):,} of them meet every limit",
                    f"{int(suppressed[part].min()):,} to {int(suppressed[part].max()):,} records suppressed",
                )
            )
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": "nodes",
            "x": x,
            "y": y,
            "hovertext": texts,
            "hoverinfo": "text",
            "showlegend": False,
            "marker": {
                "color": share,
                "cmin": 0,
                "cmax": 1,
                "colorscale": [[0, "rgba(138, 143, 152, 0.35)"], [1, PRIVACY]],
                "size": 8,
                "symbol": "square",
                "colorbar": {
                    "title": {"text": "share that meets the limits", "side": "top"},
                    "orientation": "h",
                    "thickness": 12,
                    "y": -0.28,
                    "yanchor": "top",
                },
            },
        }
    ]
    way = path_to(found, best) if best is not None else []
    if way:
        traces.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "name": "a way up to the best",
                "x": place[way].tolist(),
                "y": layer[way].tolist(),
                "hovertext": [_told(found, index) for index in way],
                "hoverinfo": "text",
                "line": {"color": VIOLATION, "width": 2},
                "marker": {"color": VIOLATION, "size": 6},
                "showlegend": False,
            }
        )
    title = f"{int(meets.sum()):,} of {counted(found.nodes_evaluated, 'node')} of the lattice meet the limits"
    drawn = figure(
        traces,
        title,
        plot_height=360,
        xaxis={"visible": False, "fixedrange": True},
        yaxis=number_axis("levels in sum, 0 is the original"),
    )
    drawn.update_layout(margin_b=drawn.layout.margin.b + 40, height=drawn.layout.height + 40)
    return drawn


def path_to(found: Exploration, index: int) -> list[int]:
    """Nodes from the lowest evaluated one up to a node, one level more at a time: each step back suppresses least."""
    by_levels = {tuple(levels): node for node, levels in enumerate(found.levels.tolist())}
    suppressed = found.figures["suppressed_rows"]
    way = [index]
    while True:
        levels = found.levels[way[-1]].tolist()
        below = [
            by_levels[one]
            for i, level in enumerate(levels)
            if level and (one := (*levels[:i], level - 1, *levels[i + 1 :])) in by_levels
        ]
        if not below:
            return way[::-1]
        way.append(min(below, key=lambda node: int(suppressed[node])))


def _front(found: Exploration, across: str, up: str, meets: Flags) -> Integers:
    nodes = np.flatnonzero(meets)
    return nodes[pareto_front(*(upwards(name, found.figures[name])[nodes] for name in (across, up)))]


def _thinned(x: Any, y: Any, meets: Flags, known: Flags) -> tuple[Integers, dict[int, int]]:
    """One node for each cell of a grid, feasible ones apart, and how many nodes it stands for."""
    nodes = np.flatnonzero(known)
    if not len(nodes):
        return nodes, {}

    def binned(values: Any, number: int) -> Integers:
        low, high = float(values[nodes].min()), float(values[nodes].max())
        span = (high - low) or 1.0
        cells: Integers = np.minimum((values[nodes] - low) / span * number, number - 1).astype(np.int64)
        return cells

    key = (binned(x, _ACROSS) * _UP + binned(y, _UP)) * 2 + meets[nodes]
    _, first, count = np.unique(key, return_index=True, return_counts=True)
    chosen = nodes[first]
    return chosen, dict(zip(chosen.tolist(), count.tolist(), strict=True))


def _marks(
    found: Exploration,
    nodes: Integers,
    number: dict[int, int],
    x: Any,
    y: Any,
    name: str,
    colour: str,
    names: Sequence[str],
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": x[nodes].tolist(),
        "y": y[nodes].tolist(),
        "customdata": nodes.tolist(),
        "hovertext": [_told(found, index, names, number[index] - 1) for index in nodes.tolist()],
        "hoverinfo": "text",
        "marker": {"color": colour, "size": 7, "opacity": 0.75, "line": {"width": 0}},
    }


def _star(found: Exploration, best: int, x: Any, y: Any, names: Sequence[str]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "the best",
        "x": [float(x[best])],
        "y": [float(y[best])],
        "customdata": [best],
        "hovertext": [_told(found, best, names)],
        "hoverinfo": "text",
        "marker": {"color": VIOLATION, "size": 15, "symbol": "star", "line": {"width": 0}},
    }


def _told(found: Exploration, index: int, names: Sequence[str] = (), others: int = 0) -> str:
    levels = ", ".join(f"{visible(name)} {level}" for name, level in found.levels_of(index).items())
    node = found.node(index)
    lines = [f"levels: {levels}", f"{node['suppressed_rows']:,} records suppressed, k = {node['smallest_class']}"]
    lines += [f"{FIGURES[name].title}: {shown(node[name])}" for name in names]
    if others:
        lines.append(f"and {counted(others, 'generalization')} close by")
    return hover(*lines)
