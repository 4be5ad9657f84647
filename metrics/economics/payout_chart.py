"""Profitability: in which classes attacks are profitable, and what publishing their records earns."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from metrics.drawing.buckets import SizeBuckets, size_buckets
from metrics.drawing.theme import (
    MONEY,
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
    note,
    number_axis,
)
from metrics.economics.profitability import Profitability, largest_attacked
from metrics.formatting import format_number, pluralize
from metrics.texts import text


def payout_by_class(result: Profitability) -> go.Figure:
    """Above, the records by size of their class, attacked or not; below, what publishing one of them earns.

    Amounts are per record, in the currency of the parameters. The dashed lines are the benefit, and the class size from
    which on no attack is profitable.
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
    traces.append(
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": "payout per record",
            "showlegend": False,
            "x": [keys[i] for i in filled_buckets],
            "y": [payouts[i] / buckets.records[i] for i in filled_buckets],
            "hovertext": [texts[i] for i in filled_buckets],
            "hoverinfo": "text",
            "line": {"color": MONEY, "width": 2},
            "marker": {"color": MONEY, "size": 6},
            "cliponaxis": False,
            "xaxis": "x2",
            "yaxis": "y2",
        }
    )
    shapes, notes = _lines(result, buckets)
    size_axis = category_axis(keys, buckets.ticks, buckets.axis_title)
    return chart(
        traces,
        _heading(result),
        plot_height=360,
        headroom=20,
        barmode="stack",
        bargap=0.12,
        hovermode="x",
        shapes=shapes,
        annotations=notes,
        xaxis={**category_axis(keys, [""] * len(keys)), "showticklabels": False, "anchor": "y"},
        xaxis2={**size_axis, "anchor": "y2"},
        yaxis={**count_axis("records", int(buckets.records.max())), "domain": [0.5, 1], "anchor": "x"},
        yaxis2={**number_axis("payout per record"), "domain": [0, 0.4], "anchor": "x2", "zeroline": True},
    )


def _heading(result: Profitability) -> str:
    """In which classes attacks are profitable."""
    if result.attack_free_size is None:
        return text("charts.profitability.free")
    if not result.attacked.any():
        return text("charts.profitability.none")
    size = largest_attacked(result.parameters)
    heading = text("charts.profitability.small_classes", size=size)
    if result.attack_free_size != size + 2:
        return heading
    return text("charts.profitability.break_even", heading=heading, size=f"{size + 1:,}")


def _lines(result: Profitability, buckets: SizeBuckets) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The benefit and the class size from which on no attack is profitable, as lines with their labels."""
    attack_free_size = result.attack_free_size
    benefit = result.parameters.publisher_benefit
    span = (-0.5, len(buckets) - 0.5)
    shapes = [line_at(benefit, vertical=False, axes=("x2", "y2"))]
    benefit_text = f"benefit {format_number(benefit)}"
    notes = [note(benefit_text, xref="x2 domain", yref="y2", x=1, y=benefit, xanchor="right", yanchor="bottom")]
    if attack_free_size is None:
        notes.append(label_above(text("charts.profitability.free_note"), span[0], span))
    elif attack_free_size > buckets.high[-1]:
        notes.append(
            label_above(text("charts.profitability.attack_free_beyond", size=f"{attack_free_size:,}"), span[1], span)
        )
    else:
        position = buckets.position(attack_free_size)
        shapes += [line_at(position), line_at(position, axes=("x2", "y2"))]
        notes.append(
            label_above(text("charts.profitability.attack_free", size=f"{attack_free_size:,}"), position, span)
        )
    return shapes, notes


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
