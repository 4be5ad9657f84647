"""One way to put a figure on a page."""

from __future__ import annotations

import html

import plotly.graph_objects as go
import streamlit as st

from dashboard.components.figure_data import figure_data
from metrics.figures.marks import marks
from metrics.figures.theme import CONFIG


def draw(figure: go.Figure, key: str) -> None:
    """Show a figure in the page's theme; the title is its accessible name."""
    title = html.unescape((figure.layout.title.text or key).replace("<br>", " "))
    st.plotly_chart(figure, key=key, config=CONFIG, alt=title)


def draw_with_data(figure: go.Figure, key: str) -> None:
    """The same, with a button under it that downloads what is drawn."""
    draw(figure, key)
    figure_data(lambda: marks(figure), key)
