"""One estimate on the original and on the release, how well they agree, and whether the conclusion survives."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, Final

from metrics.texts import text

_SAME: Final = 1e-9
"""Relative difference of numbers that only differ in how they were summed up."""
FAR_WIDER: Final = 1.5
"""How many times as wide as the original's an interval is at least that is too uncertain."""


Cell = tuple[int, ...]
"""The group or block of each column of groups."""


class Lost(StrEnum):
    """Why the release has no such estimate."""

    GROUP = "group"
    NOISE = "noise"
    REFERENCE = "reference"
    TERM = "term"
    COLLINEAR = "collinear"
    SEPARATED = "separated"
    RECORDS = "records"
    RANDOMIZED = "randomized"

    @property
    def reason(self) -> str:
        """In words."""
        return {
            Lost.GROUP: text("analyses.lost.group"),
            Lost.NOISE: text("analyses.lost.noise"),
            Lost.REFERENCE: text("analyses.lost.reference"),
            Lost.TERM: text("analyses.lost.term"),
            Lost.COLLINEAR: text("analyses.lost.collinear"),
            Lost.SEPARATED: text("analyses.lost.separated"),
            Lost.RECORDS: text("analyses.lost.records"),
            Lost.RANDOMIZED: text("analyses.lost.randomized"),
        }[self]


class Outcome(StrEnum):
    """What becomes of an estimate."""

    SURVIVES = "survives"
    COARSER = "coarser"
    """It survives, for groups that the release merges."""
    REMOVED = "without a column"
    """It survives, for the groups of other columns only: of one the release tells no group from another."""
    CHANGED = "changed"
    LOST = "lost"


@dataclass(frozen=True)
class Median:
    """The median of a group, and on the original its 95% interval, None for fewer than six records."""

    estimate: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Value:
    """An estimate with its 95% interval and the test of its hypothesis at 5%."""

    estimate: float
    low: float
    high: float
    error: float
    """Standard error; 0 where there is none."""
    is_significant: bool
    sign: int
    """Of what is tested: -1, 0 or 1."""
    records: float
    """Records that it rests on: of a group those that belong to it, each by its share."""
    median: Median | None = None

    @property
    def width(self) -> float:
        """The width of the interval; 0 where the release or the original does not give one."""
        width = self.high - self.low
        return 0.0 if width <= _SAME * abs(self.estimate) * 1e-3 else width

    @property
    def conclusion(self) -> str:
        """Of its test."""
        if not self.is_significant:
            return text("analyses.kept.is_not_significant")
        return text("analyses.kept.is_above") if self.sign > 0 else text("analyses.kept.is_below")

    def holds(self, number: float) -> bool:
        """Whether a number lies in the interval."""
        slack = _SAME * max(abs(self.estimate), 0.0 if self.width else 1e-3)
        return self.low - slack <= number <= self.high + slack if self.width else abs(number - self.estimate) <= slack

    def to_dict(self) -> dict[str, float]:
        """As `score --json` prints it."""
        median = {} if self.median is None else {"median": self.median.estimate}
        return {"estimate": self.estimate, "low": self.low, "high": self.high, **median}


