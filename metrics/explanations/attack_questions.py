"""The questions of the Article 29 Working Party about an anonymized table, and the attack that answers worst.

Source: Article 29 Data Protection Working Party, Opinion 05/2014 on Anonymisation Techniques, WP216.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from metrics.attacks.rates import NOTICEABLE, CriterionAttack
from metrics.scoring.catalog import METRICS
from metrics.scoring.metric_score import Score
from metrics.texts import text

_SINGLING_OUT = "singling_out"
ATTACKS_BY_QUESTION: Mapping[str, tuple[str, ...]] = {
    question: tuple(metric.id for metric in METRICS if metric.criterion == question)
    for question in (_SINGLING_OUT, "linkability", "inference")
}
"""The attacks that answer each question."""
_SMALL_GAIN = 0.05
"""Gain below which the table barely helps, unless it is much of what is known without it."""


def leading_attack(scores: Mapping[str, Score]) -> CriterionAttack | None:
    """The attack with the largest gain over what is known without the table; None if none was computed.

    Singling out counts only where nothing else was computed: in a truthful generalization, a description of a single
    released record is true of a single original one, so its success is near 1 and says nothing about finding a person.
    """
    others = (metric_id for question in ("linkability", "inference") for metric_id in ATTACKS_BY_QUESTION[question])
    attacks = _computed(scores, others) or _computed(scores, ATTACKS_BY_QUESTION[_SINGLING_OUT])
    return max(attacks, key=lambda attack: attack.gain, default=None)


def _computed(scores: Mapping[str, Score], metric_ids: Iterable[str]) -> list[CriterionAttack]:
    """The attacks with a rate."""
    results = (scores[metric_id].result for metric_id in metric_ids)
    return [result for result in results if isinstance(result, CriterionAttack) and result.rates]


def is_noticeable(attack: CriterionAttack | None) -> bool:
    """Whether the table adds noticeably to what an attacker achieves without it."""
    return attack is not None and attack.gain >= NOTICEABLE


def table_adds(attack: CriterionAttack) -> str:
    """What the table adds for an attacker, by the attack with the largest gain."""
    if not is_noticeable(attack):
        return text("attack.adds.nothing", success=attack.in_short)
    if attack.gain < _SMALL_GAIN and attack.gain < attack.strongest.expected_anyway / 2:
        return text("attack.adds.little", success=attack.in_short)
    return text("attack.adds.much", success=attack.in_short)
