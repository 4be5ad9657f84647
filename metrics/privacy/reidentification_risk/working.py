"""Re-identification risk, step by step."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.formatting import format_number, six_digits
from metrics.privacy.classes.compatible_records import compatible_weights
from metrics.privacy.k_anonymity.working import decisive_class
from metrics.privacy.population.individual_risk import IndividualRisk
from metrics.privacy.population.population_classes import population_classes
from metrics.tables.table import Integers
from metrics.texts import text
from metrics.working.latex import approx, equals, lines, rounded, value_of, whole
from metrics.working.steps import Derivation, Step, StepTable, Subject, Unit, class_name, class_size, step_of, tabulated

if TYPE_CHECKING:
    from metrics.privacy.reidentification_risk.measure import ReidentificationRisk, RiskSummary


def derive(
    result: ReidentificationRisk, aggregates: Aggregates, parameters: Parameters, subject: Subject
) -> tuple[Step, ...]:
    """The class's own risks, how they spread over all records, then the highest."""
    sizes, group_sizes, index = result.sizes, result.people, subject.index
    n_records, own_size = int(sizes.sum()), int(group_sizes[index])
    steps = [_own_step(aggregates, index, own_size, result.compatible is not None)]
    if result.journalist is not None:
        population_sizes = population_classes(aggregates).sizes
        steps.append(_journalist_step(int(population_sizes[index]), int(population_sizes.min()), result.journalist))
    own_weights = aggregates.class_weights
    if result.individual is not None and own_weights is not None:
        weights = compatible_weights(aggregates, parameters.classes, own_weights)
        steps.append(
            _individual_step(
                own_size, float(weights[index]), index, result.individual, wildcards=result.compatible is not None
            )
        )
    n_at_risk = int(sizes[1 / group_sizes > result.threshold].sum())
    steps += [
        _average_step(result, n_records),
        step_of(
            "reidentification_risk.working.at_risk",
            rf"\frac{{{whole(n_at_risk)}}}{{{whole(n_records)}}} {equals(Fraction(n_at_risk, n_records))}",
            table=_risks(group_sizes, sizes, result.compatible is not None),
            number=n_at_risk / n_records,
            threshold=result.threshold,
            at_risk=n_at_risk,
            records=n_records,
        ),
        _highest_step(int(group_sizes.min()), result.compatible is not None),
    ]
    return tuple(steps)


def _own_step(aggregates: Aggregates, index: int, group_size: int, wildcards: bool) -> Step:
    """The risk of a record of one class."""
    name, size = class_name(aggregates, index), class_size(aggregates, index)
    return Step(
        text("reidentification_risk.working.record_title"),
        text("reidentification_risk.working.compatible_record", name=name, size=size, compatible=group_size)
        if wildcards
        else text("reidentification_risk.working.record", name=name, size=size),
        rf"\frac{{1}}{{{'n' if wildcards else '|E|'}}} = {value_of(Fraction(1, group_size))}",
        number=1 / group_size,
    )


def _highest_step(fewest: int, wildcards: bool) -> Step:
    """The risk of the records with the fewest others to be confused with."""
    highest = value_of(Fraction(1, fewest))
    if wildcards:
        return Step(
            text("working.smallest_number_title"),
            text("reidentification_risk.working.fewest"),
            lines(r"\max_E \frac{1}{n} &= \frac{1}{\min_E n}", rf"&= {highest}"),
            number=1 / fewest,
        )
    return Step(
        text("working.smallest_class_title"),
        text("reidentification_risk.working.smallest"),
        lines(r"\max_E \frac{1}{|E|} &= \frac{1}{\min_E |E|}", rf"&= {highest}"),
        number=1 / fewest,
    )


def _average_step(result: ReidentificationRisk, n_records: int) -> Step:
    """The mean risk of all records."""
    title = text("reidentification_risk.working.average_title")
    if result.compatible is not None:
        sentence = text("reidentification_risk.working.compatible_average", records=n_records)
        return Step(title, sentence, approx(result.marketer), number=result.marketer)
    classes = len(result.sizes)
    return Step(
        title,
        text("reidentification_risk.working.average", records=n_records, classes=classes),
        rf"\frac{{K}}{{N}} = \frac{{{whole(classes)}}}{{{whole(n_records)}}} {equals(Fraction(classes, n_records))}",
        number=classes / n_records,
    )


def _journalist_step(people: int, smallest: int, journalist: RiskSummary) -> Step:
    return step_of(
        "reidentification_risk.working.population",
        lines(
            rf"\frac{{1}}{{F_E}} &= {value_of(Fraction(1, people))}",
            rf"\max_E \frac{{1}}{{F_E}} &= {value_of(Fraction(1, smallest))}",
        ),
        number=1 / people,
        people=people,
        smallest=smallest,
        average=journalist.average,
    )


def _individual_step(size: int, weight: float, index: int, individual: IndividualRisk, *, wildcards: bool) -> Step:
    p, risk = min(size / weight, 1.0), float(individual.per_class[index])
    people, expected = six_digits(weight), format_number(individual.expected)
    sentence = text("reidentification_risk.working.weights", records=size, people=people, expected=expected)
    if wildcards:
        sentence = text(
            "reidentification_risk.working.compatible_weights", records=size, people=people, expected=expected
        )
    formula = {
        1: r"r &= \frac{p}{1 - p} \ln \frac{1}{p}",
        2: r"r &= \frac{p}{1 - p} - \left(\frac{p}{1 - p}\right)^2 \ln \frac{1}{p}",
    }.get(size, r"r &= \frac{p^f}{f} \cdot {}_2F_1(f, f; f + 1; 1 - p)")
    return Step(
        text("reidentification_risk.working.weights_title"),
        sentence,
        lines(
            rf"p &= \frac{{{whole(size)}}}{{{rounded(weight)}}} {approx(p)}",
            formula if p < 1 else r"r &= \frac{1}{f}",
            rf"&{approx(risk)}",
        ),
        number=risk,
    )


def _risks(group_sizes: Integers, sizes: Integers, wildcards: bool) -> StepTable:
    headings = (
        text("reidentification_risk.working.compatible_columns")
        if wildcards
        else text("reidentification_risk.working.risks_columns")
    )
    distinct_sizes, positions = np.unique(group_sizes, return_inverse=True)
    records = np.bincount(positions, weights=sizes).astype(np.int64)
    rows = ((size, 1 / size, count) for size, count in zip(distinct_sizes.tolist(), records.tolist(), strict=True))
    return tabulated(headings, rows, len(distinct_sizes))


WORKING = Derivation(Unit.CLASS, None, derive, decisive_class)
