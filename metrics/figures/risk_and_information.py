"""Highest re-identification risk against information kept: every candidate, the limits, the Pareto front."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log10
from typing import Any

import plotly.graph_objects as go

from metrics.figures.candidate_styles import Styles, candidate_styles
from metrics.figures.theme import NEUTRAL, VIOLATION, escaped, figure, hover, note, number_axis

_LETTERS = 26
_SHADE = "rgba(213, 94, 0, 0.10)"
_TICKS = (0.0001, 0.001, 0.01, 0.05, 0.2, 1.0)


@dataclass(frozen=True)
class Place:
    """A candidate's two values, both 0 to 1, the risk above 0."""

    risk: float
    information: float


def risk_and_information(
    places: Mapping[str, Place],
    current: str,
    *,
    risk_limit: float | None = None,
    information_limit: float | None = None,
    styles: Styles | None = None,
    height: int = 250,
) -> go.Figure:
    """One labelled mark per candidate.

    Parameters
    ----------
    places : mapping of str to Place
        At least one candidate, by label.
    current : str
        The label whose mark is emphasized.
    risk_limit, information_limit : float, optional
        The policy's limits; the region that fails them is shaded.
    styles : mapping of str to CandidateStyle, optional
        By default the candidates are styled in their order.
    height : int
        Height of the plot in pixels.
    """
    chosen = styles or candidate_styles(places)
    low = min([place.risk for place in places.values()] + ([risk_limit] if risk_limit else [])) / 2
    drawn = figure(
        [
            _front(pareto(places)),
            *(
                _mark(label, places[label], label == current, chosen, (low, "top" if number % 2 else "bottom"))
                for number, label in enumerate(
                    sorted(places, key=lambda one: (places[one].risk, places[one].information))
                )
            ),
        ],
        "Risk and information kept",
        plot_height=height,
        xaxis=number_axis(
            "highest re-identification risk (lower is better)",
            type="log",
            range=[log10(low), 0.08],
            rangemode="normal",
            tickvals=[tick for tick in _TICKS if tick >= low],
            ticktext=[f"{tick:.10g}%" for tick in (100 * tick for tick in _TICKS if tick >= low)],
        ),
        yaxis=number_axis("information kept", range=[0, 1.06], tickformat=".0%"),
        shapes=_shades(risk_limit, information_limit, low),
        annotations=_notes(risk_limit),
    )
    return drawn.update_layout(title_text="", margin_t=10, height=height + 72)


def pareto(places: Mapping[str, Place]) -> list[Place]:
    """The places that no other betters in one value without being worse in the other, by rising risk."""
    front: list[Place] = []
    for place in sorted(places.values(), key=lambda one: (one.risk, -one.information)):
        if not front or place.information > front[-1].information:
            front.append(place)
    return front


def _front(front: list[Place]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [place.risk for place in front],
        "y": [place.information for place in front],
        "line": {"color": NEUTRAL, "width": 1.5, "dash": "dot", "shape": "hv"},
        "hoverinfo": "skip",
    }


def _mark(label: str, place: Place, is_current: bool, styles: Styles, side: tuple[float, str]) -> dict[str, Any]:
    style, name, (low, above) = styles[label], escaped(label, _LETTERS), side
    to_the_left = log10(place.risk) > log10(low) / 2
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": [place.risk],
        "y": [place.information],
        "text": [f"<b>{name}</b>" if is_current else name],
        "textposition": f"{above} {'left' if to_the_left else 'right'}",
        "textfont": {"size": 12, "shadow": "auto"},
        "hovertext": hover(label, f"Highest risk: {place.risk:.1%}", f"Information kept: {place.information:.1%}"),
        "hoverinfo": "text",
        "cliponaxis": False,
        "marker": {
            "color": style.colour,
            "symbol": style.symbol,
            "size": 16 if is_current else 10,
            "line": {"width": 0},
        },
    }


def _shades(risk_limit: float | None, information_limit: float | None, low: float) -> list[dict[str, Any]]:
    shapes: list[dict[str, Any]] = []
    common = {"type": "rect", "layer": "below", "line": {"width": 0}, "fillcolor": _SHADE}
    line = {"type": "line", "layer": "below", "line": {"color": VIOLATION, "width": 1.5, "dash": "dash"}}
    if risk_limit:
        shapes.append({**common, "xref": "x", "yref": "paper", "x0": risk_limit, "x1": 1.3, "y0": 0, "y1": 1})
        shapes.append({**line, "xref": "x", "yref": "paper", "x0": risk_limit, "x1": risk_limit, "y0": 0, "y1": 1})
    if information_limit:
        at = information_limit
        shapes.append({**common, "xref": "paper", "yref": "y", "x0": 0, "x1": 1, "y0": 0, "y1": at})
        shapes.append({**line, "xref": "paper", "yref": "y", "x0": 0, "x1": 1, "y0": at, "y1": at})
    return shapes


def _notes(risk_limit: float | None) -> list[dict[str, Any]]:
    if not risk_limit:
        return []
    return [
        note(
            f"limit {100 * risk_limit:.3g}%",
            xref="x",
            x=log10(risk_limit),
            xanchor="left",
            xshift=4,
            yref="paper",
            y=0,
            yanchor="bottom",
        )
    ]
