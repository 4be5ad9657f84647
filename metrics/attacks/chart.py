"""Attacks: the success rate beside that without the table and the control, with its interval."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import plotly.graph_objects as go

from metrics.attacks.analyses.success_by_columns import KnowledgeGrowth
from metrics.attacks.rates import AttackRate
from metrics.drawing.theme import (
    NEUTRAL,
    PRIVACY,
    UTILITY,
    VIOLATION,
    categories,
    category_axis,
    chart,
    count_axis,
    escaped,
    hover,
    in_two_lines,
    note,
    number_axis,
    rows_height,
)
from metrics.drawing.version_styles import Styles, legend_room, short_name
from metrics.formatting import percent, shortened, visible
from metrics.metric import AttackRow
from metrics.texts import text

_LINE = 24
_ROW = 48
"""Pixels of a row, with a label of two lines."""
_TICK, _SMALL, _LANE, _NAME = 18, 8, 12, 45
_STRIPE = "rgba(128,128,128,0.1)"
_ABOVE, _LOWER = 11, 0.2
"""Pixels from the marks to their name above, where a telephone has room, and how much of a row they lie lower."""
_SERIES = ("without the table", "people not in the table (hold-out)", "attack")
_RANKS = {name: rank for rank, name in enumerate(("attack", *_SERIES[:2]), start=1)}


def attack_dumbbell(
    rates: Mapping[str, AttackRate], title: str, limits: Mapping[str, float] | None = None
) -> go.Figure:
    """One row per attack: the baseline, the control where there is one, and the success rate."""
    rows = [AttackRow(name, rate.value, rate.baseline, rate.control, rate.interval) for name, rate in rates.items()]
    return attack_chart(rows, title, limits or {})


def attack_chart(rows: Sequence[AttackRow], title: str, limits: Mapping[str, float]) -> go.Figure:
    """One row per attack, in their order: success, also without the table and on people who are not in it.

    `limits`: by the name of a row the limit on its success.
    """
    keys = categories(row.attacker for row in rows)
    keyed_rows = list(zip(keys, rows, strict=True))
    baseline, holdout, attack = _SERIES
    traces = [
        *(_line(key, row) for key, row in keyed_rows),
        _marks(holdout, UTILITY, "diamond", [(key, row, row.holdout) for key, row in keyed_rows]),
        _marks(baseline, NEUTRAL, "line-ns-open", [(key, row, row.baseline) for key, row in keyed_rows], _TICK),
        _marks(attack, PRIVACY, "circle", [(key, row, row.success) for key, row in keyed_rows]) | _error_bars(rows),
        _marks("limit", VIOLATION, "line-ns-open", [(key, row, limits.get(row.attacker)) for key, row in keyed_rows]),
    ]
    largest = max((_rightmost(row) for row in rows), default=0.0)
    return chart(
        [trace for trace in traces if trace["y"]],
        title.removesuffix("."),
        plot_height=_height(len(rows)),
        legend=True,
        annotations=[_name_and_values(key, row) for key, row in keyed_rows],
        shapes=_stripes(len(rows), _LOWER),
        xaxis=_success_axis(max(largest, *limits.values()) if limits else largest),
        yaxis=category_axis(keys, [""] * len(rows)) | {"range": [len(rows) - 0.5 - _LOWER, -0.5 - _LOWER]},
    )


def attacks_by_version(rows: Mapping[str, Sequence[AttackRow]], styles: Styles, title: str) -> go.Figure:
    """One row per attack: the largest success without the table and, each in its own lane, the success on each version.

    `rows` holds by version its attacks, at least one of each; `styles` every version; `title` is the finding.
    """
    names = _in_order([row.compared_as for row in of_version] for of_version in rows.values())
    keys = categories(names)
    key_of = dict(zip(names, keys, strict=True))
    by_name: dict[str, AttackRow] = {}
    for row in chain.from_iterable(rows.values()):
        other = by_name.setdefault(row.compared_as, row)
        if (row.baseline or 0.0) > (other.baseline or 0.0):
            by_name[row.compared_as] = row
    baselines = [(key_of[name], by_name[name], by_name[name].baseline) for name in names]
    # On an axis of its own, so that it stands across the lanes of its row instead of in one.
    traces = [_marks(_SERIES[0], NEUTRAL, "line-ns-open", baselines, _TICK) | {"orientation": "h", "yaxis": "y2"}]
    for label, of_version in rows.items():
        style = styles[label]
        points = [(key_of[row.compared_as], row, row.success) for row in of_version]
        traces.append(
            _marks(label, style.colour, style.symbol, points, _SMALL)
            | {"orientation": "h", "name": escaped(short_name(label))}
        )
    largest = max(max(row.success, row.baseline or 0.0) for row in chain.from_iterable(rows.values()))
    rows_axis = category_axis(keys, [in_two_lines(name, _LINE) for name in names], downwards=True)
    return chart(
        traces,
        title,
        plot_height=max(_height(len(keys)), _LANE * len(traces) * len(keys)) + legend_room(len(traces)),
        legend=True,
        scattermode="group",
        scattergap=0.2,
        shapes=_stripes(len(keys)),
        xaxis=_success_axis(largest),
        yaxis=rows_axis,
        yaxis2={**rows_axis, "overlaying": "y", "visible": False},
    )


def _height(rows: int) -> int:
    """Height of the plot in pixels, with labels of two lines."""
    return max(rows_height(rows), _ROW * rows)


def _success_axis(largest: float) -> dict[str, Any]:
    """An axis of shares in percent, up to the largest one that is drawn."""
    end = 100 * (largest or 1.0)
    return number_axis("success (%)", range=[-0.02 * end, 1.02 * end], nticks=5)


def _stripes(rows: int, above: float = 0.0) -> list[dict[str, Any]]:
    """Every other row on a band, so that each mark is seen with its label; `above` its middle in rows."""
    band = {"type": "rect", "xref": "paper", "x0": 0, "x1": 1, "line": {"width": 0}, "layer": "below"}
    return [
        {**band, "y0": row - 0.5 - above, "y1": row + 0.5 - above, "fillcolor": _STRIPE} for row in range(1, rows, 2)
    ]


def _in_order(names_of: Iterable[Iterable[str]]) -> list[str]:
    """The names of all versions' rows, each after the one that it follows for its version."""
    names: list[str] = []
    for version_names in names_of:
        index = 0
        for name in version_names:
            if name not in names:
                names.insert(index, name)
            index = names.index(name) + 1
    return names


