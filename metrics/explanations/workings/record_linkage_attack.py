"""The record linkage attack, step by step: one person, the candidates and the probability, then all targets."""

from __future__ import annotations

from fractions import Fraction

from metrics.attacks.record_linkage import RecordLinkage
from metrics.explanations.workings.attack_targets import Target, first_target, no_target, target_of
from metrics.explanations.workings.latex import about, rounded, whole, worth
from metrics.explanations.workings.steps import Derivation, Step, Subject, Unit, Working
from metrics.scoring.scorecard import Scorecard
from metrics.wording import pluralize


def derive(card: Scorecard, subject: Subject) -> Working:
    """The known values, the candidates, the probability of success, the mean over all. Raises Unavailable."""
    name, target = target_of(card, "record_linkage_attack", subject.index)
    result = card["record_linkage_attack"].result
    assert isinstance(result, RecordLinkage)
    rate = result.rate
    steps = [no_target(name)] if target is None else _person(target)
    steps.append(
        Step(
            "All targets",
            f"The success rate is the mean of this probability over {pluralize(rate.attempts, 'target')}.",
            rf"\frac{{{rounded(rate.successes)}}}{{{whole(rate.attempts)}}} {about(rate.value)}",
            number=rate.value,
        )
    )
    return Working("record_linkage_attack", name, tuple(steps))


def _person(target: Target) -> list[Step]:
    candidates, number = target.candidates_step(target.of.known)
    sets, batch, _ = target.candidates(target.of.known)
    own = sets.released.members[target.of.own].astype("int64")
    among = bool(batch.contains(own, sets.released)[0])
    probability = Fraction(int(among), number)
    sentence = (
        f"The person's own record is one of {pluralize(number, 'candidate')}. The attacker chooses one at random."
        if among
        else "The person's own record is not among the candidates, so the attacker does not find it."
    )
    return [
        target.known_step(),
        candidates,
        Step("The probability for this person", sentence, rf"p = {worth(probability)}", number=float(probability)),
    ]


RECORD_LINKAGE_ATTACK = Derivation(Unit.RECORD, None, derive, first_target)
