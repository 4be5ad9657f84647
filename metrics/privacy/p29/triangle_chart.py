"""The P_29 score over every choice of weights."""

from __future__ import annotations

from itertools import pairwise

import plotly.graph_objects as go

from metrics.drawing.theme import FAINT, NEUTRAL, PRIVACY, VIOLATION, chart, hover, note
from metrics.formatting import format_number
from metrics.privacy.p29.measure import P29
from metrics.texts import text

_CORNERS = {"k": (0.5, 1.0), "l": (0.0, 0.0), "t": (1.0, 0.0)}
_LEVELS = 10
"""Lines of equal score are drawn at tenths."""


def p29_triangle(result: P29) -> go.Figure:
    """The score for all weights that sum to 1, the chosen ones marked; what it would be where a condition fails.

    All weight on k is the upper corner, on l the left one, on t the right one: `weights_at` reads a point of it.
    """
    scores = {"k": 1 - result.Nk, "l": result.Nl, "t": 1 - result.Nt}
    weights = result.parameters
    score = format_number(sum(result.terms.values()))
    is_open = all(result.conditions.values())
    x, y = zip(*_CORNERS.values(), _CORNERS["k"], strict=True)
    area = {
        "type": "scatter",
        "name": "score with all weight on one term",
        "mode": "lines",
        "x": x,
        "y": y,
        "fill": "toself",
        "fillcolor": FAINT,
        "line": {"color": NEUTRAL, "width": 1},
        "hoverinfo": "skip",
    }
    levels = _lines_of_equal_score(scores)
    lines = {
        "type": "scatter",
        "name": "equal score",
        "mode": "lines",
        "x": [point[0] for point in levels],
        "y": [point[1] for point in levels],
        "line": {"color": PRIVACY, "width": 1, "dash": "dot"},
        "hoverinfo": "skip",
    }
    chosen = {
        "type": "scatter",
        "name": "chosen weights",
        "mode": "markers",
        "x": [weights.w_t + weights.w_k / 2],
        "y": [weights.w_k],
        "cliponaxis": False,
        "marker": {"color": VIOLATION, "size": 18, "line": {"color": "#FFFFFF", "width": 3}},
        "hovertext": hover(
            f"Weights: {weights.w_k:.2f} on k, {weights.w_l:.2f} on l, {weights.w_t:.2f} on t",
            f"{'Score' if is_open else 'Score if no condition failed'}: {score}",
        ),
        "hoverinfo": "text",
    }
    best, worst = max(scores.values()), min(scores.values())
    title = (
        text("charts.p29.weights", worst=worst, best=best)
        if is_open
        else text("charts.p29.weights_failed", worst=worst, best=best)
    )
    labels = [
        note(f"all on {name}: {format_number(scores[name])}", x=at, y=height, xanchor=anchor, yshift=shift)
        for (name, (at, height)), anchor, shift in zip(
            _CORNERS.items(), ("center", "left", "right"), (12, -14, -14), strict=True
        )
    ]
    hidden = {"visible": False, "fixedrange": True}
    drawn = chart(
        [area, lines, chosen],
        title,
        plot_height=250,
        headroom=20,
        annotations=labels,
        xaxis={**hidden, "range": [-0.03, 1.03]},
        yaxis={**hidden, "range": [-0.12, 1.08]},
    )
    drawn.layout.height, drawn.layout.margin.b = drawn.layout.height - drawn.layout.margin.b, 0
    return drawn


def weights_at(x: float, y: float) -> tuple[float, float, float]:
    """The weights of k, l and t at a point of the triangle, in hundredths; a point beyond an edge is taken to it."""
    w_k = round(min(max(y, 0.0), 1.0), 2)
    w_t = round(min(max(x - y / 2, 0.0), 1 - w_k), 2)
    return w_k, round(1 - w_k - w_t, 2), w_t


def _lines_of_equal_score(scores: dict[str, float]) -> list[tuple[float | None, float | None]]:
    """The ends of each line within the triangle, each followed by a gap: the score is linear in the weights."""
    edges = list(pairwise([*_CORNERS, "k"]))
    points: list[tuple[float | None, float | None]] = []
    for level in (step / _LEVELS for step in range(1, _LEVELS)):
        ends: list[tuple[float | None, float | None]] = []
        for one, other in edges:
            if (scores[one] < level) != (scores[other] < level):
                share = (level - scores[one]) / (scores[other] - scores[one])
                (x0, y0), (x1, y1) = _CORNERS[one], _CORNERS[other]
                ends.append((x0 + share * (x1 - x0), y0 + share * (y1 - y0)))
        points += [*ends, (None, None)] if ends else []
    return points
