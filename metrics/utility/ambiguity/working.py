"""Ambiguity, step by step: what one record could have been, the mean over records, the score."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import inf, prod
from typing import Any, Final

import numpy as np

from metrics.aggregates import Aggregates
from metrics.aggregates.coverages import coverages
from metrics.config.parameters import Parameters
from metrics.hierarchies.domain import Coverage
from metrics.texts import text
from metrics.working.latex import TIMES, abbreviated, approx, equals, fraction, lines, rounded, whole
from metrics.working.records import anonymized_label, record_name
from metrics.working.steps import Derivation, Step, Subject, Unit, short_label, step_of, tabulated

RULES: Final = {
    "hierarchy": text("working.leaves"),
    "integers": text("working.integers"),
    "original values": text("working.original_values"),
}
"""What is counted as the possible values of a column."""


def _combinations(
    aggregates: Aggregates, coverage_of: Mapping[str, Coverage], domain: int
) -> tuple[list[int], list[int]]:
    """How many combinations each distinct anonymized record represents, and how often it occurs; exact."""
    counts = aggregates.relation.count(aggregates.roles.quasi_identifiers)
    # Python integers: with many columns the products exceed int64.
    products = np.ones(len(counts.counts), dtype=object)
    for column, codes in zip(counts.columns, counts.codes, strict=True):
        products *= np.array([int(values) for values in coverage_of[column.name].covered], dtype=object)[codes]
    combinations, records = products.tolist(), counts.counts.tolist()
    deleted = aggregates.comparison.deleted
    return ([*combinations, domain], [*records, deleted]) if deleted else (combinations, records)


def _record_steps(aggregates: Aggregates, coverage_of: Mapping[str, Coverage], index: int) -> tuple[Step, Step, int]:
    factors = []
    rows = []
    for name, coverage in coverage_of.items():
        label = anonymized_label(aggregates, name, index)
        if index >= aggregates.anonymized.rows:
            n_values = coverage.size
        else:
            n_values = int(coverage.covered[aggregates.anonymized[name].codes[index]])
        factors.append(n_values)
        rows.append((short_label(name), short_label(label), n_values, coverage.size, RULES[coverage.rule]))
    combinations = prod(factors)
    cells = step_of("ambiguity.working.cells", rows=rows, record=record_name(aggregates, index))
    product = step_of(
        "ambiguity.working.combinations",
        rf"{abbreviated(map(whole, factors), len(factors), TIMES)}"
        + (rf" = {whole(combinations)}" if len(factors) > 1 else ""),
        number=combinations,
    )
    return cells, product, combinations


def _mean_step(
    combinations_per_record: list[int], records: list[int], own_combinations: int
) -> tuple[Step, Fraction, int]:
    by_size: dict[int, int] = {}
    for combinations, number in zip(combinations_per_record, records, strict=True):
        by_size[combinations] = by_size.get(combinations, 0) + number
    total, number = sum(c * n for c, n in by_size.items()), sum(by_size.values())
    ordered = sorted(by_size, key=lambda combinations: (combinations != own_combinations, -combinations))
    terms = (
        whole(combinations)
        if by_size[combinations] == 1
        else rf"{whole(by_size[combinations])} \times {whole(combinations)}"
        for combinations in ordered
    )
    mean = Fraction(total, number)
    step = step_of(
        "ambiguity.working.mean",
        lines(
            rf"\bar c &= \frac{{{abbreviated(terms, len(ordered))}}}{{{whole(number)}}}",
            rf"&= \frac{{{whole(total)}}}{{{whole(number)}}}",
            rf"&{_comes_to(mean)}",
        ),
        table=tabulated(
            text("ambiguity.working.mean_columns"),
            ((f"{combinations:,}", by_size[combinations]) for combinations in ordered),
            len(ordered),
        ),
        number=_as_float(mean),
        records=number,
    )
    return step, mean, number


def _as_float(number: Fraction) -> float:
    try:
        return float(number)
    except OverflowError:
        return inf


def _comes_to(number: Fraction) -> str:
    return equals(number) if _as_float(number) < 1e300 else rf"\approx {whole(int(number))}"


def _score_step(mean: Fraction, domain: int, sizes: list[int]) -> Step:
    title = text("working.score_title")
    product = abbreviated(map(whole, sizes), len(sizes), TIMES)
    if domain == 1:
        return Step(title, text("ambiguity.working.one_value"), "1", number=1.0)
    score = 1 - (mean - 1) / (domain - 1)
    whole_domain = rf"{product} = {whole(domain)}" if len(sizes) > 1 else product
    return Step(
        title,
        text("ambiguity.working.score"),
        lines(
            rf"|D| &= {whole_domain}",
            rf"1 - \frac{{\bar c - 1}}{{|D| - 1}} &= 1 - \frac{{{_short(mean)} - 1}}{{{whole(domain)} - 1}}",
            rf"&{approx(float(score))}",
        ),
        number=float(score),
    )


def _short(mean: Fraction) -> str:
    if _as_float(mean) >= 1e300:
        return whole(int(mean))
    return fraction(mean) if mean.denominator < 1000 else rounded(float(mean))


def derive(result: Any, aggregates: Aggregates, parameters: Parameters, subject: Subject) -> tuple[Step, ...]:
    """What each cell covers, the product, the mean over records, the score."""
    coverage_of = coverages(aggregates)
    sizes = [coverage.size for coverage in coverage_of.values()]
    cells, product, own_combinations = _record_steps(aggregates, coverage_of, subject.index)
    mean_step, mean, _ = _mean_step(*_combinations(aggregates, coverage_of, prod(sizes)), own_combinations)
    return (cells, product, mean_step, _score_step(mean, prod(sizes), sizes))


WORKING = Derivation(Unit.RECORD, None, derive)