def _compared(row: AttackRow) -> list[float]:
    """What the success is compared with."""
    return [share for share in (row.baseline, row.holdout) if share is not None]


def _rightmost(row: AttackRow) -> float:
    return max(row.success, *_compared(row), row.interval[1] if row.interval else 0.0, 0.0)


def _line(key: str, row: AttackRow) -> dict[str, Any]:
    """From the smallest to the largest of the rates."""
    shares = [row.success, *_compared(row)]
    return {
        "type": "scatter",
        "mode": "lines",
        "showlegend": False,
        "hoverinfo": "skip",
        "x": [100 * min(shares), 100 * max(shares)],
        "y": [key, key],
        "line": {"color": NEUTRAL, "width": 2},
    }


def _name_and_values(key: str, row: AttackRow) -> dict[str, Any]:
    """The attack with its success and that without the table."""
    values = (
        percent(row.success)
        if row.baseline is None
        else text("charts.attacks.values", success=row.success, baseline=row.baseline)
    )
    name = f"{escaped(shortened(visible(row.attacker), _NAME))} <b>{escaped(values)}</b>"
    place = {"xref": "paper", "x": 0, "xanchor": "left", "yanchor": "bottom", "yshift": _ABOVE}
    return {**note("", y=key, **place), "text": name}


