"""Limits on the figures of a scorecard: which exist, which values are valid, and the value compared with one."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Any, Final

from metrics.aggregates import Aggregates
from metrics.aggregates.record_groups import people_per_class
from metrics.config.former_names import ByName, unknown_metric
from metrics.economics.profitability import PROFITABILITY, size_without_attacks
from metrics.errors import InputError, Unavailable
from metrics.formatting import distance, format_number, percent, percentage_points, within_sentence
from metrics.identifiers.kinds import Identifier
from metrics.identifiers.released import released_identifiers
from metrics.metric import Direction, Enforcement, Measure
from metrics.privacy.reidentification_risk.measure import REIDENTIFICATION_RISK
from metrics.scoring.catalog import BY_ID
from metrics.scoring.scorecard import Score, Scorecard
from metrics.texts import text
from metrics.utility.analyses import ANALYSES

SUPPRESSION: Final = "suppression"
NO_ATTACK: Final = "no_attack"
DIRECT_IDENTIFIERS: Final = "direct_identifiers"
"""Every policy with a limit also forbids released identifiers, which name people whatever the other limits say."""
AVERAGE_RISK: Final = "average_risk"
SURVIVING: Final = "surviving"
PEOPLE_PER_CLASS: Final = "people_per_class"
"""A limit on k also applies to people where a person has several records: a class of one person hides nobody."""


class Outcome(StrEnum):
    """Whether one limit is met."""

    MET = "met"
    FAILED = "failed"
    NOT_MEASURED = "not measured"


@dataclass(frozen=True)
class LimitResult:
    """The value of a measure on a scorecard, and the limit that it is compared with.

    Attributes
    ----------
    metric : str
        Id of the metric, or "suppression", "no_attack", "direct_identifiers", "people_per_class", "surviving" or
        "average_risk".
    value : float or bool or None
        The value; None if it is not available, or if no number meets the definition.
    measured : bool
        False if the value is not available, or no limit applies to it.
    reason : str or None
        Why no limit applies to a value that is available: it counts perturbed columns as unchanged.
    columns : tuple of str
        The columns that the value counts.
    limit : float or bool
        The worst value that is accepted, in the metric's own unit; NaN where no limit is set.
    """

    metric: str
    value: float | bool | None
    measured: bool = True
    reason: str | None = None
    columns: tuple[str, ...] = ()
    limit: float | bool = math.nan
    also: LimitResult | None = None
    """A limit that is at most as strict and says the same in another unit."""

    @property
    def title(self) -> str:
        """What is limited."""
        return LIMITABLE_MEASURES[self.metric].title

    @property
    def outcome(self) -> Outcome:
        """Whether the limit is met."""
        if not self.measured or math.isnan(self.limit):
            return Outcome.NOT_MEASURED
        return Outcome.MET if LIMITABLE_MEASURES[self.metric].is_met(self.value, self.limit) else Outcome.FAILED

    @property
    def requirement(self) -> str:
        """The limit in words: "at least 5", "at most 20%", "yes", "at least 5 (highest risk at most 20%)"."""
        limit = LIMITABLE_MEASURES[self.metric].limit_text(self.limit)
        if self.also is None:
            return limit
        other = within_sentence(self.also.title)
        return text("policy.limit_also", limit=limit, title=other, also=self.also.requirement)

    @property
    def figure_text(self) -> str:
        """The value for display; a share as a percentage."""
        return LIMITABLE_MEASURES[self.metric].measure_text(self.value, limit=self.limit)

    def summary(self) -> str:
        """One phrase: "k-anonymity is 1 (at least 5 required)"."""
        if self.also is not None:
            one, other = replace(self, also=None).summary(), self.also
            title, value, limit = within_sentence(other.title), other.figure_text, other.requirement
            return text("policy.summary_also", one=one, title=title, value=value, limit=limit)
        title, value, limit = self.title, self.figure_text, self.requirement
        if self.columns:
            return text("policy.limit_on_columns", title=title, value=value, columns=self.columns, limit=limit)
        if self.outcome is not Outcome.NOT_MEASURED:
            return text("policy.limit", title=title, value=value, limit=limit)
        if self.reason is None:
            return text("policy.not_measured", title=title, limit=limit)
        return text("policy.not_measured_because", title=title, limit=limit, reason=self.reason)

    def to_dict(self) -> dict[str, Any]:
        """Metric, limit, value, outcome and reason, and the columns counted, as the command line prints them."""
        columns = {"columns": list(self.columns)} if self.columns else {}
        return {
            "metric": self.metric,
            "limit": self.limit,
            "value": self.value,
            "outcome": str(self.outcome),
            "reason": self.reason,
            **columns,
        }


def measured(identifier: str, card: Scorecard) -> LimitResult:
    """The value of a measure, without a limit."""
    return _OTHERS[identifier](card) if identifier in _OTHERS else _measure_score(card[identifier])


def _measure_score(score: Score) -> LimitResult:
    """The metric's figure; of an attack the success of the strongest attacker."""
    value = score.figure if score.attack is None else score.attack.max_success
    is_measured = score.result is not None and score.not_checked is None
    return LimitResult(score.metric.id, value, is_measured, score.not_checked)


