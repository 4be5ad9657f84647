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

_STANDS_OUT: Final = (VIOLATION, "diamond")
_OTHERS: Final = (PRIVACY, "circle")
_FEW: Final = (NEUTRAL, "circle-open")


def chart_by_group(found: Groups, measure: Burden) -> go.Figure:
    """The share of each group with its 95% interval, and that of all; at least one group has it."""
    groups = [group for group in found.groups if measure in group.shares]
    standing_out, shares = found.standing_out(measure), [group.shares[measure] for group in groups]
    keys = categories([group.label for group in groups])
    ticks = [in_two_lines(f"{visible(group.label)} ({group.people:,})", 24) for group in groups]
    colours, symbols = zip(
        *(
            _FEW if share.people < MIN_PEOPLE else _STANDS_OUT if group in standing_out else _OTHERS
            for group, share in zip(groups, shares, strict=True)
        ),
        strict=True,
    )
    marks = {
        "type": "scatter",
        "mode": "markers",
        "x": [100 * share.share for share in shares],
        "y": keys,
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [100 * (share.interval[1] - share.share) for share in shares],
            "arrayminus": [100 * (share.share - share.interval[0]) for share in shares],
            "width": 0,
            "color": NEUTRAL,
        },
        "marker": {"color": colours, "symbol": symbols, "size": 11, "opacity": 1},
        "hovertext": [
            hover(
                f"{visible(group.label)}: {percent(share.share)} of {share.people:,}",
                f"95% interval: {percent(share.interval[0])} to {percent(share.interval[1])}",
            )
            for group, share in zip(groups, shares, strict=True)
        ],
        "hoverinfo": "text",
        "cliponaxis": False,
    }
    first = shares[0]
    overall = (first.total + first.others_total) / (first.people + first.others)
    reach = 105 * max(share.interval[1] for share in shares)
    return chart(
        [marks],
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
