"""The figures of versions by one metric with their intervals, and which versions differ clearly."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from metrics.candidates.compare.summary import uncertainty_finding, with_interval
from metrics.candidates.compare.trade_off_chart import metric_axis
from metrics.candidates.compare.uncertainty import Uncertainty
from metrics.drawing.theme import categories, category_axis, chart, escaped, hover, rows_height
from metrics.drawing.version_styles import Styles, short_name, short_names
from metrics.formatting import short_percent
from metrics.policy.limitable_measures import measure_text
from metrics.scoring.catalog import BY_ID


def uncertainty_chart(found: Uncertainty, metric_id: str, styles: Styles) -> go.Figure:
    """A row per version: the figure, its interval, and in how many halves it is better than each other version."""
    keys = categories(found.labels)
    names = [escaped(name) for name in short_names(found.labels).values()]
    traces = [_row(found, metric_id, label, key, styles) for label, key in zip(found.labels, keys, strict=True)]
    return chart(
        [trace for trace in traces if trace is not None],
        uncertainty_finding(found, metric_id),
        plot_height=rows_height(len(keys)),
        xaxis=metric_axis(BY_ID[metric_id]),
        yaxis=category_axis(keys, names, downwards=True),
    )


def _row(found: Uncertainty, metric_id: str, label: str, key: str, styles: Styles) -> dict[str, Any] | None:
    interval, value = found.interval(label, metric_id), found.value(label, metric_id)
    if interval is None or value is None:
        return None
    figure = with_interval(found, label, metric_id, measure_text(metric_id, value, short_percent))
    shares = {other: found.better(label, other, metric_id) for other in found.labels if other != label}
    beaten = [f"better than {short_name(other)} in {share:.0%}" for other, share in shares.items() if share is not None]
    colour, ends = styles[label].colour, "line-ns-open"
    return {
        "type": "scatter",
        "mode": "lines+markers",
        # The gap keeps the bar between its ends: where it is that of halves, the table's own figure can lie beside it.
        "x": [interval.low, interval.high, None, value],
        "y": [key, key, None, key],
        "line": {"color": colour, "width": 2.5},
        "marker": {"color": colour, "symbol": [ends, ends, ends, styles[label].symbol], "size": [12, 12, 0, 11]},
        "hovertext": hover(label, figure, *beaten),
        "hoverinfo": "text",
        "cliponaxis": False,
    }
