"""Positions of a figure's traces in its plot, as shares of width and height from the lower left corner."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log10
from typing import Any

import numpy as np

from metrics.tables.table import Flags, Floats

_STEP = 0.02
"""Share of the plot by which the points of a line are apart."""
_BAR = 0.8
"""Share of a category's width that its bars fill."""
_LONG = 0.6
"""Share of a trace's longest bar from which a label may point to a bar."""
_PADDING = 0.05
"""Share of an axis without a range that Plotly leaves beyond the data."""


@dataclass(frozen=True)
class PlotAxis:
    """An axis from `low` to `high`, in exponents of 10 where it is logarithmic, in places where it has categories."""

    low: float
    high: float
    categories: Mapping[Any, int] | None = None
    logarithmic: bool = False
    domain: float = 1.0
    """Share of the plot's height or width that belongs to the axis."""

    def shares(self, values: Sequence[Any], *, shape: bool = False) -> Floats:
        """Convert values to shares of the axis, NaN for those without a place; a shape's are never categories."""
        if self.categories is not None and not shape:
            positions = np.array([self.categories.get(value, np.nan) for value in values], dtype=np.float64)
        else:
            positions = np.array([np.nan if value is None else value for value in values], dtype=np.float64)
            if self.logarithmic:
                positions = np.log10(np.where(positions > 0, positions, np.nan))
        return np.asarray((positions - self.low) / ((self.high - self.low) or 1.0))

    def position(self, share: float) -> float:
        """A place as an annotation gives it."""
        return float(self.low + share * (self.high - self.low))


def plot_axis(axis: Mapping[str, Any], traces: Sequence[Mapping[str, Any]], side: str) -> PlotAxis | None:
    """The figure's first horizontal ("x") or vertical ("y") axis; None if its ends are unknown."""
    low, high = axis.get("domain", (0, 1))
    logarithmic = axis.get("type") == "log"
    ends = axis["range"] if "range" in axis else _automatic_range(axis, traces, side, logarithmic)
    if ends is None:
        return None
    keys = {key: index for index, key in enumerate(axis["categoryarray"])} if axis.get("type") == "category" else None
    return PlotAxis(ends[0], ends[1], categories=keys, logarithmic=logarithmic, domain=high - low)


def _automatic_range(
    axis: Mapping[str, Any], traces: Sequence[Mapping[str, Any]], side: str, logarithmic: bool
) -> tuple[float, float] | None:
    """About the ends that Plotly gives an axis by its data; None without numbers."""
    axis_traces = [trace for trace in traces if trace.get(f"{side}axis", side) == side]
    values = [value for trace in axis_traces for value in trace[side] if value is not None]
    if not values or not all(isinstance(value, int | float | np.number) for value in values):
        return None
    if logarithmic:
        values = [log10(value) for value in values if value > 0]
    if axis.get("rangemode") == "tozero":
        values.append(0.0)
    lowest, highest = float(min(values)), float(max(values))
    padding = _PADDING * (highest - lowest)
    return lowest - (padding if lowest else 0.0), highest + padding


def scatter_lanes(traces: Sequence[Mapping[str, Any]], layout: Mapping[str, Any]) -> dict[int, float]:
    """For each horizontal scatter, by its identity, how far its lane is from the middle of a category, as a share."""
    grouped = [trace for trace in traces if trace.get("type") == "scatter" and trace.get("orientation") == "h"]
    if layout.get("scattermode") != "group":
        return {}
    width = (1 - float(layout["scattergap"])) / max(len(grouped), 1)
    return {id(trace): (index - (len(grouped) - 1) / 2) * width for index, trace in enumerate(grouped)}


def scatter_points(trace: Mapping[str, Any], x: PlotAxis, y: PlotAxis, lane: float = 0.0) -> Floats:
    """Points of a trace's marks or all along its lines, a row each; `lane` is its own as `scatter_lanes` has it."""
    points = np.column_stack([x.shares(trace["x"]), y.shares(trace["y"]) + lane / ((y.high - y.low) or 1.0)])
    if "lines" in str(trace.get("mode", "")) and len(points) > 1:
        points = _along(_corners(points, str(trace.get("line", {}).get("shape", "linear"))))
    inside: Floats = points[np.isfinite(points).all(axis=1) & (points >= 0).all(axis=1) & (points <= 1).all(axis=1)]
    return inside


