"""Where the classes lie by size and distance, to brush a region of; drawn by Altair for its linked selection."""

from __future__ import annotations

import textwrap

import altair as alt
import numpy as np
import pandas as pd

from metrics.class_filter import farthest
from metrics.class_table import ClassTable
from metrics.figures.theme import PRIVACY, VIOLATION

BRUSH = "brush"
_SIZE_BINS = 32
_T_STEP = 0.04


def class_map(table: ClassTable, k_limit: int, t_limit: float) -> alt.Chart:
    """Classes gathered by size (log scale) and largest t: area tells how many, colour whether one is beyond a limit.

    At most 800 marks. The interval selection `brush` yields ranges of `size` and `t`.
    """
    frame = map_frame(table, k_limit, t_limit)
    failing = int(frame.loc[frame["beyond a limit"] == "yes", "classes"].sum())
    title = f"{failing:,} of {len(table):,} classes are smaller than k = {k_limit} or farther than t = {t_limit:g}"
    brush = alt.selection_interval(name=BRUSH, encodings=["x", "y"])
    chart: alt.Chart = (
        alt.Chart(frame, title=alt.TitleParams(textwrap.wrap(title, 44), anchor="start", limit=0))
        .mark_circle(opacity=0.8)
        .encode(
            x=alt.X(
                "size:Q", scale=alt.Scale(type="log", domain=_across(table), nice=False), title="records in a class"
            ),
            y=alt.Y("t:Q", scale=alt.Scale(domain=[0, _up(table, t_limit)], nice=False), title="largest distance t"),
            size=alt.Size("classes:Q", scale=alt.Scale(range=[20, 600]), legend=None),
            color=alt.Color(
                "beyond a limit:N",
                scale=alt.Scale(domain=["no", "yes"], range=[PRIVACY, VIOLATION]),
                legend=alt.Legend(orient="bottom", title="beyond a limit"),
            ),
            tooltip=[
                alt.Tooltip("classes:Q", title="classes", format=","),
                alt.Tooltip("records:Q", title="records", format=","),
                alt.Tooltip("size:Q", title="size, about", format=",.0f"),
                alt.Tooltip("t:Q", title="t, about", format=".2f"),
            ],
        )
        .add_params(brush)
        .properties(height=380)
    )
    return chart


def _across(table: ClassTable) -> list[float]:
    """The sizes there are, with room for the largest mark at both ends."""
    sizes = table.classes.sizes
    room = (float(sizes.max()) / float(sizes.min())) ** 0.06 * 1.1
    return [float(sizes.min()) / room, float(sizes.max()) * room]


def _up(table: ClassTable, t_limit: float) -> float:
    """A round number above every distance and the limit."""
    return min(float(np.ceil(10 * max(float(farthest(table).max()), t_limit) + 0.5)) / 10, 1.05)


def map_frame(table: ClassTable, k_limit: int, t_limit: float) -> pd.DataFrame:
    """One row per mark: `size` and `t` (means over its classes), `classes`, `records`, `beyond a limit`."""
    sizes, distance = table.classes.sizes, farthest(table)
    top = float(np.log2(max(int(sizes.max()), 2)))
    across = np.minimum((np.log2(sizes) / top * _SIZE_BINS).astype(np.int64), _SIZE_BINS - 1)
    up = (distance / _T_STEP).astype(np.int64)
    beyond = (sizes < k_limit) | (distance > t_limit)
    frame = pd.DataFrame({"across": across, "up": up, "beyond": beyond, "size": sizes, "t": distance, "classes": 1})
    frame["records"] = frame["size"]
    grouped = frame.groupby(["across", "up", "beyond"], as_index=False).agg(
        {"size": "mean", "t": "mean", "classes": "sum", "records": "sum"}
    )
    grouped["beyond a limit"] = np.where(grouped["beyond"], "yes", "no")
    return grouped[["size", "t", "classes", "records", "beyond a limit"]]
