"""Regions where attacking and publishing pay: planes of two amounts, and the payout's sensitivity to each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, log10
from typing import Any

import plotly.graph_objects as go

from metrics.drawing.theme import BEYOND, MONEY, NEUTRAL, categories, category_axis, chart, hover, note, number_axis
from metrics.economics.break_even import Sensitivity
from metrics.economics.profitability import Profitability
from metrics.formatting import format_number
from metrics.texts import text

TITLES = {
    "adversary_cost": "attacker's cost per record",
    "adversary_gain": "attacker's gain per record",
    "publisher_loss": "publisher's loss per record",
    "publisher_benefit": "publisher's benefit per record",
}
SHORT = {
    "adversary_cost": "attacker's cost",
    "adversary_gain": "attacker's gain",
    "publisher_loss": "publisher's loss",
    "publisher_benefit": "publisher's benefit",
}


_DECADES = 300
"""An axis begins at this part of its maximum."""
_NAMED = 0.45
"""A region is named where it is at least this wide, in powers of ten."""
_AWAY = 0.25
_SAFE, _ATTACKED = "rgba(0, 114, 178, 0.18)", "rgba(213, 94, 0, 0.36)"


def attack_plane(result: Profitability, maxima: Mapping[str, float]) -> go.Figure:
    """The attacker's cost and gain for which attacks pay on no, some and all records, with the chosen amounts.

    `maxima` are the largest amounts drawn, by name.
    """
    smallest, largest = int(result.sizes.min()), int(result.sizes.max())
    regions = [
        (text("charts.amounts.no_attack"), 0.0, smallest, _SAFE),
        (text("charts.amounts.some_attacks"), smallest, largest, BEYOND),
        (text("charts.amounts.all_attacked"), largest, inf, _ATTACKED),
    ]
    title = text("charts.amounts.attack", times="" if smallest == 1 else f"{smallest:,} × ")
    return _plane(result, maxima, ("adversary_cost", "adversary_gain"), regions, title)


def publisher_plane(result: Profitability, maxima: Mapping[str, float]) -> go.Figure:
    """The publisher's loss and benefit for which publishing pays in all, and for every record; as above.

    Without information loss.
    """
    per_record = result.totals.classes_attacked / result.records
    at_most = 1 / int(result.sizes[result.attacked].min()) if result.totals.classes_attacked else 0.0
    regions = [
        (text("charts.amounts.loses"), 0.0, per_record, _ATTACKED),
        (text("charts.amounts.some_lose"), per_record, at_most, BEYOND),
        (text("charts.amounts.pays"), at_most, inf, _SAFE),
    ]
    title = text("charts.amounts.publish", share=at_most) if at_most else text("charts.amounts.publish_any")
    return _plane(result, maxima, ("publisher_loss", "publisher_benefit"), regions, title)


def _plane(
    result: Profitability,
    maxima: Mapping[str, float],
    names: tuple[str, str],
    regions: Sequence[tuple[str, float, float, str]],
    title: str,
) -> go.Figure:
    """A region lies between two ratios of the upright amount to the other: lines where both are logarithmic."""
    x_axis, y_axis = ((maxima[name] / _DECADES, maxima[name]) for name in names)
    x, y = (float(getattr(result.parameters, name)) for name in names)
    regions = [region for region in regions if region[1] < region[2]]
    areas = [_area(*region, x_axis, y_axis) for region in regions]
    point = {
        "type": "scatter",
        "x": [min(max(x, x_axis[0]), x_axis[1])],
        "y": [min(max(y, y_axis[0]), y_axis[1])],
        "mode": "markers",
        "cliponaxis": False,
        "marker": {"color": MONEY, "size": 18, "symbol": "diamond", "line": {"color": "#FFFFFF", "width": 2}},
        "name": "chosen amounts",
        "hovertext": hover(*(f"{SHORT[name]}: {format_number(at)}" for name, at in zip(names, (x, y), strict=True))),
        "hoverinfo": "text",
    }
    notes = [label for name, low, high, _ in regions if (label := _region_name(name, low, high, x_axis, y_axis))]
    return chart(
        [*areas, point],
        title,
        plot_height=280,
        annotations=notes,
        xaxis=_axis(names[0], x_axis),
        yaxis=_axis(names[1], y_axis),
    )


def _axis(name: str, ends: tuple[float, float]) -> dict[str, Any]:
    span = {"type": "log", "range": [log10(end) for end in ends], "rangemode": "normal", "dtick": 1}
    return number_axis(TITLES[name], **span, showgrid=False)


def _area(
    name: str, low: float, high: float, colour: str, x_axis: tuple[float, float], y_axis: tuple[float, float]
) -> dict[str, Any]:
    """The part of the plane in which the upright amount is between `low` and `high` times the other."""
    bends = [y / ratio for y in y_axis for ratio in (low, high) if 0 < ratio < inf]
    x = sorted({*x_axis, *(bend for bend in bends if x_axis[0] < bend < x_axis[1])})
    lower, upper = ([min(max(ratio * at, y_axis[0]), y_axis[1]) for at in x] for ratio in (low, high))
    return {
        "type": "scatter",
        "name": name,
        "mode": "lines",
        "x": [*x, *reversed(x)],
        "y": [*lower, *reversed(upper)],
        "fill": "toself",
        "fillcolor": colour,
        "line": {"width": 0},
        "hoverinfo": "skip",
    }


def _region_name(
    name: str, low: float, high: float, x_axis: tuple[float, float], y_axis: tuple[float, float]
) -> dict[str, Any] | None:
    """The name in the corner or the middle of its region; None where there is no room."""
    least, most = log10(y_axis[0] / x_axis[1]), log10(y_axis[1] / x_axis[0])
    begin = max(log10(low), least) if low else least
    end = min(log10(high), most) if high < inf else most
    if end - begin < _NAMED:
        return None
    if not low:
        return note(name, xref="x domain", yref="y domain", x=0.97, y=0.03, xanchor="right", yanchor="bottom")
    if high == inf:
        return note(name, xref="x domain", yref="y domain", x=0.03, y=0.97, xanchor="left", yanchor="top")
    share = (most - (begin + end) / 2) / (most - least)
    # Both axes are as long, so that the ratio stays the same up to the right, away from the usual amounts.
    away = max(min(_AWAY, 0.72 - share, share - 0.12), 0.0)
    anchor = "left" if share < 0.25 else "right" if share > 0.75 else "center"
    return note(name, xref="x domain", yref="y domain", x=share + away, y=1 - share + away, xanchor=anchor)


def sensitivity_bars(sensitivities: Sequence[Sensitivity], payout: float, share: float) -> go.Figure:
    """How far the payout moves when each amount falls and rises, the most influential on top."""
    keys = categories([SHORT[sensitivity.name] for sensitivity in sensitivities])
    traces = [
        {
            "type": "bar",
            "orientation": "h",
            "y": keys,
            "x": [getattr(sensitivity, bound) - payout for sensitivity in sensitivities],
            "base": [payout] * len(keys),
            "marker": {"color": colour},
            "name": f"{sign}{share:.0%}",
            "customdata": [
                [format_number(sensitivity.amount * factor), format_number(getattr(sensitivity, bound))]
                for sensitivity in sensitivities
            ],
            "hovertemplate": "%{y} %{customdata[0]}: payout %{customdata[1]}<extra></extra>",
        }
        for bound, sign, factor, colour in (("low", "−", 1 - share, NEUTRAL), ("high", "+", 1 + share, MONEY))
    ]
    most_influential = sensitivities[0]
    swing = max(abs(most_influential.high - payout), abs(most_influential.low - payout))
    change = f"{share:.0%}"
    title = (
        text(
            "charts.payout_sensitivity.most_sensitive",
            amount=SHORT[most_influential.name],
            change=change,
            most=format_number(swing),
        )
        if swing
        else text("charts.payout_sensitivity.insensitive", change=change)
    )
    return chart(
        traces,
        title,
        plot_height=180,
        legend=True,
        barmode="overlay",
        xaxis=number_axis("publisher's payout", rangemode="normal"),
        yaxis=category_axis(keys, keys, downwards=True),
    )
