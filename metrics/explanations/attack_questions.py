"""The three questions of the Article 29 Working Party about an anonymized table, answered by attacks.

Source: Article 29 Data Protection Working Party, Opinion 05/2014 on Anonymisation Techniques, WP216.
"""

from __future__ import annotations

from collections.abc import Mapping
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
    rates: Mapping[str, AttackRate]
    """The attacks that were computed, by name."""
    metrics: Mapping[str, str]
    """The id of the metric that each of these belongs to."""
    headlines: Mapping[str, str]
    """The success of the strongest attacker in one sentence, by the id of the metric."""
    sentences: tuple[str, ...]
    """The name of each attack with its success, or why it was not computed."""

    @property
    def worst(self) -> AttackRate | None:
        """The attack that differs most from what it is compared with; None if none was computed."""
        return max(self.rates.values(), key=lambda rate: rate.difference, default=None)


def criteria(scores: Mapping[str, Score]) -> tuple[AttackCriterion, ...]:
    """The answers from the scores of the attacks, by their ids."""
    attack_criteria = []
    for criterion, ids in ATTACKS_BY_QUESTION.items():
        rates: dict[str, AttackRate] = {}
        metrics: dict[str, str] = {}
        headlines: dict[str, str] = {}
        sentences: list[str] = []
        for score in (scores[metric_id] for metric_id in ids):
            if isinstance(score.result, CriterionAttack):
                rates |= score.result.rates
                metrics |= dict.fromkeys(score.result.rates, score.metric.id)
                headlines[score.metric.id] = score.result.brief
                first, *others = score.result.sentences()
                sentences += [f"{score.metric.title}: {first}", *others]
            elif not score.metric.needs_role:
                sentences.append(f"{score.metric.title}: {score.unavailable}.")
        attack_criteria.append(
            AttackCriterion(criterion, _TITLES[criterion], rates, metrics, headlines, tuple(sentences))
        )
    return tuple(attack_criteria)


def largest_risk(attack_criteria: tuple[AttackCriterion, ...]) -> str | None:
    """The attack that differs most from guessing, or from the control, as a sentence; None if none was computed.

    Singling out counts only where nothing else was computed: in a truthful generalization, a description of a single
    released record is true of a single original one, so its success is near 1 and says nothing about finding a person.
    """
    most_different = _most_different(attack_criteria)
    if most_different is None:
        return None
    rate, worst = most_different
    other = text("attack.criterion.guessing") if rate.control is None else text("attack.criterion.others")
    if not exceeds_guessing(attack_criteria):
        return text("attack.criterion.none", points=round(100 * NOTICEABLE), other=other)
    return worst.headlines[next(worst.metrics[row] for row, of_row in worst.rates.items() if of_row is rate)]


def exceeds_guessing(attack_criteria: tuple[AttackCriterion, ...]) -> bool:
    """Whether an attack exceeds guessing, or the control, noticeably, or only singling out was computed."""
    most_different = _most_different(attack_criteria)
    if most_different is None:
        return False
    rate, worst = most_different
    return worst.id == _SINGLING_OUT or rate.difference >= NOTICEABLE


def _most_different(attack_criteria: tuple[AttackCriterion, ...]) -> tuple[AttackRate, AttackCriterion] | None:
    """The rate that differs most from what it is compared with, and its criterion; None if nothing was computed."""
    all_pairs = [(criterion.worst, criterion) for criterion in attack_criteria if criterion.worst is not None]
    pairs = [pair for pair in all_pairs if pair[1].id != _SINGLING_OUT] or all_pairs
    return max(pairs, key=lambda pair: pair[0].difference, default=None)
