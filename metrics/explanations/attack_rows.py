"""The attacks side by side: how often each succeeds, with the table, without it, and on people who are not in it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from metrics.aggregates import Aggregates
from metrics.aggregates.agreement import is_drawn
from metrics.attacks.attribute_inference.measure import ATTRIBUTE_INFERENCE_ATTACK
from metrics.attacks.guessing.inferred_attributes import AttributeInference
from metrics.attacks.learning.measure import LEARNING_ATTACK, LearningAttack
from metrics.attacks.membership.measure import MEMBERSHIP_ATTACK
from metrics.attacks.one_to_one_linkage import ONE_TO_ONE_LINKAGE
from metrics.attacks.rates import Attacker, RatedAttack, is_noticeably_higher, strongest_rows
from metrics.explanations.attack_questions import ATTACKS_BY_QUESTION
from metrics.explanations.ignoring_changes import successes_ignoring_changes
from metrics.formatting import visible
from metrics.metric import AttackRow
from metrics.scoring.scorecard import Score, Scorecard
from metrics.texts import text

ATTACKS = (
    *ATTACKS_BY_QUESTION["inference"],
    LEARNING_ATTACK.id,
    *ATTACKS_BY_QUESTION["linkability"],
    ONE_TO_ONE_LINKAGE.id,
    *ATTACKS_BY_QUESTION["singling_out"],
    MEMBERSHIP_ATTACK.id,
)
"""The attacks that are compared, in the order in which they are explained."""


def attack_rows(card: Scorecard) -> tuple[AttackRow, ...]:
    """Compare all attacks, those with the largest gain first and those that are compared with nothing last.

    Empty if none of these attacks was computed. Attackers who ignore changed columns are among them where they succeed
    more often.
    """
    ignored_columns, ignoring = successes_ignoring_changes(card)
    rows: list[AttackRow] = []
    for metric_id in ATTACKS:
        rows += card[metric_id].attack_rows
        if metric_id in ignoring:
            rows += _ignoring(card[metric_id].metric.title, ignored_columns, ignoring[metric_id])
    return tuple(sorted(rows, key=lambda row: math.inf if row.gain is None else -row.gain))


def attacker_terms(card: Scorecard) -> Iterator[str]:
    """Explain which labels are the most specific, and how a class can be known, where such attackers are stronger."""
    usual = [attack for metric_id in ATTACKS if (attack := card[metric_id].attack) is not None]
    _, ignoring = successes_ignoring_changes(card)
    stronger = {attacker for attack in (*usual, *ignoring.values()) for attacker in attack.stronger}
    if Attacker.MOST_SPECIFIC in stronger:
        yield text("attack.terms.most_specific")
    if Attacker.CLASS_KNOWN in stronger:
        yield text("attack.terms.class_known")


def model_adds(card: Scorecard) -> str:
    """What a trained model adds to what classes give away; empty if unknown.

    It is told of the attribute with the largest gain over what is known without the table, of those to which the model
    adds if there are any.
    """
    learned, inferred = card[LEARNING_ATTACK.id].result, card[ATTRIBUTE_INFERENCE_ATTACK.id].result
    if not isinstance(learned, LearningAttack) or not isinstance(inferred, AttributeInference):
        return ""
    others = {name: inferred.best_rate(name) for name in learned.by_gain if name in inferred.inferred}
    rates = {name: learned.inferred[name].rate for name in others}
    adding = [name for name, rate in rates.items() if is_noticeably_higher(rate.value, others[name])]
    if not others:
        return ""
    name = [*adding, *others][0]
    value, other, baseline = rates[name].value, others[name], rates[name].baseline
    if adding:
        return text("learning_attack.adds", column=name, learned=value, other=other, baseline=baseline)
    return text("learning_attack.adds_nothing", column=name, learned=value, other=other, baseline=baseline)


def _ignoring(title: str, ignored_columns: list[str], result: RatedAttack) -> list[AttackRow]:
    """An attacker who ignores changed columns."""
    name = text("attack.row.ignoring", row=result.row_name(title), columns=ignored_columns)
    return strongest_rows(name, result.basic_rate, result.stronger_without_class, result.certain_answers)


def guessed_attributes(score: Score, aggregates: Aggregates) -> list[str]:
    """The attribute that the largest success of an attack is of, then every other one that was drawn at random."""
    attack = score.result
    if not isinstance(attack, AttributeInference) or len(attack.inferred) == 1:
        return []
    best = max(attack.inferred, key=attack.best_rate)
    drawn = [name for name in attack.inferred if name != best and is_drawn(aggregates, name)]
    others = [text("attack.guessed_randomized", column=name, value=attack.best_rate(name)) for name in drawn]
    return [text("attack.guessed_beside", column=best) if drawn else visible(best), *others]
