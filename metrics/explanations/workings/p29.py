"""The P_29 score, step by step, as the notebook does it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from metrics.config.parameters import P29Parameters
from metrics.explanations.workings.k_anonymity import smallest_class
from metrics.explanations.workings.l_diversity import normalized_steps, values_step
from metrics.explanations.workings.latex import COMMA, abbreviated, about, comes_to, lines, rounded, whole
from metrics.explanations.workings.shares import shares
from metrics.explanations.workings.steps import (
    Attribute,
    Derivation,
    Step,
    StepTable,
    Subject,
    Unit,
    Working,
    class_name,
    class_size,
    finished,
    short_label,
    tabulated,
)
from metrics.explanations.workings.t_closeness import difference_step, equal_step
from metrics.privacy.p29 import P29
from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import Floats
from metrics.wording import pluralize


def score_step(k_min: int, Nl: float, Nt: float, weights: P29Parameters, met: Mapping[str, bool]) -> Step:
    """The last step: conditions and weighted terms. `met` tells for k, l and t whether every class meets it."""
    terms = (weights.w_k * (1 - 1 / k_min), weights.w_l * Nl, weights.w_t * (1 - Nt))
    score = math.fsum(terms) if all(met.values()) else 0.0
    deltas = r" \cdot ".join("1" if met[name] else "0" for name in ("k", "l", "t"))
    failed = [name for name, holds in met.items() if not holds]
    sentence = (
        "All classes meet all conditions, so the score is the weighted sum."
        if not failed
        else (
            f"At least one class fails the condition on {' and '.join(failed)}, so the score is 0, whatever the "
            "terms are."
        )
    )
    return Step(
        "Weigh the three terms",
        sentence,
        lines(
            r"P_{29} &= \delta_k \delta_l \delta_t \bigl(w_k(1 - N_k')",
            r"&\quad + w_l N_l' + w_t(1 - N_t')\bigr)",
            rf"&= {deltas} \cdot \bigl({weights.w_k:.6g} \bigl(1 - \tfrac{{1}}{{{whole(k_min)}}}\bigr)",
            rf"&\quad + {weights.w_l:.6g} \cdot {rounded(Nl)}",
            rf"&\quad + {weights.w_t:.6g} (1 - {rounded(Nt)})\bigr)",
            rf"&= {deltas} \cdot ({rounded(terms[0])}",
            rf"&\quad + {rounded(terms[1])} + {rounded(terms[2])})",
            rf"&{about(score)}",
        ),
        number=score,
    )


def _k_step(card: Scorecard, result: P29, index: int) -> Step:
    k_min = result.components.k_min
    return Step(
        "k: the smallest class",
        f"The class {class_name(card, index)} has {pluralize(class_size(card, index), 'record')}; the smallest of "
        f"{pluralize(card.aggregates.classes.count, 'class', 'classes')} has {k_min:,}.",
        rf"N_k' = \frac{{1}}{{k_{{\min}}}} = \frac{{1}}{{{whole(k_min)}}} {comes_to(Fraction(1, k_min))}",
        number=1 / k_min,
    )


def _with(values: Floats, index: int, own: float) -> list[float]:
    """All classes' figures, with the derived one in its place and in front."""
    listed = values.tolist()
    return [own, *listed[:index], *listed[index + 1 :]]


def _mean(values: list[float]) -> float:
    return math.fsum(values) / len(values)


def _mean_formula(symbol: str, values: list[float], mean: float, summed: str) -> str:
    terms = abbreviated(map(rounded, values), len(values))
    return lines(
        rf"{symbol} &= \frac{{1}}{{{whole(len(values))}}} \sum_{summed}",
        rf"&= \frac{{1}}{{{whole(len(values))}}} ({terms})",
        rf"&{about(mean)}",
    )


def _means_table(means: Mapping[str, float], what: str) -> StepTable:
    rows = ((short_label(name), f"{mean:.6g}") for name, mean in means.items())
    return tabulated(("attribute", what), rows, len(means))


def _term_steps(
    letter: str, column: str, own: list[float], means: dict[str, float], what: str
) -> tuple[tuple[Step, Step], float]:
    """Mean over classes of one attribute, then over attributes."""
    symbol = "l" if letter == "l" else "t'"
    mean = means[column] = _mean(own)
    total = _mean(list(means.values()))
    over_classes = Step(
        f"{letter}: the mean over classes",
        f"The {what} of {short_label(column)}, averaged over {pluralize(len(own), 'class', 'classes')}, this one "
        "first.",
        _mean_formula(rf"\bar {letter}", own, mean, f"E {symbol}_E"),
        number=mean,
    )
    over_attributes = (
        Step(
            f"{letter}: the mean over attributes",
            f"The score uses the mean over {len(means)} sensitive attributes.",
            _mean_formula(f"N_{letter}'", list(means.values()), total, rf"S \bar {letter}_S"),
            _means_table(means, f"mean {what}"),
            total,
        )
        if len(means) > 1
        else Step(
            f"{letter}: the mean over attributes",
            f"{short_label(column)} is the only sensitive attribute, so its mean is used as it is.",
            rf"N_{letter}' = \bar {letter} {about(total)}",
            number=total,
        )
    )
    return (over_classes, over_attributes), total


