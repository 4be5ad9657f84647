"""P_29: the terms of the score, the part of each attribute, and the classes that fail a condition."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from metrics.drawing.theme import (
    NEUTRAL,
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
    line_at,
    note,
    number_axis,
    rows_height,
    wrapped,
)
from metrics.formatting import exact_number, format_number, join_names, pluralize
from metrics.privacy.p29.measure import P29
from metrics.tables.table import Flags
from metrics.texts import text

MAX_ROWS = 30
"""Most attributes or conditions drawn."""

_TERMS = {"k": "class size (k)", "l": "diversity (l)", "t": "closeness (t)"}


def p29_breakdown(result: P29, *, limit: float | None = None) -> go.Figure:
    """From the three weighted terms to the score: they add up to it, or it is 0 because a class fails a condition."""
    terms = result.terms
    subtotal = math.fsum(terms.values())
    failed_conditions = [name for name, is_met in result.conditions.items() if not is_met]
    steps: list[tuple[str, str, float, str]] = [
        (_TERMS[name], "relative", term, _term_text(result, name)) for name, term in terms.items()
    ]
    if failed_conditions:
        deduction = f"fails {', '.join(failed_conditions)}"
        steps += [
            ("sum", "total", subtotal, hover(f"Sum of the three terms: {format_number(subtotal)}")),
            (deduction, "relative", -subtotal, hover("A failed condition makes the score 0:", *result.reasons)),
        ]
    steps.append(("P_29", "total", result.value, hover(f"P_29 = {format_number(result.value)} of 1, higher is better")))
    keys = categories([label for label, *_ in steps])
    bars = {
        "type": "waterfall",
        "x": keys,
        "y": [value for _, _, value, _ in steps],
        "measure": [measure for _, measure, _, _ in steps],
        "text": [format_number(value).replace("-", "−") for _, _, value, _ in steps],
        "insidetextfont": {"color": "black"},
        "textangle": 0,
        "constraintext": "none",
        "textposition": ["inside" if value < 0 else "outside" for _, _, value, _ in steps],
        "cliponaxis": False,
        "hovertext": [line for *_, line in steps],
        "hoverinfo": "text",
        "increasing": {"marker": {"color": PRIVACY}},
        "decreasing": {"marker": {"color": VIOLATION}},
        "totals": {"marker": {"color": NEUTRAL if failed_conditions else PRIVACY}},
        "connector": {"line": {"color": NEUTRAL, "width": 1, "dash": "dot"}},
    }
    return chart(
        [bars],
        _breakdown_finding(result, subtotal, failed_conditions),
        **({} if limit is None else _limit(limit)),
        xaxis={**category_axis(keys, [wrapped(label, 9) for label, *_ in steps]), "tickfont": {"size": 10}},
        yaxis=number_axis("score (0 to 1)", range=[0, 1.12], tickvals=[0, 0.25, 0.5, 0.75, 1]),
    )


def _limit(limit: float) -> dict[str, Any]:
    """The line of the least score accepted, with its label."""
    label = note(f"limit {exact_number(limit)}", xref="x domain", x=0, y=limit, xanchor="left", yanchor="bottom")
    return {"shapes": [line_at(limit, vertical=False)], "annotations": [label]}


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
    score = format_number(result.value)
    losses = {name: weight - result.terms[name] for name, weight in _weights(result).items()}
    worst = max(losses, key=lambda name: losses[name])
    if losses[worst] <= 0:
        return text("charts.p29.no_shortfall", score=score)
    return text("charts.p29.shortfall", score=score, term=_TERMS[worst], lost=losses[worst])


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
