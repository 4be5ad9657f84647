"""What is kept of each analysis."""

from __future__ import annotations

import plotly.graph_objects as go

from metrics.drawing.bars import Bar, bars
from metrics.texts import text
from metrics.utility.analyses import Analyses


def kept_by_analysis(result: Analyses) -> go.Figure:
    """The mean overlap of each analysis, in percent, and the mean of all."""
    return bars(
        [Bar(name, 100 * found.value, found.summary()) for name, found in result.results.items()],
        text("charts.analyses.finding", value=result.value, analyses=len(result.results)),
        text("charts.analyses.axis"),
        end=105,
        threshold=(text("charts.analyses.mean", value=result.value), 100 * result.value),
    )
