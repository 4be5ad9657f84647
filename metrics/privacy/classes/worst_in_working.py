"""Metrics that are as good as their worst class: its values first, the worst over classes and attributes last."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.formatting import six_digits
from metrics.privacy.classes.shares_in_working import Shares, class_share_table, deciding_shares
from metrics.tables.table import Floats
from metrics.texts import text
from metrics.working.latex import COMMA, abbreviated, lines, rounded
from metrics.working.steps import (
    Attribute,
    Derivation,
    Step,
    Subject,
    Unit,
    class_name,
    class_size,
    short_label,
    tabulated,
)


def of_worst_class(
    symbol: str, own_steps: Callable[[Shares, Parameters], tuple[tuple[Step, ...], float]], *, largest: bool = False
) -> Derivation:
    """The derivation by steps from the shares in a class to its figure; the smallest decides, or the largest."""

    def derive(result: Any, aggregates: Aggregates, parameters: Parameters, subject: Subject) -> tuple[Step, ...]:
        class_shares = deciding_shares(aggregates, subject, result.measured)
        steps, figure = own_steps(class_shares, parameters)
        last = worst_step(aggregates, subject, figure, result.per_class, symbol, largest=largest)
        return (values_step(aggregates, subject, class_shares), *steps, last)

    return Derivation(Unit.CLASS, Attribute.SENSITIVE, derive, worst_class(largest=largest))


def values_step(aggregates: Aggregates, subject: Subject, class_shares: Shares) -> Step:
    """The class's values of the attribute, counted."""
    name, size, column = (
        class_name(aggregates, subject.index),
        class_size(aggregates, subject.index),
        short_label(subject.column),
    )
    return Step(
        text("working.values_title"),
        text("working.values_of_part", name=name, size=size, column=column, part=class_shares.known)
        if class_shares.known
        else text("working.values", name=name, size=size, column=column),
        table=class_share_table(class_shares),
    )


def worst_class(*, largest: bool) -> Callable[[Any, Aggregates, Parameters], Subject]:
    """How the class and attribute that decide a metric are found: by the smallest figure, or the largest."""

    def decisive(result: Any, aggregates: Aggregates, parameters: Parameters) -> Subject:
        per_class: Mapping[str, Floats] = result.per_class
        index = {name: int(np.argmax(values) if largest else np.argmin(values)) for name, values in per_class.items()}
        choose = max if largest else min
        name = choose(index, key=lambda column: float(per_class[column][index[column]]))
        return Subject(index[name], name)

    return decisive


def worst_step(
    aggregates: Aggregates, subject: Subject, own: float, per_class: Mapping[str, Floats], symbol: str, *, largest: bool
) -> Step:
    """The worst over classes per attribute, then over attributes; `own` is the subject's figure as derived."""
    operator = r"\max" if largest else r"\min"
    choose = max if largest else min
    worst: dict[str, float] = {}
    rows = []
    for name, values in per_class.items():
        index = int(np.argmax(values) if largest else np.argmin(values))
        figure = float(values[index])
        if name == subject.column:
            # The derived figure stands in for the one looked up: what follows rests on the steps above.
            figure = own if index == subject.index else choose(figure, own)
        worst[name] = figure
        rows.append((short_label(name), _format(figure), class_name(aggregates, index)))
    value = choose(worst.values())
    own_text, column = _format(own), short_label(subject.column)
    classes, count = aggregates.classes.count, len(worst)
    formula = lines(
        rf"{symbol} &= {operator}({abbreviated(map(rounded, worst.values()), count, COMMA)})", rf"&= {rounded(value)}"
    )
    return Step(
        text("working.worst_title"),
        text("working.largest", figure=own_text, column=column, classes=classes, attributes=count)
        if largest
        else text("working.smallest", figure=own_text, column=column, classes=classes, attributes=count),
        formula,
        tabulated(text("working.largest_columns") if largest else text("working.smallest_columns"), rows, len(rows)),
        value if math.isfinite(value) else None,
    )


def _format(figure: float) -> str:
    return text("working.no_finite_figure") if math.isinf(figure) else six_digits(figure)
