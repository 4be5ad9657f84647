"""Shared look of all figures: colours with a meaning, texts that stay text, axes, the same on light and dark pages."""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import plotly.graph_objects as go

from metrics.formatting import EMPTY, closed_lines, pluralize, shortened, visible

PRIVACY: Final = "#0072B2"
UTILITY: Final = "#009E73"
MONEY: Final = "#E69F00"
VIOLATION: Final = "#D55E00"
NEUTRAL: Final = "#8A8F98"
"""Colour for comparison: the whole table, or what is left. Contrast above 3:1 on white and on dark pages."""
FAINT: Final = "rgba(138, 143, 152, 0.2)"
"""Colour of missing or remaining parts, behind text."""
BEYOND: Final = "rgba(213, 94, 0, 0.16)"
"""Colour of the region beyond a limit."""
TRANSPARENT: Final = "rgba(0, 0, 0, 0)"

CONFIG: Final = {"displayModeBar": False, "displaylogo": False, "responsive": True, "typesetMath": False}
"""For `st.plotly_chart(config=…)`, `Figure.show(config=…)` and `Figure.to_html(config=…)`."""

_TITLE_WIDTH = 45
_HOVER_WIDTH = 60
_HOVER_MOST = 600
_LINE = 21
_ROW = 30
_ABOVE, _AXIS_SPACE, _LEGEND_SPACE, _SPARE = 12, 50, 32, 8
"""Pixels above the title, below the plot for its axis, for a legend, and for labels that reach beyond the plot."""
_TICK_CHAR_WIDTH_PX, _NUMBERS = 5.8, 60
"""Width of a letter beside an axis, and of numbers there with the axis's title."""
_CHAR_WIDTH_PX = 7
_MAX_ABOVE = 3
"""Series up to which a legend is above the plot."""
_NARROW_PLOT = 290
"""Width of a plot on a page of 390 pixels, and of a letter."""

# Plotly reads tags and entities in every text, and $…$ as TeX where MathJax is loaded; Streamlit replaces #000001 and
# its like anywhere in a chart by colours of its theme. Entities are decoded last of all, so they are safe from each.
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;", "#": "&#35;"})

_COMPARED = re.compile(" ([=≥≤]) ")

# Plotly looks categories up in a plain JavaScript object, where these names are taken.
_TAKEN = re.compile(
    r"__\w+__|constructor|hasOwnProperty|isPrototypeOf|propertyIsEnumerable|toLocaleString|toString|valueOf"
)

# Outside Streamlit, which puts its theme's colours here: a grey that is readable on white and on dark pages.
TEMPLATE: Final = go.layout.Template(
    layout={
        "font": {"family": "system-ui, sans-serif", "size": 12, "color": "#767B84"},
        "xaxis": {"gridcolor": FAINT, "zerolinecolor": FAINT, "linecolor": FAINT},
        "yaxis": {"gridcolor": FAINT, "zerolinecolor": FAINT, "linecolor": FAINT},
    }
)


def escaped(text: str | None, max_length: int | None = None) -> str:
    """A table's text as Plotly shows it unchanged: no tag, link, entity or formula of it takes effect.

    None and the empty text get a name; `max_length` shortens.
    """
    printable = visible(text)
    return (printable if max_length is None else shortened(printable, max_length)).translate(_ENTITIES)


def wrapped(text: str, width: int = _TITLE_WIDTH) -> str:
    """Plain text, escaped and broken into lines of at most `width` characters, not within "t = 0.2"."""
    printable = visible(text)
    unbroken = _COMPARED.sub("\u00a0\\1\u00a0", printable)
    if (
        len(printable) <= width
        and printable.isprintable()
        and not printable[:1].isspace()
        and not printable[-1:].isspace()
    ):
        return unbroken.translate(_ENTITIES)
    lines = closed_lines(textwrap.wrap(unbroken, width, break_on_hyphens=False) or [EMPTY])
    return "<br>".join(line.translate(_ENTITIES) for line in lines)