def _corners(points: Floats, shape: str) -> Floats:
    """The points with those between which a step bends."""
    if shape not in ("hv", "vh"):
        return points
    bends = np.column_stack([points[1:, 0], points[:-1, 1]] if shape == "hv" else [points[:-1, 0], points[1:, 1]])
    return np.insert(points, np.arange(1, len(points)), bends, axis=0)


def _along(points: Floats) -> Floats:
    """Points at most `_STEP` apart on the line through `points`."""
    steps = np.diff(points, axis=0)
    pieces = np.ceil(np.nan_to_num(np.abs(steps)).max(axis=1) / _STEP).astype(int).clip(1)
    segments = np.repeat(np.arange(len(steps)), pieces)
    fractions = (np.arange(len(segments)) - np.repeat(np.cumsum(pieces) - pieces, pieces)) / pieces[segments]
    return np.vstack([points[segments] + fractions[:, None] * steps[segments], points[-1:]])


def bar_parts(
    traces: Sequence[Mapping[str, Any]], x: PlotAxis, y: PlotAxis, layout: Mapping[str, Any]
) -> dict[int, tuple[Floats, Floats]]:
    """For each trace of bars, by its identity, the points that a label may point to and the rectangles of its bars.

    A label points to the longest bars only: to their ends, or to the middles of parts on which others are stacked.
    """
    bars = [trace for trace in traces if trace.get("type") == "bar"]
    grouped, stacked = layout.get("barmode") == "group", layout.get("barmode") == "stack"
    totals: Counter[Any] = Counter()
    for trace in bars:
        totals.update(_bar_lengths(trace))
    offsets: Counter[Any] = Counter()
    parts = {}
    for index, trace in enumerate(bars):
        lengths = _bar_lengths(trace)
        starts = {key: offsets[key] if stacked else 0.0 for key in lengths}
        offsets.update(lengths)
        is_covered = np.array([stacked and offsets[key] < totals[key] for key in lengths], dtype=bool)
        # From the first trace to the last in the direction of the axis.
        slot = (index - (len(bars) - 1) / 2, len(bars)) if grouped else (0.0, 1)
        is_horizontal = trace.get("orientation") == "h"
        along, across = (x, y) if is_horizontal else (y, x)
        tips, (low, high), (near, far) = _bars(lengths, starts, is_covered, slot, along, across)
        middles = (near + far) / 2
        parts[id(trace)] = (
            (np.column_stack([tips, middles]), np.column_stack([low, near, high, far]))
            if is_horizontal
            else (np.column_stack([middles, tips]), np.column_stack([near, low, far, high]))
        )
    return parts


def _bar_lengths(trace: Mapping[str, Any]) -> dict[Any, float]:
    """How long each bar of a trace is, by its category."""
    across, along = ("y", "x") if trace.get("orientation") == "h" else ("x", "y")
    return dict(zip(trace[across], trace[along], strict=True))


def _bars(
    lengths: Mapping[Any, float],
    starts: Mapping[Any, float],
    is_covered: Flags,
    slot: tuple[float, int],
    along: PlotAxis,
    across: PlotAxis,
) -> tuple[Floats, tuple[Floats, Floats], tuple[Floats, Floats]]:
    """Find where labels may point along the bars (NaN for short ones), their ends along, and their sides across.

    `slot` is a trace's position among those that share a category, from the middle, and their number.
    """
    offset, n_traces = slot
    width = _BAR / (abs(across.high - across.low) or 1.0) / n_traces
    middles = across.shares(list(lengths)) + offset * width * (1 if across.high > across.low else -1)
    begin = along.shares(list(starts.values()))
    end = along.shares([starts[key] + length for key, length in lengths.items()])
    bar_lengths = np.abs(end - begin)
    tips = np.where(is_covered, (begin + end) / 2, end)
    tips = np.where(bar_lengths >= _LONG * bar_lengths.max(initial=0), tips, np.nan)
    return (
        tips,
        (np.minimum(begin, end), np.maximum(begin, end)),
        (middles - width / 2, middles + width / 2),
    )