def _measure_suppression(card: Scorecard) -> LimitResult:
    """Share of the original's records that are suppressed or missing in the release; added ones make up for none."""
    classes, original = card.aggregates.class_sizes, card.aggregates.original
    lost = classes.suppressed + (card.aggregates.comparison.removed or 0)
    records = classes.kept + lost if original is None else min(original.rows, classes.kept + lost)
    return LimitResult(SUPPRESSION, min(lost / records, 1.0) if records else None, records > 0)


def _measure_attacks(card: Scorecard) -> LimitResult:
    """Whether attacking pays for no record, whichever definition of profitability is chosen."""
    result = card[PROFITABILITY.id].result
    return LimitResult(NO_ATTACK, None if result is None else bool(result.details()["no_attack"]), result is not None)


def _measure_identifiers(card: Scorecard) -> LimitResult:
    """Number of columns of the release that identify people, as tagged or by their values."""
    names = identifiers_in_release(card.aggregates)
    return LimitResult(DIRECT_IDENTIFIERS, len(names), columns=tuple(names))


def _measure_people(card: Scorecard) -> LimitResult:
    """Different people in the class with the fewest."""
    try:
        people = card.aggregates.memoize(people_per_class)
    except Unavailable as reason:
        return LimitResult(PEOPLE_PER_CLASS, None, False, str(reason))
    return LimitResult(PEOPLE_PER_CLASS, int(people.min()))


def _detail(identifier: str, metric_id: str, name: str, card: Scorecard) -> LimitResult:
    """A detail of a metric."""
    found = card[metric_id]
    value = found.details.get(name)
    return LimitResult(identifier, value, value is not None, found.unavailable)


def identifiers_in_release(aggregates: Aggregates) -> Mapping[str, Identifier | None]:
    """Return the columns that identify people in the release, with what those look like that are not tagged so."""
    return aggregates.memoize(_identifiers_in_release)


def _identifiers_in_release(aggregates: Aggregates) -> Mapping[str, Identifier | None]:
    return released_identifiers(aggregates.anonymized, aggregates.roles)


_OTHERS: Final[Mapping[str, Callable[[Scorecard], LimitResult]]] = {
    SUPPRESSION: _measure_suppression,
    NO_ATTACK: _measure_attacks,
    DIRECT_IDENTIFIERS: _measure_identifiers,
    PEOPLE_PER_CLASS: _measure_people,
    SURVIVING: partial(_detail, SURVIVING, ANALYSES.id, "surviving"),
    AVERAGE_RISK: partial(_detail, AVERAGE_RISK, REIDENTIFICATION_RISK.id, "marketer"),
}
"""How each measure that is no metric is measured."""


