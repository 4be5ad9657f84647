"""(α,k)-anonymity, step by step."""

from __future__ import annotations

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.explanations.workings.groups import deciding_shares
from metrics.explanations.workings.l_diversity import values_step
from metrics.explanations.workings.latex import COMMA, abbreviated, fraction, lines, value_of
from metrics.explanations.workings.steps import (
    Attribute,
    Derivation,
    Step,
    Subject,
    Unit,
    short_label,
    step_of,
)
from metrics.explanations.workings.worst import worst_class, worst_step
from metrics.privacy.alpha_k_anonymity import AlphaKAnonymity


def derive(
    result: AlphaKAnonymity, aggregates: Aggregates, parameters: Parameters, subject: Subject
) -> tuple[Step, ...]:
    """The class's values, the most frequent of them, the worst class."""
    class_shares = deciding_shares(aggregates, subject, result.judgement)
    positions = class_shares.present
    largest = class_shares.share(positions[0])
    shares = abbreviated((fraction(class_shares.share(i)) for i in positions), len(positions), COMMA)
    guess = step_of(
        "alpha_k_anonymity.working.guess",
        lines(r"\alpha &= \max_s p_s", rf"&= \max({shares})", rf"&= {value_of(largest)}"),
        number=float(largest),
        column=short_label(subject.column),
        value=short_label(class_shares.labels[positions[0]]),
    )
    last = worst_step(aggregates, subject, float(largest), result.per_class, r"\alpha", largest=True)
    return (values_step(aggregates, subject, class_shares), guess, last)


ALPHA_K_ANONYMITY = Derivation(Unit.CLASS, Attribute.SENSITIVE, derive, worst_class(largest=True))
