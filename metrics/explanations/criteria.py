"""The three questions of the Article 29 Working Party about an anonymized table, answered by attacks.

Source: Article 29 Data Protection Working Party, Opinion 05/2014 on Anonymisation Techniques, WP216.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from metrics.aggregates import Aggregates
from metrics.attacks.attribute_inference import AttributeInference, InferredAttribute
from metrics.attacks.linkability import Linkability
from metrics.attacks.people_linkage import PeopleLinkage
from metrics.attacks.rates import NOTICEABLE, AttackRate
from metrics.attacks.record_linkage import RecordLinkage
from metrics.attacks.singling_out import SinglingOut
from metrics.scoring.basis import perturbed_shares
from metrics.scoring.scorecard import Score
from metrics.texts import text
from metrics.utility.cells import MAX_PERTURBED, perturbed_columns
from metrics.wording import visible, within_sentence

CRITERIA: Mapping[str, tuple[str, ...]] = {
    "singling_out": ("singling_out_attack",),
    "linkability": ("record_linkage_attack", "people_linkage_attack", "linkability_attack"),
    "inference": ("attribute_inference_attack",),
}
"""The attacks that answer each question."""
_TITLES = {
    "singling_out": text("attack.criterion.singling_out"),
    "linkability": text("attack.criterion.linkability"),
    "inference": text("attack.criterion.inference"),
}
_MAX_ATTRIBUTES = 2
_SINGLING_OUT = "singling_out"
_MIN_DESCRIPTIONS = 30
"""Of fewer descriptions, a share is not relied on."""


@dataclass(frozen=True)
class Criterion:
    """One question: the success of its attacks, and what this means."""

    id: str
    title: str
    rates: Mapping[str, AttackRate]
    """The attacks that were computed, by name."""
    metrics: Mapping[str, str]
    """The id of the metric that each of these belongs to."""
    sentences: tuple[str, ...]
    """What each attack achieves, or why it was not computed."""

    @property
    def worst(self) -> AttackRate | None:
        """The attack that differs most from what it is compared with; None if none was computed."""
        return max(self.rates.values(), key=lambda rate: rate.difference, default=None)


def criteria(scores: Mapping[str, Score]) -> tuple[Criterion, ...]:
    """The answers from the scores of the attacks, by their ids."""
    found = []
    for criterion, ids in CRITERIA.items():
        rates: dict[str, AttackRate] = {}
        metrics: dict[str, str] = {}
        said: list[str] = []
        for score in (scores[identifier] for identifier in ids):
            if score.result is None:
                if score.metric.needs_role:
                    continue
                said.append(f"{score.metric.title}: {score.unavailable}.")
                continue
            rates |= _rates(score)
            metrics |= dict.fromkeys(_rates(score), score.metric.id)
            said += sentences(score)
        found.append(Criterion(criterion, _TITLES[criterion], rates, metrics, tuple(said)))
    return tuple(found)


def largest_risk(found: tuple[Criterion, ...]) -> str | None:
    """The criterion whose attack differs most from guessing, or from the control; None if nothing was computed.

    Singling out counts only where nothing else was computed: in a truthful generalization, a description of a single
    released record is true of a single original one, so its success is near 1 and says nothing about finding a person.
    """
    every = [(one.worst, one) for one in found if one.worst is not None]
    rated = [pair for pair in every if pair[1].id != _SINGLING_OUT] or every
    if not rated:
        return None
    apart = "" if rated == every else ", apart from singling out"
    rate, worst = max(rated, key=lambda pair: pair[0].difference)
    other = "guessing" if rate.control is None else "people who are not in the table"
    if worst.id != _SINGLING_OUT and rate.difference < NOTICEABLE:
        return text("attack.criterion.none", points=round(100 * NOTICEABLE), other=other)
    title = within_sentence(worst.title)
    row = next(name for name, one in worst.rates.items() if one is rate)
    return text(
        "attack.criterion.largest",
        other=other,
        apart=apart,
        criterion=title,
        row=visible(row),
        value=rate.value,
        compared=rate.compared_with,
    )


def understated(aggregates: Aggregates) -> str | None:
    """Why the attacks may succeed less than a better informed one; None where the values are generalized truthfully."""
    shares = {name: share for name, share in perturbed_shares(aggregates).items() if share > MAX_PERTURBED}
    return text("attack.criterion.perturbed", perturbed=perturbed_columns(shares)) if shares else None


def sentences(score: Score) -> tuple[str, ...]:
    """What an attack achieves, as people count; of inference for the two attributes with the largest excess."""
    result = score.result
    if isinstance(result, RecordLinkage):
        return (_of_record_linkage(result),)
    if isinstance(result, PeopleLinkage):
        return (_of_people_linkage(result),)
    if isinstance(result, Linkability):
        first, second = result.halves
        found = text(
            "linkability_attack.plain",
            first=first,
            second=second,
            value=result.value,
            baseline=result.rate.baseline,
        )
        return (_with_control(found, result.rate),)
    if isinstance(result, AttributeInference):
        worst = sorted(result.inferred.items(), key=lambda item: -item[1].rate.excess)[:_MAX_ATTRIBUTES]
        return tuple(_of_inference(result, name, one) for name, one in worst)
    assert isinstance(result, SinglingOut)
    return (_of_singling_out(result.rate),)


def _of_record_linkage(result: RecordLinkage) -> str:
    """Nobody else has a record in the table, so the control says nothing."""
    found = text(
        "record_linkage_attack.plain",
        known=result.known,
        value=result.value,
        baseline=result.rate.baseline,
    )
    if result.unique_right:
        found = f"{found} {text('record_linkage_attack.plain_unique', unique=result.unique_right)}"
    if result.no_candidate:
        found = f"{found} {text('record_linkage_attack.nearest', no_candidate=result.no_candidate)}"
    found = " ".join(filter(None, (found, result.remark())))
    return _with_interval(found, result.rate, "people")


def _ruled_out(stronger: Mapping[str, AttackRate], rates: Mapping[str, AttackRate]) -> dict[str, AttackRate]:
    """The rates where suppressed records are ruled out, if they are noticeably higher."""
    return {
        text("attack.ruled_out_row", row=name): rate
        for name, rate in stronger.items()
        if rate.value - rates[name].value >= NOTICEABLE
    }


def _of_people_linkage(result: PeopleLinkage) -> str:
    """Nobody else has records in the table, so the control says nothing."""
    found = text(
        "people_linkage_attack.plain",
        known=result.known,
        value=result.value,
        baseline=result.rate.baseline,
    )
    if result.unique_right:
        found = f"{found} {text('people_linkage_attack.plain_unique', unique=result.unique_right)}"
    return _with_interval(found, result.rate, "people")


def _of_inference(result: AttributeInference, name: str, one: InferredAttribute) -> str:
    found = text(
        "attribute_inference_attack.plain",
        known=result.known,
        column=name,
        value=one.rate.value,
        baseline=one.rate.baseline,
    )
    if one.certain:
        found = f"{found} {text('attribute_inference_attack.plain_certain', certain=one.certain)}"
    return " ".join(filter(None, (_with_control(found, one.rate), result.remark(name), one.remark(name))))


def _of_singling_out(rate: AttackRate) -> str:
    if not rate.attempts:
        return f"{text('singling_out_attack.no_predicate')}."
    if rate.attempts < _MIN_DESCRIPTIONS:
        few = text("singling_out_attack.few", number=rate.attempts, hits=round(rate.successes))
        return _with_interval(few, rate, "descriptions")
    found = text("singling_out_attack.plain", value=rate.value, baseline=rate.baseline)
    if rate.control is not None:
        found = f"{found} {text('singling_out_attack.control', control=rate.control)}"
    return _with_interval(found, rate, "descriptions")


def _with_control(found: str, rate: AttackRate) -> str:
    if rate.control is not None:
        found = f"{found} {text('attack.control', control=rate.control)}"
    return _with_interval(found, rate, "people")


def _with_interval(found: str, rate: AttackRate, noun: str) -> str:
    if rate.interval is None:
        return found
    low, high = rate.interval
    return f"{found} {text('attack.sampled', attempts=f'{rate.attempts:,} {noun}', low=low, high=high)}"


def _rates(score: Score) -> dict[str, AttackRate]:
    """The rates of one attack, by what its row in a figure is called."""
    result = score.result
    if isinstance(result, AttributeInference):
        rates = {name: one.rate for name, one in result.inferred.items()}
        stronger = result.suppressed_ruled_out
        if stronger is not None:
            rates |= _ruled_out({name: one.rate for name, one in stronger.inferred.items()}, rates)
        return rates
    if isinstance(result, RecordLinkage):
        rates = {text("record_linkage_attack.row"): result.rate}
        stronger_linkage = result.suppressed_ruled_out
        if stronger_linkage is not None:
            rates |= _ruled_out({text("record_linkage_attack.row"): stronger_linkage.rate}, rates)
        return rates
    if isinstance(result, PeopleLinkage):
        return {text("people_linkage_attack.row"): result.rate}
    if isinstance(result, Linkability):
        return {text("linkability_attack.row"): result.rate}
    assert isinstance(result, SinglingOut)
    return {text("singling_out_attack.row"): result.rate}
