"""How many records are at risk of re-identification, over all thresholds and versions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go

from metrics.drawing.stepped import limit_point, step_line, visible_points
from metrics.drawing.theme import PRIVACY, VIOLATION, chart, escaped, hover, label_above, line_at, number_axis
from metrics.drawing.version_styles import Styles, VersionStyle, legend_room, short_name, version_styles
from metrics.formatting import join_names, percent
from metrics.privacy.reidentification_risk.measure import ReidentificationRisk
from metrics.texts import text

_AXIS_LIMITS = (0.05, 0.1, 0.2, 0.5, 0.8)
_HEADROOM = 1.25
"""Ends of the axis, which must not move with every step of the threshold, and the room behind them."""
_SINGLE_STYLE = VersionStyle(PRIVACY, "solid", "circle")


def risk_curve_chart(
    results: Mapping[str, ReidentificationRisk], threshold: float, styles: Styles | None = None
) -> go.Figure:
    """Share of the records whose prosecutor risk is above each threshold, one line per version.

    `threshold`: highest risk accepted, 0 to 1; 1 is no limit. `styles`: styles of all versions; by default they
    follow the order of `results`.
    """
    line_styles = styles or (version_styles(results) if len(results) > 1 else dict.fromkeys(results, _SINGLE_STYLE))
    largest = max(threshold, *(result.value for result in results.values()))
    reach = next((_HEADROOM * end for end in _AXIS_LIMITS if end >= largest), 1.0)
    traces = [_line(name, result, reach, line_styles[name]) for name, result in results.items()]
    has_limit = threshold < 1
    if has_limit:
        traces += [_point(name, result, threshold) for name, result in results.items()]
    return chart(
        traces,
        _finding(results, threshold),
        plot_height=260 + legend_room(len(results)),
        headroom=20,
        legend=len(results) > 1,
        shapes=[line_at(threshold)] if has_limit else [],
        annotations=[label_above(f"limit {_percentage(threshold)}", threshold, (0, reach))] if has_limit else [],
        xaxis=number_axis("threshold on the risk of a record", range=[0, reach], tickformat=".0%"),
        yaxis=number_axis("records above the threshold (%)", range=[0, 105], tickvals=[0, 25, 50, 75, 100]),
    )


def _line(name: str, result: ReidentificationRisk, reach: float, style: VersionStyle) -> dict[str, Any]:
    curve = result.curve
    positions = visible_points(curve.thresholds, curve.records)
    return step_line(
        escaped(short_name(name)),
        curve.thresholds[positions],
        curve.records[positions],
        reach,
        curve.kept,
        # The name comes in by reference: it is not part of the template, whatever characters it holds.
        "%{fullData.name}<br>risk above %{x:.2%}",
        "records",
        color=style.colour,
        dash=style.dash,
    )


def _point(name: str, result: ReidentificationRisk, threshold: float) -> dict[str, Any]:
    n_above, n_records, limit = result.curve.above(threshold), result.curve.kept, _percentage(threshold)
    share = n_above / n_records
    hovertext = hover(name, f"Risk above {limit}: {n_above:,} of {n_records:,} records ({percent(share)})")
    return limit_point(threshold, share, hovertext, VIOLATION if n_above else PRIVACY)


def _percentage(share: float) -> str:
    """A threshold as it was set, in percent."""
    return f"{100 * share:.10g}%"


def _finding(results: Mapping[str, ReidentificationRisk], threshold: float) -> str:
    """How far one version is above the threshold, or which of several is least."""
    shares = {name: result.curve.above(threshold) / result.curve.kept for name, result in results.items()}
    if threshold >= 1:
        safest = min(results, key=lambda name: results[name].value)
        highest = results[safest].value
        if len(results) == 1:
            return text("charts.risk_curve.highest", highest=highest)
        return text("charts.risk_curve.highest_of_safest", version=short_name(safest), highest=highest)
    share, limit = min(shares.values()), _percentage(threshold)
    if len(results) == 1:
        highest = next(iter(results.values())).value
        if not share:
            return text("charts.risk_curve.none_above", limit=limit, highest=highest)
        return text("charts.risk_curve.above", share=share, limit=limit, highest=highest)
    names = [short_name(name) for name in shares if shares[name] == share]
    if len(names) == len(shares):
        if not share:
            return text("charts.risk_curve.none_above_in_any", limit=limit)
        return text("charts.risk_curve.all_alike", share=share, limit=limit)
    return text("charts.risk_curve.fewest", versions=join_names(names), number=len(names), limit=limit, share=share)
