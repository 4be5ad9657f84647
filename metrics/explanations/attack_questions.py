"""The three questions of the Article 29 Working Party about an anonymized table, answered by attacks.

Source: Article 29 Data Protection Working Party, Opinion 05/2014 on Anonymisation Techniques, WP216.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from metrics.attacks.rates import NOTICEABLE, AttackRate, CriterionAttack
from metrics.scoring.catalog import METRICS
from metrics.scoring.metric_score import Score
from metrics.texts import text

_TITLES = {
    "singling_out": text("attack.criterion.singling_out"),
    "linkability": text("attack.criterion.linkability"),
    "inference": text("attack.criterion.inference"),
}
ATTACKS_BY_QUESTION: Mapping[str, tuple[str, ...]] = {
    criterion: tuple(metric.id for metric in METRICS if metric.criterion == criterion) for criterion in _TITLES
}
"""The attacks that answer each question."""
_SINGLING_OUT = "singling_out"


@dataclass(frozen=True)
class AttackCriterion:
    """One question: the success of its attacks, and what this means."""

    id: str
    title: str
    attacks: Mapping[str, CriterionAttack]
    """The attacks that were computed, by the id of their metric."""
    sentences: tuple[str, ...]
    """The name of each attack with its success, or why it was not computed."""

    @property
    def rates(self) -> Mapping[str, AttackRate]:
        """The success rates of the attacks, by the names of their rows in a figure."""
        return {row: rate for attack in self.attacks.values() for row, rate in attack.rates.items()}

    @property
    def metrics(self) -> Mapping[str, str]:
        """The id of the metric that each row belongs to."""
        return {row: metric_id for metric_id, attack in self.attacks.items() for row in attack.rates}

    @property
    def leading(self) -> CriterionAttack | None:
        """The attack with the largest gain; None if none has a rate."""
        attacks = (attack for attack in self.attacks.values() if attack.leading_row is not None)
        return max(attacks, key=lambda attack: attack.gain, default=None)


def criteria(scores: Mapping[str, Score]) -> tuple[AttackCriterion, ...]:
    """The answers from the scores of the attacks, by their ids."""
    attack_criteria = []
    for criterion, ids in ATTACKS_BY_QUESTION.items():
        attacks: dict[str, CriterionAttack] = {}
        sentences: list[str] = []
        for score in (scores[metric_id] for metric_id in ids):
            if isinstance(score.result, CriterionAttack):
                attacks[score.metric.id] = score.result
                first, *others = score.result.sentences()
                sentences += [f"{score.metric.title}: {first}", *others]
            elif not score.metric.needs_role:
                sentences.append(f"{score.metric.title}: {score.unavailable}.")
        attack_criteria.append(AttackCriterion(criterion, _TITLES[criterion], attacks, tuple(sentences)))
    return tuple(attack_criteria)


def largest_risk(attack_criteria: Sequence[AttackCriterion]) -> str | None:
    """The attack with the largest gain, as a sentence; None if none was computed."""
    attack = leading_attack(attack_criteria)
    if attack is None:
        return None
    if not exceeds_baseline(attack_criteria):
        other = (
            text("attack.criterion.without_table")
            if attack.strongest.control is None
            else text("attack.criterion.others")
        )
        return text("attack.criterion.none", points=round(100 * NOTICEABLE), other=other)
    return attack.brief


def exceeds_baseline(attack_criteria: Sequence[AttackCriterion]) -> bool:
    """Whether an attack exceeds the baseline and the control noticeably, or only singling out was computed."""
    attack = leading_attack(attack_criteria)
    return attack is not None and (attack.gain >= NOTICEABLE or not _on_people(attack_criteria))


def leading_attack(attack_criteria: Sequence[AttackCriterion]) -> CriterionAttack | None:
    """The attack with the largest gain over the larger of the baseline and the control; None if none was computed.

    Singling out counts only where nothing else was computed: in a truthful generalization, a description of a single
    released record is true of a single original one, so its success is near 1 and says nothing about finding a person.
    """
    attacks = _on_people(attack_criteria) or _leading(attack_criteria)
    return max(attacks, key=lambda attack: attack.gain, default=None)


def _on_people(attack_criteria: Sequence[AttackCriterion]) -> list[CriterionAttack]:
    """The leading attacks on a person's record or value: those of all criteria but singling out."""
    return _leading([criterion for criterion in attack_criteria if criterion.id != _SINGLING_OUT])


def _leading(attack_criteria: Sequence[AttackCriterion]) -> list[CriterionAttack]:
    return [attack for criterion in attack_criteria if (attack := criterion.leading) is not None]
