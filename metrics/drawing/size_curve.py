"""How many records lie in small classes, for every size and version."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from metrics.drawing.stepped import step_line, visible_points
from metrics.drawing.theme import chart, empty_chart, escaped, label_above, line_at, number_axis
from metrics.drawing.version_styles import Styles, VersionStyle, legend_room, short_name, version_styles
from metrics.formatting import join_names
from metrics.tables.table import Integers
from metrics.texts import text

_MANY = 3
"""Versions that are counted instead of named."""


def size_curves(sizes: Mapping[str, Integers], k_limit: int, styles: Styles | None = None) -> go.Figure:
    """Share of the records in classes of at most so many records, one line per version; sizes on a log axis.

    `sizes`: records of each class, by version; one without a class has no line. `k_limit`: smallest class wanted; 1
    is no limit. `styles`: styles of all versions; by default they follow the order of `sizes`.
    """
    line_styles = styles or version_styles(sizes)
    shown_sizes = {label: class_sizes for label, class_sizes in sizes.items() if len(class_sizes)}
    if not shown_sizes:
        return empty_chart(text("charts.no_classes"))
    largest = max(k_limit, *(int(class_sizes.max()) for class_sizes in shown_sizes.values()))
    reach = (0.8, largest * 1.25)
    span = (math.log10(reach[0]), math.log10(reach[1]))
    limit = [line_at(k_limit)] if k_limit > 1 else []
    return chart(
        [_line(label, class_sizes, reach[1], line_styles[label]) for label, class_sizes in shown_sizes.items()],
        _finding(sizes, shown_sizes, k_limit),
        plot_height=260 + legend_room(len(shown_sizes)),
        headroom=20 if limit else 12,
        legend=len(shown_sizes) > 1,
        shapes=limit,
        # Plotly takes a shape's place on a logarithmic axis as it is, an annotation's as its logarithm.
        annotations=[label_above(f"limit k = {k_limit:,}", math.log10(k_limit), span)] if limit else [],
        xaxis=number_axis("size of class (records)", type="log", rangemode="normal", range=span, dtick=1),
        yaxis=number_axis("records in classes up to this size (%)", range=[0, 105], tickvals=[0, 25, 50, 75, 100]),
    )


def _line(label: str, sizes: Integers, end: float, style: VersionStyle) -> dict[str, Any]:
    distinct, classes = np.unique(sizes, return_counts=True)
    records = np.cumsum(distinct * classes)
    positions = visible_points(np.log(distinct), records)
    return step_line(
        escaped(short_name(label)),
        np.append(distinct[0], distinct[positions]),
        np.append(0, records[positions]),
        end,
        int(records[-1]),
        # The name comes in by reference: it is not part of the template, whatever characters it holds.
        "%{fullData.name}<br>classes of up to %{x:,.0f}",
        "records",
        color=style.colour,
        dash=style.dash,
    )


def _finding(sizes: Mapping[str, Integers], shown_sizes: Mapping[str, Integers], k_limit: int) -> str:
    shares = {
        label: int(class_sizes[class_sizes < k_limit].sum()) / int(class_sizes.sum())
        for label, class_sizes in shown_sizes.items()
    }
    share = min(shares.values())
    names = [short_name(label) for label in shares if shares[label] == share]
    versions = join_names(names) if len(names) < _MANY else text("charts.size_curve.many", number=len(names))
    if len(names) == len(shares) > 1 and not share:
        finding = text("charts.size_curve.all_none", k=k_limit)
    elif not share:
        finding = text("charts.size_curve.none", versions=versions, number=len(names), k=k_limit)
    elif len(shares) == 1:
        finding = text("charts.size_curve.only_version", version=names[0], share=share, k=k_limit)
    elif len(names) == len(shares):
        finding = text("charts.size_curve.all_alike", share=share, k=k_limit)
    else:
        finding = text("charts.size_curve.fewest", versions=versions, number=len(names), share=share, k=k_limit)
    n_lacking = sum(label not in shown_sizes for label in sizes)
    return f"{finding}; {text('charts.size_curve.lacking', versions=n_lacking)}" if n_lacking else finding
