"""Re-identification risk, step by step."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from metrics.privacy.individual_risk import IndividualRisk
from metrics.privacy.population import population_classes
from metrics.privacy.reidentification_risk import ReidentificationRisk, RiskSummary
from metrics.scorecard import Scorecard
from metrics.table import Integers
from metrics.wording import counted
from metrics.working.k_anonymity import smallest_class
from metrics.working.latex import about, comes_to, lines, rounded, whole, worth
from metrics.working.steps import (
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


def derive(card: Scorecard, subject: Subject) -> Working:
    """The class's own risks, how they spread over all records, then the highest. Raises Unavailable."""
    finished(card, "reidentification_risk")
    result = card["reidentification_risk"].result
    assert isinstance(result, ReidentificationRisk)
    sizes, index = result.sizes, subject.index
    kept, own = int(sizes.sum()), int(sizes[index])
    steps = [
        Step(
            "The risk of one record",
            f"The class {class_name(card, index)} has {class_size(card, index)}. Whoever looks for somebody known to "
            "be in it has one chance in as many.",
            rf"\frac{{1}}{{|E|}} = {worth(Fraction(1, own))}",
            number=1 / own,
        )
    ]
    if result.journalist is not None:
        covered = population_classes(card.evidence).sizes
        steps.append(_journalist_step(int(covered[index]), int(covered.min()), result.journalist))
    if result.individual is not None and card.evidence.class_weights is not None:
        steps.append(_individual_step(own, float(card.evidence.class_weights[index]), index, result.individual))
    at_risk = int(sizes[1 / sizes > result.threshold].sum())
    steps += [
        Step(
            "The average record",
            f"Whoever assigns each of the {counted(kept, 'record')} to somebody of its class is right once per class, "
            f"and there {'is' if len(sizes) == 1 else 'are'} {counted(len(sizes), 'class', 'classes')}.",
            rf"\frac{{K}}{{N}} = \frac{{{whole(len(sizes))}}}{{{whole(kept)}}} {comes_to(Fraction(len(sizes), kept))}",
            number=len(sizes) / kept,
        ),
        Step(
            "The records at risk",
            f"A record is at risk if its own risk is above the threshold of {result.threshold:g}: so "
            f"{'is' if at_risk == 1 else 'are'} {at_risk:,} of {counted(kept, 'record')}.",
            rf"\frac{{{whole(at_risk)}}}{{{whole(kept)}}} {comes_to(Fraction(at_risk, kept))}",
            _risks(sizes),
            at_risk / kept,
        ),
        Step(
            "The smallest class decides",
            "The highest risk is that of the smallest class.",
            lines(
                r"\max_E \frac{1}{|E|} &= \frac{1}{\min_E |E|}",
                rf"&= {worth(Fraction(1, int(sizes.min())))}",
            ),
            number=1 / int(sizes.min()),
        ),
    ]
    return Working("reidentification_risk", class_name(card, index), tuple(steps))


def _journalist_step(own: int, smallest: int, journalist: RiskSummary) -> Step:
    return Step(
        "Within the population",
        f"Who does not know whether somebody is in the table has to choose among the {counted(own, 'record')} of the "
        f"population that fit the class; where fewest fit, it is one of {smallest:,}. The average over all records is "
        f"{journalist.average:.4g}.",
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
        f"The weights say that the class's {counted(own, 'record')} (f) stand for {weight:,.6g} people. The risk is "
        f"the expected share of one record among them. Over all records {individual.expected:,.4g} are expected to be "
        "found.",
        lines(
            rf"p &= \frac{{{whole(own)}}}{{{rounded(weight)}}} {about(p)}",
            formula if p < 1 else r"r &= \frac{1}{f}",
            rf"&{about(risk)}",
        ),
        number=risk,
    )


def _risks(sizes: Integers) -> StepTable:
    different, counts = np.unique(sizes, return_counts=True)
    rows = ((size, 1 / size, size * classes) for size, classes in zip(different.tolist(), counts.tolist(), strict=True))
    return tabulated(("records in a class", "risk", "records"), rows, len(different))


REIDENTIFICATION_RISK = Derivation(Unit.CLASS, None, derive, smallest_class)
