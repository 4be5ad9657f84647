"""A cross-tabulation as heat maps: shares of the original, of the release, and how far they differ."""

from __future__ import annotations

import warnings
from typing import Any

import pandas as pd

from metrics.aggregates import Aggregates
from metrics.config.analyses import Crosstab
from metrics.counting.share_interval import NORMAL_95
from metrics.drawing.theme import NEUTRAL, PRIVACY, VIOLATION
from metrics.estimates.analyze import analyze
from metrics.estimates.result import AnalysisResult
from metrics.formatting import percent, visible
from metrics.texts import text
from pages.analyses.forest import LETTERS, estimate_selections, estimates_frame, told

_CELL_PX, _ROW_PX, _LABEL_PX, _LETTER_PX = 80, 22, 130, 7
_MORE = "datum.label + (datum.value < 0 ? ' fewer' : ' more')"
_WIDTH_PX = {False: 200, True: 220}
"""Of a map beside the others, and above them on a telephone."""


def cells_frame(result: AnalysisResult) -> pd.DataFrame:
    """A line per cell: its groups, its share of the original and of the release, and whether it survives."""
    lines = []
    marks = {(True, False): "", (True, True): "○", (False, False): "×", (False, True): "⊗"}
    hiding = [own.estimate for own in result.originals if own.is_hidden]
    for estimate in result.estimates:
        if len(estimate.groups) == 2:
            released = None if estimate.released is None else estimate.released.estimate
            lines.append(
                {
                    "estimate": visible(estimate.name),
                    "row": visible(estimate.groups[0]),
                    "column": visible(estimate.groups[1]),
                    "original": estimate.original.estimate,
                    "released": released,
                    "apart": None if released is None else released - estimate.original.estimate,
                    "difference": estimate.beyond_noise,
                    "outcome": estimate.outcome,
                    "becomes": estimate.said,
                    "is_merged": estimate.is_merged,
                    "mark": marks[estimate.survives, estimate in hiding],
                }
            )
    return pd.DataFrame(lines)


def cells_in_words(title: str, frame: pd.DataFrame) -> str:
    """The text alternative: every cell."""
    cells = (
        f"{row['row']} and {row['column']}: {percent(row['original'])} of the original, "
        f"{'lost' if pd.isna(row['released']) else percent(row['released'])}"
        for _, row in frame.iterrows()
    )
    return f"{visible(title)}. {'; '.join(cells)}."


def cells_chart(aggregates: Aggregates, analysis: Crosstab, released: str, stacked: bool, first: str) -> Any:
    """The Altair chart: point at a cell, or choose it, and it is marked in all maps and told above; `first` it is that.

    A cell that does not survive has a cross, one that hides a significant result of a single group a ring, or both.
    """
    import altair as alt

    result = analyze(aggregates, analysis)
    frame, lines = cells_frame(result), estimates_frame(analysis, {released: result})
    if frame["column"].nunique() > frame["row"].nunique():
        frame = frame.rename(columns={"row": "column", "column": "row"})
    pointed, chosen = estimate_selections(alt, frame["estimate"], first)
    largest = float(frame[["original", "released"]].max().max())
    widest = min(max(float(frame["difference"].abs().max() or 0.0), NORMAL_95), 2 * NORMAL_95)
    shares = alt.Scale(domain=[0, largest], scheme="blues")
    differences = alt.Scale(
        domain=[-widest, 0, widest], range=[PRIVACY, "rgba(128, 128, 128, 0.4)", VIOLATION], clamp=True
    )
    original = text("analyses.merged_original") if frame["is_merged"].any() else "original"
    columns = frame["column"].nunique()
    size = {"width": min(_CELL_PX * columns, _WIDTH_PX[stacked]), "height": _ROW_PX * frame["row"].nunique()}
    tooltip = [
        alt.Tooltip("row:N", title="group"),
        alt.Tooltip("column:N", title="and"),
        alt.Tooltip("original:Q", format=".3~p"),
        alt.Tooltip("released:Q", format=".3~p", title=released),
        alt.Tooltip("apart:Q", format="+.3~p", title="difference"),
        alt.Tooltip("difference:Q", format="+.2~f", title=text("analyses.in_standard_errors")),
        alt.Tooltip("becomes:N"),
    ]
    outline = alt.when(pointed | chosen).then(alt.value(2)).otherwise(alt.value(0))
    maps: list[Any] = []
    angle = 0 if _LETTER_PX * frame["column"].str.len().max() < size["width"] / columns else -90
    for name, title, unit, scale in (
        ("original", original, text("analyses.units.share"), shares),
        ("released", released, text("analyses.units.share"), shares),
        ("difference", "difference", text("analyses.in_standard_errors"), differences),
    ):
        extent = _LABEL_PX if stacked or not maps else 0
        labels: dict[str, Any] = {"labelLimit": extent, "labels": extent > 0, "minExtent": extent, "maxExtent": extent}
        below, beside = alt.Axis(labelLimit=_LABEL_PX, labelAngle=angle), alt.Axis(ticks=False, domain=False, **labels)
        x = alt.X("column:N", sort=[*frame["column"].unique()], axis=below)
        y = alt.Y("row:N", sort=[*frame["row"].unique()], axis=beside)
        more = alt.Legend(values=[-widest, widest], format="+.1~f", labelExpr=_MORE)
        legend = more if name == "difference" else alt.Legend(format="~p", tickCount=2)
        colour = alt.Color(f"{name}:Q", scale=scale, legend=None if name == "original" else legend)
        cells = alt.Chart(frame).mark_rect(stroke="currentColor", cursor="pointer").add_params(pointed, chosen)
        layers = [cells.encode(x, y, color=colour, strokeWidth=outline, tooltip=tooltip)]
        if name != "original":
            layers.append(alt.Chart(frame).mark_text(fontSize=14).encode(x, y, text="mark:N"))
        maps.append(alt.layer(*layers).properties(title=alt.TitleParams(title, subtitle=unit), **size))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the maps have the same selection: that is what links them
        arranged = (alt.vconcat if stacked else alt.hconcat)(*maps, spacing=12).resolve_scale(color="independent")
        words = told(alt, lines, chosen, {"color": alt.value(NEUTRAL)}, -_LABEL_PX, LETTERS if stacked else 2 * LETTERS)
        every = alt.vconcat(words, arranged, padding=0)
    return (
        every.resolve_scale(color="independent")
        .configure_view(stroke=None)
        .configure_title(fontSize=13, anchor="start", offset=8, subtitleColor="currentColor")
        .configure_axis(title=None, labelFlush=False)
        .configure_legend(title=None, orient="bottom", gradientLength=160)
        .configure_text(color=alt.expr("'currentColor'"))
    )
