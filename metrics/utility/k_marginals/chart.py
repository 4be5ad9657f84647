"""The scores of the sets of columns whose joint counts are furthest from the original's."""

from __future__ import annotations

import plotly.graph_objects as go

from metrics.drawing.bars import Bar, bars
from metrics.formatting import join_names
from metrics.texts import text
from metrics.utility.k_marginals.marginals import score
from metrics.utility.k_marginals.measure import KMarginals

_MOST = 15


def worst_marginals(result: KMarginals) -> go.Figure:
    """The lowest scores, 0 to 1000, beside that of a table whose every cell is suppressed."""
    worst = sorted(result.by_value.distances.items(), key=lambda item: -round(item[1], 9))[:_MOST]
    found = [(join_names(columns), score([apart])) for columns, apart in worst]
    name, lowest = found[0]
    return bars(
        [Bar(columns, points, text("charts.k_marginals.points", points=points)) for columns, points in found],
        text("charts.k_marginals.finding", columns=name, points=lowest),
        text("charts.k_marginals.axis"),
        end=1050,
        threshold=(text("charts.k_marginals.suppressed"), result.all_suppressed),
    )
