"""One estimate on the original and on the release, how well they agree, and whether the conclusion survives."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, Final

from metrics.formatting import join_names, visible
from metrics.texts import text

_SAME: Final = 1e-9
"""Relative difference of numbers that only differ in how they were summed up."""


Cell = tuple[int, ...]
"""The group or block of each column of groups."""


class Lost(StrEnum):
    """Why the release has no such estimate."""

    GROUP = "group"
    REFERENCE = "reference"
    TERM = "term"
    COLLINEAR = "collinear"
    SEPARATED = "separated"
    RECORDS = "records"

    @property
    def reason(self) -> str:
        """In words."""
        return {
            Lost.GROUP: text("analyses.lost.group"),
            Lost.REFERENCE: text("analyses.lost.reference"),
            Lost.TERM: text("analyses.lost.term"),
            Lost.COLLINEAR: text("analyses.lost.collinear"),
            Lost.SEPARATED: text("analyses.lost.separated"),
            Lost.RECORDS: text("analyses.lost.records"),
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


class Extent(StrEnum):
    """How much of an analysis survives."""

    FULL = "in full"
    COARSER = "coarser"
    """Every estimate that is compared, some for merged groups."""
    REMOVED = "without a column"
    """Every estimate that is compared, but a column is removed."""
    PART = "in part"
    NONE = "not at all"


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

    def holds(self, number: float) -> bool:
        """Whether a number lies in the interval."""
        slack = _SAME * max(1.0, abs(self.estimate))
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
    def same_sign(self) -> bool:
        """Whether what is tested has the same sign."""
        return self.released is not None and self.released.sign == self.original.sign

    @property
    def same_significance(self) -> bool:
        """Whether both are significant, or neither."""
        return self.released is not None and self.released.is_significant == self.original.is_significant

    @property
    def within(self) -> bool:
        """Whether the release's estimate lies in the original's interval."""
        return self.released is not None and self.original.holds(self.released.estimate)

    @property
    def survives(self) -> bool:
        """Whether it lies in the original's interval and leads to the same conclusion."""
        return self.within and self.same_significance and (self.same_sign or not self.original.is_significant)

    @property
    def outcome(self) -> Outcome:
        """What becomes of it."""
        if self.released is None:
            return Outcome.LOST
        return self.scope if self.survives else Outcome.CHANGED

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

    @property
    def fate(self) -> tuple[Outcome, str]:
        """What becomes of it, and in which merged group or why."""
        if self.lost or self.estimate is None:
            return Outcome.LOST, self.lost.reason if self.lost else ""
        if self.estimate.lost:
            return self.estimate.outcome, self.estimate.lost.reason
        is_same = self.estimate.name == self.name
        merged = "" if is_same else text("analyses.kept.merged_into", group=self.estimate.name)
        return self.estimate.outcome, merged