def in_two_lines(label: str, width: int) -> str:
    """A row's label, escaped, broken where it is longer than `width`, and cut where it is longer than two lines."""
    lines = textwrap.wrap(visible(label), width, max_lines=2, placeholder="…")
    return "<br>".join(line.translate(_ENTITIES) for line in closed_lines(lines))


def hover(*lines: str) -> str:
    """Plain lines for a hover label, each escaped, wrapped, and cut where a cell holds a whole essay."""
    return "<br>".join(wrapped(shortened(line, _HOVER_MOST), _HOVER_WIDTH) for line in lines)


def class_count(number: int) -> str:
    """Classes and their number: "1 class", "2,293 classes"."""
    return pluralize(number, "class", "classes")


def categories(labels: Iterable[str | None]) -> list[str]:
    """A key for each label on a category axis: the whole label, escaped; labels that look alike get a number."""
    keys: list[str] = []
    used_keys: set[str] = set()
    for label in labels:
        key = name = escaped(label)
        if _TAKEN.fullmatch(name):
            key = name = f"&#{ord(name[0])};{name[1:]}"
        number = 1
        while key in used_keys:
            number += 1
            key = f"{name} ({number})"
        used_keys.add(key)
        keys.append(key)
    return keys


def category_axis(
    keys: Sequence[str], ticks: Sequence[str], title: str | None = None, *, downwards: bool = False
) -> dict[str, Any]:
    """An axis whose labels stay text whatever they look like. `ticks` are escaped texts; an empty one draws no tick."""
    labelled_keys = [(key, tick) for key, tick in zip(keys, ticks, strict=True) if tick]
    span = [-0.5, len(keys) - 0.5]
    return {
        "type": "category",
        "categoryorder": "array",
        "categoryarray": list(keys),
        "range": span[::-1] if downwards else span,
        "tickmode": "array",
        "tickvals": [key for key, _ in labelled_keys],
        "ticktext": [tick for _, tick in labelled_keys],
        "tickangle": 0,
        "showgrid": False,
        "zeroline": False,
        **_axis(title),
    }


def number_axis(title: str | None, **settings: Any) -> dict[str, Any]:
    """A linear axis from zero; the title names its unit."""
    return {
        "type": "linear",
        "rangemode": "tozero",
        "separatethousands": True,
        "showgrid": True,
        "tickangle": 0,
        **_axis(title),
        **settings,
    }


def count_axis(title: str | None, maximum: int, **settings: Any) -> dict[str, Any]:
    """An axis of whole numbers up to `maximum`: no ticks between them."""
    return number_axis(title, **({"dtick": 1} if maximum <= 5 else {}), **settings)


def _axis(title: str | None) -> dict[str, Any]:
    title_settings = (
        {} if title is None else {"title": {"text": wrapped(title, 60), "standoff": 8, "font": {"size": 13}}}
    )
    return {"automargin": True, "fixedrange": True, "tickfont": {"size": 12}, **title_settings}


def line_at(at: float, *, vertical: bool = True, axes: tuple[str, str] = ("x", "y")) -> dict[str, Any]:
    """A threshold across the plot, dashed; the colour is explicit because the default vanishes in dark mode."""
    x, y = axes
    ends = (
        {"xref": x, "yref": f"{y} domain", "x0": at, "x1": at, "y0": 0, "y1": 1}
        if vertical
        else {"xref": f"{x} domain", "yref": y, "x0": 0, "x1": 1, "y0": at, "y1": at}
    )
    return {"type": "line", "line": {"color": NEUTRAL, "width": 1.5, "dash": "dash"}, **ends}


def note(text: str, **place: Any) -> dict[str, Any]:
    """A label without an arrow, in the page's text colour."""
    return {"text": wrapped(text), "showarrow": False, "font": {"size": 12}, **place}


def label_above(text: str, at: float, span: tuple[float, float]) -> dict[str, Any]:
    """The label of a vertical threshold above the plot: beside its line, or at the plot's edge where it would not fit.

    `span` are the ends of the axis that `at` lies on.
    """
    label_share = _CHAR_WIDTH_PX * len(text) / _NARROW_PLOT
    share = min(max((at - span[0]) / ((span[1] - span[0]) or 1), 0.0), 1.0)
    above = {"yref": "y domain", "y": 1, "yanchor": "bottom"}
    if share + label_share <= 1:
        return note(text, xref="x", x=at, xanchor="left", align="left", **above)
    if share >= label_share:
        return note(text, xref="x", x=at, xanchor="right", align="right", **above)
    return note(text, xref="x domain", x=1, xanchor="right", align="right", **above)


