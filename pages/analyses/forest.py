"""The estimates of one analysis on the original and on each version, with intervals; one estimate in every version."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from math import isclose
from textwrap import wrap
from typing import Any

import pandas as pd

from metrics.config.analyses import Analysis, Crosstab, Logistic, Mean
from metrics.drawing.theme import NEUTRAL
from metrics.drawing.version_styles import Styles, short_names
from metrics.estimates.estimate import Estimate, Outcome, Own, Value
from metrics.estimates.result import AnalysisResult
from metrics.formatting import format_number, rounded, shortened, visible
from metrics.texts import text

MOST_ESTIMATES = 40
"""Estimates that are drawn; of more those that differ most."""
ORIGINAL = "original"
_ELSEWHERE = {"outcome": "elsewhere", "becomes": "elsewhere", "explained": ""}
_LANE_PX, _LINE_PX = 14, 20
_LABELS = 90
"""Letters of the released labels that an estimate was computed from."""
LETTERS = 56
"""Of a line above the chart, which so fits a telephone."""
_WIDER = 1.2
"""How many times as wide as the original's an interval is that is told of."""
_SHAPES = {ORIGINAL: "square", "elsewhere": "circle"} | dict.fromkeys(Outcome, "circle") | {Outcome.CHANGED: "cross"}


def estimates_frame(analysis: Analysis, results: Mapping[str, AnalysisResult]) -> pd.DataFrame:
    """A line per estimate and table, the original first; shares in percent.

    Where versions merge other groups of the rest of a model, the original's estimate differs, and stands for itself.
    """
    names, is_coefficient = short_names(results), not isinstance(analysis, Mean | Crosstab)
    lines: list[dict[str, Any]] = []
    originals: dict[str, Value] = {}
    table: dict[str, Any]
    for version, result in results.items():
        for estimate in result.estimates:
            title = estimate.name
            if title in originals and not _same(originals[title], estimate.original):
                title = text("analyses.merged_as_in", estimate=title, version=names[version])
            about = {"estimate": visible(title), "unit": _unit(analysis, estimate), "is_coefficient": is_coefficient}
            factor = 100 if isinstance(analysis, Crosstab) else 1
            if title not in originals:
                originals[title] = estimate.original
                merged = text("analyses.merged_alike") if estimate.is_merged else ""
                table = {"version": ORIGINAL, "name": ORIGINAL, "outcome": ORIGINAL, "becomes": ORIGINAL}
                table |= {"explained": merged, "difference": 0.0}
                lines.append({**about, **table, **_numbers(estimate.original, factor)})
            difference = abs(estimate.beyond_noise or 0.0) if estimate.released else float("inf")
            table = {"version": version, "name": names[version], "outcome": estimate.outcome}
            table |= {"becomes": estimate.said, "explained": _explained(estimate), "difference": difference}
            lines.append({**about, **table, **_numbers(estimate.released, factor)})
    frame = pd.DataFrame(lines)
    tables = {table: position for position, table in enumerate([ORIGINAL, *results])}
    return frame.assign(table=frame["version"].map(tables))


def _unit(analysis: Analysis, estimate: Estimate) -> str:
    """What an estimate is measured in: those of one unit share an axis."""
    if isinstance(analysis, Mean):
        return text("analyses.units.mean", number=analysis.number)
    if isinstance(analysis, Crosstab):
        return text("analyses.units.share")
    if isinstance(analysis, Logistic):
        number = text("analyses.units.number_log_odds", number=estimate.name)
        return text("analyses.units.groups_log_odds") if estimate.groups else number
    return text("analyses.units.groups") if estimate.groups else text("analyses.units.number", number=estimate.name)


def _same(one: Value, other: Value) -> bool:
    pairs = ((one.estimate, other.estimate), (one.low, other.low), (one.high, other.high))
    return all(isclose(value, others, rel_tol=1e-9, abs_tol=1e-12) for value, others in pairs)


def _numbers(value: Value | None, factor: float) -> dict[str, Any]:
    if value is None:
        return {"value": None, "low": None, "high": None, "in_words": Outcome.LOST}
    estimate, low, high = (factor * number for number in (value.estimate, value.low, value.high))
    return {"value": estimate, "low": low, "high": high, "in_words": in_words(value, factor)}


def in_words(value: Value, factor: float) -> str:
    """An estimate with its interval, and of a mean the median."""
    estimate, low, high = (format_number(factor * number) for number in (value.estimate, value.low, value.high))
    unit = "%" if factor == 100 else ""
    interval = text("analyses.interval", estimate=f"{estimate}{unit}", low=f"{low}{unit}", high=f"{high}{unit}")
    if value.median is None:
        return interval
    return text("analyses.with_median", mean=interval, median=value.median.estimate)


