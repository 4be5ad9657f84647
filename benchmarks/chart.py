"""Peers and growth as a picture: `python -m benchmarks.chart PATH.json` draws PATH.png in Chromium."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from benchmarks import report
from benchmarks.growth import MILLION
from benchmarks.report import Point, Run
from benchmarks.tables import FEW, MANY
from metrics.drawing.theme import CONFIG, NEUTRAL, PRIVACY, TEMPLATE

SIZE = {"width": 1000, "height": 700}
_TEXT = "#24292F"
_PAPER = "#FFFFFF"
"""A page of its own, readable beside light and dark text."""


def figure(runs: Mapping[str, Run]) -> go.Figure:
    """Peers above, growth in records and in classes below. Raises ValueError unless `peers` and `growth` were run."""
    peers, growth = report.points(runs, "peers"), report.points(runs, "growth")
    if not peers or not growth:
        raise ValueError("the chart shows what `peers` and `growth` measure: run both")
    max_records = max(point["records"] for point in peers)
    peers = sorted((point for point in peers if point["records"] == max_records), key=lambda point: -point["seconds"])
    by_classes = sorted((point for point in growth if point["records"] == MILLION), key=lambda point: point["classes"])
    by_records = [point for point in _of(growth, FEW.name) if point["records"] >= MILLION]
    chart = make_subplots(
        rows=2,
        cols=2,
        specs=[[{"colspan": 2}, None], [{}, {}]],
        subplot_titles=(
            _peers_title(peers),
            f"{_times(by_records, 'records')} the records take {_times(by_records, 'seconds')} as long",
            f"{_times(by_classes, 'classes')} the classes take {_times(by_classes, 'score')} as long to score",
        ),
        vertical_spacing=0.22,
        horizontal_spacing=0.12,
    )
    chart.add_trace(_dots(peers), 1, 1)
    for variant, dash in ((FEW.name, "solid"), (MANY.name, "dot")):
        points = _of(growth, variant)
        classes = f"{points[-1]['classes']:,.0f} classes"
        chart.add_trace(_line(points, "records", "seconds", f"Quasi, default call, {classes}", PRIVACY, dash), 2, 1)
        chart.add_trace(_line(points, "records", "limit", f"pyarrow only reads, {classes}", NEUTRAL, dash), 2, 1)
    for time, name, color, dash in (
        ("seconds", "Quasi, default call", PRIVACY, "solid"),
        ("score", "of which Quasi scores", PRIVACY, "dash"),
        ("limit", "pyarrow only reads", NEUTRAL, "solid"),
    ):
        line = _line(by_classes, "classes", time, name, color, dash)
        chart.add_trace(line | {"showlegend": time == "score"}, 2, 2)
    decades = {"type": "log", "dtick": 1, "tickformat": ","}
    times = [point["seconds"] for point in peers]
    chart.update_xaxes(
        **decades, title="seconds from the CSV file to the figures", row=1, col=1,
        range=[math.log10(min(times)) - 0.2, math.log10(max(times)) + 0.6],
    )  # fmt: skip
    chart.update_xaxes(**decades, title="records", row=2, col=1)
    chart.update_yaxes(**decades, title="seconds, two CSV files", row=2, col=1)
    chart.update_xaxes(title="classes of a million records", rangemode="tozero", tickformat=",", row=2, col=2)
    chart.update_yaxes(title="seconds", rangemode="tozero", row=2, col=2)
    chart.update_xaxes(title_font_size=14, title_standoff=8)
    chart.update_yaxes(title_font_size=14, title_standoff=8, automargin=True)
    chart.update_annotations(font={"size": 15, "color": _TEXT})
    chart.update_layout(
        template=TEMPLATE,
        font={"size": 14, "color": _TEXT},
        paper_bgcolor=_PAPER,
        plot_bgcolor=_PAPER,
        legend={"orientation": "h", "x": 0, "y": -0.14, "yanchor": "top"},
        margin={"l": 20, "r": 30, "t": 50, "b": 20},
        **SIZE,
    )
    return chart


def draw(runs: Mapping[str, Run], path: Path) -> None:
    """Write the figure as PNG, two dots to a pixel."""
    from benchmarks.browser import chromium

    html = figure(runs).to_html(include_plotlyjs=True, config=CONFIG)
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1100, "height": 800}, device_scale_factor=2)
        page.set_content(html)
        page.locator(".js-plotly-plot").screenshot(path=path)


def _of(growth: Sequence[Point], variant: str) -> list[Point]:
    return sorted((point for point in growth if point["variant"] == variant), key=lambda point: point["records"])


def _peers_title(peers: Sequence[Point]) -> str:
    slowest = peers[0]
    return (
        f"k, l and t of {slowest['classes']:,.0f} classes, {slowest['records']:,} records: "
        f"{slowest['peer']} takes {slowest['ratio']:,.0f} times as long as Quasi"
    )


def _times(points: Sequence[Point], figure: str) -> str:
    """The growth of a figure from the first point to the last: "9.4 times"."""
    times = points[-1][figure] / points[0][figure]
    return f"{times:.2g} times" if times < 100 else f"{times:,.0f} times"


def _dots(peers: Sequence[Point]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": [point["seconds"] for point in peers],
        "y": [point["peer"] for point in peers],
        "text": [f"  {report.shown(point['seconds'])} s, {point['megabytes']:,.0f} MB" for point in peers],
        "mode": "markers+text",
        "textposition": "middle right",
        "cliponaxis": False,
        "marker": {"size": 14, "color": [PRIVACY if point["peer"] == "Quasi" else NEUTRAL for point in peers]},
        "showlegend": False,
    }


def _line(points: Sequence[Point], size: str, time: str, name: str, color: str, dash: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": [point[size] for point in points],
        "y": [point[time] for point in points],
        "name": name,
        "mode": "lines+markers",
        "line": {"color": color, "dash": dash, "width": 2},
        "marker": {"size": 8},
    }


if __name__ == "__main__":
    source = Path(sys.argv[1])
    draw(report.read(source), source.with_suffix(".png"))
