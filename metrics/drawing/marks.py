"""The data behind a chart, mark by mark, to take along."""

from __future__ import annotations

import html
import re
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from metrics.formatting import without_isolates

_POINTWISE = ("x", "y", "base", "a", "b", "c", "labels", "parents", "values")


def marks(chart: go.Figure) -> pd.DataFrame:
    """One row per mark of a Plotly chart: its series, positions and values, texts as they are read.

    Positions are named by the titles of their axes. What only labels or connects
    marks, such as thresholds and lines without a name beside named series, is not data and is left out.
    """
    is_named = any(trace.name for trace in chart.data)
    frames = [
        _marks_of(trace).rename(columns=_axis_titles(chart, trace))
        for trace in chart.data
        if not is_named or trace.name or trace.type != "scatter" or trace.mode != "lines"
    ]
    non_empty = [frame for frame in frames if len(frame)]
    return pd.concat(non_empty, ignore_index=True) if non_empty else pd.DataFrame({"series": []})


def _axis_titles(chart: go.Figure, trace: Any) -> dict[str, str]:
    """Names of the columns x and y; none where an axis has no title, or both have the same."""
    titles: dict[str, str] = {}
    for letter in "xy":
        axis = re.sub(f"^{letter}", f"{letter}axis", getattr(trace, f"{letter}axis", None) or letter)
        title = chart.layout[axis].title.text if f"{letter}axis" in trace else None
        if title and title not in titles.values():
            titles[letter] = _readable(title)
    return titles


def _marks_of(trace: Any) -> pd.DataFrame:
    series = _readable(trace.name or trace.type)
    columns = {}
    for name in _POINTWISE:
        cells = getattr(trace, name, None)
        if cells is not None and not np.isscalar(cells):
            columns[name] = [_readable(cell) for cell in cells]
    length = max((len(cells) for cells in columns.values()), default=0)
    return pd.DataFrame({"series": series, **{n: cells for n, cells in columns.items() if len(cells) == length}})


def _readable(cell: Any) -> Any:
    return without_isolates(html.unescape(cell).replace("<br>", " ")) if isinstance(cell, str) else cell
