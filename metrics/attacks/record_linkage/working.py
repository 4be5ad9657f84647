"""The record linkage attack, step by step: one person, the possible records and the probability, then all targets."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from metrics.aggregates import Aggregates
from metrics.attacks.target_in_working import Target, first_target, no_target, target_of
from metrics.config.parameters import Parameters
from metrics.texts import text
from metrics.working.latex import approx, rounded, value_of, whole
from metrics.working.steps import Derivation, Step, Subject, Unit

if TYPE_CHECKING:
    from metrics.attacks.record_linkage.measure import RecordLinkage


def derive(result: RecordLinkage, aggregates: Aggregates, parameters: Parameters, subject: Subject) -> tuple[Step, ...]:
    """The known values, the possible records, the probability of success, the mean over all."""
    name, target = target_of(aggregates, parameters, subject.index)
    rate = result.rate
    steps = [no_target(name)] if target is None else _person(target)
    steps.append(
        Step(
            text("attack.working.targets_title"),
            text("record_linkage_attack.working.targets", targets=rate.attempts),
            rf"\frac{{{rounded(rate.successes)}}}{{{whole(rate.attempts)}}} {approx(rate.value)}",
            number=rate.value,
        )
    )
    return tuple(steps)


def _person(target: Target) -> list[Step]:
    possible_records, n_possible = target.possible_records_step(target.scenario.known)
    sets, batch, _ = target.possible_records(target.scenario.known)
    own_combination = sets.released.members[target.scenario.own].astype("int64")
    is_possible = bool(batch.contains(own_combination, sets.released)[0])
    probability = Fraction(int(is_possible), n_possible)
    sentence = (
        text("record_linkage_attack.working.among", possible_records=n_possible)
        if is_possible
        else text("record_linkage_attack.working.not_among")
    )
    title = text("record_linkage_attack.working.probability_title")
    return [
        target.known_step(),
        possible_records,
        Step(title, sentence, rf"p = {value_of(probability)}", number=float(probability)),
    ]


WORKING = Derivation(Unit.RECORD, None, derive, first_target)
