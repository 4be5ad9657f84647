"""Limits on the figures of a scorecard: which exist, which values are valid, and whether one is met."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from metrics.aggregates import Aggregates
from metrics.aggregates.record_groups import people_per_class
from metrics.economics.profitability import PROFITABILITY, size_without_attacks
from metrics.errors import InputError, Unavailable
from metrics.formatting import distance, exact_number, format_number, percent, percentage_points
from metrics.identifiers.kinds import Identifier
from metrics.identifiers.released import released_identifiers
from metrics.metric import Direction, Enforcement, Metric
from metrics.scoring.catalog import BY_ID
from metrics.scoring.scorecard import Score, Scorecard
from metrics.texts import text

SUPPRESSION: Final = "suppression"
NO_ATTACK: Final = "no_attack"
DIRECT_IDENTIFIERS: Final = "direct_identifiers"
"""Every policy with a limit also forbids released identifiers, which name people whatever the other limits say."""
PEOPLE_PER_CLASS: Final = "people_per_class"
"""A limit on k also applies to people where a person has several records: a class of one person hides nobody."""


@dataclass(frozen=True)
class Measurement:
    """The value that a limit is compared with."""

    value: float | bool | None
    measured: bool
    """False if the value is not available, or no limit can be judged by it. A measured value of None, such as a
    (c,l)-diversity that no c satisfies, meets no limit."""
    reason: str | None = None
    """Why no limit can be judged by a value that is available."""
    columns: tuple[str, ...] = ()
    """The columns that it counts."""


@dataclass(frozen=True)
class LimitableMeasure:
    """A figure of a scorecard that a limit can be set for."""

    id: str
    title: str
    direction: Direction
    minimum: float | None
    """Smallest possible value; None: unbounded."""
    maximum: float | None
    """Largest possible value; None: unbounded."""
    measure: Callable[[Scorecard], Measurement]
    short: str
    """The title where there is little room: "k"."""
    is_share: bool
    """Whether summaries show it, from 0 to 1, as a percentage."""
    metric_id: str = ""
    """The metric whose score it is measured by; empty where it needs none."""
    enforcement: Enforcement | None = None
    """How search and repair enforce a limit on it; None where they only measure it on their results."""

    def measure_text(self, value: float | bool | None, share: Callable[[float], str] = percent) -> str:
        """A value for display; a share as `share` writes it."""
        return share(float(value)) if self.is_share and value is not None else format_number(value)

    def limit_text(self, limit: float | bool) -> str:
        """A limit for display: "at least 5", "at most 20%", "yes"."""
        if not self.is_share:
            return limit_text(self.direction, limit)
        return f"{limit_text(self.direction, 100 * float(limit))}%"

    def is_met(self, measurement: Measurement, limit: float | bool) -> bool | None:
        """Whether a value is at least as good as the limit; None if it is not measured."""
        if not measurement.measured:
            return None
        if measurement.value is None:
            return False
        return measurement.value <= limit if self.direction is Direction.LOWER else measurement.value >= limit

    def condition(self, limit: float | bool) -> str:
        """A limit where there is little room: "k ≥ 5"; the name alone where it is required."""
        if self.direction is Direction.TRUE:
            return self.short
        number = f"{exact_number(100 * float(limit))}%" if self.is_share else exact_number(limit)
        return f"{self.short} {'≤' if self.direction is Direction.LOWER else '≥'} {number}"


def _measure_score(score: Score) -> Measurement:
    """The metric's figure; of an attack the success of the strongest attacker."""
    value = score.figure if score.attack is None else score.attack.max_success
    return Measurement(value, score.result is not None and score.not_judged is None, score.not_judged)


def _measure_suppression(card: Scorecard) -> Measurement:
    """Share of the original's records that are suppressed or missing in the release; added ones make up for none."""
    classes, original = card.aggregates.class_sizes, card.aggregates.original
    lost = classes.suppressed + (card.aggregates.comparison.removed or 0)
    records = classes.kept + lost if original is None else min(original.rows, classes.kept + lost)
    return Measurement(min(lost / records, 1.0) if records else None, records > 0)


def _measure_attacks(card: Scorecard) -> Measurement:
    """Whether attacking pays for no record, whichever definition of profitability is chosen."""
    result = card[PROFITABILITY.id].result
    return Measurement(None, False) if result is None else Measurement(bool(result.details()["no_attack"]), True)


def _measure_identifiers(card: Scorecard) -> Measurement:
    """Number of columns of the release that identify people, as tagged or by their values."""
    names = identifiers_in_release(card.aggregates)
    return Measurement(len(names), True, columns=tuple(names))


