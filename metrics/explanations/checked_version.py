"""A version with its result under the policy, and the figures by which versions are chosen."""

from __future__ import annotations

from dataclasses import dataclass

from metrics.policy.limitable_measures import LimitResult
from metrics.policy.policy import PolicyResult, Status
from metrics.privacy.reidentification_risk.measure import ReidentificationRisk
from metrics.scoring.catalog import GRANULARITY, INFORMATION, RISK
from metrics.scoring.scorecard import Scorecard


@dataclass(frozen=True)
class CheckedVersion:
    """One version with its status under the policy."""

    label: str
    card: Scorecard
    result: PolicyResult

    @property
    def status(self) -> Status:
        """Meets, fails, or no limits."""
        return self.result.status

    @property
    def unmet(self) -> tuple[LimitResult, ...]:
        """Limits that are not met, those that were not measured last."""
        return (*self.result.failed, *self.result.not_measured)

    @property
    def information(self) -> float | None:
        """The share of the information that is kept, by non-uniform entropy; None where it is not known."""
        return self.kept(INFORMATION)

    def kept(self, measure: str) -> float | None:
        """The share of the information kept by a measure; None where it is unavailable or overstated."""
        return None if self.is_overstated(measure) else share_of(self.card, measure)

    def is_overstated(self, measure: str) -> bool:
        """Whether perturbed values count as kept by a measure of information."""
        return self.card[measure].not_checked is not None

    @property
    def risk(self) -> float | None:
        """The highest re-identification risk; None where it is unavailable."""
        return share_of(self.card, RISK)

    @property
    def average_risk(self) -> float:
        """The mean re-identification risk of the records; 1 where it is unavailable."""
        result = self.card[RISK].result
        return result.prosecutor.average if isinstance(result, ReidentificationRisk) else 1.0

    def limit_on(self, metric_id: str) -> LimitResult | None:
        """The limit on a metric; None without one."""
        return next((limit for limit in self.result.limits if limit.metric == metric_id), None)


def information_measure(*cards: Scorecard) -> str:
    """The measure by which tables are compared: granularity where it, unlike entropy, is available for all."""
    by_entropy = all(card[INFORMATION].value is not None for card in cards)
    by_granularity = all(card[GRANULARITY].value is not None for card in cards)
    return GRANULARITY if by_granularity and not by_entropy else INFORMATION


def share_of(card: Scorecard, metric_id: str) -> float | None:
    """A metric's value as a number; None where it is unavailable."""
    value = card[metric_id].value
    return None if value is None else float(value)