def _marks(
    name: str, colour: str, symbol: str, points: Sequence[tuple[str, AttackRow, float | None]], size: int = 11
) -> dict[str, Any]:
    """The marks of one series, one for each row that has a share in it."""
    shown = [(key, row, share) for key, row, share in points if share is not None]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": [100 * share for *_, share in shown],
        "y": [key for key, *_ in shown],
        "hovertext": [
            hover(visible(row.attacker), f"{name}: {percent(share)}", *row.remarks) for _, row, share in shown
        ],
        "hoverinfo": "text",
        "legendrank": _RANKS.get(name, 1000),
        "cliponaxis": False,
        "marker": {"color": colour, "size": size, "symbol": symbol, "line": {"width": 2, "color": colour}},
    }


def _error_bars(rows: Sequence[AttackRow]) -> dict[str, Any]:
    """The intervals, 0 wide where a rate is exact."""
    bounds = [row.interval or (row.success, row.success) for row in rows]
    return {
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [100 * (high - row.success) for (_, high), row in zip(bounds, rows, strict=True)],
            "arrayminus": [100 * (row.success - low) for (low, _), row in zip(bounds, rows, strict=True)],
            "color": PRIVACY,
            "visible": any(low < high for low, high in bounds),
        }
    }


def growth_chart(growth: KnowledgeGrowth, attribute: str = "") -> go.Figure:
    """The success rate by the number of known columns: the best subset of each size, and the mean over all.

    `attribute` is the sensitive attribute that is inferred; the empty name means record linkage.
    """
    best, mean = growth.best(attribute), growth.mean(attribute)
    sizes = list(best)
    baseline = growth.baselines[attribute]
    best_rates = [100 * best[size].rate(attribute) for size in sizes]
    series = (
        ("best columns", best_rates, "solid", [", ".join(map(visible, best[size].columns)) for size in sizes]),
        ("mean over all choices", [100 * mean[size] for size in sizes], "dot", ["mean over all choices"] * len(sizes)),
        (_SERIES[0], [100 * baseline] * len(sizes), "dash", [_SERIES[0]] * len(sizes)),
    )
    traces = [
        {
            "type": "scatter",
            "mode": "lines" if name == _SERIES[0] else "lines+markers",
            "name": name,
            "x": sizes,
            "y": rates,
            "hovertext": [hover(label, f"{percent(rate / 100)}") for label, rate in zip(texts, rates, strict=True)],
            "hoverinfo": "text",
            "cliponaxis": False,
            "line": {"color": NEUTRAL if name == _SERIES[0] else PRIVACY, "dash": dash, "width": 2},
        }
        for name, rates, dash, texts in series
    ]
    return chart(
        traces,
        _growth_finding(growth, attribute, best_rates),
        plot_height=260,
        legend=True,
        xaxis=count_axis("known columns", len(sizes), range=[0.8, len(sizes) + 0.2], rangemode="normal"),
        yaxis=number_axis("success (%)", range=[0, max(5.0, 1.1 * max(*best_rates, 100 * baseline))]),
    )


def _growth_finding(growth: KnowledgeGrowth, attribute: str, percentages: Sequence[float]) -> str:
    """Describe the best subsets' success rates, in percent by size: of one column, of the most columns, the highest."""

    def rate(percentage: float) -> str:
        share = percentage / 100
        return percent(share) if growth.exact else text("charts.attack_growth.sampled_rate", rate=share)

    first, last, peak = percentages[0], percentages[-1], max(percentages)
    findings = [
        text("charts.attack_growth.inference", column=attribute, rate=rate(first))
        if attribute
        else text("charts.attack_growth.linkage", rate=rate(first))
    ]
    if len(percentages) > 1:
        findings.append(text("charts.attack_growth.all_columns", columns=len(percentages), rate=rate(last)))
    if peak > max(first, last):
        columns = list(growth.best(attribute))[percentages.index(peak)]
        findings.append(text("charts.attack_growth.most", columns=columns, rate=rate(peak)))
    return "; ".join(findings)
