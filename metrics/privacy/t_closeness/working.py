"""t-closeness, step by step: what is moved, how far, and what it costs."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

import numpy as np

from metrics.aggregates import Aggregates
from metrics.config.parameters import GroundDistance, Parameters
from metrics.privacy.classes.shares_in_working import Shares, deciding_shares, difference_table
from metrics.privacy.classes.worst_in_working import values_step, worst_class, worst_step
from metrics.privacy.t_closeness.transport_plan import mass_by_level
from metrics.texts import text
from metrics.working.latex import (
    ABOVE,
    NOT_ABOVE,
    abbreviated,
    as_text,
    fraction,
    lines,
    plain_fraction,
    rounded,
    signed_sum,
    value_of,
    whole,
)
from metrics.working.steps import Attribute, Cell, Derivation, Step, Subject, Unit, short_label, step_of, tabulated

if TYPE_CHECKING:
    from metrics.privacy.t_closeness.measure import TCloseness


def difference_step(class_shares: Shares, column: str) -> Step:
    """Share of every value in the class less its share in the table."""
    first = class_shares.present[0]
    extra = Fraction(class_shares.extras[first], class_shares.unit)
    return step_of(
        "t_closeness.working.differences",
        lines(
            rf"p - q &= \frac{{{whole(class_shares.counts[first])}}}{{{whole(class_shares.size)}}}"
            rf" - \frac{{{whole(class_shares.totals[first])}}}{{{whole(class_shares.kept)}}}",
            rf"&= {value_of(extra)}",
        ),
        table=difference_table(class_shares),
        column=short_label(column),
        value=short_label(class_shares.labels[first]),
    )


def equal_step(class_shares: Shares) -> tuple[Step, Fraction]:
    """Half the sum of the absolute differences."""
    extras = [Fraction(extra, class_shares.unit) for extra in class_shares.extras]
    distance = Fraction(sum(map(abs, class_shares.extras)), 2 * class_shares.unit)
    absolute = (rf"\left|{fraction(extra)}\right|" for extra in extras)
    step = step_of(
        "t_closeness.working.equal",
        lines(
            r"t &= \frac{1}{2} \sum_s |p_s - q_s|",
            rf"&= \frac{{1}}{{2}} \Bigl({abbreviated(absolute, len(extras))}\Bigr)",
            rf"&= {value_of(distance)}",
        ),
        number=float(distance),
    )
    return step, distance


def _extras_by_number(aggregates: Aggregates, class_shares: Shares, column: str) -> tuple[list[str], list[int]]:
    """Numbers in ascending order, equal ones written differently as one, and the class's extra of each."""
    numbers = aggregates.histogram(column).numbers
    assert numbers is not None
    names: dict[float, list[str]] = {}
    extras: dict[float, int] = {}
    for label, code, extra in zip(class_shares.labels, class_shares.codes, class_shares.extras, strict=True):
        number = float(numbers[code])
        names.setdefault(number, []).append(short_label(label))
        extras[number] = extras.get(number, 0) + extra
    order = sorted(extras)
    return [" / ".join(names[number]) for number in order], [extras[number] for number in order]


def _ordered_distance_step(aggregates: Aggregates, class_shares: Shares, column: str) -> tuple[Step, Fraction]:
    names, extras = _extras_by_number(aggregates, class_shares, column)
    steps = len(names) - 1
    if not steps:
        sentence = text("t_closeness.working.one_value")
        return Step(text("t_closeness.working.one_value_title"), sentence, "t = 0", number=0.0), Fraction(0)
    amounts = [Fraction(total, class_shares.unit) for total in accumulate(extras)][:-1]
    costs = [abs(amount) / steps for amount in amounts]
    distance = sum(costs, Fraction(0))
    rows = (
        (lower, upper, plain_fraction(amount), plain_fraction(cost))
        for (lower, upper), amount, cost in zip(pairwise(names), amounts, costs, strict=True)
    )
    step = step_of(
        "t_closeness.working.ordered",
        lines(
            rf"t &= \sum_i \frac{{1}}{{{whole(len(names))} - 1}} \left| \sum_{{j \le i}} (p_j - q_j) \right|",
            rf"&= {signed_sum(costs)}",
            rf"&= {value_of(distance)}",
        ),
        table=tabulated(text("t_closeness.working.ordered_columns"), rows, steps),
        number=float(distance),
        steps=steps,
        values=len(names),
    )
    return step, distance


