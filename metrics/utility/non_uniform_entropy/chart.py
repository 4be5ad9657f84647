"""Information loss: which columns paid for anonymity, and at which level of their hierarchies."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import plotly.graph_objects as go

from metrics.drawing.theme import (
    MONEY,
    NEUTRAL,
    UTILITY,
    categories,
    category_axis,
    chart,
    empty_chart,
    escaped,
    hover,
    number_axis,
    rows_height,
)
from metrics.formatting import format_number, percent, pluralize, visible
from metrics.texts import text
from metrics.utility.non_uniform_entropy.measure import ColumnLoss, NonUniformEntropy

MAX_COLUMNS = 30
"""Most columns drawn; the others share one more bar."""


def loss_by_column(result: NonUniformEntropy) -> go.Figure:
    """Bits lost per column, by the level that lost them, and bits left; the most costly column first."""
    if not result.columns:
        return empty_chart(text("charts.information_loss.no_columns"))
    names = sorted(result.columns, key=lambda name: -result.columns[name].loss)
    shown, others = names[:MAX_COLUMNS], names[MAX_COLUMNS:]
    losses = [result.columns[name] for name in shown]
    labels = [visible(name) for name in shown]
    ticks = [escaped(name, 20) for name in shown]
    if others:
        losses.append(_together([result.columns[name] for name in others]))
        labels.append(pluralize(len(others), "other column"))
        ticks.append(labels[-1])
    keys = categories(labels)
    total = math.fsum(column.loss for column in losses)
    levels = sorted({level for column in losses for level, loss in column.by_level.items() if loss > 0})
    traces = [_level(level, (i + 1) / len(levels), keys, labels, losses, total) for i, level in enumerate(levels)]
    columns_of_bars = [*([name] for name in shown), others]
    perturbed = [not result.not_generalized.keys().isdisjoint(columns) for columns in columns_of_bars]
    bars = list(zip(keys, labels, losses, perturbed, strict=False))
    return chart(
        [*traces, *_kept_traces(bars)],
        result.brief().removesuffix("."),
        plot_height=rows_height(len(keys)),
        legend=True,
        barmode="stack",
        bargap=0.3,
        xaxis=number_axis("information (bits)", nticks=5, exponentformat="SI"),
        yaxis=category_axis(keys, ticks, downwards=True),
    )


def _kept_traces(bars: list[tuple[str, str, ColumnLoss, bool]]) -> Iterator[dict[str, Any]]:
    """What is left, apart for columns that are perturbed: of each bar its key, label, loss and whether it is one."""
    for name, color, is_perturbed in (("kept", UTILITY, False), ("kept or perturbed", MONEY, True)):
        of_kind = [(key, label, loss) for key, label, loss, perturbed in bars if perturbed is is_perturbed]
        if of_kind:
            yield _kept(name, color, of_kind)


def _kept(name: str, color: str, bars: list[tuple[str, str, ColumnLoss]]) -> dict[str, Any]:
    """The part of each column's information that is left; of each bar its key, label and loss."""
    return {
        "type": "bar",
        "orientation": "h",
        "name": name,
        "y": [key for key, _, _ in bars],
        "x": [max(column.largest - column.loss, 0.0) for _, _, column in bars],
        "hovertext": [
            hover(label, f"Preserved: {percent(column.score)} of {format_number(column.largest)} bits")
            for _, label, column in bars
        ],
        "hoverinfo": "text",
        "marker": {"color": color, "line": {"width": 0}},
    }


def _level(
    level: int, depth: float, keys: list[str], labels: list[str], losses: list[ColumnLoss], total: float
) -> dict[str, Any]:
    """The part of each column's loss that generalizing to one level adds; the higher the level, the darker."""
    red, green, blue = (int(NEUTRAL[i : i + 2], 16) for i in (1, 3, 5))
    parts = [column.by_level.get(level, 0.0) for column in losses]
    return {
        "type": "bar",
        "orientation": "h",
        "name": f"lost to level {level}",
        "y": keys,
        "x": parts,
        "hovertext": [
            hover(
                label,
                f"Lost by level {level}: {format_number(part)} bits, {percent(part / total)} of the total loss",
                f"This column lost {format_number(column.loss)} bits, {percent(column.loss / total)} of the total loss",
            )
            for label, column, part in zip(labels, losses, parts, strict=True)
        ],
        "hoverinfo": "text",
        "marker": {"color": f"rgba({red}, {green}, {blue}, {0.25 + 0.75 * depth:.2f})", "line": {"width": 0}},
    }


def _together(columns: list[ColumnLoss]) -> ColumnLoss:
    """Several columns as one."""
    levels = sorted({level for column in columns for level in column.by_level})
    return ColumnLoss(
        loss=math.fsum(column.loss for column in columns),
        largest=math.fsum(column.largest for column in columns),
        by_level={level: math.fsum(column.by_level.get(level, 0.0) for column in columns) for level in levels},
        perturbed=sum(column.perturbed for column in columns),
    )
