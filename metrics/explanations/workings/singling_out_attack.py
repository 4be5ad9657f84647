"""The singling-out attack, step by step: the predicates by their columns, and how many match exactly one person."""

from __future__ import annotations

from metrics.attacks.singling_out import SinglingOut
from metrics.explanations.workings.latex import about, whole
from metrics.explanations.workings.steps import (
    Derivation,
    Step,
    Subject,
    Unit,
    Working,
    finished,
    short_label,
    tabulated,
)
from metrics.scoring.scorecard import Scorecard
from metrics.wording import pluralize


def derive(card: Scorecard, subject: Subject) -> Working:
    """Predicates and successes, class and value, the share. Raises Unavailable."""
    finished(card, "singling_out_attack")
    result = card["singling_out_attack"].result
    assert isinstance(result, SinglingOut)
    rate = result.rate
    kinds = [(name, tried, right) for name, (tried, right) in result.by_columns.items()]
    shares = [(short_label(name), share) for name, share in result.class_and_value.items()]
    successes = int(rate.successes)
    steps = [
        Step(
            "Descriptions that fit one anonymized record",
            f"{pluralize(rate.attempts, 'description')}, made of labels of random anonymized records, "
            f"{'fits' if rate.attempts == 1 else 'fit'} that record alone.",
            table=tabulated(("columns", "descriptions", "fit exactly one person"), kinds, len(kinds)),
            number=rate.attempts,
        ),
        Step(
            "Class and one sensitive value",
            "The share of anonymized records whose quasi-identifiers and one sensitive value fit no other "
            "anonymized record, but exactly one person.",
            table=tabulated(("sensitive attribute", "share of records"), shares, len(shares)),
        ),
    ]
    if rate.attempts:
        share = rf"\frac{{{whole(successes)}}}{{{whole(rate.attempts)}}} {about(rate.value)}"
        steps.append(
            Step(
                "The share that singles out a person",
                "The number of descriptions that fit exactly one person, divided by the number of descriptions.",
                share,
                number=rate.value,
            )
        )
    else:
        steps.append(
            Step(
                "Nobody is singled out",
                "No description fits a single anonymized record, so the share is 0.",
                about(0),
                number=0.0,
            )
        )
    return Working("singling_out_attack", "the whole table", tuple(steps))


def _decisive(card: Scorecard) -> Subject:
    finished(card, "singling_out_attack")
    return Subject(0)


SINGLING_OUT_ATTACK = Derivation(Unit.TABLE, None, derive, _decisive)