def _explained(estimate: Estimate) -> str:
    """Which labels an estimate was computed from, or why it is lost, or in what it differs."""
    if estimate.lost is not None:
        return estimate.lost.reason
    parts, shift, ratio = [], estimate.beyond_noise, estimate.width_ratio
    if not estimate.within and shift is not None:
        parts.append(text("analyses.changed.shifted", errors=rounded(abs(shift), 3)))
    if ratio is not None and not 1 / _WIDER < ratio < _WIDER:
        parts.append(text("analyses.changed.wider", ratio=ratio))
    labels = [visible(label) for of_column in estimate.labels for label in of_column]
    if labels and labels != [visible(group) for group in estimate.groups]:
        parts.append(shortened(text("analyses.from_labels", labels=", ".join(labels)), _LABELS))
    return "; ".join(parts)


def most_changed(frame: pd.DataFrame) -> pd.DataFrame:
    """The estimates that are drawn, in their order."""
    names = frame["estimate"].unique()
    if len(names) <= MOST_ESTIMATES:
        return frame
    differences = frame.groupby("estimate")["difference"].max().sort_values(ascending=False, kind="stable")
    return frame[frame["estimate"].isin(differences.index[:MOST_ESTIMATES])]


def with_merged(frame: pd.DataFrame, results: Mapping[str, AnalysisResult]) -> pd.DataFrame:
    """With lines that are told but not drawn: of versions without an estimate of that name, where its groups are."""
    lines, names, originals = [frame], short_names(results), frame[frame["version"] == ORIGINAL]
    members: dict[str, set[str]] = {}
    for own in (own for result in results.values() for own in result.originals):
        members.setdefault(visible(own.estimate.name if own.estimate else own.name), set()).add(own.name)
    for table, (version, result) in enumerate(results.items(), start=1):
        others = originals[~originals["estimate"].isin(frame.loc[frame["version"] == version, "estimate"])]
        where = {own.name: _where(own) for own in result.originals}
        found = [{where[name] for name in members.get(title, ())} for title in others["estimate"]]
        told = [each.pop() if len(each) == 1 else text("analyses.changed.elsewhere") for each in found]
        lines.append(others.assign(version=version, name=names[version], table=table, in_words=told, **_ELSEWHERE))
    return pd.concat(lines).sort_values("table", kind="stable", ignore_index=True)


def _where(own: Own) -> str:
    """The merged group that a result of the original is in, with its estimate, or why it is lost."""
    if own.lost or own.estimate is None or own.estimate.released is None:
        return ", ".join(filter(None, own.fate))
    return text("analyses.changed.merged_in", group=own.estimate.name, interval=in_words(own.estimate.released, 1))


def all_in_words(title: str, frame: pd.DataFrame) -> str:
    """The text alternative: every estimate in every table."""
    lines = [
        f"{estimate}: " + ", ".join(f"{row['name']} {row['in_words']}" for _, row in rows.iterrows())
        for estimate, rows in frame.groupby("estimate", sort=False)
    ]
    return f"{visible(title)}. {'; '.join(lines)}."


def estimate_selections(alt: Any, estimates: pd.Series[str], first: str = "") -> tuple[Any, Any]:
    """The estimate pointed at, and the one chosen: by a click, or from a list; `first` without either."""
    pointed = alt.selection_point(
        name="pointed", fields=["estimate"], on="pointerover", clear="pointerout", empty=False
    )
    start = [{"estimate": first or estimates.iloc[0]}]
    listed = alt.binding_select(options=[*estimates.unique()], name="Estimate ")
    chosen = alt.selection_point(
        name="chosen", fields=["estimate"], value=start, toggle=False, bind=listed, on="click", clear=False
    )
    return pointed, chosen


def forest_chart(frame: pd.DataFrame, styles: Styles) -> Any:
    """The Altair chart: point at an estimate, or choose it, and it stands out in every table and is told above."""
    import altair as alt

    tables = frame.sort_values("table")["version"].unique()
    pointed, chosen = estimate_selections(alt, frame["estimate"])
    colours = [NEUTRAL, *(styles[version].colour for version in tables[1:])]
    # What is told has the colours and shapes: that is the legend.
    colour = alt.Color("version:N", scale=alt.Scale(domain=[*tables], range=colours), legend=None)
    shape = alt.Shape("outcome:N", scale=alt.Scale(domain=[*_SHAPES], range=[*_SHAPES.values()]), legend=None)
    look = {"color": colour, "shape": shape}
    fade = alt.when(pointed | chosen).then(alt.value(1)).otherwise(alt.value(0.75))
    units = frame[frame["outcome"] != "elsewhere"].groupby("unit", sort=False)
    panels = [_panel(alt, of_unit, look, fade, (pointed, chosen)) for _, of_unit in units]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # all parts have the same selection: that is what links them
        every = alt.vconcat(told(alt, frame, chosen, look), *panels, spacing=14, padding=0)
    return every.configure_view(stroke=None).configure_text(color=alt.expr("'currentColor'"))


