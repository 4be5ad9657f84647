"""The most telling figure of any metric's score."""

from __future__ import annotations

import plotly.graph_objects as go

from metrics.aggregates import Aggregates
from metrics.figures.attributes import figure_by_attribute
from metrics.figures.theme import empty_figure
from metrics.scoring.scorecard import Score
from metrics.texts import text


def figure_of_score(score: Score, aggregates: Aggregates, *, all_classes: bool = True) -> go.Figure:
    """The figure that the metric declares, else its figures by attribute, else the finding alone.

    `all_classes` is False where the result lists only some of the equivalence classes.
    """
    result = score.result
    if result is None:
        return empty_figure(text("figures.unavailable", title=score.metric.title, reason=score.unavailable))
    metric_figure = next(
        (metric_figure for metric_figure in score.metric.figures if metric_figure.applies(result)), None
    )
    if metric_figure is not None and (all_classes or not metric_figure.all_classes):
        drawing: go.Figure = metric_figure.draw(result, aggregates)
        return drawing
    if metric_figure is None and any(figure is not None for figure in result.attributes.values()):
        return figure_by_attribute(score.metric, result)
    return empty_figure(result.summary())
