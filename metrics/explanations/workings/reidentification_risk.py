"""Re-identification risk, step by step."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from metrics.explanations.workings.k_anonymity import smallest_class
from metrics.explanations.workings.latex import about, comes_to, lines, rounded, whole, worth
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
from metrics.wording import percent, pluralize


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
            "The records at risk",
            f"A record is at risk if its risk exceeds the threshold ({percent(result.threshold)}). This holds for "
            f"{at_risk:,} of {pluralize(kept, 'record')}.",
            rf"\frac{{{whole(at_risk)}}}{{{whole(kept)}}} {comes_to(Fraction(at_risk, kept))}",
            _risks(people, sizes, "records in a class" if result.compatible is None else "compatible records"),
            at_risk / kept,
        ),
        _highest_step(int(people.min()), result.compatible is not None),
    ]
    return Working("reidentification_risk", class_name(card, index), tuple(steps))


def _own_step(card: Scorecard, index: int, own: int, wildcards: bool) -> Step:
    """The risk of a record of one class."""
    size = f"The class {class_name(card, index)} has {pluralize(class_size(card, index), 'record')}. "
    if wildcards:
        sentence = (
            f"{pluralize(own, 'record is', 'records are')} compatible with it, as suppressed or missing cells can be "
            "any value. An attacker who looks for a person known to be among them finds the record with a probability "
            "of 1 over their number."
        )
    else:
        sentence = (
            "An attacker who looks for a person known to be in it finds the record with a probability of 1 over its "
            "size."
        )
    symbol = "n" if wildcards else "|E|"
    formula = rf"\frac{{1}}{{{symbol}}} = {worth(Fraction(1, own))}"
    return Step("The risk of one record", size + sentence, formula, number=1 / own)


def _highest_step(fewest: int, wildcards: bool) -> Step:
    """The risk of the records with the fewest others to be confused with."""
    highest = worth(Fraction(1, fewest))
    if wildcards:
        return Step(
            "The smallest number decides",
            "The highest risk is that of the class with the fewest compatible records.",
            lines(r"\max_E \frac{1}{n} &= \frac{1}{\min_E n}", rf"&= {highest}"),
            number=1 / fewest,
        )
    return Step(
        "The smallest class decides",
        "The highest risk is that of the smallest class.",
        lines(r"\max_E \frac{1}{|E|} &= \frac{1}{\min_E |E|}", rf"&= {highest}"),
        number=1 / fewest,
    )


def _average_step(result: ReidentificationRisk, kept: int) -> Step:
    """The mean risk of all records."""
    if result.compatible is not None:
        return Step(
            "The average record",
            f"The marketer risk is the mean of the risks of {pluralize(kept, 'record')}.",
            about(result.marketer),
            number=result.marketer,
        )
    classes = len(result.sizes)
    return Step(
        "The average record",
        f"An attacker who assigns each of the {pluralize(kept, 'record')} to a person of its class is correct once per "
        f"class on average; there {'is' if classes == 1 else 'are'} {pluralize(classes, 'class', 'classes')}.",
        rf"\frac{{K}}{{N}} = \frac{{{whole(classes)}}}{{{whole(kept)}}} {comes_to(Fraction(classes, kept))}",
        number=classes / kept,
    )


def _journalist_step(own: int, smallest: int, journalist: RiskSummary) -> Step:
    return Step(
        "Within the population",
        "An attacker who does not know whether a person is in the table has to choose among "
        f"{pluralize(own, 'record')} of the population that match the class; in the smallest such set, among "
        f"{smallest:,}. The average over all records is {percent(journalist.average)}.",
        lines(
            rf"\frac{{1}}{{F_E}} &= {worth(Fraction(1, own))}",
            rf"\max_E \frac{{1}}{{F_E}} &= {worth(Fraction(1, smallest))}",
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
        "By the survey weights",
        f"According to the weights, the class's {pluralize(own, 'record')} (f) represent {weight:,.6g} people. "
        f"The risk is the expected share of one record among them. Over all records, {individual.expected:,.4g} "
        "re-identifications are expected.",
        lines(
            rf"p &= \frac{{{whole(own)}}}{{{rounded(weight)}}} {about(p)}",
            formula if p < 1 else r"r &= \frac{1}{f}",
            rf"&{about(risk)}",
        ),
        number=risk,
    )


def _risks(people: Integers, sizes: Integers, heading: str) -> StepTable:
    different, place = np.unique(people, return_inverse=True)
    records = np.bincount(place, weights=sizes).astype(np.int64)
    rows = ((number, 1 / number, held) for number, held in zip(different.tolist(), records.tolist(), strict=True))
    return tabulated((heading, "risk", "records"), rows, len(different))


REIDENTIFICATION_RISK = Derivation(Unit.CLASS, None, derive, smallest_class)