def rows_height(rows: int) -> int:
    """Height of a plot with so many labelled rows, in pixels."""
    return max(3 * _ROW, rows * _ROW)


def _left_margin(layout: Mapping[str, Any]) -> float:
    """About the width of the vertical axes' labels. Where they need more, Plotly draws the chart twice."""
    widths = [8.0]
    for name, axis in layout.items():
        if name.startswith("yaxis") and axis.get("automargin") and axis.get("side") != "right":
            labels = axis.get("ticktext") if axis["type"] == "category" else None
            texts = [line for label in labels or () for line in html.unescape(label).split("<br>")]
            longest = max(map(len, texts), default=0)
            widths.append(_NUMBERS if labels is None else 12 + _TICK_CHAR_WIDTH_PX * longest if longest else 8)
    return max(widths)


def chart(
    traces: Sequence[Mapping[str, Any]],
    title: str,
    *,
    plot_height: int = 260,
    headroom: int = 12,
    legend: bool = False,
    **layout: Any,
) -> go.Figure:
    """A chart in the shared look.

    `title` is plain text that says the finding. `plot_height` is the plot's own, in pixels; `headroom` the space above
    it for labels. `legend` names the traces, up to three above the plot, more below it; a single one is what the title
    speaks of.
    Text has no colour of its own, so the page's theme sets it.
    """
    n_named = sum(bool(trace.get("name") and trace.get("showlegend", True)) for trace in traces)
    legend = legend and n_named > 1
    legend_above = legend and n_named <= _MAX_ABOVE
    title_text = wrapped(title)
    top = _ABOVE + _LINE * (title_text.count("<br>") + 1) + headroom + (_LEGEND_SPACE if legend_above else 0)
    bottom = _AXIS_SPACE + (_LEGEND_SPACE if legend and not legend_above else 0) + _SPARE
    height = top + plot_height + bottom
    return go.Figure(
        data=list(traces),
        layout={
            "template": TEMPLATE,
            "title": {
                "text": title_text,
                "font": {"size": 16},
                "x": 0,
                "xref": "container",
                "xanchor": "left",
                # The first line's baseline; with anchor "top" Plotly would set two lines higher than one.
                "y": 1 - 24 / height,
                "yref": "container",
                "yanchor": "bottom",
            },
            "height": height,
            "margin": {"l": _left_margin(layout), "r": 12 + _SPARE, "t": top, "b": bottom, "pad": 4},
            "paper_bgcolor": TRANSPARENT,
            "plot_bgcolor": TRANSPARENT,
            "showlegend": legend,
            "legend": {
                "orientation": "h",
                "x": 0,
                "xanchor": "left",
                "y": 1 + headroom / plot_height if legend_above else -_AXIS_SPACE / plot_height,
                "yanchor": "bottom" if legend_above else "top",
                "font": {"size": 12},
                "traceorder": "normal",
                "itemclick": False,
                "itemdoubleclick": False,
            },
            "dragmode": False,
            "hovermode": "closest",
            "hoverlabel": {"align": "left", "namelength": 0},
            **layout,
        },
    )


def take_title(chart: go.Figure) -> str:
    """Remove a chart's title, with the room it takes, and return it as plain text: for pages that show it as text."""
    layout = chart.layout
    text = layout.title.text
    if not text:
        return ""
    room = _ABOVE + _LINE * (text.count("<br>") + 1)
    # One by one: `update_layout` takes three times as long.
    layout.title.text, layout.height, layout.margin.t = None, layout.height - room, layout.margin.t - room
    return html.unescape(text.replace("<br>", " "))


def empty_chart(title: str) -> go.Figure:
    """Make a chart that draws nothing, with the sentence that says so."""
    hidden = {"visible": False, "fixedrange": True}
    return chart([], title, plot_height=40, xaxis=hidden, yaxis=hidden)
