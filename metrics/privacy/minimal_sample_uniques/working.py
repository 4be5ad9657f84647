"""Minimal sample uniques, step by step: what they add, the record with the highest score, DIS, the share."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.formatting import six_digits
from metrics.working.latex import abbreviated, approx, equals, lines, rounded, whole
from metrics.working.steps import Step, class_name, short_label, step_of, whole_table

if TYPE_CHECKING:
    from metrics.privacy.minimal_sample_uniques.measure import MinimalSampleUniques


def _search_step(result: MinimalSampleUniques) -> Step:
    counts = [int(count) for count in result.found.sum(axis=0)]
    rows = [(size, count, six_digits(result.weights[size - 1])) for size, count in enumerate(counts, 1)]
    return step_of(
        "minimal_sample_uniques.working.found",
        rf"{abbreviated(map(whole, counts), len(counts))} = {whole(sum(counts))}",
        rows=rows,
        number=sum(counts),
        columns=result.max_columns,
    )


def _highest(aggregates: Aggregates, result: MinimalSampleUniques, worst: int) -> Step:
    counts, score = result.found[worst], float(result.scores[worst])
    terms = [
        rf"{whole(int(count))} \times {rounded(float(weight))}"
        for count, weight in zip(counts, result.weights, strict=True)
        if count
    ]
    rows = [(short_label(name), f"{result.part[worst, i] / score:.1%}") for i, name in enumerate(result.columns)]
    return step_of(
        "minimal_sample_uniques.working.highest",
        lines(rf"s &= {abbreviated(terms, len(terms))}", rf"&{approx(score)}"),
        rows=rows,
        number=score,
        name=class_name(aggregates, worst),
    )


def _file_risk(result: MinimalSampleUniques, risk: float) -> Step:
    n_pairs, share = 2 * int((result.sizes == 2).sum()), rounded(result.fraction)
    return step_of(
        "minimal_sample_uniques.working.dis",
        lines(
            r"\mathit{DIS} &= \frac{U f}{U f + P (1 - f)}",
            rf"&= \frac{{{whole(result.uniques)} \times {share}}}{{{whole(result.uniques)} \times {share} + "
            rf"{whole(n_pairs)} \times (1 - {share})}}",
            rf"&{approx(risk)}",
        ),
        number=risk,
        fraction=result.fraction,
    )


def _record_risk_step(result: MinimalSampleUniques, worst: int) -> Step:
    positive_scores = result.scores[result.scores > 0]
    power = 1 + (8 - len(result.columns)) / 20
    total = float(((positive_scores / result.scores.max()) ** -power).sum())
    return step_of(
        "minimal_sample_uniques.working.spread",
        lines(
            rf"A &= \sum_r \left(\frac{{s_r}}{{\max s}}\right)^{{-{rounded(power)}}} {approx(total)}",
            r"&\frac{1}{1 + U (1 / \mathit{DIS} - 1) / A}",
            rf"&{approx(float(result.dis_scores[worst]))}",
        ),
        number=float(result.dis_scores[worst]),
    )


def derive(result: MinimalSampleUniques, aggregates: Aggregates, parameters: Parameters) -> tuple[Step, ...]:
    """What is found, the highest scores, and the share of records it concerns."""
    steps = [_search_step(result)]
    if result.records and result.risk is not None:
        worst = int(result.scores.argmax())
        steps += [
            _highest(aggregates, result, worst),
            _file_risk(result, result.risk),
            _record_risk_step(result, worst),
        ]
    records = aggregates.classes.kept
    share = Fraction(result.records, records)
    steps.append(
        step_of(
            "minimal_sample_uniques.working.share",
            rf"\frac{{{whole(result.records)}}}{{{whole(records)}}} {equals(share)}",
            number=float(share),
            found=result.records,
            records=records,
        )
    )
    return tuple(steps)


WORKING = whole_table(derive)
