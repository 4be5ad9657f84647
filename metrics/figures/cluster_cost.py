"""Data that scoring would move and hold on a cluster, over the number of records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from metrics.engines.cost import ClusterCost
from metrics.figures.theme import NEUTRAL, PRIVACY, UTILITY, figure, hover, number_axis
from metrics.formatting import in_bytes
from metrics.texts import text

_EDGE = 0.03
"""Beyond the ends of an axis, or their ticks are lost."""
_WORDS = {3: "thousand", 6: "million", 9: "billion", 12: "trillion"}

_Line = tuple[str, Callable[[ClusterCost], float], str, str]
_LINES: tuple[_Line, ...] = (
    ("shuffled to count the classes", lambda cost: cost.counting_bytes, PRIVACY, "solid"),
    ("shuffled to match records with the original", lambda cost: cost.matching_bytes, UTILITY, "dash"),
    ("held by the driver", lambda cost: cost.driver_bytes, NEUTRAL, "solid"),
    ("if all classes were held at once", lambda cost: cost.undivided_bytes, NEUTRAL, "dot"),
)


def cluster_cost_figure(costs: Sequence[ClusterCost]) -> go.Figure:
    """Bytes shuffled and held against records, both in logarithms; at least one cost, in ascending order of records."""
    lines = [line for line in _LINES if any(line[1](cost) > 0 for cost in costs)]
    values = [line[1](cost) for line in lines for cost in costs]
    low, high = int(np.floor(np.log10(max(min(values), 1)))), int(np.ceil(np.log10(max(*values, 10))))
    last = costs[-1]
    finding = text(
        "figures.cluster_cost.finding",
        records=_short_count(last.records),
        shuffled=in_bytes(last.counting_bytes + last.matching_bytes),
        held=in_bytes(last.driver_bytes),
    )
    return figure(
        [_line(line, costs) for line in lines],
        finding,
        plot_height=300 + 21 * len(lines),
        legend=True,
        xaxis=_logarithmic("records", np.log10([costs[0].records, last.records]), _short_count),
        yaxis=_logarithmic("bytes", np.array([low, max(high, low + 1)]), in_bytes),
    )


def _line(line: _Line, costs: Sequence[ClusterCost]) -> dict[str, Any]:
    name, cost_of, colour, dash = line
    hover_texts = [
        hover(
            name.capitalize(),
            f"{_short_count(cost.records)} records in {cost.partitions:,} partitions: {in_bytes(cost_of(cost))}",
        )
        for cost in costs
    ]
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": [cost.records for cost in costs],
        "y": [cost_of(cost) for cost in costs],
        "hovertext": hover_texts,
        "hoverinfo": "text",
        "line": {"color": colour, "width": 2.5, "dash": dash},
    }


def _logarithmic(title: str, span: Any, format_tick: Callable[[float], str]) -> dict[str, Any]:
    """An axis between two powers of ten, with a tick at every power, on a long one at each third."""
    powers = range(int(np.ceil(span[0])), int(np.floor(span[1])) + 1)
    ticks = [power for power in powers if power % 3 == 0 or len(powers) <= 5]
    return number_axis(
        title,
        type="log",
        rangemode="normal",
        range=[float(span[0]) - _EDGE, float(span[1]) + _EDGE],
        tickvals=[10.0**power for power in ticks],
        ticktext=[format_tick(10.0**power) for power in ticks],
    )


def _short_count(records: float) -> str:
    """A power of ten by its name, any other number in digits: "1 billion", "2,500"."""
    power = round(np.log10(records))
    exponent = power - power % 3
    if exponent not in _WORDS or 10**power != round(records):
        return f"{records:,.0f}"
    return f"{10 ** (power - exponent):,} {_WORDS[exponent]}"
