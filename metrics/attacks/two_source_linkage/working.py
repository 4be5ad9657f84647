"""The linkability attack, step by step: one person, the possible records by each half of the knowledge, all targets."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from metrics.aggregates import Aggregates
from metrics.attacks.target_in_working import Target, first_target, no_target, target_of
from metrics.config.parameters import Parameters
from metrics.texts import text
from metrics.working.latex import TIMES, approx, rounded, value_of, whole
from metrics.working.steps import Derivation, Step, Subject, Unit, step_of

if TYPE_CHECKING:
    from metrics.attacks.two_source_linkage.measure import TwoSourceLinkage


def derive(
    result: TwoSourceLinkage, aggregates: Aggregates, parameters: Parameters, subject: Subject
) -> tuple[Step, ...]:
    """The possible records by both halves, those in common, the mean over all."""
    name, target = target_of(aggregates, parameters, subject.index)
    rate = result.rate
    steps = [no_target(name)] if target is None else _person(target, result)
    steps.append(
        step_of(
            "attack.working.targets",
            rf"\frac{{{rounded(rate.successes)}}}{{{whole(rate.attempts)}}} {approx(rate.value)}",
            number=rate.value,
            targets=rate.attempts,
        )
    )
    return tuple(steps)


def _person(target: Target, result: TwoSourceLinkage) -> list[Step]:
    titles = (
        text("two_source_linkage_attack.working.first_title"),
        text("two_source_linkage_attack.working.second_title"),
    )
    (first, n_first), (second, n_second) = map(target.possible_records_step, result.halves, titles)
    records = []
    for half in result.halves:
        sets, batch, _ = target.possible_records(half)
        combinations = set(batch.combination.tolist())
        records.append(
            {record for record, combination in enumerate(sets.released.members.tolist()) if combination in combinations}
        )
    n_common = len(records[0] & records[1])
    probability = Fraction(n_common, n_first * n_second)
    return [
        target.known_step(),
        first,
        second,
        step_of(
            "two_source_linkage_attack.working.same",
            rf"\frac{{{whole(n_common)}}}{{{whole(n_first)} {TIMES} {whole(n_second)}}} = {value_of(probability)}",
            number=float(probability),
            records=n_common,
        ),
    ]


WORKING = Derivation(Unit.RECORD, None, derive, first_target)
