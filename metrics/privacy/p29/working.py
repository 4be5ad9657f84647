"""The P_29 score, step by step, as the notebook does it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from metrics.aggregates import Aggregates
from metrics.config.parameters import P29Parameters, Parameters
from metrics.formatting import six_digits
from metrics.privacy.classes.shares_in_working import shares
from metrics.privacy.classes.worst_in_working import values_step
from metrics.privacy.l_diversity.working import normalized_steps
from metrics.privacy.t_closeness.working import difference_step, equal_step
from metrics.tables.table import Floats
from metrics.texts import text
from metrics.working.latex import COMMA, abbreviated, approx, equals, lines, rounded, whole
from metrics.working.steps import (
    Attribute,
    Derivation,
    Step,
    StepTable,
    Subject,
    Unit,
    class_name,
    class_size,
    short_label,
    step_of,
    tabulated,
)

if TYPE_CHECKING:
    from metrics.privacy.p29.measure import P29


def score_step(k_min: int, Nl: float, Nt: float, weights: P29Parameters, met: Mapping[str, bool]) -> Step:
    """The last step: conditions and weighted terms. `met` tells for k, l and t whether every class meets it."""
    terms = (weights.w_k * (1 - 1 / k_min), weights.w_l * Nl, weights.w_t * (1 - Nt))
    score = math.fsum(terms) if all(met.values()) else 0.0
    deltas = r" \cdot ".join("1" if met[name] else "0" for name in ("k", "l", "t"))
    failed_conditions = [name for name, is_met in met.items() if not is_met]
    return Step(
        text("p29.working.score_title"),
        text("p29.working.score_0", conditions=failed_conditions) if failed_conditions else text("p29.working.score"),
        lines(
            r"P_{29} &= \delta_k \delta_l \delta_t \bigl(w_k(1 - N_k')",
            r"&\quad + w_l N_l' + w_t(1 - N_t')\bigr)",
            rf"&= {deltas} \cdot \bigl({rounded(weights.w_k)} \bigl(1 - \tfrac{{1}}{{{whole(k_min)}}}\bigr)",
            rf"&\quad + {rounded(weights.w_l)} \cdot {rounded(Nl)}",
            rf"&\quad + {rounded(weights.w_t)} (1 - {rounded(Nt)})\bigr)",
            rf"&= {deltas} \cdot ({rounded(terms[0])}",
            rf"&\quad + {rounded(terms[1])} + {rounded(terms[2])})",
            rf"&{approx(score)}",
        ),
        number=score,
    )


def _k_step(aggregates: Aggregates, result: P29, index: int) -> Step:
    k_min, name, size = result.components.totals.k_min, class_name(aggregates, index), class_size(aggregates, index)
    return step_of(
        "p29.working.k",
        rf"N_k' = \frac{{1}}{{k_{{\min}}}} = \frac{{1}}{{{whole(k_min)}}} {equals(Fraction(1, k_min))}",
        number=1 / k_min,
        name=name,
        size=size,
        classes=aggregates.classes.count,
        smallest=k_min,
    )


def _with(values: Floats, index: int, own_chart: float) -> list[float]:
    """The figures of all classes, with the derived one first and in place of the stored one."""
    figures = values.tolist()
    return [own_chart, *figures[:index], *figures[index + 1 :]]


def _mean(values: list[float]) -> float:
    return math.fsum(values) / len(values)


def _mean_formula(symbol: str, values: list[float], mean: float, summed: str) -> str:
    terms = abbreviated(map(rounded, values), len(values))
    return lines(
        rf"{symbol} &= \frac{{1}}{{{whole(len(values))}}} \sum_{summed}",
        rf"&= \frac{{1}}{{{whole(len(values))}}} ({terms})",
        rf"&{approx(mean)}",
    )


def _means_table(means: Mapping[str, float], what: str) -> StepTable:
    rows = ((short_label(name), six_digits(mean)) for name, mean in means.items())
    return tabulated(text("p29.working.attributes_columns", measure=what), rows, len(means))


def _term_steps(
    letter: str, column: str, values: list[float], means: dict[str, float], what: str
) -> tuple[tuple[Step, Step], float]:
    """Mean over classes of one attribute, then over attributes."""
    symbol = "l" if letter == "l" else "t'"
    mean = means[column] = _mean(values)
    total = _mean(list(means.values()))
    title = text("p29.working.attributes_title", letter=letter)
    over_classes = Step(
        text("p29.working.classes_title", letter=letter),
        text("p29.working.classes", measure=what, column=short_label(column), classes=len(values)),
        _mean_formula(rf"\bar {letter}", values, mean, f"E {symbol}_E"),
        number=mean,
    )
    over_attributes = (
        Step(
            title,
            text("p29.working.attributes", attributes=len(means)),
            _mean_formula(f"N_{letter}'", list(means.values()), total, rf"S \bar {letter}_S"),
            _means_table(means, what),
            total,
        )
        if len(means) > 1
        else Step(
            title,
            text("p29.working.only_attribute", column=short_label(column)),
            rf"N_{letter}' = \bar {letter} {approx(total)}",
            number=total,
        )
    )
    return (over_classes, over_attributes), total


def _normalization(own_distance: float, distances: list[float]) -> tuple[Step, list[float]]:
    low, high = min(distances), max(distances)
    title = text("p29.working.scale_title")
    if high <= low:
        return Step(title, text("p29.working.scale_equal"), r"t' = 0", number=0.0), [0.0] * len(distances)
    scaled = [(distance - low) / (high - low) for distance in distances]
    step = Step(
        title,
        text("p29.working.scale", smallest=six_digits(low), largest=six_digits(high)),
        lines(
            r"t' &= \frac{t - t_{\min}}{t_{\max} - t_{\min}}",
            rf"&= \frac{{{rounded(own_distance)} - {rounded(low)}}}{{{rounded(high)} - {rounded(low)}}}",
            rf"&{approx(scaled[0])}",
        ),
        number=scaled[0],
    )
    return step, scaled


def _condition_step(aggregates: Aggregates, result: P29, index: int) -> tuple[Step, dict[str, bool]]:
    components, limit = result.components, result.parameters.t_max
    smallest = min(float(values.min()) for values in components.entropy.values())
    largest = max(float(values.max()) for values in components.distance.values())
    met = {"k": components.totals.k_min > 1, "l": smallest > 0, "t": largest <= limit}
    reasons = result.reason_texts(np.array([index]))[0].as_py()
    above_1, above_0 = (text("p29.working.above", limit=bound) for bound in (1, 0))
    rows = (
        ("k", text("p29.working.smallest_class", size=components.totals.k_min), above_1, _state(met["k"])),
        ("l", text("p29.working.smallest_l", l=six_digits(smallest)), above_0, _state(met["l"])),
        (
            "t",
            text("p29.working.largest_t", t=six_digits(largest)),
            text("p29.working.at_most", limit=limit),
            _state(met["t"]),
        ),
    )
    deltas = COMMA.join(rf"\delta_{name} = {int(is_met)}" for name, is_met in met.items())
    step = Step(
        text("p29.working.conditions_title"),
        text("p29.working.conditions_failed", reasons=reasons) if reasons else text("p29.working.conditions_met"),
        deltas,
        tabulated(text("p29.working.conditions_columns"), rows, len(rows)),
    )
    return step, met


def _state(is_met: bool) -> str:
    return text("p29.working.met") if is_met else text("p29.working.failed")


def derive(result: P29, aggregates: Aggregates, parameters: Parameters, subject: Subject) -> tuple[Step, ...]:
    """k, then l and t of the class, their means, the conditions, the score."""
    index, column = subject.index, subject.column
    class_shares = shares(aggregates, subject)
    entropy_steps, own_l = normalized_steps(class_shares)
    l_steps, Nl = _term_steps(
        "l", column, _with(result.components.entropy[column], index, own_l), dict(result.attribute_l), "l"
    )
    distance_step, distance = equal_step(class_shares)
    normalization, scaled = _normalization(
        float(distance), _with(result.components.distance[column], index, float(distance))
    )
    t_steps, Nt = _term_steps("t", column, scaled, dict(result.attribute_t), text("p29.working.normalized_t"))
    condition_step, met = _condition_step(aggregates, result, index)
    return (
        _k_step(aggregates, result, index),
        values_step(aggregates, subject, class_shares),
        *entropy_steps,
        *l_steps,
        difference_step(class_shares, column),
        distance_step,
        normalization,
        *t_steps,
        condition_step,
        score_step(result.components.totals.k_min, Nl, Nt, result.parameters, met),
    )


def _decisive(result: P29, aggregates: Aggregates, parameters: Parameters) -> Subject:
    """The first class that fails a condition, else the smallest; the attribute with the lowest mean l."""
    column = min(result.attribute_l, key=lambda name: result.attribute_l[name])
    if not result.violating.any():
        return Subject(int(result.components.sizes.argmin()), column)
    index = int(result.violating.argmax())
    at_fault = [name for name in result.attribute_l if result.homogeneous[name][index] or result.distant[name][index]]
    return Subject(index, at_fault[0] if at_fault else column)


WORKING = Derivation(Unit.CLASS, Attribute.SENSITIVE, derive, _decisive)
