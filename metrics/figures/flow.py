"""Which values of a column became which, as a Sankey diagram."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from metrics.figures.changes import COLOURS, MEANINGS, percent
from metrics.figures.theme import NEUTRAL, TRANSPARENT, empty_figure, escaped, figure, hover
from metrics.utility.changes import CHANGES, Change, Flow, FlowNode
from metrics.wording import counted, visible

_LABEL = 15
"""Letters of a value beside its node: two of them stand in one line on a narrow page."""
_NODE = 34
_OPACITY = 0.55


def value_flow(flow: Flow) -> go.Figure:
    """Original values on the left, anonymized ones on the right; a band is as wide as the records that went its way.

    The bands' colours say whether the value was kept, generalized, suppressed or perturbed.
    """
    if not flow.records:
        return empty_figure("There is no record whose values could be followed")
    records = flow.records
    sides = (flow.original, flow.anonymized)
    links = flow.links
    kinds = [kind for kind in CHANGES if any(link.change is kind for link in links)]
    sankey = {
        "type": "sankey",
        "arrangement": "fixed",
        "domain": {"x": [0, 1], "y": [0, 1]},
        "node": {
            "label": [escaped(_name(node), _LABEL) for side in sides for node in side],
            "color": NEUTRAL,
            "line": {"width": 0},
            "thickness": 10,
            "pad": 14,
            "customdata": [
                hover(
                    f"{which} value: {_name(node)}",
                    f"{counted(node.records, 'record')}, {percent(node.records / records)}",
                )
                for which, side in zip(("Original", "Anonymized"), sides, strict=True)
                for node in side
            ],
            "hovertemplate": "%{customdata}<extra></extra>",
        },
        "link": {
            "source": [link.source for link in links],
            "target": [len(flow.original) + link.target for link in links],
            "value": [link.records for link in links],
            "color": [_faded(COLOURS[link.change]) for link in links],
            "customdata": [
                hover(
                    f"{_name(flow.original[link.source])} → {_name(flow.anonymized[link.target])}",
                    f"{link.change.value.capitalize()}: {MEANINGS[link.change]}",
                    f"{counted(link.records, 'record')}, {percent(link.records / records)}",
                )
                for link in links
            ],
            "hovertemplate": "%{customdata}<extra></extra>",
        },
    }
    hidden = {"visible": False, "fixedrange": True}
    return figure(
        [sankey, *(_legend_entry(kind) for kind in kinds)],
        _finding(flow, kinds),
        plot_height=max(160, _NODE * max(map(len, sides))),
        legend=True,
        xaxis=hidden,
        yaxis=hidden,
    )


def _name(node: FlowNode) -> str:
    return counted(node.folded, "other value") if node.folded else visible(node.label)


def _faded(colour: str) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {_OPACITY})"


def _legend_entry(kind: Change) -> dict[str, object]:
    """A line of the legend: Sankey diagrams bring none."""
    return {
        "type": "scatter",
        "x": [None],
        "y": [None],
        "mode": "markers",
        "name": kind.value,
        "hoverinfo": "skip",
        "marker": {"color": _faded(COLOURS[kind]), "symbol": "square", "size": 12, "line": {"color": TRANSPARENT}},
    }


def _finding(flow: Flow, kinds: Sequence[Change]) -> str:
    name = visible(flow.column)
    if kinds == [Change.KEPT]:
        return f"{name}: every value was kept"
    totals = {kind: sum(link.records for link in flow.links if link.change is kind) for kind in kinds}
    parts = [f"{percent(totals[kind] / flow.records)} {kind.value}" for kind in kinds]
    return f"{name}: {', '.join(parts)}"
