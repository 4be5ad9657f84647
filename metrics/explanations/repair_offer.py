"""A repair that makes a version meet the policy, to be named beside the versions."""

from __future__ import annotations

from dataclasses import dataclass

from metrics.candidates.limits.enforced import not_enforced
from metrics.candidates.repair.by_policy import merge_to_policy
from metrics.explanations.checked_version import CheckedVersion
from metrics.identifiers.released import suppressible
from metrics.policy.limitable_measures import identifiers_in_release
from metrics.policy.policy import Status
from metrics.scoring.catalog import INFORMATION
from metrics.texts import text

_MAX_RECORDS = 100_000
"""A version with more records takes too long to repair for one sentence."""


@dataclass(frozen=True)
class RepairOffer:
    """A repair by merging classes that meets every limit of the policy."""

    label: str
    """The version to repair."""
    information: float
    """The share of the information that the repaired table keeps."""

    @property
    def summary(self) -> str:
        """What the repair achieves, in a sentence."""
        return text("decision.repair", version=self.label, information=self.information)


def repair_offer(version: CheckedVersion) -> RepairOffer | None:
    """The repair of a version that fails; None if it may miss a limit, or what it keeps is not known."""
    aggregates, result = version.card.aggregates, version.result
    released = identifiers_in_release(aggregates)
    if len(suppressible(released, aggregates.roles)) < len(released):
        return None
    if version.status is not Status.FAILS or result.not_measured or aggregates.anonymized.rows > _MAX_RECORDS:
        return None
    repair = merge_to_policy(aggregates, result.policy, version.card.parameters)
    if (
        repair is None
        or repair.unmet
        or not len(repair.violating)
        or not_enforced(result.policy, repair.limits, aggregates.roles)
    ):
        return None
    score = next((cost.after for cost in repair.costs if cost.after.metric.id == INFORMATION), None)
    if score is None or score.value is None or score.not_checked is not None:
        return None
    return RepairOffer(version.label, float(score.value))