@dataclass(frozen=True)
class Estimate:
    """One estimate on the original and, unless it is lost, on the release."""

    name: str
    original: Value
    released: Value | None
    lost: Lost | None = None
    """Why there is none on the release."""
    groups: tuple[str, ...] = ()
    """What it is about: the group or block of each column of groups; of a coefficient that of its term."""
    labels: tuple[tuple[str, ...], ...] = ()
    """By column of groups, the released labels that it was computed from."""
    scope: Outcome = Outcome.SURVIVES
    """What it is if it survives: COARSER or REMOVED if it is about several groups of the original, or compared so."""
    is_shared: bool = False
    """Whether no released label stands for one of its groups alone: it rests on shares of broader labels."""
    adjusted: Value | None = None
    """Of a coefficient of merged groups, the original's with the terms that the release removes."""
    recoded: Value | None = None
    """Of a coefficient that changes, the original's with the labels of the release, where these are known."""

    @cached_property
    def overlap_signed(self) -> float | None:
        """Mean share of the two intervals that they have in common, negative by the gap where they have none."""
        if self.released is None:
            return None
        one, other = self.original, self.released
        common = min(one.high, other.high) - max(one.low, other.low)
        return (
            sum(
                common / value.width if value.width else float(against.holds(value.estimate))
                for value, against in ((one, other), (other, one))
            )
            / 2
        )

    @property
    def overlap(self) -> float:
        """The share that the intervals have in common; 0 of a lost estimate."""
        return max(self.overlap_signed or 0.0, 0.0)

    @property
    def overlap_average_width(self) -> float | None:
        """The common part of both intervals as a share of their mean width."""
        if self.released is None:
            return None
        one, other = self.original, self.released
        width = (one.width + other.width) / 2
        if not width:
            return float(one.holds(other.estimate))
        return max(min(one.high, other.high) - max(one.low, other.low), 0.0) / width

    @property
    def standardized_difference(self) -> float | None:
        """The difference in standard errors of the original; None if it has none and they differ."""
        if self.released is None:
            return None
        if not self.original.width or not self.original.error:
            return 0.0 if self.original.holds(self.released.estimate) else None
        return (self.released.estimate - self.original.estimate) / self.original.error

    @property
    def beyond_noise(self) -> float | None:
        """The difference in the larger of the two standard errors, so that noise is not taken for a change."""
        difference, released = self.standardized_difference, self.released
        if difference is None or released is None or released.error <= self.original.error:
            return difference
        return difference * self.original.error / released.error

    @property
    def width_ratio(self) -> float | None:
        """How many times as wide as the original's its interval is: noise, where a difference is a shift."""
        return self.released.width / self.original.width if self.released and self.original.width else None

    @property
    def same_sign(self) -> bool:
        """Whether what is tested has the same sign."""
        return self.released is not None and self.released.sign == self.original.sign

    @property
    def is_reversed(self) -> bool:
        """Whether it is significant in both, with opposite signs."""
        return self.original.is_significant and self.same_significance and not self.same_sign

    @property
    def same_significance(self) -> bool:
        """Whether both are significant, or neither."""
        return self.released is not None and self.released.is_significant == self.original.is_significant

    @property
    def keeps_conclusion(self) -> bool:
        """Whether both tests lead to the same conclusion."""
        return self.same_significance and not self.is_reversed

    @property
    def within(self) -> bool:
        """Whether the release's estimate lies in the original's interval."""
        return self.released is not None and self.original.holds(self.released.estimate)

    @cached_property
    def survives(self) -> bool:
        """Whether it lies in the original's interval and leads to the same conclusion."""
        return self.within and self.keeps_conclusion

    @property
    def outcome(self) -> Outcome:
        """What becomes of it."""
        if self.released is None:
            return Outcome.LOST
        return self.scope if self.survives else Outcome.CHANGED

    @property
    def is_by_labels(self) -> bool:
        """Whether coarser labels alone change it: it agrees with the original with these, and is nearer to that."""
        if self.recoded is None or self.released is None:
            return False
        recoded = self.recoded.estimate
        is_nearer = abs(self.released.estimate - recoded) < abs(recoded - self.original.estimate)
        return is_nearer and replace(self, original=self.recoded).survives

    @cached_property
    def is_uncertain(self) -> bool:
        """Whether a changed one contradicts nothing: its far wider interval holds the original's, it finds no more."""
        if self.outcome is not Outcome.CHANGED or self.released is None or (self.width_ratio or 0.0) < FAR_WIDER:
            return False
        finds_more = self.released.is_significant and not self.original.is_significant
        return self.released.holds(self.original.estimate) and not finds_more

    @cached_property
    def said(self) -> str:
        """What becomes of it in a few words, of a change also its kind."""
        if self.survives and self.is_merged:
            return text("analyses.kept.agrees")
        found = self._changed if self.outcome is Outcome.CHANGED else str(self.outcome)
        return text("analyses.kept.guessed", found=found) if self.is_shared and not self.is_merged else found

    @property
    def _changed(self) -> str:
        if self.is_uncertain:
            return text("analyses.kept.uncertain")
        if self.is_reversed:
            return text("analyses.kept.reversed")
        if self.keeps_conclusion:
            return text("analyses.kept.conclusion")
        if self.original.is_significant:
            return text("analyses.kept.insignificant")
        return text("analyses.kept.significant")

    @property
    def is_merged(self) -> bool:
        """Whether it is compared with the original merged alike."""
        return self.scope is not Outcome.SURVIVES

    def to_dict(self) -> dict[str, Any]:
        """As `score --json` prints it."""
        return {
            "name": self.name,
            "original": self.original.to_dict(),
            "released": None if self.released is None else self.released.to_dict(),
            "overlap": self.overlap,
            "overlap_signed": self.overlap_signed,
            "overlap_average_width": self.overlap_average_width,
            "standardized_difference": self.standardized_difference,
            "same_sign": self.same_sign,
            "same_significance": self.same_significance,
            "within": self.within,
            "survives": self.survives,
        }


@dataclass(frozen=True)
class Own:
    """A result of the original in its own groups, with what it becomes on the release."""

    name: str
    original: Value
    estimate: Estimate | None
    """What is compared, of the same groups or of merged ones."""
    lost: Lost | None = None
    """Why it has none."""

    @cached_property
    def is_hidden(self) -> bool:
        """Whether it is significant, and the merged group is not, or has the opposite sign."""
        merged = self._merged
        if merged is None or not self.original.is_significant:
            return False
        return not merged.is_significant or merged.sign != self.original.sign

    @property
    def is_only_merged(self) -> bool:
        """Whether the merged group is significant, and it is not."""
        return self._merged is not None and self._merged.is_significant and not self.original.is_significant

    @property
    def _merged(self) -> Value | None:
        return self.estimate.released if self.estimate is not None and self.estimate.is_merged else None

    @property
    def fate(self) -> tuple[str, str]:
        """What becomes of it, and in which merged group or why."""
        if self.lost is Lost.REFERENCE:
            return self.lost.reason, ""
        if self.lost or self.estimate is None:
            return Outcome.LOST, self.lost.reason if self.lost else ""
        if self.estimate.lost:
            return self.estimate.outcome, self.estimate.lost.reason
        is_same = self.estimate.name == self.name
        merged = "" if is_same else text("analyses.kept.merged_into", group=self.estimate.name)
        if self.is_hidden:
            hidden = text("analyses.kept.opposite") if self.is_opposite else text("analyses.kept.hidden")
            if self.estimate.survives:
                return hidden, merged
            return hidden, text("analyses.kept.hidden_in", merged=merged, said=self.estimate.said)
        if is_same:
            return self.estimate.said, ""
        if self.estimate.survives:
            return text("analyses.kept.merged_agrees"), merged
        return text("analyses.kept.of_merged", said=self.estimate.said), merged

    @property
    def is_opposite(self) -> bool:
        """Whether it is hidden by a significant result of the opposite sign."""
        return self.is_hidden and self._merged is not None and self._merged.is_significant