@dataclass(frozen=True)
class AnalysisResult:
    """What is left of one analysis on the release."""

    kind: str
    estimates: tuple[Estimate, ...]
    """Those that are compared, at the blocks of groups that the release tells apart; the lost ones too."""
    originals: tuple[Own, ...]
    """Those of the original itself."""
    removed: tuple[str, ...]
    """Columns of which the release tells no group from another, or no number."""
    rows_original: int
    """Records without an unknown cell."""
    rows_released: int
    left_out_original: int
    """Records with an unknown cell in a column of the analysis."""
    left_out_released: int
    total_variation: float | None = None
    """Of a cross-tabulation, half the sum of all differences between shares of cells."""
    references: tuple[tuple[str, str, str], ...] = ()
    """Of a regression, the columns of groups with the group that others are compared with, and its block."""
    randomized: tuple[str, ...] = ()
    """Columns whose released cells were drawn, so that true frequencies were estimated from them."""

    @property
    def own(self) -> int:
        """How many estimates the original has itself."""
        return len(self.originals)

    @property
    def compared(self) -> int:
        """How many estimates are compared; none where no released record is complete."""
        return len(self.estimates) if self.rows_released else 0

    @property
    def most(self) -> int:
        """How many estimates count: the original's own, or those compared if these are more."""
        return max(self.own, self.compared)

    @property
    def detail(self) -> float:
        """Estimates that are compared per estimate of the original."""
        return self.compared / self.most if self.most else 0.0

    @property
    def agreement(self) -> float:
        """Mean overlap of the estimates that are compared."""
        return sum(estimate.overlap for estimate in self.estimates) / self.compared if self.compared else 0.0

    @property
    def value(self) -> float:
        """Detail times agreement: 1 for the original itself, 0 where nothing is left."""
        return sum(estimate.overlap for estimate in self.estimates) / self.most if self.most else 0.0

    @property
    def surviving(self) -> float:
        """Estimates that survive per estimate of the original."""
        return self.survivors / self.most if self.most else 0.0

    @property
    def survivors(self) -> int:
        """How many estimates survive."""
        return sum(estimate.survives for estimate in self.estimates)

    @property
    def kept(self) -> int:
        """How many of the estimates the release still gives."""
        return sum(estimate.released is not None for estimate in self.estimates)

    @property
    def outcomes(self) -> dict[Outcome, list[Estimate]]:
        """The estimates by what becomes of them."""
        return {outcome: [each for each in self.estimates if each.outcome is outcome] for outcome in Outcome}

    @property
    def extent(self) -> Extent:
        """How much survives."""
        if not self.survivors:
            return Extent.NONE
        if self.survivors < len(self.estimates):
            return Extent.PART
        if self.removed:
            return Extent.REMOVED
        return Extent.COARSER if self.outcomes[Outcome.COARSER] else Extent.FULL

    @property
    def asked(self) -> str:
        """What there is of the original: "10 means"."""
        if self.kind == "mean":
            return text("analyses.estimates.means", number=self.most)
        if self.kind == "crosstab":
            return text("analyses.estimates.cells", number=self.most)
        return text("analyses.estimates.coefficients", number=self.most)

    @property
    def without(self) -> str:
        """The columns that are removed: "no longer by occupation"."""
        names = [visible(name) for name in self.removed]
        return text("analyses.kept.without", columns=join_names(names)) if names else ""

    @property
    def merged_away(self) -> int:
        """Results that have none of their own, as groups are merged or a column is removed."""
        return self.most - len(self.estimates)

    @property
    def in_short(self) -> str:
        """How many results become what, which add up to all: "6 survive, 3 coarser, 8 merged away"."""
        outcomes = {outcome: len(found) for outcome, found in self.outcomes.items() if found}
        if self._is_overall:
            changed = [str(outcome) for outcome in outcomes if outcome is not Outcome.REMOVED]
            return ", ".join([text("analyses.kept.overall"), *changed])
        several = {Outcome.SURVIVES: "survive"}
        parts = [f"{number:,} {several.get(each, each) if number > 1 else each}" for each, number in outcomes.items()]
        lost = f"{self.merged_away:,} {'lost' if self.removed else 'merged away'}"
        return ", ".join([*parts, lost] if self.merged_away else parts)

    @property
    def _is_overall(self) -> bool:
        """Whether one mean of all records is what is left of those of groups."""
        overall = len(self.estimates) == 1 and self.estimates[0].scope is Outcome.REMOVED
        return self.kind == "mean" and overall and self.rows_released > 0

    def summary(self) -> str:
        """The finding: "3 of 6 coefficients can still be estimated, and all 3 survive"."""
        randomized = [text("analyses.randomized", columns=list(self.randomized))] if self.randomized else []
        return " ".join([self._found, *randomized])

    @property
    def _found(self) -> str:
        kept, survivors, coarser = self.kept, self.survivors, len(self.outcomes[Outcome.COARSER])
        if not kept:
            found = text("analyses.estimates.none", own=self.asked)
        elif not survivors:
            found = text("analyses.estimates.none_survives", kept=kept, own=self.asked)
        elif survivors < kept:
            found = text("analyses.estimates.some_survive", kept=kept, own=self.asked, surviving=survivors)
        elif kept == 1:
            found = text("analyses.estimates.one_survives", own=self.asked)
        else:
            found = text("analyses.estimates.all_survive", kept=kept, own=self.asked, surviving=survivors)
        further = [self.without] if self.without else []
        if coarser:
            further.insert(0, text("analyses.estimates.merged", coarser=coarser))
        return "; ".join([found.removesuffix("."), *further]) + "."

    def to_dict(self) -> dict[str, Any]:
        """As `score --json` prints it."""
        variation = {"total_variation": self.total_variation} if self.kind == "crosstab" else {}
        return {
            "value": self.value,
            "detail": self.detail,
            "agreement": self.agreement,
            "surviving": self.surviving,
            "rows_original": self.rows_original,
            "rows_released": self.rows_released,
            "estimates_original": self.own,
            "estimates_compared": self.compared,
            **variation,
            "unavailable": None,
            "estimates": [estimate.to_dict() for estimate in self.estimates],
        }
