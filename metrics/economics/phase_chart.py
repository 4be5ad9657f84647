"""Regions where publishing is profitable: phase diagrams over two amounts, and the payout's sensitivity to each."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from typing import Any

import plotly.graph_objects as go

from metrics.drawing.theme import MONEY, NEUTRAL, VIOLATION, categories, category_axis, chart, number_axis
from metrics.economics.break_even import Phase, Sensitivity
from metrics.formatting import format_number
from metrics.texts import text

TITLES = {
    "adversary_cost": "attacker's cost per record",
    "adversary_gain": "attacker's gain per record",
    "publisher_loss": "publisher's loss per record",
    "publisher_benefit": "publisher's benefit per record",
}
BOUNDARIES = {
    "adversary_gain": "above it, attacks are profitable",
    "publisher_benefit": "above it, publishing is profitable",
}
SHORT = {
    "adversary_cost": "attacker's cost",
    "adversary_gain": "attacker's gain",
    "publisher_loss": "publisher's loss",
    "publisher_benefit": "publisher's benefit",
}


def phase_diagram(phase: Phase, x: float, y: float, holds: bool) -> go.Figure:
    """The payout over two amounts, the line where the verdict changes, and the chosen point.

    `phase`: the payout over two amounts; an upright axis above 0 is logarithmic.
    """
    heat = {
        "type": "heatmap",
        # Named, though its scale says what it is: names then stand above the plot, not on colours of every brightness.
        "name": "payout",
        "x": phase.x,
        "y": phase.y,
        "z": phase.payout,
        "colorscale": "Cividis",
        "colorbar": {"title": {"text": "payout"}, "thickness": 12, "len": 0.9},
        "customdata": phase.attacked,
        "hovertemplate": (
            f"{SHORT[phase.x_name]} %{{x:,.3~g}}<br>{SHORT[phase.y_name]} %{{y:,.3~g}}<br>payout %{{z:,.0f}}"
            "<br>records attacked %{customdata:,}<extra></extra>"
        ),
    }
    boundary = {
        "type": "scatter",
        "x": phase.x,
        "y": phase.slope * phase.x,
        "mode": "lines",
        "line": {"color": VIOLATION, "width": 3},
        "hoverinfo": "skip",
        "name": BOUNDARIES[phase.y_name],
    }
    marker = {
        "type": "scatter",
        "x": [x],
        "y": [y],
        "mode": "markers",
        "marker": {"color": MONEY, "size": 14, "symbol": "diamond", "line": {"color": "#FFFFFF", "width": 2}},
        "name": "chosen amounts",
        "hovertemplate": "chosen amounts<extra></extra>",
    }
    across, up = SHORT[phase.x_name], SHORT[phase.y_name].split()[-1]
    title = (
        text("charts.profit_phase.profitable", x=across, y=up)
        if holds
        else text("charts.profit_phase.not_profitable", x=across, y=up)
    )
    return chart(
        [heat, boundary, marker],
        title,
        plot_height=300,
        legend=True,
        xaxis=number_axis(TITLES[phase.x_name], range=[float(phase.x[0]), float(phase.x[-1])]),
        yaxis=number_axis(TITLES[phase.y_name], **_up(float(phase.y[0]), float(phase.y[-1]))),
    )


def _up(low: float, high: float) -> dict[str, Any]:
    if low > 0:
        return {"type": "log", "range": [log10(low), log10(high)], "rangemode": "normal", "dtick": 1}
    return {"range": [low, high]}


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
