"""Map of the classes by size and distance, on which a region can be selected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from metrics.drawing.theme import (
    BEYOND,
    NEUTRAL,
    PRIVACY,
    VIOLATION,
    chart,
    class_count,
    hover,
    label_above,
    note,
    number_axis,
)
from metrics.formatting import exact_number, format_number, join_names, pluralize
from metrics.policy.class_limits import conditions_text
from metrics.policy.limitable_measures import LIMITABLE_MEASURES
from metrics.privacy.k_anonymity.measure import K_ANONYMITY
from metrics.privacy.t_closeness.measure import T_CLOSENESS
from metrics.scoring.class_filter import failing_by_limit, farthest, limits_failed, named_limits
from metrics.scoring.class_table import ClassTable
from metrics.tables.table import Flags
from metrics.texts import text

_K, _T = _SHADED = (K_ANONYMITY.id, T_CLOSENESS.id)
"""The limits that are lines of the map, with the region beyond them shaded."""
_SIZE_BINS = 32
_T_STEP = 0.04
_SMALLEST, _LARGEST = 6, 26
_TICKS = (1, 2, 5)
_LONG_NUMBERS = 200
"""Size from which there is room only for the powers of ten."""


def class_map(table: ClassTable, limits: Mapping[str, float], height: int = 360) -> go.Figure:
    """Classes gathered by size (log scale) and largest t: area shows how many, colour whether one fails a limit.

    The regions beyond the limits on k and t are shaded; a failing class outside them fails another limit. A box can be
    drawn over a region.
    """
    k_limit, t_limit = limits.get(_K, 1), limits.get(_T, 1)
    frame = map_frame(table, limits)
    low, high = _across(table)
    top = _up(table, t_limit)
    largest = float(frame["classes"].max())
    groups = [(frame[frame["fails a limit"] == flag], *style) for flag, style in _groups(table, limits).items()]
    shown_traces = [_marks(group, name, colour, largest) for group, name, colour in groups if len(group)]
    n_failing = int(frame.loc[frame["fails a limit"] != "no", "classes"].sum())
    conditions = conditions_text(named_limits(table, limits))
    finding = (
        text("charts.class_map.failing", failing=n_failing, classes=len(table), limits=conditions)
        if conditions
        else text("charts.class_map.no_limit", classes=len(table))
    )
    ticks = _TICKS if high < _LONG_NUMBERS else _TICKS[:1]
    axis = [tick * 10**power for power in range(10) for tick in ticks if low <= tick * 10**power <= high]
    return chart(
        shown_traces,
        finding,
        plot_height=height,
        headroom=20,
        legend=True,
        shapes=_limits(k_limit, t_limit, low, top),
        annotations=_limit_labels(k_limit, t_limit, low, high),
        dragmode="select",
        xaxis=number_axis(
            "records in a class",
            type="log",
            range=[float(np.log10(low)), float(np.log10(high))],
            rangemode="normal",
            tickvals=axis,
            ticktext=[f"{tick:,}" for tick in axis],
        ),
        yaxis=number_axis("largest distance t", range=[0, top]),
    )


def _groups(table: ClassTable, limits: Mapping[str, float]) -> dict[str, tuple[str, str]]:
    """Name and colour of the marks, by what they fail."""
    failing, shaded = failing_by_limit(table, limits), _shaded(table, limits)
    beyond = _names({name: flags for name, flags in failing.items() if name in _SHADED})
    others = _names({name: flags & ~shaded for name, flags in failing.items()})
    return {
        "no": ("meets", PRIVACY),
        "yes": (f"fails {beyond}" if others else "fails", VIOLATION),
        "another limit": (f"fails only {others}", VIOLATION),
    }


def _shaded(table: ClassTable, limits: Mapping[str, float]) -> Flags:
    """Which classes lie beyond a limit on k or t."""
    return limits_failed(table, {name: limit for name, limit in limits.items() if name in _SHADED}) > 0


def _names(failing: Mapping[str, Flags]) -> str:
    """The limits that some class fails, in short: "k or t"."""
    return join_names([LIMITABLE_MEASURES[name].short for name, flags in failing.items() if flags.any()] or [""], "or")


def _limit_labels(k_limit: float, t_limit: float, low: float, high: float) -> list[dict[str, Any]]:
    """Label the lines: above the plot that of k, at its right end that of t."""
    labels = []
    if k_limit > 1:
        ends = float(np.log10(low)), float(np.log10(high))
        labels.append(label_above(f"k = {exact_number(k_limit)}", float(np.log10(k_limit - 0.5)), ends))
    if t_limit < 1:
        position = {"xref": "x domain", "x": 1, "y": t_limit, "xanchor": "right", "yanchor": "bottom"}
        labels.append(note(f"t = {exact_number(t_limit)}", **position))
    return labels


def _marks(frame: pd.DataFrame, name: str, colour: str, max_classes: float) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": frame["size"].tolist(),
        "y": frame["t"].tolist(),
        "hovertext": [
            hover(class_count(classes), pluralize(records, "record"), f"t about {format_number(t)}")
            for classes, records, t in zip(
                frame["classes"].tolist(), frame["records"].tolist(), frame["t"].tolist(), strict=True
            )
        ],
        "hoverinfo": "text",
        "marker": {
            "color": colour,
            "opacity": 0.9,
            "size": (_SMALLEST + (_LARGEST - _SMALLEST) * np.sqrt(frame["classes"] / max_classes)).tolist(),
            "line": {"width": 0},
        },
    }


def _limits(k_limit: float, t_limit: float, low: float, top: float) -> list[dict[str, Any]]:
    """The regions that fail, and the lines where they begin."""
    shade = {"type": "rect", "layer": "below", "line": {"width": 0}, "fillcolor": BEYOND}
    line = {"type": "line", "line": {"color": NEUTRAL, "width": 1.5, "dash": "dash"}}
    shapes: list[dict[str, Any]] = []
    if k_limit > 1:
        k_edge = k_limit - 0.5
        shapes.append({**shade, "x0": low, "x1": k_edge, "yref": "paper", "y0": 0, "y1": 1})
        shapes.append({**line, "x0": k_edge, "x1": k_edge, "yref": "paper", "y0": 0, "y1": 1})
    if t_limit < 1:
        shapes.append({**shade, "xref": "paper", "x0": 0, "x1": 1, "y0": t_limit, "y1": top})
        shapes.append({**line, "xref": "paper", "x0": 0, "x1": 1, "y0": t_limit, "y1": t_limit})
    return shapes


def _across(table: ClassTable) -> list[float]:
    """The range of sizes, with room for the largest mark at both ends."""
    sizes = table.classes.sizes
    room = (float(sizes.max()) / float(sizes.min())) ** 0.06 * 1.1
    return [float(sizes.min()) / room, float(sizes.max()) * room]


def _up(table: ClassTable, t_limit: float) -> float:
    """A round number above every distance and the limit."""
    return min(float(np.ceil(10 * max(float(farthest(table).max()), t_limit) + 0.5)) / 10, 1.05)


def map_frame(table: ClassTable, limits: Mapping[str, float]) -> pd.DataFrame:
    """One row per mark: `size` and `t` (means over its classes), `classes`, `records`, `fails a limit`.

    The last is "yes" beyond the limits on k and t, "another limit" for a failing class within them, else "no".
    """
    sizes, distance = table.classes.sizes, farthest(table)
    top = float(np.log2(max(int(sizes.max()), 2)))
    across = np.minimum((np.log2(sizes) / top * _SIZE_BINS).astype(np.int64), _SIZE_BINS - 1)
    up = (distance / _T_STEP).astype(np.int64)
    shaded, fails_any = _shaded(table, limits), limits_failed(table, limits) > 0
    fails = np.where(shaded, "yes", np.where(fails_any, "another limit", "no"))
    frame = pd.DataFrame({"across": across, "up": up, "fails a limit": fails, "size": sizes, "t": distance})
    frame["classes"], frame["records"] = 1, frame["size"]
    grouped = frame.groupby(["across", "up", "fails a limit"], as_index=False).agg(
        {"size": "mean", "t": "mean", "classes": "sum", "records": "sum"}
    )
    return grouped[["size", "t", "classes", "records", "fails a limit"]]
