"""Results to draw, and what a figure says in the end."""

import re
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from typing import Any

import numpy as np
import plotly.graph_objects as go
from hypothesis import strategies as st

from metrics.config.parameters import P29Parameters, ProfitabilityParameters
from metrics.counting.classes import EquivalenceClasses
from metrics.economics.profitability import Profitability, profitability
from metrics.privacy.p29.measure import P29, P29Components, p29
from metrics.tables.table import Integers

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    '<a href="javascript:x">',
    "$\\href{x}$",
    "\u202egnp.exe",
    "<b>bold</b>",
    "&lt;i&gt;",
    "constructor",
    "__proto__",
    "#000001",
    "%{x}",
    "a\nb",
    "",
    "x" * 90,
)

SIZES = st.lists(
    st.one_of(st.integers(1, 12), st.integers(1, 400), st.integers(1, 10**6)), min_size=1, max_size=300
).map(lambda sizes: np.array(sizes, dtype=np.int64))

WIDTH, HEIGHT = 320, 250
"""The plot on which names of risk and information are placed, in pixels."""

_RENDERED = {"text", "ticktext", "hovertext", "name", "categoryarray", "tickvals"}
_OWN_TAGS = re.compile(r"<br>")


def classes_of(sizes: Integers) -> EquivalenceClasses:
    """Classes of these sizes, whatever their quasi-identifiers."""
    return EquivalenceClasses((), (), sizes, 0, None)


def profit(sizes: Sequence[int] | Integers, **amounts: float) -> Profitability:
    """Profitability of classes of these sizes."""
    return profitability(classes_of(np.array(sizes, dtype=np.int64)), ProfitabilityParameters(**amounts))


def joint(
    sizes: Sequence[int],
    entropy: Mapping[str, Sequence[float]],
    distance: Mapping[str, Sequence[float]],
    parameters: P29Parameters | None = None,
) -> P29:
    """P_29 of classes with these sizes, l and t."""
    components = P29Components(
        np.array(sizes, dtype=np.int64),
        {name: np.array(values, dtype=np.float64) for name, values in entropy.items()},
        {name: np.array(values, dtype=np.float64) for name, values in distance.items()},
    )
    return p29(components, parameters)


def rendered(figure: go.Figure) -> list[str]:
    """Every text that Plotly will read tags, entities and formulas in."""
    return [text for key, text in _strings(figure.to_plotly_json(), "") if key in _RENDERED]


def _strings(value: Any, key: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, Mapping):
        for name, item in value.items():
            if name != "template":
                yield from _strings(item, name)
    elif isinstance(value, list | tuple | np.ndarray):
        for item in value:
            yield from _strings(item, key)


def takes_no_effect(text: str) -> bool:
    """Whether a text holds no tag but our own line breaks, no formula, no colour of Streamlit's, nothing invisible."""
    bare = _OWN_TAGS.sub("", text)
    ours = re.sub(r"&(amp|lt|gt|#36|#35|#\d\d+);", "", bare)
    return not re.search(r"[<>&$#\u0000-\u001f\u202a-\u202e\u2066-\u2069]", ours)


def read(text: str) -> str:
    """A text as a reader sees it, on one line."""
    return unescape(text.replace("<br>", " ")).replace("\u00a0", " ")


def title(figure: go.Figure) -> str:
    """The title as a reader sees it."""
    return read(figure.layout.title.text)


def marks(figure: go.Figure) -> int:
    """Bars and points of a figure."""
    return sum(max(len(trace.x), len(trace.y)) for trace in figure.data)


def assert_calm(figure: go.Figure) -> None:
    """The shared look: transparent, text in the page's colour, labels as text, no drag that catches a swipe."""
    layout = figure.layout
    assert layout.paper_bgcolor == layout.plot_bgcolor == "rgba(0, 0, 0, 0)"
    assert layout.title.text
    fonts = [layout.font, layout.title.font, layout.legend.font]
    axes = [layout[name] for name in layout if name.startswith(("xaxis", "yaxis"))]
    fonts += [font for axis in axes for font in (axis.tickfont, axis.title.font)]
    fonts += [note.font for note in layout.annotations]
    assert all(font.color is None for font in fonts)
    assert all(line.line.color for line in layout.shapes)
    assert all(axis.fixedrange and (axis.visible is False or axis.type) for axis in axes)
    assert all(takes_no_effect(text) for text in rendered(figure))
    for trace in figure.data:
        for letter, reference in (("x", trace.xaxis), ("y", trace.yaxis)):
            values = trace[letter]
            if any(isinstance(value, str) for value in values):
                axis = layout[f"{letter}axis{(reference or letter)[1:]}"]
                assert axis.type == "category"
                assert set(values) <= set(axis.categoryarray)