_FIRST: Final = ("k_anonymity", "distinct_l_diversity", "t_closeness", "reidentification_risk")
"""What most policies limit, in the order of the literature."""
LIMITABLE_MEASURES: Final[Mapping[str, Measure]] = ByName(
    {
        **{identifier: BY_ID[identifier] for identifier in dict.fromkeys((*_FIRST, *BY_ID))},
        SUPPRESSION: Measure(
            id=SUPPRESSION,
            minimum=0,
            maximum=1,
            direction=Direction.LOWER,
            is_share=True,
            enforcement=Enforcement(
                name="max_suppression",
                title=text("suppression.short"),
                node="suppressed_rows",
                gap=lambda found, limit: text("limits.max_suppression", found=int(found), limit=int(limit)),
                sizes_decide=True,
            ),
        ),
        NO_ATTACK: Measure(
            id=NO_ATTACK,
            minimum=None,
            maximum=None,
            direction=Direction.TRUE,
            enforcement=Enforcement(
                name="no_attack",
                title="profitable attacks",
                node="no_attack",
                gap=lambda found, limit: text("limits.no_attack"),
                promise=lambda limit: text("repair.limit.no_attack"),
                records=lambda limit, parameters: size_without_attacks(parameters.profitability),
                sizes_decide=True,
            ),
        ),
        DIRECT_IDENTIFIERS: Measure(id=DIRECT_IDENTIFIERS, minimum=0, maximum=None, direction=Direction.LOWER),
        PEOPLE_PER_CLASS: Measure(id=PEOPLE_PER_CLASS, minimum=1, maximum=None, direction=Direction.HIGHER),
        SURVIVING: Measure(id=SURVIVING, minimum=0, maximum=1, direction=Direction.HIGHER, is_share=True),
        AVERAGE_RISK: Measure(id=AVERAGE_RISK, minimum=0, maximum=1, direction=Direction.LOWER, is_share=True),
    }
)
"""Every figure that a limit can be set for, by id: every metric, then those that are no metric.

Pages, sentences and reports name limits in this order.
"""


def metrics_for(identifiers: Iterable[str]) -> list[str]:
    """Ids of the metrics whose scores these figures are measured by."""
    metric_of = {NO_ATTACK: PROFITABILITY.id, SURVIVING: ANALYSES.id, AVERAGE_RISK: REIDENTIFICATION_RISK.id}
    scored = (metric_of.get(identifier, identifier) for identifier in identifiers)
    return [identifier for identifier in dict.fromkeys(scored) if identifier in BY_ID]


def measure_text(identifier: str, value: float | bool | None, share: Callable[[float, int], str] = percent) -> str:
    """The value of a figure, in words.

    The value for display.
    """
    return LIMITABLE_MEASURES[identifier].measure_text(value, share)


def change_text(identifier: str, value: float | bool | None, before: float | bool | None) -> str:
    """How much the value of a measure changed, such as "+9", "−1.2 pp" or "from no"; "" if the figures look alike.

    The change is that of the figures as they are shown.
    """
    limitable = LIMITABLE_MEASURES[identifier]
    figure, former = limitable.measure_text(value), limitable.measure_text(before)
    if value is None or before is None or figure == former:
        return ""
    if limitable.direction is Direction.TRUE:
        return text("policy.changed_from", former=former)
    change = percentage_points(value, before) if limitable.is_share else distance(value, before)
    return f"{'+' if value > before else '−'}{format_number(change)}{' pp' if limitable.is_share else ''}"


def outcome_text(outcome: Outcome) -> str:
    """Whether a limit is met, in a word or two."""
    if outcome is Outcome.NOT_MEASURED:
        return text("policy.limit_not_measured")
    return text("policy.limit_met") if outcome is Outcome.MET else text("policy.limit_missed")


def check_limit(identifier: str, limit: object) -> float | bool:
    """A limit as it is stored: True, or a float.

    Raises InputError if there is nothing of this id to limit, or the limit is outside its range.
    """
    limitable = LIMITABLE_MEASURES.get(identifier)
    if limitable is None:
        raise unknown_metric(identifier, LIMITABLE_MEASURES, " to set a limit for")
    if limitable.direction is Direction.TRUE:
        if limit is not True:
            raise InputError(f"the limit of {identifier} is not true", remedy="write true, or remove the limit")
        return True
    low = -math.inf if limitable.minimum is None else limitable.minimum
    high = math.inf if limitable.maximum is None else limitable.maximum
    if isinstance(limit, bool) or not isinstance(limit, int | float) or not low <= limit <= high or _infinite(limit):
        span = f"{low:g} to {high:g}".replace("inf", "∞").replace("-", "−")
        raise InputError(f"the limit of {identifier} is out of range", remedy=f"set a number from {span}")
    return float(limit)


def _infinite(limit: float) -> bool:
    try:
        return not math.isfinite(limit)
    except OverflowError:  # a whole number beyond every float
        return True
