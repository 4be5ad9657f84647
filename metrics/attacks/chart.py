"""Attacks: the success rate beside that without the table and the control, with its interval."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
from metrics.formatting import percent, visible
from metrics.texts import text

_LINE = 24
_SECOND_LINE = 8
"""Pixels that a label of two lines needs more, per row."""
_TICK, _SMALL, _LANE = 18, 8, 6
_WITH_VALUE = 135
"""End of the axis in percent, so that there is room for a value beside a mark at 100%."""
_SERIES = ("without the table", "people not in the table", "attack")


def attack_dumbbell(
    rates: Mapping[str, AttackRate],
    title: str,
    limits: Mapping[str, float] | None = None,
    *,
    legend: bool = True,
    rows: int = 0,
) -> go.Figure:
    """One row per attack: the baseline, the control where there is one, and the success rate.

    `legend`: whether a legend names the marks; else success rates are written beside their marks.
    """
    keys = categories(rates)
    keyed_rates = list(zip(keys, rates, rates.values(), strict=True))
    lines = [_line(key, rate) for key, _, rate in keyed_rates]
    baseline, control, attack = _SERIES
    traces = [
        *lines,
        _points(
            control,
            UTILITY,
            "diamond",
            [(key, name, rate.control) for key, name, rate in keyed_rates if rate.control is not None],
        ),
        _points(
            baseline, NEUTRAL, "line-ns-open", [(key, name, rate.baseline) for key, name, rate in keyed_rates], _TICK
        ),
        _points(attack, PRIVACY, "circle", [(key, name, rate.value) for key, name, rate in keyed_rates])
        | _error_bars(rates),
    ]
    limit_points = [(key, name, limits[name]) for key, name, _ in keyed_rates if name in limits] if limits else []
    traces.append(_points("limit", VIOLATION, "line-ns-open", limit_points, _TICK))
    rows = max(len(keys), rows)
    return chart(
        [trace for trace in traces if trace["y"]],
        title.removesuffix("."),
        plot_height=_height(rows),
        legend=legend,
        annotations=[] if legend else [_value(key, rate) for key, _, rate in keyed_rates],
        xaxis=number_axis("success (%)", range=[-4, _WITH_VALUE], tickvals=[0, 50, 100]),
        yaxis={
            **category_axis(keys, [in_two_lines(name, _LINE) for name in rates], downwards=True),
            "range": [rows - 0.5, -0.5],
        },
    )


def attacks_by_version(rates: Mapping[str, Mapping[str, AttackRate]], styles: Styles, title: str) -> go.Figure:
    """One row per attack: the largest success without the table and, each in its own lane, the success on each version.

    `rates` holds by version the rates of its attacks by name, at least one of each; `styles` every version;
    `title` is the finding.
    """
    names = _in_order(rates.values())
    keys = categories(names)
    row = dict(zip(names, keys, strict=True))
    baselines = [
        (row[name], name, max(by_attack[name].baseline for by_attack in rates.values() if name in by_attack))
        for name in names
    ]
    traces = [_points(_SERIES[0], NEUTRAL, "line-ns-open", baselines, _SMALL) | {"orientation": "h"}]
    for label, by_attack in rates.items():
        style = styles[label]
        points = [(row[name], name, rate.value) for name, rate in by_attack.items()]
        traces.append(
            _points(label, style.colour, style.symbol, points, _SMALL)
            | {"orientation": "h", "name": escaped(short_name(label))}
        )
    return chart(
        traces,
        title,
        plot_height=max(_height(len(keys)), _LANE * len(traces) * len(keys)) + legend_room(len(traces)),
        legend=True,
        scattermode="group",
        scattergap=0.2,
        xaxis=number_axis("success (%)", range=[-4, 105]),
        yaxis=category_axis(keys, [in_two_lines(name, _LINE) for name in names], downwards=True),
    )


def _height(rows: int) -> int:
    """Height of the plot in pixels, with labels of two lines."""
    return rows_height(rows) + _SECOND_LINE * rows


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


def _line(key: str, rate: AttackRate) -> dict[str, Any]:
    """From the smallest to the largest of the rates."""
    rates = [rate.baseline, rate.value, *([] if rate.control is None else [rate.control])]
    return {
        "type": "scatter",
        "mode": "lines",
        "showlegend": False,
        "hoverinfo": "skip",
        "x": [100 * min(rates), 100 * max(rates)],
        "y": [key, key],
        "line": {"color": NEUTRAL, "width": 2},
    }


def _value(key: str, rate: AttackRate) -> dict[str, Any]:
    """The success rate in words, to the right of all marks of its row."""
    rightmost = max(rate.value, rate.baseline, rate.control or 0.0, (rate.interval or (0.0, 0.0))[1])
    return note(percent(rate.value), x=100 * rightmost, y=key, xanchor="left", xshift=6)


def _points(
    name: str, colour: str, symbol: str, points: list[tuple[str, str, float]], size: int = 11
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": [100 * share for *_, share in points],
        "y": [key for key, *_ in points],
        "hovertext": [hover(visible(row), f"{name}: {percent(share)}") for _, row, share in points],
        "hoverinfo": "text",
        "cliponaxis": False,
        "marker": {"color": colour, "size": size, "symbol": symbol, "line": {"width": 2, "color": colour}},
    }


def _error_bars(rates: Mapping[str, AttackRate]) -> dict[str, Any]:
    """The intervals, 0 wide where a rate is exact."""
    bounds = [rate.interval or (rate.value, rate.value) for rate in rates.values()]
    values = [rate.value for rate in rates.values()]
    return {
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [100 * (high - value) for (_, high), value in zip(bounds, values, strict=True)],
            "arrayminus": [100 * (value - low) for (low, _), value in zip(bounds, values, strict=True)],
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
