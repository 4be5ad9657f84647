"""Changes of the cells of each column: kept, generalized, suppressed, perturbed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import plotly.graph_objects as go

from metrics.drawing.theme import (
    MONEY,
    NEUTRAL,
    UTILITY,
    VIOLATION,
    categories,
    category_axis,
    chart,
    empty_chart,
    escaped,
    hover,
    number_axis,
    rows_height,
)
from metrics.formatting import percent, pluralize, visible
from metrics.texts import text
from metrics.utility.cells.changes import CHANGES, Change, ColumnChanges

MAX_COLUMNS = 30
"""Most columns drawn; the others share one more bar."""

COLOURS: Final[Mapping[Change, str]] = {
    Change.KEPT: UTILITY,
    Change.GENERALIZED: "#7FCEB9",
    Change.SUPPRESSED: VIOLATION,
    Change.PERTURBED: MONEY,
    Change.REPLACED: NEUTRAL,
}
"""Colour of each change of a cell, wherever it is drawn."""

MEANINGS: Final[Mapping[Change, str]] = {
    Change.KEPT: text("changes.kept"),
    Change.GENERALIZED: text("changes.generalized"),
    Change.SUPPRESSED: text("changes.suppressed"),
    Change.PERTURBED: text("changes.perturbed"),
    Change.REPLACED: text("changes.replaced"),
}


def changed_cells(columns: Mapping[str, ColumnChanges]) -> go.Figure:
    """Share of each column's cells that were kept, generalized, suppressed or perturbed; the most changed first."""
    if not columns:
        return empty_chart(text("charts.changed_cells.no_columns"))
    names = sorted(columns, key=lambda name: -columns[name].changed)
    bars = [columns[name] for name in names[:MAX_COLUMNS]]
    labels = [visible(name) for name in names[:MAX_COLUMNS]]
    ticks = [escaped(name, 20) for name in names[:MAX_COLUMNS]]
    if rest := [columns[name] for name in names[MAX_COLUMNS:]]:
        bars.append(_together(rest))
        labels.append(pluralize(len(rest), "other column"))
        ticks.append(labels[-1])
    keys = categories(labels)
    traces = [_part(kind, keys, labels, bars) for kind in CHANGES if any(bar.count(kind) for bar in bars)]
    return chart(
        traces,
        _finding(columns, names),
        plot_height=rows_height(len(keys)),
        legend=True,
        barmode="stack",
        bargap=0.3,
        xaxis=number_axis("cells of the column (%)", range=[0, 100], tickvals=[0, 25, 50, 75, 100]),
        yaxis=category_axis(keys, ticks, downwards=True),
    )


def _part(kind: Change, keys: list[str], labels: list[str], bars: list[ColumnChanges]) -> dict[str, Any]:
    shares = [bar.count(kind) / bar.records if bar.records else 0.0 for bar in bars]
    return {
        "type": "bar",
        "orientation": "h",
        "name": kind.value,
        "y": keys,
        "x": [100 * share for share in shares],
        "hovertext": [
            hover(
                label,
                f"{kind.value.capitalize()}: {MEANINGS[kind]}",
                f"{pluralize(bar.count(kind), 'cell')}, {percent(share)} of {bar.records:,}",
            )
            for label, bar, share in zip(labels, bars, shares, strict=True)
        ],
        "hoverinfo": "text",
        "marker": {"color": COLOURS[kind], "line": {"width": 0}},
    }


def _finding(columns: Mapping[str, ColumnChanges], names: list[str]) -> str:
    n_cells, n_changed = (
        sum(column.records for column in columns.values()),
        sum(column.changed for column in columns.values()),
    )
    if not n_changed:
        return text("charts.changed_cells.none")
    findings = [text("charts.changed_cells.some", changed=n_changed / n_cells)]
    most_changed = columns[names[0]].changed
    n_tied = sum(column.changed == most_changed for column in columns.values())
    share = most_changed / columns[names[0]].records
    if n_tied < len(names):
        findings.append(
            text("charts.changed_cells.most", column=names[0], share=share)
            if n_tied == 1
            else text("charts.changed_cells.most_tied", columns=str(n_tied), share=share)
        )
    if perturbed := sum(column.perturbed for column in columns.values()):
        findings.append(text("charts.changed_cells.perturbed", cells=perturbed))
    return "; ".join(findings)


def _together(columns: list[ColumnChanges]) -> ColumnChanges:
    """Several columns as one."""
    return ColumnChanges(**{kind.value: sum(column.count(kind) for column in columns) for kind in CHANGES})
