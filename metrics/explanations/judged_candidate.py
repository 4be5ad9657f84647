"""A candidate with its result under the policy, and the figures by which candidates are chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from metrics.policy.policy import LimitResult, Policy, PolicyResult, Status
from metrics.privacy.reidentification_risk import ReidentificationRisk
from metrics.scoring.catalog import GRANULARITY, INFORMATION, RISK
from metrics.scoring.scorecard import Scorecard
from metrics.texts import text


@dataclass(frozen=True)
class JudgedCandidate:
    """One candidate with its status under the policy."""

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
        return self.card[measure].not_judged is not None

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


def judge_all(cards: Mapping[str, Scorecard], policy: Policy) -> dict[str, JudgedCandidate]:
    """Every candidate judged by the policy, by label."""
    applied = {label: policy.apply_to(card) for label, card in cards.items()}
    return {label: JudgedCandidate(label, card, policy.judge(card)) for label, card in applied.items()}


def information_measure(*cards: Scorecard) -> str:
    """The measure by which tables are compared: granularity where it, unlike entropy, is available for all."""
    by_entropy = all(card[INFORMATION].value is not None for card in cards)
    by_granularity = all(card[GRANULARITY].value is not None for card in cards)
    return GRANULARITY if by_granularity and not by_entropy else INFORMATION


def measure_of(judged: Mapping[str, JudgedCandidate]) -> str:
    """The measure of information by which these candidates are ranked: that of those that meet the policy, if any."""
    return information_measure(*(candidate.card for candidate in meeting_policy(judged) or judged.values()))


def best_of(judged: Mapping[str, JudgedCandidate]) -> JudgedCandidate | None:
    """The candidate that meets the policy and keeps the most information, by `measure_of`; None where none meets it.

    Those whose information is not known come last, the one with the lowest risk first.
    """
    measure = measure_of(judged)

    def preference(candidate: JudgedCandidate) -> tuple[float, float]:
        kept = candidate.kept(measure)
        return -1.0 if kept is None else kept, -(candidate.risk or 0.0)

    return max(meeting_policy(judged), key=preference, default=None)


def meeting_policy(judged: Mapping[str, JudgedCandidate]) -> list[JudgedCandidate]:
    """The candidates that meet the policy, in their order."""
    return [candidate for candidate in judged.values() if candidate.status is Status.MEETS]


def nearest_to_policy(judged: Mapping[str, JudgedCandidate]) -> JudgedCandidate:
    """The candidate with the fewest limits that are not met; of several, the one that keeps the most information."""
    return min(judged.values(), key=lambda candidate: (len(candidate.unmet), -(candidate.information or 0.0)))


def nearest_summary(judged: Mapping[str, JudgedCandidate]) -> str:
    """Name the candidate nearest to the policy, and how many limits it does not meet."""
    nearest = nearest_to_policy(judged)
    unmet = len(nearest.unmet)
    tied = sum(len(candidate.unmet) == unmet for candidate in judged.values())
    if tied == 1:
        return text("decision.nearest", nearest=nearest.label, limits=unmet)
    return text("decision.nearest_of_tied", nearest=nearest.label, tied=tied, limits=unmet)


def share_of(card: Scorecard, metric_id: str) -> float | None:
    """A metric's value as a number; None where it is unavailable."""
    value = card[metric_id].value
    return None if value is None else float(value)
