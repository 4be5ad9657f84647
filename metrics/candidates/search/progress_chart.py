"""A search at work: the best so far and the bound over time."""

from __future__ import annotations

from typing import Any, Final

import plotly.graph_objects as go

from metrics.candidates.limits.measures import NODE_MEASURES
from metrics.candidates.search.exploration import Exploration
from metrics.candidates.search.finding import search_finding
from metrics.drawing.theme import FAINT, PRIVACY, VIOLATION, chart, number_axis
from metrics.scoring.catalog import INFORMATION

_ENDS: Final = (2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600)
"""Seconds at which the axis of time may end, so that it seldom changes while the search goes on."""


def search_progress(exploration: Exploration) -> go.Figure:
    """The best so far and the bound as steps; between them is what no generalization is known to reach or to miss."""
    snapshots = exploration.history
    seconds = snapshots[-1].seconds if snapshots else 0.0
    share = NODE_MEASURES[exploration.measure].is_share
    title = "information kept" if exploration.measure == INFORMATION else NODE_MEASURES[exploration.measure].title
    traces = [
        _steps("proven bound", snapshots, [snapshot.bound for snapshot in snapshots], VIOLATION),
        _steps(
            "best so far",
            snapshots,
            [snapshot.best for snapshot in snapshots],
            PRIVACY,
            fill="tonexty",
            fillcolor=FAINT,
        ),
    ]
    return chart(
        [trace for trace in traces if any(value is not None for value in trace["y"])],
        search_finding(exploration),
        plot_height=150,
        legend=True,
        xaxis=number_axis("seconds", range=[0, next((end for end in _ENDS if end >= seconds), seconds)]),
        yaxis=number_axis(title, **({"range": [0, 1.02], "tickformat": ".0%", "rangemode": "normal"} if share else {})),
    )


def _steps(name: str, snapshots: Any, values: list[float | None], colour: str, **settings: Any) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": [snapshot.seconds for snapshot in snapshots],
        "y": values,
        "line": {"color": colour, "width": 2, "shape": "hv"},
        "hovertemplate": f"{name}: %{{y}} after %{{x:.1f}} s<extra></extra>",
        **settings,
    }
