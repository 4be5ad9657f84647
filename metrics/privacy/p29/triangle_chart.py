"""The P_29 score over every choice of weights."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from metrics.drawing.theme import NEUTRAL, TRANSPARENT, VIOLATION, chart, hover
from metrics.formatting import format_number
from metrics.privacy.p29.measure import P29
from metrics.texts import text

STEPS = 24
"""Weights are drawn in steps of 1/24: 325 points."""


def p29_triangle(result: P29) -> go.Figure:
    """The score for all weights that sum to 1, the chosen ones marked; what it would be where a condition fails."""
    w_k, w_l, w_t = np.array([(i, j, STEPS - i - j) for i in range(STEPS + 1) for j in range(STEPS + 1 - i)]).T / STEPS
    scores = w_k * (1 - result.Nk) + w_l * result.Nl + w_t * (1 - result.Nt)
    weights = result.parameters
    score = sum(result.terms.values())
    is_open = all(result.conditions.values())
    score_name = "score" if is_open else "score if no condition failed"
    points = {
        "type": "scatterternary",
        "a": w_k,
        "b": w_l,
        "c": w_t,
        "mode": "markers",
        "marker": {
            "color": scores,
            "colorscale": "Cividis",
            "size": 9,
            "symbol": "hexagon2",
            "colorbar": {"title": {"text": "score"}, "thickness": 12, "len": 0.8},
        },
        "customdata": np.round(scores, 4),
        "hovertemplate": "w_k %{a:.2f}, w_l %{b:.2f}, w_t %{c:.2f}<br>"
        + score_name
        + " %{customdata:.3~g}<extra></extra>",
    }
    marker = {
        "type": "scatterternary",
        "a": [weights.w_k],
        "b": [weights.w_l],
        "c": [weights.w_t],
        "mode": "markers",
        "marker": {"color": TRANSPARENT, "size": 18, "line": {"color": VIOLATION, "width": 4}},
        "hovertext": hover(
            f"Chosen weights: w_k = {weights.w_k:.2f}, w_l = {weights.w_l:.2f}, w_t = {weights.w_t:.2f}",
            f"{score_name} {format_number(score)}",
        ),
        "hoverinfo": "text",
    }
    best, worst = float(scores.max()), float(scores.min())
    title = (
        text("charts.p29.weights", worst=worst, best=best, score=score)
        if is_open
        else text("charts.p29.weights_failed", score=score)
    )
    axis = {"showgrid": False, "showticklabels": False, "ticks": "", "linecolor": NEUTRAL}
    return chart(
        [points, marker],
        title,
        plot_height=300,
        headroom=30,
        ternary={
            "domain": {"x": [0.14, 0.86], "y": [0.08, 1]},
            "sum": 1,
            "bgcolor": TRANSPARENT,
            "aaxis": {**axis, "title": {"text": "all on k"}},
            "baxis": {**axis, "title": {"text": "all on l"}},
            "caxis": {**axis, "title": {"text": "all on t"}},
        },
    )
