"""The shares of a randomized column: as released, as estimated from that, and the true ones."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import plotly.graph_objects as go

from metrics.drawing.theme import NEUTRAL, PRIVACY, categories, category_axis, chart, hover, in_two_lines, number_axis
from metrics.drawing.theme import rows_height as height_of
from metrics.formatting import format_number, percent, visible
from metrics.privacy.local_dp.measure import RandomizedColumn
from metrics.tables.table import Floats
from metrics.texts import text

MOST: Final = 30
"""Values that are drawn: the most frequent ones, by the estimate."""


def frequency_chart(name: str, column: RandomizedColumn) -> go.Figure:
    """A row per value: its released share, the estimate with its 95% interval, and where known the true share."""
    found, true = column.frequencies, column.true
    assert found is not None
    low, high = found.interval
    order = np.argsort(-found.estimated, kind="stable")[:MOST]
    values = [column.randomization.values[index] for index in order]
    keys = categories(values)

    def marks(shares: Floats, title: str, colour: str, symbol: str) -> dict[str, Any]:
        return {
            "type": "scatter",
            "mode": "markers",
            "name": title,
            "x": 100 * shares[order],
            "y": keys,
            "marker": {"color": colour, "symbol": symbol, "size": 10, "line": {"width": 2, "color": colour}},
            "hovertext": [
                hover(
                    f"{visible(value)}: {format_number(100 * float(shares[index]))}% {title}",
                    f"95% interval: {percent(float(low[index]))} to {percent(float(high[index]))}",
                )
                for index, value in zip(order, values, strict=True)
            ],
            "hoverinfo": "text",
            "cliponaxis": False,
        }

    estimated = marks(found.estimated, "estimated", PRIVACY, "circle")
    estimated["error_x"] = {
        "type": "data",
        "symmetric": False,
        "array": 100 * np.maximum(high - found.estimated, 0)[order],
        "arrayminus": 100 * np.maximum(found.estimated - low, 0)[order],
        "color": PRIVACY,
    }
    traces = [marks(found.released, "released", NEUTRAL, "circle-open"), estimated]
    title = text("charts.frequencies.estimated", column=name, width=50 * float((high - low).max()))
    if true is not None:
        traces += [marks(true, "true", NEUTRAL, "line-ns-open")]
        within = int(((low <= true) & (true <= high)).sum())
        title = text("charts.frequencies.finding", column=name, values=len(true), within=within)
    return chart(
        traces,
        title,
        plot_height=height_of(len(values)),
        legend=True,
        xaxis=number_axis("records (%)", rangemode="normal"),
        yaxis=category_axis(keys, [in_two_lines(visible(value), 24) for value in values], downwards=True),
    )
