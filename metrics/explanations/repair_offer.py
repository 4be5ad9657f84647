"""The repair to name beside the candidates: the one that keeps the most information."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from metrics.candidates.limits.enforced import not_enforced
from metrics.candidates.repair.by_policy import merge_to_policy
from metrics.explanations.judged_candidate import JudgedCandidate, best_of, measure_of
from metrics.identifiers.released import suppressible
from metrics.policy.limitable_measures import identifiers_in_release
from metrics.policy.policy import Status
from metrics.scoring.catalog import INFORMATION
from metrics.texts import text

_MAX_RECORDS = 100_000
"""A candidate with more records takes too long to repair for one sentence."""


@dataclass(frozen=True)
class RepairOffer:
    """A repair by merging classes that meets every limit of the policy."""

    label: str
    """The candidate to repair."""
    information: float
    """The share of the information that the repaired table keeps."""
    summary: str
    """What the repair achieves, in a sentence."""


def repair_offer(judged: Mapping[str, JudgedCandidate]) -> RepairOffer | None:
    """The repair that keeps the most information; None where none keeps more than the best candidate does as it is."""
    best = best_of(judged)
    if best is not None and (best.information is None or measure_of(judged) != INFORMATION):
        return None
    shares = {label: share for label, candidate in judged.items() if (share := _kept_by_repair(candidate)) is not None}
    if not shares:
        return None
    label, information = max(shares.items(), key=lambda pair: pair[1])
    if best is None:
        return RepairOffer(label, information, text("decision.repair", candidate=label, information=information))
    if information <= (best.information or 0.0):
        return None
    return RepairOffer(label, information, text("decision.repair_keeps_more", candidate=label, information=information))


def _kept_by_repair(candidate: JudgedCandidate) -> float | None:
    """The share of the information that a repair of a failing candidate keeps; None if it may miss a limit."""
    aggregates, result = candidate.card.aggregates, candidate.result
    released = identifiers_in_release(aggregates)
    if len(suppressible(released, aggregates.roles)) < len(released):
        return None
    if candidate.status is not Status.FAILS or result.not_measured or aggregates.anonymized.rows > _MAX_RECORDS:
        return None
    repair = merge_to_policy(aggregates, result.policy, candidate.card.parameters)
    if (
        repair is None
        or repair.unmet
        or not len(repair.violating)
        or not_enforced(result.policy, repair.limits, aggregates.roles)
    ):
        return None
    score = next((cost.after for cost in repair.costs if cost.after.metric.id == INFORMATION), None)
    return None if score is None or score.value is None or score.not_judged is not None else float(score.value)