def _measure_people(card: Scorecard) -> Measurement:
    """Different people in the class with the fewest."""
    try:
        people = card.aggregates.memoize(people_per_class)
    except Unavailable as reason:
        return Measurement(None, False, str(reason))
    return Measurement(int(people.min()), True)


def identifiers_in_release(aggregates: Aggregates) -> Mapping[str, Identifier | None]:
    """Return the columns that identify people in the release, with what those look like that are not tagged so."""
    return aggregates.memoize(_identifiers_in_release)


def _identifiers_in_release(aggregates: Aggregates) -> Mapping[str, Identifier | None]:
    return released_identifiers(aggregates.anonymized, aggregates.roles)


def _limitable(metric: Metric) -> LimitableMeasure:
    return LimitableMeasure(
        metric.id,
        metric.title,
        metric.direction,
        metric.minimum,
        metric.maximum,
        lambda card: _measure_score(card[metric.id]),
        metric.short,
        metric.is_share,
        metric.id,
        metric.enforcement,
    )


_FIRST: Final = ("k_anonymity", "distinct_l_diversity", "t_closeness", "reidentification_risk")
"""What most policies limit, in the order of the literature."""
LIMITABLE_MEASURES: Final[Mapping[str, LimitableMeasure]] = MappingProxyType(
    {
        **{identifier: _limitable(BY_ID[identifier]) for identifier in dict.fromkeys((*_FIRST, *BY_ID))},
        SUPPRESSION: LimitableMeasure(
            SUPPRESSION,
            text("suppression.title"),
            Direction.LOWER,
            0,
            1,
            _measure_suppression,
            text("suppression.short"),
            is_share=True,
            enforcement=Enforcement(
                "max_suppression",
                text("suppression.short"),
                node="suppressed_rows",
                gap=lambda found, limit: text("limits.max_suppression", found=int(found), limit=int(limit)),
                sizes_decide=True,
            ),
        ),
        NO_ATTACK: LimitableMeasure(
            NO_ATTACK,
            text("no_attack.title"),
            Direction.TRUE,
            None,
            None,
            _measure_attacks,
            text("no_attack.short"),
            is_share=False,
            metric_id=PROFITABILITY.id,
            enforcement=Enforcement(
                "no_attack",
                "profitable attacks",
                node="no_attack",
                gap=lambda found, limit: text("limits.no_attack"),
                promise=lambda limit: text("repair.limit.no_attack"),
                records=lambda limit, parameters: size_without_attacks(parameters.profitability),
                sizes_decide=True,
            ),
        ),
        DIRECT_IDENTIFIERS: LimitableMeasure(
            DIRECT_IDENTIFIERS,
            text("direct_identifiers.title"),
            Direction.LOWER,
            0,
            None,
            _measure_identifiers,
            text("direct_identifiers.short"),
            is_share=False,
        ),
        PEOPLE_PER_CLASS: LimitableMeasure(
            PEOPLE_PER_CLASS,
            text("people_per_class.title"),
            Direction.HIGHER,
            1,
            None,
            _measure_people,
            text("people_per_class.short"),
            is_share=False,
        ),
    }
)
"""Every figure that a limit can be set for, by id: every metric, then suppression, attacks, identifiers and people.

Pages, sentences and reports name limits in this order.
"""


def metrics_for(identifiers: Iterable[str]) -> list[str]:
    """Ids of the metrics whose scores these figures are measured by."""
    return [*dict.fromkeys(filter(None, (LIMITABLE_MEASURES[identifier].metric_id for identifier in identifiers)))]


def measure_text(identifier: str, value: float | bool | None, share: Callable[[float], str] = percent) -> str:
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
    change = f"{percentage_points(value, before)} pp" if limitable.is_share else format_number(distance(value, before))
    return f"{'+' if value > before else '−'}{change}"


def outcome_text(kept: bool | None) -> str:
    """Whether a limit is met, in a word or two."""
    if kept is None:
        return text("policy.limit_not_measured")
    return text("policy.limit_met") if kept else text("policy.limit_missed")


def limit_text(direction: Direction, limit: float | bool) -> str:
    """A limit in words: "at least 5", "at most 0.2", "yes"."""
    if direction is Direction.TRUE:
        return text("policy.yes")
    number = exact_number(limit)
    return (
        text("policy.at_most", limit=number) if direction is Direction.LOWER else text("policy.at_least", limit=number)
    )


def check_limit(identifier: str, limit: object) -> float | bool:
    """A limit as it is stored: True, or a float.

    Raises InputError if there is nothing of this id to limit, or the limit is outside its range.
    """
    limitable = LIMITABLE_MEASURES.get(identifier)
    if limitable is None:
        raise InputError(
            f'there is no metric "{identifier}" to set a limit for', remedy=f"use {', '.join(LIMITABLE_MEASURES)}"
        )
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
