"""Highest re-identification risk against information kept: every version, the limits, the Pareto front."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import log10
from typing import Any

import plotly.graph_objects as go

from metrics.drawing.label_placement import Box
from metrics.drawing.risk_plane import HIGHEST, HIGHEST_RISK, RiskPlane, information_axis, mark_name, risk_text
from metrics.drawing.theme import BEYOND, NEUTRAL, VIOLATION, chart, escaped, hover, label_above, number_axis
from metrics.drawing.version_styles import Styles, short_names, version_styles
from metrics.formatting import within_sentence

_ANCHORS = {"start": "left", "middle": "center", "end": "right"}
_NARROW = 320
"""Width of the plot in pixels on a telephone and beside a table, for which labels are kept apart."""
_MAX_NAMED = 8
"""Most versions of which each has its name beside its mark: with more, names would stand beside other marks."""


@dataclass(frozen=True)
class Place:
    """A version's two values, both 0 to 1, the risk above 0."""

    risk: float
    information: float
    overstated: bool = False
    """Whether perturbed values count as kept, so that the information is lower than drawn."""
    fails: bool = False
    """Whether it fails the policy."""


def risk_and_information(
    places: Mapping[str, Place],
    current: str,
    *,
    risk_limit: float | None = None,
    information_limit: float | None = None,
    measure: str = "Information kept",
    styles: Styles | None = None,
    height: int = 230,
) -> go.Figure:
    """One labelled mark per version.

    `risk_limit`, `information_limit`: the policy's limits; the region that fails them is shaded.
    """
    mark_styles = styles or version_styles(places)
    plane = RiskPlane.from_risks((place.risk for place in places.values()), risk_limit, _NARROW, height)
    limit_note = (
        [label_above(f"limit {100 * risk_limit:.3g}%", log10(risk_limit), plane.risk_range)] if risk_limit else []
    )
    drawing = chart(
        [
            _front(pareto(places)),
            *(_mark(label, place, label == current, measure, mark_styles) for label, place in places.items()),
        ],
        f"Risk and {within_sentence(measure)}",
        plot_height=height,
        xaxis=number_axis(
            "highest risk, logarithmic (lower is better)",
            type="log",
            range=plane.risk_range,
            rangemode="normal",
            tickvals=plane.ticks,
            ticktext=[risk_text(tick) for tick in plane.ticks],
        ),
        yaxis=number_axis(
            information_axis(measure, (place.overstated for place in places.values())),
            range=[0, HIGHEST],
            tickformat=".0%",
        ),
        shapes=_shades(risk_limit, information_limit),
        annotations=[*limit_note, *_names(plane, places, current)],
    )
    return drawing.update_layout(title_text="", margin_t=24, height=height + 86)


def pareto(places: Mapping[str, Place]) -> list[Place]:
    """The places that no other betters in one value without being worse in the other, by rising risk.

    A place whose information is overstated betters none.
    """
    front: list[Place] = []
    for place in sorted(
        (place for place in places.values() if not place.overstated), key=lambda place: (place.risk, -place.information)
    ):
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


def _mark(label: str, place: Place, is_current: bool, measure: str, styles: Styles) -> dict[str, Any]:
    style = styles[label]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": escaped(label),
        "x": [place.risk],
        "y": [place.information],
        "hovertext": hover(
            label,
            f"Highest risk: {place.risk:.1%}",
            f"{measure}: {'at most ' if place.overstated else ''}{place.information:.1%}",
        ),
        "hoverinfo": "text",
        "cliponaxis": False,
        "marker": {
            "color": style.colour,
            "symbol": f"{style.symbol}-open" if place.overstated else style.symbol,
            "size": 16 if is_current else 10,
            "line": {"width": 2 if place.overstated else 0},
        },
    }


def _names(plane: RiskPlane, places: Mapping[str, Place], current: str) -> list[dict[str, Any]]:
    """The versions' names beside their marks where there is room; of many, only the current one's and the front's."""
    names, front = short_names(places), pareto(places)
    named = {label: len(places) <= _MAX_NAMED or label == current or place in front for label, place in places.items()}
    positions = [(plane.to_x(place.risk), plane.to_y(place.information)) for place in places.values()]
    texts = [
        mark_name(names[label], place.overstated, plane.room(x), fails=place.fails) if named[label] else ""
        for (label, place), (x, _) in zip(places.items(), positions, strict=True)
    ]
    labels = plane.labels(positions, texts, list(places).index(current), list(_steps(plane, front)))
    return [
        {
            "text": f"<b>{escaped(text)}</b>" if name == current else escaped(text),
            "font": {"size": 12, "shadow": "auto"},
            "x": log10(place.risk),
            "xanchor": _ANCHORS[label.anchor],
            "y": place.information,
            "yanchor": "middle",
            **_beside_mark(label.x - x, y + 4 - label.y, joined=label.joined),
        }
        for (name, place), text, (x, y), label in zip(places.items(), texts, positions, labels, strict=True)
        if label is not None
    ]


def _beside_mark(right: float, up: float, *, joined: bool) -> dict[str, Any]:
    """Place a name, in pixels from its mark, and a line that joins them where another name could stand between."""
    if not joined:
        return {"showarrow": False, "xshift": right, "yshift": up}
    leader = {"arrowhead": 0, "arrowwidth": 1, "arrowcolor": NEUTRAL, "standoff": 6}
    return {"showarrow": True, "ax": right, "ay": -up, **leader}


def _steps(plane: RiskPlane, front: list[Place]) -> Iterator[Box]:
    """Yield the boxes that the line of the front takes."""
    for before, after in pairwise(front):
        left, right = plane.to_x(before.risk), plane.to_x(after.risk)
        bottom, top = plane.to_y(before.information), plane.to_y(after.information)
        yield Box(left, bottom - 1, right, bottom + 1)
        yield Box(right - 1, top, right + 1, bottom)


def _shades(risk_limit: float | None, information_limit: float | None) -> list[dict[str, Any]]:
    shapes: list[dict[str, Any]] = []
    common = {"type": "rect", "layer": "below", "line": {"width": 0}, "fillcolor": BEYOND}
    line = {"type": "line", "line": {"color": VIOLATION, "width": 1.5, "dash": "dash"}}
    if risk_limit:
        shapes.append({**common, "xref": "x", "yref": "paper", "x0": risk_limit, "x1": HIGHEST_RISK, "y0": 0, "y1": 1})
        shapes.append({**line, "xref": "x", "yref": "paper", "x0": risk_limit, "x1": risk_limit, "y0": 0, "y1": 1})
    if information_limit:
        at = information_limit
        shapes.append({**common, "xref": "paper", "yref": "y", "x0": 0, "x1": 1, "y0": 0, "y1": at})
        shapes.append({**line, "xref": "paper", "yref": "y", "x0": 0, "x1": 1, "y0": at, "y1": at})
    return shapes
