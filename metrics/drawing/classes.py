"""Equivalence classes: how large they are, and how an attribute's values lie in one of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from metrics.counting.histograms import Histogram
from metrics.drawing.buckets import SizeBuckets, size_buckets
from metrics.drawing.theme import (
    NEUTRAL,
    PRIVACY,
    VIOLATION,
    categories,
    category_axis,
    chart,
    class_count,
    count_axis,
    empty_chart,
    escaped,
    hover,
    label_above,
    line_at,
    number_axis,
    rows_height,
)
from metrics.formatting import pluralize, visible
from metrics.tables.table import Integers
from metrics.texts import text

MAX_VALUES = 30
"""Most bars of an attribute's distribution; the other values share one more."""


def class_size_distribution(sizes: Integers, k_limit: int = 1) -> go.Figure:
    """How many classes have how many records.

    `k_limit`: smallest class wanted; smaller ones are drawn as violations. 1 is no limit.
    """
    if not len(sizes):
        return empty_chart(text("charts.no_classes"))
    has_limit = k_limit > 1
    buckets = size_buckets(sizes, (k_limit,) if has_limit else ())
    too_small = buckets.low < k_limit
    keys = categories(buckets.labels)
    traces = [
        {
            "type": "bar",
            "name": name,
            "x": [key for key, is_shown in zip(keys, flags, strict=True) if is_shown],
            "y": buckets.classes[flags].tolist(),
            "hovertext": [
                hover_text for hover_text, is_shown in zip(_bucket_texts(buckets), flags, strict=True) if is_shown
            ],
            "hoverinfo": "text",
            "marker": {"color": color, "line": {"width": 0}},
        }
        for name, color, flags in (
            (f"fewer than {k_limit:,}", VIOLATION, too_small),
            (f"{k_limit:,} or more" if has_limit else "", PRIVACY, ~too_small),
        )
        if flags.any()
    ]
    shapes, notes = [], []
    if has_limit and too_small.any() and not too_small.all():
        position = buckets.position(k_limit)
        shapes.append(line_at(position))
        notes.append(label_above(f"limit k = {k_limit:,}", position, (-0.5, len(buckets) - 0.5)))
    return chart(
        traces,
        _size_finding(sizes, k_limit),
        headroom=20 if has_limit else 12,
        barmode="overlay",
        bargap=0.12,
        hovermode="x",
        shapes=shapes,
        annotations=notes,
        xaxis=category_axis(keys, buckets.ticks, buckets.axis_title),
        yaxis=count_axis("classes", int(buckets.classes.max())),
    )


def _bucket_texts(buckets: SizeBuckets) -> list[str]:
    return [
        hover(
            f"Classes of {label} {'record' if label == '1' else 'records'}",
            class_count(classes),
            pluralize(records, "record"),
        )
        for label, classes, records in zip(
            buckets.labels, buckets.classes.tolist(), buckets.records.tolist(), strict=True
        )
    ]


def _size_finding(sizes: Integers, k_limit: int) -> str:
    count, smallest, largest = len(sizes), int(sizes.min()), int(sizes.max())
    if smallest < k_limit:
        n_below = int((sizes < k_limit).sum())
        return text("charts.class_sizes.too_small", below=n_below, classes=count, k=k_limit)
    if count == 1:
        return text("charts.class_sizes.only_class", size=smallest)
    if smallest == largest:
        return text("charts.class_sizes.all_equal", classes=count, size=smallest)
    if k_limit > 1:
        return text("charts.class_sizes.all_large_enough", classes=count, k=k_limit, smallest=smallest)
    median = int(np.partition(sizes, (count - 1) // 2)[(count - 1) // 2])
    return text("charts.class_sizes.all_between", classes=count, smallest=smallest, largest=largest, median=median)


def class_distribution(
    histogram: Histogram,
    index: int,
    *,
    t: float | None = None,
    entropy: float | None = None,
    max_values: int = MAX_VALUES,
) -> go.Figure:
    """An attribute's values in one class beside the whole table (its records in classes), in percent.

    `max_values`: most values drawn: those whose shares differ most; the others share the last bar.
    """
    in_class, in_table = histogram.of_class(index), histogram.totals
    size, n_kept = int(histogram.sizes[index]), histogram.kept
    column = histogram.column
    order = column.order
    if column.numbers is None:
        order = order[np.argsort(-in_table[order], kind="stable")]
    order = order[in_table[order] > 0]
    folded = np.zeros(0, dtype=np.int64)
    if len(order) > max_values:
        difference = np.abs(in_class[order] * n_kept - in_table[order] * size)
        is_shown = np.zeros(len(order), dtype=bool)
        is_shown[np.argsort(-difference, kind="stable")[:max_values]] = True
        order, folded = order[is_shown], order[~is_shown]
    labels = [column.labels[code] for code in order.tolist()]
    keys, ticks = categories(labels), [escaped(label, 24) for label in labels]
    names = [visible(label) for label in labels]
    if len(folded):
        names.append(pluralize(len(folded), "other value"))
        keys, ticks = categories([*labels, names[-1]]), [*ticks, names[-1]]
    traces: list[dict[str, Any]] = []
    for name, color, counts, records in (
        ("this class", PRIVACY, in_class, size),
        ("all classes", NEUTRAL, in_table, n_kept),
    ):
        values = counts[order].tolist() + ([int(counts[folded].sum())] if len(folded) else [])
        longest = values.index(max(values))
        traces.append(
            {
                "type": "bar",
                "orientation": "h",
                "name": name,
                "y": keys,
                "x": [100 * value / records for value in values],
                "hovertext": [
                    hover(value_name, f"{value / records:.1%} of {name}: {value:,} of {pluralize(records, 'record')}")
                    for value_name, value in zip(names, values, strict=True)
                ],
                "hoverinfo": "text",
                "text": [name if row == longest else "" for row in range(len(values))],
                "textposition": "outside",
                "textangle": 0,
                "constraintext": "none",
                "textfont": {"size": 12, "weight": 600},
                "cliponaxis": False,
                "marker": {"color": color, "line": {"width": 0}},
            }
        )
    return chart(
        traces,
        _class_finding(column.name, int(histogram.distinct[index]), size, t, entropy),
        plot_height=rows_height(len(keys)),
        barmode="group",
        bargap=0.25,
        xaxis=number_axis("share of records (%)", **_room_for_names(max(max(trace["x"]) for trace in traces))),
        yaxis=category_axis(keys, ticks, downwards=True),
    )


def _room_for_names(largest: float) -> dict[str, Any]:
    """An axis of shares that leaves room for a name behind the longest bar, without ticks beyond 100%."""
    return {"range": [0, 1.7 * largest], **({"tickvals": [0, 25, 50, 75, 100]} if largest > 70 else {})}


def _class_finding(name: str, distinct: int, size: int, t: float | None, entropy: float | None) -> str:
    if distinct != 1:
        finding = text("charts.class_distribution.several_values", records=size, values=distinct, column=name)
    elif size > 1:
        finding = text("charts.class_distribution.single_value", records=size, column=name)
    else:
        finding = text("charts.class_distribution.single_record", column=name)
    measures = [] if t is None else [text("charts.class_distribution.distance", t=t)]
    measures += [] if entropy is None else [text("charts.class_distribution.entropy", entropy=entropy)]
    return "; ".join([finding, *measures])
