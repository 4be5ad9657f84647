"""Re-identification risk, step by step."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from metrics.explanations.workings.k_anonymity import smallest_class
from metrics.explanations.workings.latex import approx, equals, lines, rounded, value_of, whole
from metrics.explanations.workings.steps import (
    Derivation,
    Step,
    StepTable,
    Subject,
    Unit,
    Working,
    class_name,
    class_size,
    finished,
    tabulated,
)
from metrics.privacy.individual_risk import IndividualRisk
from metrics.privacy.population import population_classes
from metrics.privacy.reidentification_risk import ReidentificationRisk, RiskSummary
from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import Integers
from metrics.texts import text


def derive(card: Scorecard, subject: Subject) -> Working:
    """The class's own risks, how they spread over all records, then the highest. Raises Unavailable."""
    finished(card, "reidentification_risk")
    result = card["reidentification_risk"].result
    assert isinstance(result, ReidentificationRisk)
    sizes, people, index = result.sizes, result.people, subject.index
    kept, own = int(sizes.sum()), int(people[index])
    steps = [_own_step(card, index, own, result.compatible is not None)]
    if result.journalist is not None:
        covered = population_classes(card.aggregates).sizes
        steps.append(_journalist_step(int(covered[index]), int(covered.min()), result.journalist))
    if result.individual is not None and card.aggregates.class_weights is not None:
        steps.append(
            _individual_step(int(sizes[index]), float(card.aggregates.class_weights[index]), index, result.individual)
        )
    at_risk = int(sizes[1 / people > result.threshold].sum())
    steps += [
        _average_step(result, kept),
        Step(
            text("reidentification_risk.working.at_risk_title"),
            text("reidentification_risk.working.at_risk", threshold=result.threshold, at_risk=at_risk, records=kept),
            rf"\frac{{{whole(at_risk)}}}{{{whole(kept)}}} {equals(Fraction(at_risk, kept))}",
            _risks(people, sizes, result.compatible is not None),
            at_risk / kept,
        ),
        _highest_step(int(people.min()), result.compatible is not None),
    ]
    return Working("reidentification_risk", class_name(card, index), tuple(steps))


def _own_step(card: Scorecard, index: int, own: int, wildcards: bool) -> Step:
    """The risk of a record of one class."""
    name, size = class_name(card, index), class_size(card, index)
    return Step(
        text("reidentification_risk.working.record_title"),
        text("reidentification_risk.working.compatible_record", name=name, size=size, compatible=own)
        if wildcards
        else text("reidentification_risk.working.record", name=name, size=size),
        rf"\frac{{1}}{{{'n' if wildcards else '|E|'}}} = {value_of(Fraction(1, own))}",
        number=1 / own,
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


def _average_step(result: ReidentificationRisk, kept: int) -> Step:
    """The mean risk of all records."""
    title = text("reidentification_risk.working.average_title")
    if result.compatible is not None:
        sentence = text("reidentification_risk.working.compatible_average", records=kept)
        return Step(title, sentence, approx(result.marketer), number=result.marketer)
    classes = len(result.sizes)
    return Step(
        title,
        text("reidentification_risk.working.average", records=kept, classes=classes),
        rf"\frac{{K}}{{N}} = \frac{{{whole(classes)}}}{{{whole(kept)}}} {equals(Fraction(classes, kept))}",
        number=classes / kept,
    )


def _journalist_step(own: int, smallest: int, journalist: RiskSummary) -> Step:
    return Step(
        text("reidentification_risk.working.population_title"),
        text("reidentification_risk.working.population", people=own, smallest=smallest, average=journalist.average),
        lines(
            rf"\frac{{1}}{{F_E}} &= {value_of(Fraction(1, own))}",
            rf"\max_E \frac{{1}}{{F_E}} &= {value_of(Fraction(1, smallest))}",
        ),
        number=1 / own,
    )


def _individual_step(own: int, weight: float, index: int, individual: IndividualRisk) -> Step:
    p, risk = min(own / weight, 1.0), float(individual.per_class[index])
    formula = {
        1: r"r &= \frac{p}{1 - p} \ln \frac{1}{p}",
        2: r"r &= \frac{p}{1 - p} - \left(\frac{p}{1 - p}\right)^2 \ln \frac{1}{p}",
    }.get(own, r"r &= \frac{p^f}{f} \cdot {}_2F_1(f, f; f + 1; 1 - p)")
    return Step(
        text("reidentification_risk.working.weights_title"),
        text(
            "reidentification_risk.working.weights",
            records=own,
            people=f"{weight:,.6g}",
            expected=f"{individual.expected:,.4g}",
        ),
        lines(
            rf"p &= \frac{{{whole(own)}}}{{{rounded(weight)}}} {approx(p)}",
            formula if p < 1 else r"r &= \frac{1}{f}",
            rf"&{approx(risk)}",
        ),
        number=risk,
    )


def _risks(people: Integers, sizes: Integers, wildcards: bool) -> StepTable:
    headings = (
        text("reidentification_risk.working.compatible_columns")
        if wildcards
        else text("reidentification_risk.working.risks_columns")
    )
    different, place = np.unique(people, return_inverse=True)
    records = np.bincount(place, weights=sizes).astype(np.int64)
    rows = ((number, 1 / number, held) for number, held in zip(different.tolist(), records.tolist(), strict=True))
    return tabulated(headings, rows, len(different))


REIDENTIFICATION_RISK = Derivation(Unit.CLASS, None, derive, smallest_class)
