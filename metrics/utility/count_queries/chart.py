"""The estimates of count queries beside the true counts."""

from __future__ import annotations

import plotly.graph_objects as go

from metrics.drawing.theme import NEUTRAL, UTILITY, chart, hover, number_axis
from metrics.formatting import visible
from metrics.texts import text
from metrics.utility.count_queries.measure import CountQueries


def counted_and_true(result: CountQueries) -> go.Figure:
    """A mark for each query; the nearer to the diagonal, the better."""
    largest = max(max(answer.true, answer.estimate) for answer in result.answers) or 1.0
    estimates = {
        "type": "scatter",
        "mode": "markers",
        "name": "queries",
        "x": [answer.true for _, answer in result.named],
        "y": [answer.estimate for _, answer in result.named],
        "hovertext": [
            hover(
                visible(name),
                text("charts.count_queries.told", true=answer.true, estimate=answer.estimate, error=answer.error),
            )
            for name, answer in result.named
        ],
        "hoverinfo": "text",
        "marker": {"color": UTILITY, "size": 7, "opacity": 0.6},
    }
    diagonal = {"type": "line", "x0": 0, "y0": 0, "x1": largest, "y1": largest, "line": {"color": NEUTRAL, "width": 1}}
    return chart(
        [estimates],
        text("charts.count_queries.finding", queries=len(result.answers), value=result.value),
        plot_height=320,
        shapes=[diagonal],
        xaxis=number_axis(text("charts.count_queries.true"), range=[0, 1.05 * largest]),
        yaxis=number_axis(text("charts.count_queries.estimated"), range=[0, 1.05 * largest]),
    )
