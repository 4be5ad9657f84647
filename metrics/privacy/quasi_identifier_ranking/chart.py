"""Which columns tell people apart: distinction and separation of the strongest subsets of quasi-identifiers."""

from __future__ import annotations

from typing import Final

import plotly.graph_objects as go

from metrics.drawing.theme import (
    NEUTRAL,
    PRIVACY,
    categories,
    category_axis,
    chart,
    hover,
    in_two_lines,
    number_axis,
    rows_height,
)
from metrics.formatting import percent, visible
from metrics.privacy.quasi_identifier_ranking.measure import QuasiIdentifierRanking

_SECOND_LINE = 6
MAX_SUBSETS: Final = 15
"""Most subsets drawn, the most distinguishing first."""


def ranked_subsets(result: QuasiIdentifierRanking) -> go.Figure:
    """Two bars per subset: its combinations over records, and the share of pairs of records it tells apart."""
    subsets = result.ranking[:MAX_SUBSETS]
    names = [" + ".join(visible(name) for name in subset.columns) for subset in subsets]
    keys = categories(names)
    texts = [
        hover(
            name,
            f"{subset.combinations:,} combinations: distinction {percent(subset.distinction)}",
            f"separates {percent(subset.separation)} of all record pairs",
        )
        for name, subset in zip(names, subsets, strict=True)
    ]
    bars = (
        ("distinction (combinations over records)", PRIVACY, [100 * subset.distinction for subset in subsets]),
        ("separation (share of record pairs)", NEUTRAL, [100 * subset.separation for subset in subsets]),
    )
    traces = [
        {
            "type": "bar",
            "orientation": "h",
            "name": name,
            "y": keys,
            "x": shares,
            "hovertext": texts,
            "hoverinfo": "text",
            "marker": {"color": colour, "line": {"width": 0}},
        }
        for name, colour, shares in bars
    ]
    return chart(
        traces,
        result.summary().removesuffix("."),
        plot_height=rows_height(len(keys)) + _SECOND_LINE * len(keys),
        legend=True,
        barmode="group",
        xaxis=number_axis("share (%)", range=[0, 100]),
        yaxis=category_axis(keys, [in_two_lines(name, 26) for name in names], downwards=True),
    )
