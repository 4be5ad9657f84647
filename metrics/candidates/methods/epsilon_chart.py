"""P_29, the attacker's success and the analyses kept over ε."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import plotly.graph_objects as go

from metrics.candidates.methods.epsilon_curve import MEASURES, AtEpsilon
from metrics.drawing.theme import NEUTRAL, PRIVACY, VIOLATION, chart, hover, line_at, number_axis
from metrics.formatting import format_number, join_names
from metrics.scoring.catalog import BY_ID
from metrics.texts import text

_STYLES: Final = dict(zip(MEASURES, ((NEUTRAL, "dot"), (VIOLATION, "dash"), (PRIVACY, "solid")), strict=True))


def epsilon_chart(points: Sequence[AtEpsilon], chosen: Sequence[float]) -> go.Figure:
    """A line per measure that is available, and a line across at each ε that is chosen."""
    traces = []
    for name, (colour, dash) in _STYLES.items():
        known = [(point.epsilon, value) for point in points if (value := point.values[name]) is not None]
        if known:
            title = text("surviving.title") if name == MEASURES[-1] else BY_ID[name].shown.title
            traces.append(
                {
                    "type": "scatter",
                    "mode": "lines+markers",
                    "name": title,
                    "x": [epsilon for epsilon, _ in known],
                    "y": [value for _, value in known],
                    "line": {"color": colour, "dash": dash, "width": 2},
                    "hovertext": [
                        hover(f"{title}: {format_number(value)}", f"ε = {epsilon:g}") for epsilon, value in known
                    ],
                    "hoverinfo": "text",
                }
            )
    return chart(
        traces,
        _finding(next(point for point in points if point.epsilon == max(chosen))),
        legend=True,
        shapes=[line_at(epsilon) for epsilon in sorted(set(chosen))],
        xaxis=number_axis("ε of each column"),
        yaxis=number_axis("share, or P_29", range=[0, 1.03]),
    )


def _finding(point: AtEpsilon) -> str:
    _, inference, analyses = (point.values[name] for name in MEASURES)
    parts = [] if inference is None else [text("epsilon_curve.inferred", success=inference)]
    parts += [] if analyses is None else [text("epsilon_curve.kept", kept=analyses)]
    return text("epsilon_curve.finding", epsilon=point.epsilon, parts=join_names(parts))
