"""The versions on a plane of risk and information, above a table of their results: both follow one selection."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from dashboard.text import with_symbols
from metrics.drawing.theme import BEYOND, NEUTRAL, VIOLATION
from metrics.drawing.version_styles import Styles, breakable, short_names
from metrics.explanations.checked_rows import CheckedRow, title_of
from metrics.explanations.checked_version import CheckedVersion
from metrics.formatting import visible, within_sentence
from metrics.policy.limitable_measures import Outcome

_TITLES = 0.37
"""Share of the width for what the rows measure."""
_PLANE_PX, _ROW_PX, _HEAD_PX, _LINE_PX = 230, 44, 44, 15
_TITLES_PX, _COLUMN_PX = 170, 64
"""What the letters of usual size need."""
_LETTERS = 22
"""Letters of a row's title in one line, on a telephone."""
_NAME = 12
_MARKS = {str(Outcome.MET): "✓ ", str(Outcome.FAILED): "✗ "}
_SYMBOLS = {
    "star": "M0,-1L0.24,-0.31L0.95,-0.31L0.37,0.12L0.59,0.81L0,0.38L-0.59,0.81L-0.37,0.12L-0.95,-0.31L-0.24,-0.31Z"
}
"""Symbols that Vega draws from a path instead of a name."""


def view_frame(rows: Sequence[CheckedRow], versions: Mapping[str, CheckedVersion], measure: str) -> pd.DataFrame:
    """A line per version and result, with the version's place on the plane."""
    names, step = short_names(versions), (1 - _TITLES) / len(versions)
    frame = pd.DataFrame(
        {
            "version": label,
            "name": _lines(breakable(names[label], 40), _NAME),
            "metric": title,
            "limit": with_symbols(limit).strip("—"),
            "result": f"{_MARKS.get(outcome, '')}{value}",
            "fails": outcome == str(Outcome.FAILED),
            "row": number,
            "right": _TITLES + step * (column + 1),
            "left": _TITLES + step * column + 0.01,
            "risk": version.risk,
            "information": version.kept(measure),
        }
        for number, (title, limit, cells) in enumerate(rows)
        for column, ((label, version), (value, outcome)) in enumerate(zip(versions.items(), cells, strict=True))
    )
    parts = (result.replace(" (", "\n(").replace(" or ", " or\n").split("\n") for result in frame["result"])
    lines = ([_lines(breakable(word, 40), _NAME) for word in part] for part in parts)
    return frame.assign(shown=[_lines(words, _NAME, " ") for words in lines])


def in_words(title: str, frame: pd.DataFrame) -> str:
    """The text alternative: what the chart is, then every result, row by row."""
    rows = []
    for _, row in frame.groupby("row"):
        results = [f"{visible(name)} {result}" for name, result in zip(row["version"], row["result"], strict=True)]
        title = f"{row['metric'].iloc[0]} {row['limit'].iloc[0]}".rstrip()
        rows.append(f"{title}: {', '.join(results)}")
    return f"{visible(title)}. {'; '.join(rows)}."


