"""How many records attacks pay for, by what an attack costs."""

from __future__ import annotations

from math import log10

import numpy as np
import plotly.graph_objects as go

from metrics.drawing.theme import VIOLATION, chart, count_axis, empty_chart, hover, label_above, line_at, number_axis
from metrics.economics.profitability import Profitability
from metrics.formatting import format_number, pluralize
from metrics.texts import text

_POINTS = 200


def attacks_by_cost(result: Profitability) -> go.Figure:
    """The records on which an attack pays, by the attacker's cost; the chosen cost and the break-even are marked."""
    gain, cost = result.parameters.adversary_gain, result.parameters.adversary_cost
    if not len(result.sizes) or not gain:
        return empty_chart(text("charts.profitability.none"))
    sizes, counts = np.unique(result.sizes, return_counts=True)
    records = np.concatenate([[0], np.cumsum(sizes * counts)])
    last = gain / int(sizes[0])
    ends = min(gain / int(sizes[-1]), cost or gain) / 2, 2 * max(last, cost)
    costs = np.unique(np.append(np.geomspace(*ends, _POINTS), gain / sizes[-_POINTS:]))
    attacked = records[np.searchsorted(sizes, gain / costs, side="left")]
    line = {
        "type": "scatter",
        "mode": "lines",
        "name": "records attacked",
        "x": costs,
        "y": attacked,
        "fill": "tozeroy",
        "line": {"color": VIOLATION, "width": 2, "shape": "hv"},
        "hovertext": [
            hover(f"Attacker's cost {format_number(at)}", f"{pluralize(number, 'record')} attacked")
            for at, number in zip(costs.tolist(), attacked.tolist(), strict=True)
        ],
        "hoverinfo": "text",
    }
    span = (log10(ends[0]), log10(ends[1]))
    marked = {text("charts.profitability.break_even_cost", cost=last): last}
    if cost:
        marked[text("charts.profitability.chosen_cost", cost=cost)] = cost
    notes = [label_above(label, log10(at), span) for label, at in marked.items()]
    for above, label in enumerate(notes):
        label["yshift"] = 16 * above
    return chart(
        [line],
        text("charts.profitability.by_cost", cost=last),
        headroom=36,
        shapes=[line_at(at) for at in marked.values()],
        annotations=notes,
        hovermode="x",
        xaxis=number_axis("attacker's cost per record", type="log", range=span, rangemode="normal", dtick=1),
        yaxis=count_axis("records", result.records),
    )
