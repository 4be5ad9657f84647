"""Ambiguity: how many combinations of values the records represent, from record to record."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import plotly.graph_objects as go

from metrics.drawing.theme import UTILITY, chart, count_axis, empty_chart, hover, label_above, line_at, number_axis
from metrics.formatting import percent, pluralize
from metrics.tables.table import Floats
from metrics.texts import text
from metrics.utility.ambiguity.measure import Ambiguity, format_power, power_of_ten

MAX_BINS = 50
_WIDTHS = (0.1, 0.2, 0.25, 0.5, 1.0)
"""Widths of a bin in decades; beyond the last in whole decades."""
_MAX_TICKS = 6


def combination_distribution(result: Ambiguity) -> go.Figure:
    """Records by how many combinations of values each is consistent with (log scale), and the mean."""
    records = int(result.records.sum())
    if not records:
        return empty_chart(text("charts.ambiguity.no_records"))
    # Products of the same factors in another order differ in the last digits of their logarithms.
    logs = np.round(result.log10_combinations, 9)
    edges = _edges(float(logs.max()))
    bins = np.minimum(np.searchsorted(edges, logs, side="right") - 1, len(edges) - 2)
    heights = np.bincount(bins, weights=result.records, minlength=len(edges) - 1).astype(np.int64)
    filled_bins = np.flatnonzero(heights)
    width = float(edges[1] - edges[0])
    bars = {
        "type": "bar",
        "x": ((edges[:-1] + edges[1:]) / 2)[filled_bins],
        "y": heights[filled_bins],
        "width": width * 0.92,
        "hovertext": [
            hover(
                _between(float(logs[bins == i].min()), float(logs[bins == i].max())),
                f"{pluralize(int(heights[i]), 'record')}, {percent(heights[i] / records)}",
            )
            for i in filled_bins
        ],
        "hoverinfo": "text",
        "marker": {"color": UTILITY, "line": {"width": 0}},
    }
    mean = result.log10_mean_combinations
    span = (float(edges[0]), float(edges[-1]))
    return chart(
        [bars],
        _finding(result),
        plot_height=240,
        headroom=20,
        xaxis=number_axis("combinations of values per record (log scale)", range=list(span), **_ticks(span)),
        yaxis=count_axis("records", int(heights.max()), range=[0, 1.12 * float(heights.max())]),
        shapes=[line_at(mean)],
        annotations=[label_above(f"mean {format_power(mean)}", mean, span)],
    )


def _edges(largest: float) -> Floats:
    """Edges of at most MAX_BINS bins from one combination to the largest number of them, at round decades."""
    widths = (*_WIDTHS, *(float(decades) for decades in range(2, math.ceil(largest) + 2)))
    width = next(width for width in widths if math.floor(largest / width) + 1 <= MAX_BINS)
    bins = max(math.floor(round(largest / width, 9)) + 1, 2)
    return np.array([i * width for i in range(bins + 1)], dtype=np.float64)


def _ticks(span: tuple[float, float]) -> dict[str, Any]:
    step = max(1, math.ceil((span[1] - span[0]) / _MAX_TICKS))
    decades = list(range(0, math.floor(span[1]) + 1, step))
    if len(decades) == 1:
        values = [math.log10(number) for number in (1, 2, 5) if math.log10(number) <= span[1]]
        return {"tickvals": values, "ticktext": [format_power(value) for value in values]}
    return {"tickvals": decades, "ticktext": [_decade(power) for power in decades]}


def _decade(power: int) -> str:
    return f"{10**power:,}" if power <= 3 else power_of_ten(power)


def _between(low: float, high: float) -> str:
    ends = dict.fromkeys((format_power(low), format_power(high)))
    is_single = len(ends) == 1 and high == 0
    return f"{' to '.join(ends)} {'combination' if is_single else 'combinations'}"


def _finding(result: Ambiguity) -> str:
    logs = result.log10_combinations
    if float(logs.max()) < 1e-9:
        return text("charts.ambiguity.all_single")
    records = int(result.records.sum())
    n_single = int(result.records[logs < 1e-9].sum())
    if 2 * n_single < records:
        return text("charts.ambiguity.few_single", combinations=format_power(result.log10_median))
    finding = text("charts.ambiguity.most_single", share=n_single / records)
    n_any = int(result.records[logs > result.log10_largest - 1e-9].sum())
    return f"{finding}; {text('charts.ambiguity.any', records=n_any / records)}" if n_any else finding
