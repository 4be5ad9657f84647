"""The attackers side by side: for how many people each has an answer, how often it is right, and guessing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from metrics.attacks.rates import RatedAttack, rows_of
from metrics.explanations.attack_questions import ATTACKS_BY_QUESTION
from metrics.explanations.ignoring_changes import successes_ignoring_changes
from metrics.scoring.scorecard import Scorecard
from metrics.texts import text

_ATTACKS = (*ATTACKS_BY_QUESTION["inference"], *ATTACKS_BY_QUESTION["linkability"])


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
        if score.attack is None:
            continue
        rows += _rows(score.metric.title, score.attack)
        if metric_id in ignoring:
            result = ignoring[metric_id]
            name = text("attack.row.ignoring", row=result.row_name(score.metric.title), columns=ignored_columns)
            rate = result.class_unknown
            rows += [AttackRow(name, 1.0, rate.value, rate.baseline), *_certain(name, result)]
    return tuple(rows)


def _rows(title: str, result: RatedAttack) -> Iterator[AttackRow]:
    """The basic attacker, those who succeed noticeably more often, and where all candidates agree."""
    name, people = result.row_name(title), result.basic_rate.attempts
    for row, rate in rows_of(name, result.basic_rate, result.stronger).items():
        yield AttackRow(row, rate.attempts / people if people else 0.0, rate.value, rate.baseline)
    yield from _certain(name, result)


def _certain(name: str, result: RatedAttack) -> Iterator[AttackRow]:
    """The people whose candidate records all have one value, for an attacker who excludes suppressed records."""
    certain = result.certain_answers
    if certain is not None:
        row = text("attack.row.suppressed_excluded", row=name) if certain.excluding else name
        yield AttackRow(text("attack.row.certain", row=row), certain.share, certain.right)