def _normalization(own: float, distances: list[float]) -> tuple[Step, list[float]]:
    low, high = min(distances), max(distances)
    if high <= low:
        step = Step(
            "t: scale to 0 … 1",
            "All classes have the same distance from the table, so each counts as 0.",
            r"t' = 0",
            number=0.0,
        )
        return step, [0.0] * len(distances)
    scaled = [(distance - low) / (high - low) for distance in distances]
    step = Step(
        "t: scale to 0 … 1",
        f"Scaled between the smallest ({low:.6g}) and the largest ({high:.6g}) distance of a class, so that "
        "attributes can be compared.",
        lines(
            r"t' &= \frac{t - t_{\min}}{t_{\max} - t_{\min}}",
            rf"&= \frac{{{rounded(own)} - {rounded(low)}}}{{{rounded(high)} - {rounded(low)}}}",
            rf"&{about(scaled[0])}",
        ),
        number=scaled[0],
    )
    return step, scaled


def _condition_step(card: Scorecard, result: P29, index: int) -> tuple[Step, dict[str, bool]]:
    parts, limit = result.components, result.parameters.t_max
    smallest = min(float(values.min()) for values in parts.entropy.values())
    largest = max(float(values.max()) for values in parts.distance.values())
    met = {"k": parts.k_min > 1, "l": smallest > 0, "t": largest <= limit}
    reasons = result.reason_texts(np.array([index]))[0].as_py()
    verdict = f"This class fails: {reasons}." if reasons else "This class meets all conditions."
    rows = (
        ("k", f"smallest class {parts.k_min:,}", "above 1", _state(met["k"])),
        ("l", f"smallest l {smallest:.6g}", "above 0", _state(met["l"])),
        ("t", f"largest t {largest:.6g}", f"at most {limit:g}", _state(met["t"])),
    )
    deltas = COMMA.join(rf"\delta_{name} = {int(holds)}" for name, holds in met.items())
    step = Step(
        "Check the three conditions",
        f"Each condition is a factor of 0 or 1: a single class that fails it makes the whole score 0. {verdict}",
        deltas,
        tabulated(("condition", "found", "required", "status"), rows, len(rows)),
    )
    return step, met


def _state(holds: bool) -> str:
    return "met" if holds else "failed"


def _result(card: Scorecard) -> P29:
    finished(card, "p29")
    result = card["p29"].result
    assert isinstance(result, P29)
    return result


def derive(card: Scorecard, subject: Subject) -> Working:
    """k, then l and t of the class, their means, the conditions, the score. Raises Unavailable."""
    result, index, column = _result(card), subject.index, subject.column
    of = shares(card, subject)
    entropy_steps, own_l = normalized_steps(of)
    l_steps, Nl = _term_steps(
        "l", column, _with(result.components.entropy[column], index, own_l), dict(result.attribute_l), "l"
    )
    distance_step, distance = equal_step(of)
    normalization, scaled = _normalization(
        float(distance), _with(result.components.distance[column], index, float(distance))
    )
    t_steps, Nt = _term_steps("t", column, scaled, dict(result.attribute_t), "normalized t")
    condition_step, met = _condition_step(card, result, index)
    steps = (
        _k_step(card, result, index),
        values_step(card, subject, of),
        *entropy_steps,
        *l_steps,
        difference_step(of, column),
        distance_step,
        normalization,
        *t_steps,
        condition_step,
        score_step(result.components.k_min, Nl, Nt, result.parameters, met),
    )
    return Working("p29", class_name(card, index), steps)


def _decisive(card: Scorecard) -> Subject:
    """The first class that fails a condition, else the smallest; the attribute with the lowest mean l."""
    result = _result(card)
    column = min(result.attribute_l, key=lambda name: result.attribute_l[name])
    if not result.violating.any():
        return Subject(smallest_class(card).index, column)
    index = int(result.violating.argmax())
    at_fault = [name for name in result.attribute_l if result.homogeneous[name][index] or result.distant[name][index]]
    return Subject(index, at_fault[0] if at_fault else column)


P_29 = Derivation(Unit.CLASS, Attribute.SENSITIVE, derive, _decisive)
