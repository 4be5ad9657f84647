"""(α,k)-anonymity, step by step."""

from __future__ import annotations

from metrics.privacy.alpha_k_anonymity import AlphaKAnonymity
from metrics.scorecard import Scorecard
from metrics.working.groups import deciding_shares
from metrics.working.l_diversity import values_step
from metrics.working.latex import COMMA, abbreviated, fraction, lines, worth
from metrics.working.steps import Attribute, Derivation, Step, Subject, Unit, Working, brief, class_name, finished
from metrics.working.worst import worst_class, worst_step


def _result(card: Scorecard) -> AlphaKAnonymity:
    finished(card, "alpha_k_anonymity")
    result = card["alpha_k_anonymity"].result
    assert isinstance(result, AlphaKAnonymity)
    return result


def derive(card: Scorecard, subject: Subject) -> Working:
    """The class's values, the most frequent of them, the worst class. Raises Unavailable."""
    result = _result(card)
    of = deciding_shares(card, subject, result.judgement)
    present = of.present
    largest = of.share(present[0])
    shares = abbreviated((fraction(of.share(i)) for i in present), len(present), COMMA)
    guess = Step(
        "Guess the most frequent value",
        f"Whoever has to guess the {brief(subject.column)} of somebody in the class does best with "
        f"{brief(of.labels[present[0]])}, and is right as often as it occurs.",
        lines(r"\alpha &= \max_s p_s", rf"&= \max({shares})", rf"&= {worth(largest)}"),
        number=float(largest),
    )
    last = worst_step(card, subject, float(largest), result.per_class, r"\alpha", largest=True)
    steps = (values_step(card, subject, of), guess, last)
    return Working("alpha_k_anonymity", class_name(card, subject.index), steps)


def _decisive(card: Scorecard) -> Subject:
    return worst_class(_result(card).per_class, largest=True)


ALPHA_K_ANONYMITY = Derivation(Unit.CLASS, Attribute.SENSITIVE, derive, _decisive)
