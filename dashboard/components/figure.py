"""One way to put a figure on a page: its finding as a heading, its data in a menu beside, the drawing below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import plotly.graph_objects as go
import streamlit as st
from plotly.basedatatypes import BaseFigure

from dashboard.components.figure_data import FigureData, figure_data
from dashboard.components.policy_panel import limit_field
from dashboard.session import workspace
from dashboard.text import plain
from metrics.figures.marks import marks
from metrics.figures.theme import CONFIG, PRIVACY, take_title
from metrics.formatting import join_names

DARK_PRIVACY = "#56B4E9"
"""The blue of figures in the dark theme, as config.toml has it."""
_THEMED = "#000001"
"""What Streamlit replaces, in the browser, by the first of its theme's categorical colours."""


def draw(
    figure: go.Figure,
    key: str,
    data: Callable[[], FigureData] | None = None,
    limits: Sequence[str] = (),
    *,
    heading: str = "",
    confidential: bool = False,
    **selection: Any,
) -> Any:
    """Show a figure in the page's theme under its finding, which is also its text alternative.

    `heading` stands there instead of a finding that the page has said already. `data` is what its menu offers as CSV,
    `confidential` if it describes single classes, and `limits` are those of the policy that it shows, to be changed
    there; `selection` is for `st.plotly_chart`.
    Returns what that returns, None where there is nothing to draw.
    """
    finding = take_title(figure)
    figure_heading(heading or finding, key, data, limits, confidential=confidential)
    if not figure.data:
        return None
    return st.plotly_chart(ThemedFigure(figure), key=key, config=CONFIG, alt=finding or heading or key, **selection)


class ThemedFigure(BaseFigure):  # type: ignore[misc]  # Plotly ships no types
    """A figure whose blue is that of the page's theme, light or dark.

    Streamlit takes the dictionary of a figure as it is. A dictionary it would validate once more, for 3 to 8 ms.
    """

    def __init__(self, figure: go.Figure) -> None:
        self._figure = figure

    def to_dict(self) -> dict[str, Any]:
        """The figure as a dictionary in the colour that Streamlit replaces."""
        themed: dict[str, Any] = _in_theme(self._figure.to_dict())
        return themed


def _in_theme(element: Any) -> Any:
    if isinstance(element, dict):
        return {name: _in_theme(value) for name, value in element.items()}
    if isinstance(element, (list, tuple)):
        return [_in_theme(value) for value in element]
    return _THEMED if isinstance(element, str) and element == PRIVACY else element


def draw_with_data(figure: go.Figure, key: str, limits: Sequence[str] = (), **selection: Any) -> Any:
    """Show a figure like `draw`, with what is drawn as its data."""
    return draw(figure, key, (lambda: marks(figure)) if figure.data else None, limits, **selection)


def figure_heading(
    title: str,
    key: str,
    data: Callable[[], FigureData] | None = None,
    limits: Sequence[str] = (),
    *,
    confidential: bool = False,
) -> None:
    """A figure's finding, with a menu beside it where it has data or shows limits of the policy."""
    name = f"heading_{key}"
    with st.container(horizontal=True, vertical_alignment="top", gap="small", wrap=False, key=name):
        st.markdown(f"## {plain(title)}", width="stretch")
        if data is None and not limits:
            return
        menu_label = join_names(["Figure data"] * (data is not None) + ["limits of the policy"] * bool(limits))
        # The label is for those who hear the page; others see the icon.
        with st.popover(menu_label, icon=":material/more_horiz:", type="tertiary", key=f"menu_{key}", help=menu_label):
            if data is not None:
                figure_data(data, key, confidential=confidential)
            for identifier in limits:
                limit_field(workspace(), identifier, f"{key}_limit_{identifier}")


def mark(symbol: str, colour: str) -> str:
    """A figure's mark before the words that explain it, as HTML in the page's theme; both are constants."""
    themed = f"light-dark({PRIVACY}, {DARK_PRIVACY})" if colour == PRIVACY else colour
    return f'<span style="color:{themed}">{symbol}</span>'
