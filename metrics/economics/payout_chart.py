"""Profitability: in which classes attacks are profitable."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from metrics.drawing.buckets import SizeBuckets, size_buckets
from metrics.drawing.theme import (
    NEUTRAL,
    VIOLATION,
    categories,
    category_axis,
    chart,
    class_count,
    count_axis,
    empty_chart,
    hover,
    label_above,
    line_at,
)
from metrics.economics.profitability import Profitability, largest_attacked
from metrics.formatting import format_number, pluralize
from metrics.texts import text


def payout_by_class(result: Profitability) -> go.Figure:
    """The records by size of their class, attacked or not; the dashed line is the size from which no attack pays.

    Pointing at a bar tells what publishing its records earns.
    """
    if not len(result.sizes):
        return empty_chart(text("charts.profitability.no_classes"))
    attack_free_size = result.attack_free_size
    unattacked_sizes = result.sizes[~result.attacked]
    bounds = [
        size
        for size in (attack_free_size, int(unattacked_sizes.min()) if len(unattacked_sizes) else None)
        if size is not None
    ]
    buckets = size_buckets(result.sizes, bounds)
    attacked = buckets.total(np.where(result.attacked, result.sizes, 0))
    payouts = buckets.total(result.payout)
    keys = categories(buckets.labels)
    texts = _texts(buckets, attacked.tolist(), payouts.tolist())
    filled_buckets = np.flatnonzero(buckets.classes).tolist()
    traces: list[dict[str, Any]] = [
        {
            "type": "bar",
            "name": name,
            "x": [keys[i] for i in shown_buckets],
            "y": [records[i] for i in shown_buckets],
            "hovertext": [texts[i] for i in shown_buckets],
            "hoverinfo": "text",
            "marker": {"color": color, "line": {"width": 0}},
        }
        for name, color, records in (
            ("attack profitable", VIOLATION, attacked.astype(int).tolist()),
            ("attack not profitable", NEUTRAL, (buckets.records - attacked).astype(int).tolist()),
        )
        if (shown_buckets := [i for i in filled_buckets if records[i]])
    ]
    shapes, notes = _line(result, buckets)
    return chart(
        traces,
        _heading(result),
        plot_height=280,
        headroom=20,
        barmode="stack",
        bargap=0.12,
        hovermode="x",
        shapes=shapes,
        annotations=notes,
        xaxis=category_axis(keys, buckets.ticks, buckets.axis_title),
        yaxis=count_axis("records", int(buckets.records.max())),
    )


def _heading(result: Profitability) -> str:
    """In which classes attacks are profitable."""
    if result.attack_free_size is None:
        return text("charts.profitability.free")
    if not result.attacked.any():
        return text("charts.profitability.none")
    return text("charts.profitability.small_classes", size=largest_attacked(result.parameters))


def _line(result: Profitability, buckets: SizeBuckets) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The class size from which on no attack is profitable, as a line with its label."""
    size, span = result.attack_free_size, (-0.5, len(buckets) - 0.5)
    if size is None:
        return [], [label_above(text("charts.profitability.free_note"), span[0], span)]
    if size > buckets.high[-1]:
        return [], [label_above(text("charts.profitability.attack_free", size=size), span[1], span)]
    position = buckets.position(size)
    return [line_at(position)], [label_above(text("charts.profitability.attack_free", size=size), position, span)]


def _texts(buckets: SizeBuckets, attacked: list[float], payouts: list[float]) -> list[str]:
    return [
        hover(
            f"Classes of {label} {'record' if label == '1' else 'records'}",
            f"{class_count(classes)} with {pluralize(records, 'record')}, "
            f"{int(n_attacked):,} of them profitable to attack",
            f"Publisher's payout: {format_number(payout)}, per record {format_number(payout / max(records, 1))}",
        )
        for label, classes, records, n_attacked, payout in zip(
            buckets.labels, buckets.classes.tolist(), buckets.records.tolist(), attacked, payouts, strict=True
        )
    ]
