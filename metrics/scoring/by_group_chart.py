"""Risk or suppression by the values of a column: a share with its interval per group, those that stand out marked."""

from __future__ import annotations

from typing import Final

import plotly.graph_objects as go

from metrics.drawing.theme import (
    NEUTRAL,
    PRIVACY,
    VIOLATION,
    categories,
    category_axis,
    chart,
    hover,
    in_two_lines,
    label_above,
    line_at,
    number_axis,
    rows_height,
)
from metrics.formatting import percent, sentence_case, visible
from metrics.scoring.by_group import MIN_PEOPLE, Burden, Groups
from metrics.texts import text

_STYLES: Final = {
    "stands out": (VIOLATION, "diamond"),
    "others": (PRIVACY, "circle"),
    f"fewer than {MIN_PEOPLE} people": (NEUTRAL, "circle-open"),
}


def chart_by_group(found: Groups, measure: Burden) -> go.Figure:
    """The share of each group with its 95% interval, and that of all; at least one group has it."""
    groups = [group for group in found.groups if measure in group.shares]
    standing_out, (out, others, few) = found.standing_out(measure), _STYLES
    keys = categories([group.label for group in groups])
    ticks = [in_two_lines(f"{visible(group.label)} ({group.people:,})", 24) for group in groups]
    points = {name: [] for name in _STYLES}  # type: dict[str, list[int]]
    for row, group in enumerate(groups):
        is_few = group.shares[measure].people < MIN_PEOPLE
        points[few if is_few else out if group in standing_out else others].append(row)
    traces = []
    for name, rows in points.items():
        colour, symbol = _STYLES[name]
        shares = [groups[row].shares[measure] for row in rows]
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": name,
                "x": [100 * share.share for share in shares],
                "y": [keys[row] for row in rows],
                "error_x": {
                    "type": "data",
                    "symmetric": False,
                    "array": [100 * (share.interval[1] - share.share) for share in shares],
                    "arrayminus": [100 * (share.share - share.interval[0]) for share in shares],
                    "width": 0,
                    "color": colour,
                },
                "marker": {"color": colour, "symbol": symbol, "size": 10},
                "hovertext": [
                    hover(
                        f"{visible(groups[row].label)}: {percent(share.share)} of {share.people:,}",
                        f"95% interval: {percent(share.interval[0])} to {percent(share.interval[1])}",
                    )
                    for row, share in zip(rows, shares, strict=True)
                ],
                "hoverinfo": "text",
                "cliponaxis": False,
            }
        )
    first = groups[0].shares[measure]
    overall = (first.total + first.others_total) / (first.people + first.others)
    reach = 105 * max(group.shares[measure].interval[1] for group in groups)
    return chart(
        [trace for trace in traces if trace["x"]],
        _finding(found, measure),
        plot_height=rows_height(len(groups)),
        headroom=20,
        shapes=[line_at(100 * overall)],
        annotations=[label_above(text("charts.by_group.all", share=overall), 100 * overall, (0, reach))],
        xaxis=number_axis(text("charts.by_group.axis", measure=_name(found, measure)), range=[0, reach]),
        yaxis=category_axis(keys, ticks, downwards=True),
    )


def _name(found: Groups, measure: Burden) -> str:
    """What is measured, in a few words."""
    return {
        Burden.SUPPRESSED: text("charts.by_group.suppressed"),
        Burden.MEAN_RISK: text("charts.by_group.mean_risk"),
        Burden.AT_RISK: text("charts.by_group.at_risk", threshold=found.threshold),
    }[measure]


def _finding(found: Groups, measure: Burden) -> str:
    """The group that exceeds all others most, and how many do."""
    groups, name = found.standing_out(measure), _name(found, measure)
    if not groups:
        return sentence_case(text("charts.by_group.chance", measure=name))
    share, more = groups[0].shares[measure], len(groups) - 1
    return text(
        "charts.by_group.stands_out",
        column=found.column,
        group=groups[0].label,
        share=share.share,
        measure=name,
        others=share.share_of_others,
        more=text("charts.by_group.more", groups=more) if more else "",
    )
