"""The membership attack, step by step: one person, the matching records, then both shares."""

from __future__ import annotations

from metrics.attacks.membership import Membership
from metrics.explanations.workings.attack_targets import first_target, no_target, target_of
from metrics.explanations.workings.latex import about, rounded
from metrics.explanations.workings.steps import Derivation, Step, Subject, Unit, Working
from metrics.scoring.scorecard import Scorecard


def derive(card: Scorecard, subject: Subject) -> Working:
    """Whether a released record covers the person, the share of targets and of others. Raises Unavailable."""
    name, target = target_of(card, "membership_attack", subject.index)
    result = card["membership_attack"].result
    assert isinstance(result, Membership)
    steps = (
        [no_target(name)]
        if target is None
        else [target.known_step(), target.candidates_step(result.known, "The matching records")[0]]
    )
    steps += [
        Step(
            "People in the table",
            "The share of targets who match at least one anonymized record.",
            about(result.targets),
            number=result.targets,
        ),
        Step(
            "People who are not in it",
            "The same share of the people in the hold-out table.",
            about(result.holdout),
            number=result.holdout,
        ),
        Step(
            "The difference",
            "How much more often people in the table match an anonymized record.",
            rf"{rounded(result.targets)} - {rounded(result.holdout)} {about(result.value)}",
            number=result.value,
        ),
    ]
    return Working("membership_attack", name, tuple(steps))


MEMBERSHIP_ATTACK = Derivation(Unit.RECORD, None, derive, first_target)
