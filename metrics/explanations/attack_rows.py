"""The attackers side by side: for how many people each has an answer, how often it is right, and guessing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from metrics.attacks.guessing.inferred_attributes import AttributeInference
from metrics.attacks.rates import RatedAttack, rows_of
from metrics.explanations.ignoring_changes import successes_ignoring_changes
from metrics.scoring.scorecard import Scorecard
from metrics.texts import text

_ATTACKS = ("attribute_inference_attack", "record_linkage_attack", "people_linkage_attack", "linkability_attack")


@dataclass(frozen=True)
class AttackRow:
    """One attacker; the figures are shares."""

    attacker: str
    answered: float
    """Share of people for whom the attacker has an answer."""
    right: float
    """Share of these for whom it is right."""
    guessing: float | None = None
    """Share of these for whom guessing is right; None where it is not measured."""


def attack_rows(card: Scorecard) -> tuple[AttackRow, ...]:
    """Compare the attackers who infer the most exposed attribute, and those who look for records of people.

    Parameters
    ----------
    card : Scorecard
        Scores of one candidate.

    Returns
    -------
    tuple of AttackRow
        Empty if none of these attacks was computed. Attackers who ignore changed columns are among them where they
        succeed more often.
    """
    ignored_columns, ignoring = successes_ignoring_changes(card)
    rows: list[AttackRow] = []
    for metric_id in _ATTACKS:
        score = card[metric_id]
        if not isinstance(score.result, RatedAttack):
            continue
        rows += _rows(score.metric.title, score.result)
        if metric_id in ignoring:
            result = ignoring[metric_id]
            name = text("attack.row.ignoring", row=_name(score.metric.title, result), columns=ignored_columns)
            rate = result.class_unknown
            rows += [AttackRow(name, 1.0, rate.value, rate.baseline), *_certain(name, result)]
    return tuple(rows)


def _rows(title: str, result: RatedAttack) -> Iterator[AttackRow]:
    """The basic attacker, those who succeed noticeably more often, and where all candidates agree."""
    name, people = _name(title, result), result.basic_rate.attempts
    for row, rate in rows_of(name, result.basic_rate, result.stronger).items():
        yield AttackRow(row, rate.attempts / people if people else 0.0, rate.value, rate.baseline)
    yield from _certain(name, result)


def _name(title: str, result: RatedAttack) -> str:
    if not isinstance(result, AttributeInference):
        return title
    return text("attack.row.inference", column=result.described(result.most_exposed))


def _certain(name: str, result: RatedAttack) -> Iterator[AttackRow]:
    """The people whose candidate records all have one value, for an attacker who excludes suppressed records."""
    if not isinstance(result, AttributeInference):
        return
    excluding = result.suppressed_ruled_out
    guess = (excluding or result).inferred[result.most_exposed]
    certain = guess.certain + guess.misled
    if certain:
        row = name if excluding is None else text("attack.row.suppressed_excluded", row=name)
        yield AttackRow(text("attack.row.certain", row=row), certain, guess.certain / certain)