def linked_view(frame: pd.DataFrame, measure: str, styles: Styles, risk_limit: float | None) -> Any:
    """The Altair chart: click versions, draw a rectangle, or point at one; the others fade on both sides."""
    import altair as alt

    versions = list(frame["version"].unique())
    pointed = alt.selection_point(name="pointed", fields=["version"], on="pointerover", clear="pointerout", empty=False)
    chosen = alt.selection_point(name="chosen", fields=["version"], toggle="true")
    line = alt.selection_point(name="line", fields=["row"], on="pointerover", clear="pointerout", empty=False)
    drawn = alt.selection_interval(name="drawn", encodings=["x", "y"])
    any_of = {"and": [{"param": name, "empty": True} for name in ("pointed", "chosen", "drawn")]}
    condition = {"or": [{"param": "pointed", "empty": False}, any_of]}
    kept = alt.when(alt.PredicateComposition(condition))  # type: ignore[no-untyped-call]  # Altair has no type for it
    colours = alt.Scale(domain=versions, range=[styles[label].colour for label in versions])
    shapes = alt.Scale(
        domain=versions, range=[_SYMBOLS.get(styles[label].symbol, styles[label].symbol) for label in versions]
    )
    inside: dict[str, Any] = {
        "labelAlign": "left",
        "labelBaseline": "bottom",
        "labelPadding": -2,
        "ticks": False,
        "domain": False,
    }
    x = alt.X("risk:Q", scale=alt.Scale(type="log", domain=_risks(frame), nice=False)).axis(
        title="highest risk (lower is better)", format="~%", values=[0.01, 0.05, 0.2, 1], grid=False
    )
    y = alt.Y("information:Q", scale=alt.Scale(domain=[0, 1])).axis(
        title=None, format="%", values=[0, 0.25, 0.5, 0.75, 1], **inside
    )
    points = alt.Chart(frame).transform_filter("datum.row === 0 && isValid(datum.risk) && isValid(datum.information)")
    marks = points.mark_point(filled=True, cursor="pointer").encode(
        x,
        y,
        color=alt.Color("version:N", scale=colours, legend=None),
        shape=alt.Shape("version:N", scale=shapes, legend=None),
        opacity=kept.then(alt.value(1)).otherwise(alt.value(0.25)),
        size=alt.when(pointed).then(alt.value(320)).otherwise(alt.value(160)),
        tooltip=[
            alt.Tooltip("version:N"),
            alt.Tooltip("risk:Q", title="highest risk", format=".3~p"),
            alt.Tooltip("information:Q", title=within_sentence(title_of(measure)), format=".3~p"),
        ],
    )
    names = points.mark_text(dy=alt.ExprRef(_above(14, 16)), lineBreak="\n", fontSize=12).encode(
        x, y, text="name:N", opacity=kept.then(alt.value(1)).otherwise(alt.value(0.35))
    )
    layers = [marks.add_params(pointed, chosen, drawn), names]
    if risk_limit:
        beyond = alt.Chart(pd.DataFrame({"from": [risk_limit], "to": [_risks(frame)[1]]}))
        layers.insert(0, beyond.mark_rect(color=BEYOND).encode(x="from:Q", x2="to:Q"))
        layers.insert(1, beyond.mark_rule(color=VIOLATION, strokeDash=[5, 4]).encode(x="from:Q"))
        limit = alt.value(f"limit {100 * risk_limit:.3g}%")
        layers.insert(2, beyond.mark_text(align="left", dx=5, y=8).encode(x="from:Q", text=limit))
    plane = alt.layer(*layers).properties(
        height=_PLANE_PX, title=alt.TitleParams(title_of(measure), anchor="start", fontSize=12, fontWeight="normal")
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # both views have the same selections: that is what links them
        both = alt.vconcat(plane, _table(alt, frame, kept, (pointed, chosen, line), colours), spacing=18, padding=0)
    return (
        both.configure_view(stroke=None).configure_text(color=alt.expr("'currentColor'")).resolve_scale(color="shared")
    )


def _table(alt: Any, frame: pd.DataFrame, kept: Any, parameters: tuple[Any, Any, Any], colours: Any) -> Any:
    """Text marks, a row per result and a column per version, whose names head it."""
    pointed, chosen, line = parameters
    titles = frame.drop_duplicates("row")
    limits = titles["limit"].str.replace(" ", "\u00a0")
    titles = titles.assign(
        text=[
            _lines([*metric.split(" "), limit], _LETTERS, " ")
            for metric, limit in zip(titles["metric"], limits, strict=True)
        ]
    )
    row_px = max(_ROW_PX, _LINE_PX * (1 + int(frame["shown"].str.count("\n").max())))
    half_line = _LINE_PX / 2 / row_px
    titles["at"] = titles["row"] - titles["text"].str.count("\n") * half_line
    rows, further_px = int(frame["row"].max()) + 1, _LINE_PX * int(frame["name"].str.count("\n").max())
    across = alt.Scale(domain=[0, 1])
    top = -1 - (_HEAD_PX / 4 + further_px) / row_px
    heights = alt.Scale(domain=[top, rows - 0.5], reverse=True, nice=False, zero=False)
    narrow = f"containerSize()[0] < {_TITLES_PX + _COLUMN_PX * frame['version'].nunique()}"
    text: dict[str, Any] = {"lineBreak": "\n", "baseline": "middle", "fontSize": alt.ExprRef(f"{narrow} ? 11 : 13")}
    fade = kept.then(alt.value(1)).otherwise(alt.value(0.3))
    cells = alt.Chart(frame)
    across_left, across_right = alt.X("left:Q", scale=across, axis=None), alt.X("right:Q", scale=across, axis=None)
    stripes = (
        cells.transform_calculate(above="datum.row - 0.5", below="datum.row + 0.5")
        .mark_rect(cursor="pointer")
        .encode(
            across_left,
            alt.Y("above:Q", axis=None),
            x2="right:Q",
            y2="below:Q",
            color=alt.when("datum.fails").then(alt.value(BEYOND)).otherwise(alt.value("transparent")),
            opacity=fade,
            tooltip=["version:N", "metric:N", "result:N"],
        )
        .add_params(chosen, pointed, line)
    )
    ruled = alt.when(line).then(alt.value(2)).otherwise(alt.value(0.5))
    rules = alt.Chart(titles).transform_calculate(below="datum.row + 0.5").mark_rule(color=NEUTRAL)
    rules = rules.encode(alt.Y("below:Q", scale=heights, axis=None), strokeWidth=ruled)
    results = cells.transform_calculate(at=f"datum.row - (split(datum.shown, '\\n').length - 1) * {half_line}")
    results = results.mark_text(align="right", dx=-8, **text).encode(
        across_right, alt.Y("at:Q", axis=None), text="shown:N", opacity=fade
    )
    heads = cells.transform_filter("datum.row === 0")
    return alt.layer(
        rules,
        stripes,
        results,
        heads.mark_text(align="right", dx=-8, dy=alt.ExprRef(_above(_LINE_PX)), fontWeight=600, **text).encode(
            across_right, y=alt.YDatum(-1, axis=None), text="name:N"
        ),
        heads.mark_rule(strokeWidth=3).encode(
            across_left, y=alt.YDatum(-0.55, axis=None), x2="right:Q", color=alt.Color("version:N", scale=colours)
        ),
        alt.Chart(titles)
        .mark_text(align="left", **text)
        .encode(x=alt.XDatum(0, axis=None), y=alt.Y("at:Q", axis=None), text="text:N"),
    ).properties(height=row_px * rows + _HEAD_PX + further_px)


def _above(line_px: int, last_px: int = 0) -> str:
    """Where a name in several lines begins, for its last one to stand that far above its place."""
    return f"-{last_px} - {line_px} * (split(datum.name, '\\n').length - 1)"


def _risks(frame: pd.DataFrame) -> list[float]:
    """The ends of the axis of risks."""
    smallest = frame["risk"].min()
    return [min(0.009, 0.7 * float(smallest)) if smallest > 0 else 0.009, 1.35]


def _lines(words: Sequence[str], width: int, between: str = "") -> str:
    """Words in lines, broken between them only."""
    lines = [""]
    for word in words:
        longer = f"{lines[-1]}{between if lines[-1] else ''}{word}"
        if lines[-1] and len(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return "\n".join(lines)
