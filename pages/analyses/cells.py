"""A cross-tabulation as heat maps: shares of the original, of the release, and how far they differ."""

from __future__ import annotations

import warnings
from typing import Any

import pandas as pd

from metrics.drawing.theme import PRIVACY, VIOLATION
from metrics.estimates.estimate import AnalysisResult
from metrics.formatting import percent, visible
from metrics.texts import text

_CELL_PX, _ROW_PX, _LABEL_PX, _MAPS_PX = 60, 22, 130, 480


def cells_frame(result: AnalysisResult) -> pd.DataFrame:
    """A line per cell: its groups, its share of the original and of the release, and whether it survives."""
    return pd.DataFrame(
        {
            "row": visible(estimate.groups[0]),
            "column": visible(estimate.groups[1]),
            "original": estimate.original.estimate,
            "released": None if estimate.released is None else estimate.released.estimate,
            "difference": None
            if estimate.released is None
            else estimate.released.estimate - estimate.original.estimate,
            "outcome": estimate.outcome,
            "is_merged": estimate.is_merged,
        }
        for estimate in result.estimates
        if len(estimate.groups) == 2
    )


def cells_in_words(title: str, frame: pd.DataFrame) -> str:
    """The text alternative: every cell."""
    cells = (
        f"{row['row']} and {row['column']}: {percent(row['original'])} of the original, "
        f"{'lost' if pd.isna(row['released']) else percent(row['released'])}"
        for _, row in frame.iterrows()
    )
    return f"{visible(title)}. {'; '.join(cells)}."


def cells_chart(frame: pd.DataFrame, released: str) -> Any:
    """The Altair chart: point at a cell, and it is marked in all maps; one that does not survive has a cross."""
    import altair as alt

    if frame["column"].nunique() > frame["row"].nunique():
        frame = frame.rename(columns={"row": "column", "column": "row"})
    pointed = alt.selection_point(
        name="pointed", fields=["row", "column"], on="pointerover", clear="pointerout", empty=False
    )
    largest = float(frame[["original", "released"]].max().max())
    widest = float(frame["difference"].abs().max() or 0.0) or 0.01
    shares = alt.Scale(domain=[0, largest], scheme="blues")
    differences = alt.Scale(domain=[-widest, 0, widest], range=[PRIVACY, "rgba(128, 128, 128, 0.15)", VIOLATION])
    original = text("analyses.merged_original") if frame["is_merged"].any() else "original"
    size = {
        "width": min(_CELL_PX, _MAPS_PX / 3 / frame["column"].nunique()) * frame["column"].nunique(),
        "height": _ROW_PX * frame["row"].nunique(),
    }
    tooltip = [
        alt.Tooltip("row:N", title="group"),
        alt.Tooltip("column:N", title="and"),
        alt.Tooltip("original:Q", format=".3~p"),
        alt.Tooltip("released:Q", format=".3~p", title=released),
        alt.Tooltip("difference:Q", format="+.3~p"),
        alt.Tooltip("outcome:N"),
    ]
    outline = alt.when(pointed).then(alt.value(2)).otherwise(alt.value(0))
    maps: list[Any] = []
    for name, title, scale in (
        ("original", original, shares),
        ("released", released, shares),
        ("difference", "difference", differences),
    ):
        axis = alt.Axis(title=None, labelLimit=_LABEL_PX, labels=not maps, ticks=False, domain=False)
        x = alt.X("column:N", sort=[*frame["column"].unique()], axis=alt.Axis(title=None, labelLimit=_LABEL_PX))
        y = alt.Y("row:N", sort=[*frame["row"].unique()], axis=axis)
        legend = alt.Legend(title=None, format="~p", orient="bottom", gradientLength=80) if name != "original" else None
        cells = alt.Chart(frame).mark_rect(stroke="black").add_params(pointed)
        cells = cells.encode(
            x, y, color=alt.Color(f"{name}:Q", scale=scale, legend=legend), strokeWidth=outline, tooltip=tooltip
        )
        lost = alt.Chart(frame).transform_filter("indexof(['changed', 'lost'], datum.outcome) >= 0")
        lost = lost.mark_text(text="×", fontSize=14, color="currentColor" if name == "difference" else "black")
        layers = [cells] if name == "original" else [cells, lost.encode(x, y)]
        maps.append(alt.layer(*layers).properties(title=alt.TitleParams(title, fontSize=13, anchor="start"), **size))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the maps have the same selection: that is what links them
        side_by_side = alt.hconcat(*maps, spacing=12)
    return side_by_side.resolve_scale(color="independent").configure_view(stroke=None)
