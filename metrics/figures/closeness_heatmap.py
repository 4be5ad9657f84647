"""Which classes lie how far from the whole table, in which attribute."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from metrics.counting.classes import EquivalenceClasses
from metrics.figures.theme import (
    NEUTRAL,
    SHADES,
    VIOLATION,
    categories,
    category_axis,
    empty_figure,
    escaped,
    figure,
    hover,
    label_above,
    line_at,
    note,
    number_axis,
)
from metrics.formatting import join_names, pluralize, visible
from metrics.privacy.classes.closeness_curve import ClosenessCurve
from metrics.privacy.t_closeness import TCloseness
from metrics.tables.table import Floats, Integers
from metrics.texts import text

MAX_MARKS = 2_000
"""Most cells of the heatmap."""
MAX_CLASSES = 200
"""Most classes, so that each keeps a few pixels to be pointed at."""
MAX_ATTRIBUTES = 20
_NAMED = 3
_ROW = 34
_LEAST_ROWS = 60
_STRIP = 14
_BETWEEN = 90
_STEPS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1)
"""Widths that a shade may have."""
_MAX_TICKS = 6
"""Numbers for which a narrow page has room."""


def heatmap_classes(result: TCloseness, curve: ClosenessCurve) -> Integers:
    """The classes that the heatmap shows, farthest first: as many as leave at most MAX_MARKS cells."""
    attributes = max(min(len(result.per_class), MAX_ATTRIBUTES), 1)
    return curve.order[: min(MAX_CLASSES, MAX_MARKS // attributes)]


def closeness_heatmap(
    result: TCloseness, curve: ClosenessCurve, classes: EquivalenceClasses, chosen: int | None = None
) -> go.Figure:
    """Distance of each class and attribute, the farthest class first, the attribute with the largest distance on top.

    Parameters
    ----------
    result : TCloseness
        Distance of each class, by attribute, 0 to 1. Cells beyond its limit are underlined; 1 is no limit.
    curve : ClosenessCurve
        The order of the classes by their distance.
    classes : EquivalenceClasses
        Their quasi-identifiers and sizes.
    chosen : int, optional
        Position of a class to point out.

    Returns
    -------
    plotly.graph_objects.Figure
        The shades are equally wide and reach from the smallest distance or limit to the largest. A cell's
        customdata holds the class and the position of the attribute in the result.
    """
    shown_classes = heatmap_classes(result, curve)
    if not len(shown_classes):
        return empty_figure(text("figures.no_distances"))
    names = sorted(result.per_class, key=lambda name: -float(result.per_class[name].max()))[:MAX_ATTRIBUTES]
    keys = categories(names)
    has_limit = result.limit < 1
    ranges = [result.per_class[name][shown_classes] for name in names]
    edges, step = _edges(np.concatenate([*ranges, [result.limit]] if has_limit else ranges))
    rows = max(_ROW * len(names), _LEAST_ROWS)
    height = rows + _BETWEEN + _STRIP
    n_beyond = min(result.exceeding, len(shown_classes))
    ends = (0.5, len(shown_classes) + 0.5)
    shapes, notes = [], []
    rank = np.flatnonzero(shown_classes == chosen)
    if has_limit:
        shapes.append(line_at(result.limit, axes=("x2", "y2")))
        notes.append(label_above(f"limit t = {result.limit:g}", result.limit, (edges[0], edges[-1]), ("x2", "y2")))
        if n_beyond < len(shown_classes):
            shapes.append(line_at(n_beyond + 0.5))
            boundary = label_above(_boundary(n_beyond), n_beyond + 0.5, ends)
        else:
            sentence = text("figures.closeness_heatmap.boundary_all")
            boundary = note(sentence, xref="x domain", x=1, xanchor="right", **_ABOVE)
        notes.append({**boundary, "yshift": 16} if len(rank) else boundary)
    if len(rank):
        notes.append({**note("▼", x=int(rank[0]) + 1, **_ABOVE), "font": {"size": 15}})
    return figure(
        [
            _cells(result, classes, shown_classes, names, keys, edges),
            _underlines(result, shown_classes, names, keys),
            *_strip(result.limit, edges),
        ],
        _finding(result, curve, names, shown_classes),
        plot_height=height,
        headroom=36 if has_limit else 20,
        barmode="overlay",
        bargap=0,
        shapes=shapes,
        annotations=notes,
        xaxis={
            **number_axis("classes, largest distance first", range=list(ends), nticks=6, showgrid=False),
            "anchor": "y",
        },
        yaxis={
            **category_axis(keys, [escaped(name, 16) for name in names], downwards=True),
            "domain": [1 - rows / height, 1],
        },
        xaxis2={
            **number_axis("distance t (0 to 1)", range=[edges[0], edges[-1]], rangemode="normal", showgrid=False),
            "tick0": 0,
            "dtick": step if len(edges) <= _MAX_TICKS else 2 * step,
            "anchor": "y2",
        },
        yaxis2={
            "type": "linear",
            "visible": False,
            "fixedrange": True,
            "range": [0, 1],
            "domain": [0, _STRIP / height],
            "anchor": "x2",
        },
    )


_ABOVE = {"yref": "y domain", "y": 1, "yanchor": "bottom"}


def _boundary(n_beyond: int) -> str:
    if not n_beyond:
        return text("figures.closeness_heatmap.boundary_none")
    return text("figures.closeness_heatmap.boundary", failing=n_beyond)


def _edges(distances: Floats) -> tuple[Floats, float]:
    """Round numbers between which all distances lie, one more than there are shades, and the step between them."""
    low, high = float(distances.min()), float(distances.max())
    for step in _STEPS:
        first, last = math.floor(round(low / step, 6)), math.ceil(round(high / step, 6))
        if last - first <= len(SHADES):
            break
    return np.arange(first, max(last, first + 1) + 1) * np.float64(step), step


def _shades(distances: Floats, edges: Floats) -> list[str]:
    """The shade of each distance, the last for the largest."""
    missing = len(SHADES) - (len(edges) - 1)
    return [SHADES[missing + i] for i in np.searchsorted(edges[1:-1], distances).tolist()]


def _cells(
    result: TCloseness,
    classes: EquivalenceClasses,
    shown_classes: Integers,
    names: Sequence[str],
    keys: Sequence[str],
    edges: Floats,
) -> dict[str, Any]:
    class_texts = [
        hover(_members(classes, index), pluralize(int(classes.sizes[index]), "record"))
        for index in shown_classes.tolist()
    ]
    position = {name: i for i, name in enumerate(result.per_class)}
    distances = [result.per_class[name][shown_classes] for name in names]
    return {
        "type": "bar",
        "orientation": "h",
        "y": [key for key in keys for _ in class_texts],
        "x": [1] * (len(class_texts) * len(keys)),
        "base": [rank + 0.5 for _ in keys for rank in range(len(class_texts))],
        "width": 0.86,
        "customdata": [[index, position[name]] for name in names for index in shown_classes.tolist()],
        "hovertext": [
            f"{class_text}<br>{attribute}: t = {distance:.4f}"
            for attribute, row in zip([escaped(name, 40) for name in names], distances, strict=True)
            for class_text, distance in zip(class_texts, row.tolist(), strict=True)
        ],
        "hoverinfo": "text",
        "marker": {"color": _shades(np.concatenate(distances), edges), "line": {"width": 0}},
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
    }


def _members(classes: EquivalenceClasses, index: int) -> str:
    return ", ".join(f"{name} = {visible(label)}" for name, label in classes.labels(index).items())


def _underlines(
    result: TCloseness, shown_classes: Integers, names: Sequence[str], keys: Sequence[str]
) -> dict[str, Any]:
    """One line per stretch of neighbouring cells beyond the limit."""
    y: list[str] = []
    starts: list[float] = []
    lengths: list[int] = []
    for name, key in zip(names, keys, strict=True):
        flags = np.concatenate([[False], result.per_class[name][shown_classes] > result.limit, [False]])
        edges = np.flatnonzero(flags[1:] != flags[:-1])
        y += [key] * (len(edges) // 2)
        starts += (edges[::2] + 0.5).tolist()
        lengths += (edges[1::2] - edges[::2]).tolist()
    return {
        "type": "bar",
        "orientation": "h",
        "y": y,
        "x": lengths,
        "base": starts,
        "width": 0.1,
        "offset": 0.38,
        "hoverinfo": "skip",
        "marker": {"color": VIOLATION, "line": {"width": 0}},
    }


def _strip(limit: float, edges: Floats) -> list[dict[str, Any]]:
    """The shades over the distances that they represent, underlined beyond the limit."""
    end, widths = float(edges[-1]), np.diff(edges)
    common = {"type": "bar", "hoverinfo": "skip", "xaxis": "x2", "yaxis": "y2"}
    return [
        {
            **common,
            "x": (edges[:-1] + widths / 2).tolist(),
            "y": [1] * len(widths),
            "width": widths.tolist(),
            "marker": {"color": _shades(edges[1:], edges), "line": {"width": 1, "color": NEUTRAL}},
        },
        {
            **common,
            "x": [(limit + end) / 2],
            "y": [0.22],
            "width": max(end - limit, 0),
            "marker": {"color": VIOLATION, "line": {"width": 0}},
        },
    ]


def _finding(result: TCloseness, curve: ClosenessCurve, names: Sequence[str], shown_classes: Integers) -> str:
    finding = _exceeding(result, names)
    if len(curve.farthest) <= len(shown_classes):
        return finding
    return text("figures.closeness_heatmap.some_classes", finding=finding, classes=len(shown_classes))


def _exceeding(result: TCloseness, names: Sequence[str]) -> str:
    """How many classes exceed the limit in which attributes; where none does, the largest distance."""
    worst, limit = names[0], f"{result.limit:g}"
    largest = float(result.per_class[worst].max())
    failing, classes = result.exceeding, result.classes
    if result.limit >= 1:
        return text("figures.closeness_heatmap.unlimited", column=worst, largest=largest)
    if not failing:
        return text("figures.closeness_heatmap.within", limit=limit, column=worst, largest=largest)
    if len(result.per_class) == 1:
        return text("figures.closeness_heatmap.exceeded", failing=failing, classes=classes, limit=limit, column=worst)
    counts = {name: int((result.per_class[name] > result.limit).sum()) for name in names}
    failing_names = sorted((name for name in names if counts[name]), key=lambda name: -counts[name])
    parts = [text("figures.closeness_heatmap.attribute", failing=counts[name], column=name) for name in failing_names]
    if len(parts) > _NAMED:
        parts = [*parts[:_NAMED], text("figures.closeness_heatmap.other_attributes")]
    return text(
        "figures.closeness_heatmap.exceeded_by_attribute",
        failing=failing,
        classes=classes,
        limit=limit,
        attributes=join_names(parts),
    )
