"""P_29: the terms of the score, the part of each attribute, and the classes that fail a condition."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from metrics.drawing.theme import (
    BEYOND,
    FAINT,
    PRIVACY,
    VIOLATION,
    categories,
    category_axis,
    chart,
    class_count,
    count_axis,
    empty_chart,
    escaped,
    hover,
    label_above,
    line_at,
    note,
    number_axis,
    rows_height,
)
from metrics.formatting import exact_number, format_number, join_names, pluralize
from metrics.privacy.p29.measure import P29
from metrics.tables.table import Flags
from metrics.texts import text

MAX_ROWS = 30
"""Most attributes or conditions drawn."""

_WIDE = 0.15
"""The least weight whose part is wide enough for a label."""
_TERM_SUM, _SCORE = "terms", "P_29"


def p29_breakdown(result: P29, *, limit: float | None = None) -> go.Figure:
    """Each term within its weight, so that what is missing shows; below, the score that they add up to, or 0."""
    terms, weights = result.terms, _weights(result)
    begins = [math.fsum(list(weights.values())[:position]) for position in range(len(weights))]
    found, missing = list(terms.values()), [weight - terms[name] for name, weight in weights.items()]
    texts = [_term_text(result, name) for name in terms]
    subtotal = math.fsum(found)
    failed = [name for name, is_met in result.conditions.items() if not is_met]
    score_text = hover(
        f"P_29 = {format_number(result.value)} of 1, higher is better", *(result.reasons if failed else ())
    )
    lost_from, lost = (0.0, subtotal) if failed else (subtotal, 1 - subtotal)
    traces = [
        _bars("terms", [_TERM_SUM] * 3, begins, found, texts, PRIVACY),
        _bars("missing", [_TERM_SUM] * 3, list(map(sum, zip(begins, found, strict=True))), missing, texts, FAINT),
        _bars("P_29", [_SCORE], [0.0], [result.value], [score_text], PRIVACY),
        _bars("lost" if failed else "missing", [_SCORE], [lost_from], [lost], [score_text], FAINT),
    ]
    if failed:
        traces[-1]["marker"] = {"color": BEYOND, "line": {"color": VIOLATION, "width": 1.5}}
    notes = [
        _label(_TERM_SUM, begin, f"{name} {format_number(terms[name])}")
        for name, begin in zip(terms, begins, strict=True)
        if weights[name] >= _WIDE
    ]
    notes.append(_label(_SCORE, 0.0, format_number(result.value)))
    shapes = []
    if limit is not None:
        shapes.append(line_at(limit))
        notes.append(label_above(f"limit {exact_number(limit)}", limit, (0, 1)))
    keys = [_TERM_SUM, _SCORE]
    return chart(
        traces,
        _breakdown_finding(result, subtotal, failed),
        plot_height=190,
        headroom=20,
        barmode="overlay",
        bargap=0.6,
        shapes=shapes,
        annotations=notes,
        xaxis=number_axis("score", range=[0, 1], tickvals=[0, 0.25, 0.5, 0.75, 1]),
        yaxis=category_axis(keys, keys, downwards=True),
    )


def _bars(
    name: str, rows: list[str], begins: list[float], lengths: list[float], texts: list[str], colour: str
) -> dict[str, Any]:
    return {
        "type": "bar",
        "orientation": "h",
        "name": name,
        "y": rows,
        "base": begins,
        "x": lengths,
        "hovertext": texts,
        "hoverinfo": "text",
        "marker": {"color": colour, "line": {"color": PRIVACY, "width": 1}},
    }


def _label(row: str, at: float, label: str) -> dict[str, Any]:
    """A label above the bar that begins there."""
    return note(label, x=at, y=row, xanchor="left", yshift=30)


def _weights(result: P29) -> dict[str, float]:
    parameters = result.parameters
    return {"k": parameters.w_k, "l": parameters.w_l, "t": parameters.w_t}


def _term_text(result: P29, name: str) -> str:
    weight, term, smallest = _weights(result)[name], result.terms[name], result.totals.k_min
    distance = format_number(result.Nt)
    factor, meaning = {
        "k": (f"(1 − 1/{smallest:,})", f"The smallest class has {pluralize(smallest, 'record')}"),
        "l": (format_number(result.Nl), "Normalized entropy, mean over classes and attributes"),
        "t": (f"(1 − {distance})", "Normalized distance from the table, mean over classes and attributes"),
    }[name]
    lost = format_number(weight - term)
    return hover(meaning, f"Weight {weight:g} × {factor} = {format_number(term)}", f"Lost: {lost} of {weight:g}")


def _breakdown_finding(result: P29, subtotal: float, failed_conditions: Sequence[str]) -> str:
    if failed_conditions:
        return text(
            "charts.p29.failed",
            failing=result.totals.violating_classes,
            classes=result.totals.classes,
            conditions=join_names(failed_conditions, "or"),
            score=subtotal,
        )
    return largest_shortfall(result)


def largest_shortfall(result: P29) -> str:
    """The term that lacks most of its weight."""
    weights = _weights(result)
    losses = {name: weight - result.terms[name] for name, weight in weights.items()}
    worst = max(losses, key=lambda name: losses[name])
    if losses[worst] <= 0:
        return text("charts.p29.no_shortfall")
    return text("charts.p29.shortfall", term=f"{worst} term", lost=losses[worst], weight=weights[worst])


def p29_attributes(result: P29) -> go.Figure:
    """Mean diversity l and mean normalized distance t of each attribute, least diverse first; at most MAX_ROWS."""
    names = sorted(result.attribute_l, key=lambda name: result.attribute_l[name])
    if not names:
        return empty_chart(text("charts.p29.no_attributes"))
    shown_names = names[:MAX_ROWS]
    keys = categories(shown_names)
    traces = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": name,
            "y": keys,
            "x": [means[attribute] for attribute in shown_names],
            "hovertext": [hover(name, f"{meaning}: {format_number(means[name])}") for name in shown_names],
            "hoverinfo": "text",
            "cliponaxis": False,
            "marker": {"color": PRIVACY, "symbol": symbol, "size": 11, "line": {"width": 2, "color": PRIVACY}},
        }
        for name, meaning, symbol, means in (
            ("diversity l", "Mean normalized entropy l", "circle", result.attribute_l),
            ("distance t", "Mean normalized distance t", "diamond-open", result.attribute_t),
        )
    ]
    y = category_axis(keys, [escaped(name, 24) for name in shown_names], downwards=True)
    return chart(
        traces,
        _attributes_finding(result, names),
        plot_height=rows_height(len(shown_names)),
        legend=True,
        xaxis=number_axis("mean (better: higher l, lower t)", range=[0, 1], tickvals=[0, 0.25, 0.5, 0.75, 1]),
        yaxis={**y, "showgrid": True},
    )


def _attributes_finding(result: P29, names: Sequence[str]) -> str:
    least_diverse, farthest = names[0], max(names, key=lambda name: result.attribute_t[name])
    if len(names) == 1:
        diversity, distance = result.Nl, result.Nt
        return text("charts.p29.only_attribute", column=names[0], diversity=diversity, distance=distance)
    diversity, distance = result.attribute_l[least_diverse], result.attribute_t[farthest]
    if least_diverse == farthest:
        finding = text("charts.p29.same_attribute", column=farthest, diversity=diversity, distance=distance)
    else:
        finding = text(
            "charts.p29.two_attributes",
            least_diverse=least_diverse,
            farthest=farthest,
            diversity=diversity,
            distance=distance,
        )
    if len(names) <= MAX_ROWS:
        return finding
    return text("charts.some_attributes", finding=finding, shown=MAX_ROWS, attributes=len(names))


def p29_conditions(result: P29) -> go.Figure:
    """How many classes fail a condition, by condition and attribute; at most MAX_ROWS rows, those with most classes."""
    if not result.violating.any():
        return empty_chart(text("charts.p29.no_failing", classes=len(result.violating)))
    limit = result.parameters.t_max
    rows: list[tuple[str, str, Flags]] = [("k = 1", "single record", result.singled_out)]
    rows += [("single value", name, flags) for name, flags in result.homogeneous.items()]
    rows += [(f"variational t > {exact_number(limit)}", name, flags) for name, flags in result.distant.items()]
    figures = [
        (reason, name, int(flags.sum()), int(result.components.sizes[flags].sum()))
        for reason, name, flags in rows
        if flags.any()
    ]
    min_classes = sorted((classes for _, _, classes, _ in figures), reverse=True)[:MAX_ROWS][-1]
    shown_rows = [row for row in figures if row[2] >= min_classes][:MAX_ROWS]
    keys = categories([f"{reason}: {name}" for reason, name, _, _ in shown_rows])
    bars = {
        "type": "bar",
        "orientation": "h",
        "y": keys,
        "x": [classes for _, _, classes, _ in shown_rows],
        "text": [f"{classes:,}" for _, _, classes, _ in shown_rows],
        "textposition": "outside",
        "cliponaxis": False,
        "hovertext": [
            hover(f"{reason}: {name}", f"{class_count(classes)} with {pluralize(records, 'record')}")
            for reason, name, classes, records in shown_rows
        ],
        "hoverinfo": "text",
        "marker": {"color": VIOLATION, "line": {"width": 0}},
    }
    max_classes = max(classes for _, _, classes, _ in shown_rows)
    ticks = [f"{escaped(reason)}: {escaped(name, 20)}" for reason, name, _, _ in shown_rows]
    return chart(
        [bars],
        _conditions_finding(result, shown_rows, len(figures) - len(shown_rows)),
        plot_height=rows_height(len(shown_rows)),
        bargap=0.35,
        xaxis=count_axis("failing classes", max_classes, range=[0, max_classes * 1.15]),
        yaxis=category_axis(keys, ticks, downwards=True),
    )


def _conditions_finding(result: P29, rows: Sequence[tuple[str, str, int, int]], n_hidden: int) -> str:
    """The condition that most classes fail, and what follows."""
    reason, name, classes, _ = max(rows, key=lambda row: row[2])
    failing = result.totals.violating_classes
    finding = text("charts.p29.failing", reason=reason, column=name, classes=classes, failing=failing)
    return text("charts.p29.some_reasons", finding=finding, reasons=n_hidden) if n_hidden else finding
