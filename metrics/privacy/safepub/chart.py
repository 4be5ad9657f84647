"""The δ that classes of several sizes would prove, over ε."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import plotly.graph_objects as go

from metrics.drawing.theme import NEUTRAL, PRIVACY, chart, hover, line_at, note, number_axis
from metrics.formatting import format_number
from metrics.privacy.safepub.bound import delta_of
from metrics.privacy.safepub.measure import SafePub
from metrics.texts import text

SIZES: Final = (5, 20, 50, 100, 200)
"""Classes drawn beside the table's own."""
_DASHES: Final = ("dot", "dash", "dashdot", "longdash", "longdashdot")
_LOWEST: Final = 1e-9
_POINTS: Final = 240


def delta_curves(result: SafePub) -> go.Figure:
    """δ on a log axis over ε, a line for each k; the table's own k, the chosen ε and the wanted δ are marked."""
    chosen = result.parameters
    largest = max(4.0, min(10.0, 1.5 * chosen.epsilon))
    epsilons = np.union1d(np.linspace(0.1, largest, _POINTS), chosen.epsilon)
    others = [k for k in SIZES if k != result.k]
    lines = [
        _line(k, epsilons, chosen.beta, {"color": NEUTRAL, "width": 1.5, "dash": dash})
        for k, dash in zip(others, _DASHES, strict=False)
    ]
    own = _line(result.k, epsilons, chosen.beta, {"color": PRIVACY, "width": 3})
    own |= {"name": text("charts.safepub.own", k=result.k), "mode": "lines+markers"}
    own["marker"] = {"size": np.where(epsilons == chosen.epsilon, 10, 0), "opacity": 1}
    lowest = min(_LOWEST, chosen.delta / 10)
    return chart(
        [own, *lines],
        text("charts.safepub.finding", k=result.k, epsilon=chosen.epsilon, value=result.value),
        plot_height=300,
        legend=True,
        shapes=[line_at(chosen.delta, vertical=False)],
        annotations=[
            note(
                text("charts.safepub.wanted", delta=chosen.delta),
                xref="x domain",
                x=1,
                xanchor="right",
                yref="y",
                y=np.log10(chosen.delta),
                yanchor="bottom",
            )
        ],
        xaxis=number_axis("ε", range=[0, largest]),
        yaxis=number_axis(
            "δ", type="log", rangemode="normal", range=[np.log10(lowest), 0.1], dtick=3, exponentformat="power"
        ),
    )


def _line(k: int, epsilons: Any, beta: float, style: dict[str, Any]) -> dict[str, Any]:
    """The line of one k."""
    deltas = [delta_of(k, epsilon, beta) for epsilon in epsilons.tolist()]
    return {
        "type": "scatter",
        "mode": "lines",
        "name": f"k = {k:,}",
        "x": epsilons,
        "y": deltas,
        "line": style,
        "hovertext": [
            hover(f"Classes of {k:,}", f"ε {format_number(epsilon)}: δ {format_number(delta)}")
            for epsilon, delta in zip(epsilons.tolist(), deltas, strict=True)
        ],
        "hoverinfo": "text",
    }
