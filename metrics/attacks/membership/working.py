"""The membership attack, step by step: one person, the matching records, then both shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics.aggregates import Aggregates
from metrics.attacks.target_in_working import first_target, no_target, target_of
from metrics.config.parameters import Parameters
from metrics.texts import text
from metrics.working.latex import approx, rounded
from metrics.working.steps import Derivation, Step, Subject, Unit, step_of

if TYPE_CHECKING:
    from metrics.attacks.membership.measure import Membership


def derive(result: Membership, aggregates: Aggregates, parameters: Parameters, subject: Subject) -> tuple[Step, ...]:
    """Whether a released record covers the person, the share of targets and of others."""
    name, target = target_of(aggregates, parameters, subject.index)
    steps = (
        [no_target(name)]
        if target is None
        else [
            target.known_step(),
            target.possible_records_step(result.known, text("membership_attack.working.matching_title"))[0],
        ]
    )
    steps += [
        step_of("membership_attack.working.inside", approx(result.targets), number=result.targets),
        step_of("membership_attack.working.outside", approx(result.holdout), number=result.holdout),
        step_of(
            "membership_attack.working.difference",
            rf"{rounded(result.targets)} - {rounded(result.holdout)} {approx(result.value)}",
            number=result.value,
        ),
    ]
    return tuple(steps)


WORKING = Derivation(Unit.RECORD, None, derive, first_target)
