"""Which values of a column became which, as a Sankey diagram."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import plotly.graph_objects as go

from metrics.drawing.theme import NEUTRAL, chart, empty_chart, escaped, hover, number_axis
from metrics.formatting import percent, pluralize, shortened, visible
from metrics.texts import text
from metrics.utility.cells.changes import CHANGES, Change, Flow, FlowNode
from metrics.utility.cells.changes_chart import COLOURS, MEANINGS

_LABEL = 15
"""Letters of a value beside its node: on a narrow page, two leave room for the bands between them."""
_ROW = 32
_PAD = 14.0
_LEFT = 0.001
"""Position of nodes on the left; Plotly takes 0 for not given."""
_CHAR_WIDTH_PX = 7
_HEADING = 38
"""Half of the word "anonymized", which stands under the nodes on the right."""
_OPACITY = 0.55
_HIDDEN: Final = {
    "type": "scatter",
    "x": [None],
    "y": [None],
    "mode": "markers",
    "hoverinfo": "skip",
    "showlegend": False,
}


def value_flow(flow: Flow, *, legend: bool = True) -> go.Figure:
    """Original values on the left, anonymized ones on the right; a band is as wide as the records that went its way."""
    if not flow.records:
        return empty_chart(text("charts.value_flow.no_records"))
    sides = (flow.original, flow.anonymized)
    kinds = [kind for kind in CHANGES if any(link.change is kind for link in flow.links)]
    height = max(120.0, _ROW * max(map(len, sides)))
    middles = [_middles(side, flow.records, height, max(map(len, sides))) for side in sides]
    diagram = chart(
        # Without a trace of its own an axis is not drawn.
        [
            _sankey(flow, [middle / height for side in middles for middle in side]),
            *({**_HIDDEN, "yaxis": axis} for axis in ("y", "y2")),
            *map(_legend_entry, kinds),
        ],
        _finding(flow, kinds),
        plot_height=round(height),
        legend=legend,
        xaxis={
            **number_axis(None, range=[0, 1], tickvals=[0, 1], ticktext=["original", "anonymized"], tickangle=0),
            "showgrid": False,
            "zeroline": False,
            "automargin": False,
        },
        yaxis=_value_axis(sides[0], middles[0], height),
        yaxis2={**_value_axis(sides[1], middles[1], height), "side": "right", "overlaying": "y"},
    )
    # Margins that grow after the first drawing would move the axes away from the nodes.
    left, right = (max(_CHAR_WIDTH_PX * len(_short(node)) + 16 for node in side) for side in sides)
    return diagram.update_layout(margin={"l": max(left, _HEADING), "r": max(right, _HEADING)})


def _sankey(flow: Flow, positions: Sequence[float]) -> dict[str, Any]:
    """Nodes at these heights (0 to 1 from the top, the original ones first), and the bands between them."""
    return {
        "type": "sankey",
        "arrangement": "fixed",
        "node": {
            # Labels stand on the axes beside the diagram: on its bands they could not be read.
            "label": [""] * len(positions),
            "x": [_LEFT] * len(flow.original) + [1 - _LEFT] * len(flow.anonymized),
            "y": list(positions),
            "color": NEUTRAL,
            "line": {"width": 0},
            "thickness": 8,
            "pad": _PAD,
            "customdata": [
                hover(f"{origin} value: {_name(node)}", _amount(node.records, flow))
                for origin, side in (("Original", flow.original), ("Anonymized", flow.anonymized))
                for node in side
            ],
            "hovertemplate": "%{customdata}<extra></extra>",
        },
        "link": {
            "source": [link.source for link in flow.links],
            "target": [len(flow.original) + link.target for link in flow.links],
            "value": [link.records for link in flow.links],
            "color": [band_colour(link.change) for link in flow.links],
            "customdata": [
                hover(
                    f"{_name(flow.original[link.source])} → {_name(flow.anonymized[link.target])}",
                    f"{link.change.value.capitalize()}: {MEANINGS[link.change]}",
                    _amount(link.records, flow),
                )
                for link in flow.links
            ],
            "hovertemplate": "%{customdata}<extra></extra>",
        },
    }


def _amount(records: int, flow: Flow) -> str:
    return f"{pluralize(records, 'record')}, {percent(records / flow.records)}"


def _middles(side: Sequence[FlowNode], records: int, height: float, max_nodes: int) -> list[float]:
    """Find the middle of each node, from the top: Plotly gives nodes heights in proportion and gaps of _PAD."""
    scale = (height - (max_nodes - 1) * _PAD) / records
    top = (max_nodes - len(side)) * _PAD / 2
    middles = []
    for node in side:
        middles.append(top + scale * node.records / 2)
        top += scale * node.records + _PAD
    return middles


def _value_axis(side: Sequence[FlowNode], middles: Sequence[float], height: float) -> dict[str, Any]:
    """An axis that names the nodes of one side."""
    return {
        **number_axis(None, range=[height, 0], tickvals=list(middles)),
        "ticktext": [escaped(_short(node)) for node in side],
        "showgrid": False,
        "zeroline": False,
        "automargin": False,
        "ticklabelstandoff": 3,
    }


def _name(node: FlowNode) -> str:
    return pluralize(node.folded, "other value") if node.folded else visible(node.label)


def _short(node: FlowNode) -> str:
    return shortened(_name(node), _LABEL)


def band_colour(change: Change) -> str:
    """The colour of the bands of one kind of change."""
    colour = COLOURS[change]
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {_OPACITY})"


def _legend_entry(kind: Change) -> dict[str, Any]:
    """A line of the legend, which Sankey diagrams do not have."""
    return {
        **_HIDDEN,
        "name": kind.value,
        "showlegend": True,
        "marker": {"color": band_colour(kind), "symbol": "square", "size": 12, "line": {"width": 0}},
    }


def _finding(flow: Flow, kinds: Sequence[Change]) -> str:
    if kinds == [Change.KEPT]:
        return text("charts.value_flow.kept", column=flow.column)
    totals = {kind: sum(link.records for link in flow.links if link.change is kind) for kind in kinds}
    parts = [f"{percent(totals[kind] / flow.records)} {kind.value}" for kind in kinds]
    return f"{visible(flow.column)}: {', '.join(parts)}"
