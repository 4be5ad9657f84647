"""A figure in a notebook that changes in place, without a request to another host."""

from __future__ import annotations

import plotly.graph_objects as go


class FigureWidget:
    """A Plotly widget whose data and layout are replaced; the drawing library is sent to the browser once."""

    def __init__(self, figure: go.Figure) -> None:
        self.widget = go.FigureWidget(figure)

    def show(self, figure: go.Figure) -> None:
        """Draw another figure in the same place."""
        with self.widget.batch_update():
            self.widget.data = ()
            self.widget.layout = figure.layout
            self.widget.add_traces(figure.data)