def _hierarchical(aggregates: Aggregates, class_shares: Shares, column: str) -> tuple[Step, Fraction]:
    hierarchy = aggregates.hierarchies[column]
    height = hierarchy.height
    if not height:
        sentence = text("t_closeness.working.one_level")
        return Step(text("t_closeness.working.one_level_title"), sentence, "t = 0", number=0.0), Fraction(0)
    leaves = hierarchy.leaves_of(aggregates.histogram(column).column)[list(class_shares.codes)]
    counts, totals = np.array(class_shares.counts), np.array(class_shares.totals)
    nodes = [
        (hierarchy.labels(level)[node], level, int(mass.surplus[node]), int(mass.shortfall[node]))
        for level, mass in enumerate(
            mass_by_level(hierarchy, leaves, counts, totals, class_shares.size, class_shares.kept)
        )
        for node in np.flatnonzero(mass.surplus | mass.shortfall).tolist()
    ]
    costs = [
        Fraction(level * min(surplus, shortfall), height * class_shares.unit) for _, level, surplus, shortfall in nodes
    ]
    distance = sum(costs, Fraction(0))
    rows: list[tuple[Cell, ...]] = [
        (
            short_label(label),
            level,
            plain_fraction(Fraction(surplus, class_shares.unit)),
            plain_fraction(Fraction(-shortfall, class_shares.unit)),
            plain_fraction(Fraction(min(surplus, shortfall), class_shares.unit)),
            plain_fraction(cost),
            plain_fraction(Fraction(surplus - shortfall, class_shares.unit)),
        )
        for (label, level, surplus, shortfall), cost in zip(nodes, costs, strict=True)
    ]
    formulas = [
        rf"{as_text(label)}:\; &\frac{{{level}}}{{{height}}} \times "
        rf"{fraction(Fraction(min(surplus, shortfall), class_shares.unit))} = {fraction(cost)}"
        for (label, level, surplus, shortfall), cost in zip(nodes, costs, strict=True)
        if cost
    ][:3]
    step = step_of(
        "t_closeness.working.hierarchical",
        lines(*formulas, rf"t &= {signed_sum(costs) or 0}", rf"&= {value_of(distance)}"),
        rows=rows,
        number=float(distance),
        height=height,
    )
    return step, distance


def derive(result: TCloseness, aggregates: Aggregates, parameters: Parameters, subject: Subject) -> tuple[Step, ...]:
    """Shares, their differences, what balancing them costs, the limit, the worst class."""
    column = subject.column
    class_shares = deciding_shares(aggregates, subject, result.measured)
    ground_distance = result.distance[column]
    if ground_distance is GroundDistance.ORDERED:
        distance_step, distance = _ordered_distance_step(aggregates, class_shares, column)
    elif ground_distance is GroundDistance.HIERARCHICAL:
        distance_step, distance = _hierarchical(aggregates, class_shares, column)
    else:
        distance_step, distance = equal_step(class_shares)
    figure, limit = float(distance), result.limit
    is_within = figure <= limit
    limit_step = Step(
        text("t_closeness.working.limit_title"),
        text("t_closeness.working.within", limit=limit)
        if is_within
        else text("t_closeness.working.exceeded", limit=limit),
        rf"{value_of(distance)} {NOT_ABOVE if is_within else ABOVE} {rounded(limit)}",
        number=figure,
    )
    last = worst_step(aggregates, subject, figure, result.per_class, "t", largest=True)
    return (
        values_step(aggregates, subject, class_shares),
        difference_step(class_shares, column),
        distance_step,
        limit_step,
        last,
    )


WORKING = Derivation(Unit.CLASS, Attribute.SENSITIVE, derive, worst_class(largest=True))
