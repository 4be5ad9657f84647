"""Figures inside a page of one's own: each as data, beside one copy of plotly.js for all of them."""

from __future__ import annotations

import html
import json
from dataclasses import dataclass

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from metrics.figures.theme import CONFIG

CONFIG_JSON = json.dumps(CONFIG)
"""What `Plotly.newPlot` takes as its configuration."""


@dataclass(frozen=True)
class EmbeddedFigure:
    """A figure as a page holds it."""

    json: str
    """`data` and `layout`, harmless within a script element."""
    title: str
    """The finding, as plain text."""
    marks: tuple[str, ...]
    """Every mark in words, as its hover label says it."""
    height: int
    """In pixels."""


def embedded(figure: go.Figure) -> EmbeddedFigure:
    """A figure of this package as data for a page, with its title and marks in words."""
    labels = [label for trace in figure.data for label in trace.hovertext or ()]
    return EmbeddedFigure(
        # The one sign that could end the element it stands in.
        json=figure.to_json().replace("<", "\\u003c"),
        title=_plain(figure.layout.title.text),
        marks=tuple(_plain(label) for label in labels),
        height=int(figure.layout.height),
    )


def plotly_script() -> str:
    """The source of plotly.js, which draws figures without asking any server."""
    source: str = get_plotlyjs()
    return source


def _plain(text: str) -> str:
    """A figure's text as its reader sees it, on one line."""
    return html.unescape(text.replace("<br>", " ")).replace("\u00a0", " ")