def _panel(alt: Any, frame: pd.DataFrame, look: dict[str, Any], fade: Any, selections: tuple[Any, Any]) -> Any:
    """The estimates of one unit, on an axis of their own."""
    lines = _placed(frame)
    tooltip = [
        alt.Tooltip("estimate:N"),
        alt.Tooltip("name:N", title="table"),
        alt.Tooltip("in_words:N", title="estimate (95% interval)"),
        alt.Tooltip("becomes:N"),
        alt.Tooltip("explained:N", title="why"),
    ]
    rows = float(lines["at"].max()) + 1
    y = alt.Y("at:Q", scale=alt.Scale(domain=[-0.5, rows - 0.5], reverse=True, nice=False), axis=None)
    is_coefficient = bool(lines["is_coefficient"].iloc[0])
    x = alt.X("value:Q", scale=alt.Scale(zero=is_coefficient)).axis(title=lines["unit"].iloc[0], tickCount=5)
    base = alt.Chart(lines)
    thick = alt.when(selections[1]).then(alt.value(3)).otherwise(alt.value(2))
    known = base.transform_filter("isValid(datum.value)")
    no_effect = [alt.Chart().mark_rule(strokeDash=[4, 4]).encode(x=alt.datum(0), color=alt.value(NEUTRAL))]
    return alt.layer(
        *(no_effect if is_coefficient else []),
        base.mark_bar(height=_LANE_PX, opacity=0, cursor="pointer")
        .encode(x=alt.value(0), y=y, x2=alt.value("width"), tooltip=tooltip)
        .add_params(*selections),
        known.mark_rule().encode(alt.X("low:Q"), y, x2="high:Q", color=look["color"], opacity=fade, strokeWidth=thick),
        known.mark_point(filled=True, size=70).encode(x, y, opacity=fade, **look),
        base.transform_filter("datum.outcome === 'lost'")
        .mark_text(align="left", dx=60, fontSize=11)
        .encode(x=alt.value(0), y=y, text="outcome:N"),
        base.transform_filter("datum.version === 'original'")
        .mark_text(align="left", baseline="bottom", dy=-_LANE_PX / 2, fontSize=12)
        .encode(x=alt.value(0), y=y, text="estimate:N", opacity=fade),
    ).properties(height=_LANE_PX * rows)


def _placed(frame: pd.DataFrame) -> pd.DataFrame:
    """With the lane of each line, below one for the estimate's name."""
    lines = frame.assign(first=frame.groupby("estimate", sort=False).ngroup())
    lines = lines.sort_values(["first", "table"], kind="stable", ignore_index=True)
    return lines.assign(at=lines.index + 1.3 * (lines["first"] + 1))


def told(alt: Any, lines: pd.DataFrame, chosen: Any, look: Any, left: int = 0, letters: int = LETTERS) -> Any:
    """The chosen estimate in words, lines for each table in its `look`."""
    why = (lines["becomes"].where(lines["outcome"] == Outcome.CHANGED, "") + "; " + lines["explained"]).str.strip("; ")
    sentences = [
        wrap(f"{name} {in_words}{f': {why}' if why else ''}", letters)
        for name, in_words, why in zip(lines["name"], lines["in_words"], why, strict=True)
    ]
    lengths = pd.Series([len(sentence) for sentence in sentences], index=lines.index)
    ends = lengths.groupby(lines["estimate"]).cumsum()
    lines = lines.assign(sentence=[" \n".join(sentence) for sentence in sentences], line=ends - lengths)
    chosen_lines = alt.Chart(lines).transform_filter(chosen)
    y = alt.Y("line:Q", scale=alt.Scale(domain=[-1.5, ends.max() - 0.5], reverse=True, nice=False), axis=None)
    style: dict[str, Any] = {"align": "left", "baseline": "middle", "fontSize": 13, "lineHeight": _LINE_PX}
    heading = chosen_lines.transform_filter("datum.table === 0").mark_text(fontWeight=600, **style)
    return alt.layer(
        heading.encode(x=alt.value(left), y=alt.YDatum(-1, axis=None), text="estimate:N"),
        chosen_lines.mark_point(filled=True, size=60, shape="circle").encode(x=alt.value(left + 5), y=y, **look),
        chosen_lines.mark_text(dx=14, lineBreak="\n", **style).encode(x=alt.value(left), y=y, text="sentence:N"),
    ).properties(height=_LINE_PX * (ends.max() + 1))
