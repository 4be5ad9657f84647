"""The most telling chart of any metric's score."""

from __future__ import annotations

import plotly.graph_objects as go

from metrics.aggregates import Aggregates
from metrics.drawing.theme import empty_chart
from metrics.scoring.attributes_chart import chart_by_attribute
from metrics.scoring.scorecard import Score
from metrics.texts import text


def chart_of_score(score: Score, aggregates: Aggregates, *, all_classes: bool = True) -> go.Figure:
    """The chart that the metric declares, else its figures by attribute, else the finding alone.

    `all_classes` is False where the result lists only some of the equivalence classes.
    """
    result = score.result
    if result is None:
        return empty_chart(text("charts.unavailable", title=score.metric.title, reason=score.unavailable))
    metric_chart = next((metric_chart for metric_chart in score.metric.charts if metric_chart.applies(result)), None)
    if metric_chart is not None and (all_classes or not metric_chart.all_classes):
        drawing: go.Figure = metric_chart.draw(result, aggregates)
        return drawing
    if metric_chart is None and any(chart is not None for chart in result.attributes.values()):
        return chart_by_attribute(score.metric, result)
    return empty_chart(result.summary())
