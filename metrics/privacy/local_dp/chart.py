"""The shares of a randomized column: as released, as estimated from that, and the true ones."""

from __future__ import annotations

from typing import Any, Final

import plotly.graph_objects as go

from metrics.drawing.theme import NEUTRAL, PRIVACY, categories, category_axis, chart, hover, in_two_lines, number_axis
from metrics.drawing.theme import rows_height as height_of
from metrics.formatting import format_number, percent, visible
from metrics.privacy.local_dp.measure import RandomizedColumn, Share
from metrics.texts import text

MOST: Final = 30
"""Values that are drawn: the most frequent ones, by the estimate."""


def frequency_chart(name: str, column: RandomizedColumn) -> go.Figure:
    """A row per value: its released share, the estimate with its 95% interval, and where known the true share."""
    shown = sorted(column.shares, key=lambda share: -share.estimated)[:MOST]
    keys = categories([share.value for share in shown])
    estimated = _marks(shown, keys, [share.estimated for share in shown], "estimated", PRIVACY, "circle")
    estimated["error_x"] = {
        "type": "data",
        "symmetric": False,
        "array": [100 * max(share.high - share.estimated, 0) for share in shown],
        "arrayminus": [100 * max(share.estimated - share.low, 0) for share in shown],
        "color": PRIVACY,
    }
    traces = [_marks(shown, keys, [share.released for share in shown], "released", NEUTRAL, "circle-open"), estimated]
    if column.true is not None:
        traces += [_marks(shown, keys, [share.true or 0.0 for share in shown], "true", NEUTRAL, "line-ns-open")]
    return chart(
        traces,
        _finding(name, column),
        plot_height=height_of(len(shown)),
        legend=True,
        xaxis=number_axis("records (%)", rangemode="normal"),
        yaxis=category_axis(keys, [in_two_lines(visible(share.value), 24) for share in shown], downwards=True),
    )


def _finding(name: str, column: RandomizedColumn) -> str:
    shares, widest = column.shares, max(share.high - share.low for share in column.shares)
    if column.true is None:
        return text("charts.frequencies.estimated", column=name, width=50 * widest)
    within = sum(share.low <= (share.true or 0.0) <= share.high for share in shares)
    return text("charts.frequencies.finding", column=name, values=len(shares), within=within)


def _marks(
    shown: list[Share], keys: list[str], shares: list[float], title: str, colour: str, symbol: str
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": title,
        "x": [100 * share for share in shares],
        "y": keys,
        "marker": {"color": colour, "symbol": symbol, "size": 10, "line": {"width": 2, "color": colour}},
        "hovertext": [
            hover(
                f"{visible(each.value)}: {format_number(100 * share)}% {title}",
                f"95% interval: {percent(each.low)} to {percent(each.high)}",
            )
            for each, share in zip(shown, shares, strict=True)
        ],
        "hoverinfo": "text",
        "cliponaxis": False,
    }
