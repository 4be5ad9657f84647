"""What is left of one analysis: its estimates, what becomes of the original's results, and how that is said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from metrics.estimates.estimate import Estimate, Lost, Outcome, Own
from metrics.formatting import join_names, sentence_case, visible
from metrics.texts import text

_FEW: Final = 10
"""Records below which an estimate is said to rest on few."""


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
    notes: tuple[str, ...] = ()
    """What else is to be known: how coarse the columns are, what changes the results."""
    randomized: tuple[str, ...] = ()
    """Columns whose released cells were drawn: frequencies are estimated from them, and no regression."""

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

    @cached_property
    def merged(self) -> tuple[Estimate, ...]:
        """Those for merged groups; totals that are left where a column is removed are none."""
        return () if self.has_only_totals else tuple(each for each in self.estimates if each.is_merged)

    @property
    def has_only_totals(self) -> bool:
        """Whether a column of groups is removed, so that only estimates by the others are left."""
        return bool(self.removed) and self.kind in ("mean", "crosstab")

    @property
    def merged_own(self) -> int:
        """Results of the original that are in these."""
        return sum(own.estimate is not None and own.estimate.is_merged for own in self.originals) if self.merged else 0

    @property
    def merged_with_reference(self) -> int:
        """Contrasts that there are no longer, as the group is merged with the one that it is compared with."""
        return sum(each.lost is Lost.REFERENCE for each in self.originals)

    @cached_property
    def hidden(self) -> int:
        """Significant results of single groups that the merged groups do not show."""
        return sum(each.is_hidden for each in self.originals)

    @property
    def significant(self) -> str:
        """How many estimates of the release are significant, and of how many."""
        released = [each.released.is_significant for each in self.estimates if each.released is not None]
        if self.has_only_totals and len(released) == 1:  # the mean of all is compared with 0
            return "—"
        return text("analyses.kept.of_all", number=sum(released), all=len(released))

    @property
    def single_survivors(self) -> int:
        """Results of the original that survive as they are, each for its own group and by a label of its own."""
        return sum(each.survives and not each.is_merged and not each.is_shared for each in self.estimates)

    @property
    def kept(self) -> int:
        """How many of the estimates the release still gives."""
        return sum(estimate.released is not None for estimate in self.estimates)

    @property
    def is_whole(self) -> bool:
        """Whether every result survives as it is."""
        return self.single_survivors == self.most

    @property
    def is_only_coarser(self) -> bool:
        """Whether every estimate that is compared survives, and no result is gone but by merging groups."""
        gone = self.removed or self.merged_with_reference or self.hidden
        agreeing = self.single_survivors + sum(each.survives for each in self.merged)
        return 0 < agreeing == len(self.estimates) and not gone

    @property
    def asked(self) -> str:
        """What there is of the original: "10 means"."""
        return self._named(self.most)

    def _named(self, number: int) -> str:
        if self.kind == "mean":
            return text("analyses.estimates.means", number=number)
        if self.kind == "crosstab":
            return text("analyses.estimates.cells", number=number)
        return text("analyses.estimates.coefficients", number=number)

    @property
    def without(self) -> str:
        """The columns that are removed: "no longer by occupation"; merged terms are compared without them."""
        if not self.removed:
            return ""
        columns = join_names([*map(visible, self.removed)])
        if self.has_only_totals:
            return text("analyses.kept.without", columns=columns)
        found = text("analyses.kept.unadjusted", columns=columns)
        return text("analyses.kept.without_terms", found=found, columns=columns) if self.merged else found

    @cached_property
    def in_short(self) -> str:
        """How many results become what: "6 survive; 11 merged into 3, all agree"."""
        if self.has_only_totals:
            return self._totals
        single = [each for each in self.estimates if not each.is_merged]
        contrasts = self.merged_with_reference
        lost = sum(own.estimate is None for own in self.originals) - contrasts
        reference = text("analyses.kept.with_reference", number=contrasts) if contrasts else ""
        return "; ".join(filter(None, [_counted(single, lost), _of_merged(self.merged_own, self.merged), reference]))

    @property
    def _totals(self) -> str:
        """What is left by the other columns, where one is removed."""
        return _all_agree(text("analyses.kept.totals", lost=self.own, totals=len(self.estimates)), self.estimates)

    @property
    def remark(self) -> str:
        """What else is gone: columns, and conclusions on single groups."""
        # Without a term of a regression, the merged group may be significant for that reason.
        only_merged = 0 if self.removed else sum(each.is_only_merged for each in self.originals)
        opposite = sum(each.is_opposite for each in self.originals)
        hidden = text("analyses.kept.hides", number=self.hidden) if self.hidden else ""
        if opposite:
            only = opposite == self.hidden
            some = text("analyses.kept.hides_opposite", found=hidden, number=opposite)
            hidden = text("analyses.kept.hides_only_opposite", found=hidden, number=opposite) if only else some
        others = text("analyses.kept.only_merged", number=only_merged) if only_merged else ""
        return "; ".join(filter(None, [self.without, hidden, others]))

    def summary(self) -> str:
        """The finding, and what else is to be known."""
        return f"{self.finding} {self.caution}".rstrip()

    @property
    def caution(self) -> str:
        """The notes, how many estimates rest on few records, and what is to be known of randomized columns."""
        few = sum(each.released is not None and each.released.records < _FEW for each in self.estimates)
        of_few = [text("analyses.kept.few_records", number=few, all=self._named(self.kept), few=_FEW)] if few else []
        notes, columns = sentence_case("; ".join([*self.notes, *of_few])), list(self.randomized)
        sentences = [f"{notes}."] if notes else []
        if columns:
            is_regression = self.kind not in ("mean", "crosstab")
            biased, drawn = text("analyses.biased", columns=columns), text("analyses.randomized", columns=columns)
            sentences.append(biased if is_regression else drawn)
        return " ".join(sentences)

    @property
    def finding(self) -> str:
        """In a sentence: "2 of 6 means can still be estimated, and all 2 survive", or what merged groups become."""
        kept, survivors, uncertain = self.kept, self.survivors, sum(each.is_uncertain for each in self.estimates)
        if not kept:
            found = text("analyses.estimates.none", own=self.asked)
        elif any(each.is_merged for each in self.estimates):
            found, uncertain = text("analyses.estimates.merged", own=self.asked, found=self.in_short), 0
        elif not survivors:
            found = text("analyses.estimates.none_survives", kept=kept, own=self.asked)
        elif survivors < kept:
            found = text("analyses.estimates.some_survive", kept=kept, own=self.asked, surviving=survivors)
        elif kept == 1:
            found = text("analyses.estimates.one_survives", own=self.asked)
        else:
            found = text("analyses.estimates.all_survive", kept=kept, own=self.asked, surviving=survivors)
        of_uncertain = text("analyses.estimates.uncertain", number=uncertain) if uncertain else ""
        return f"{'; '.join(filter(None, [found.removesuffix('.'), of_uncertain, self.remark]))}."

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
            "removed": list(self.removed),
            **variation,
            "unavailable": None,
            "estimates": [estimate.to_dict() for estimate in self.estimates],
        }


def outcome_terms(results: Iterable[AnalysisResult]) -> list[str]:
    """What the words mean that tell what becomes of these results."""
    said = "; ".join(f"{each.in_short}; {each.remark}" for each in results)
    meanings = {
        "survive": text("analyses.terms.survives"),
        "agree": text("analyses.terms.agrees"),
        "the conclusion": text("analyses.terms.conclusion"),
        "hidden": text("analyses.terms.hidden"),
        "only in the merged group": text("analyses.terms.only_merged"),
        "with the reference": text("analyses.terms.reference"),
        "uncertain": text("analyses.terms.uncertain"),
        "guessed": text("analyses.terms.guessed"),
    }
    return [meaning for word, meaning in meanings.items() if word in said]


def _counted(estimates: Sequence[Estimate], lost: int = 0) -> str:
    """How many become what: "40 survive, 2 moved"; `lost` more have no estimate."""
    order = {outcome: place for place, outcome in enumerate(Outcome)}
    said = Counter(each.said for each in sorted(estimates, key=lambda each: order[each.outcome]))
    said[str(Outcome.LOST)] += lost
    several = {
        str(Outcome.SURVIVES): "survive",
        text("analyses.kept.agrees"): "agree",
        text("analyses.kept.conclusion"): "keep only the conclusion",
        text("analyses.kept.significant"): "become significant",
    }
    return ", ".join(
        f"{number:,} {several.get(each, each) if number > 1 else each}" for each, number in said.items() if number
    )


def _of_merged(before: int, merged: Sequence[Estimate]) -> str:
    """What becomes of merged groups: "11 merged into 3, all agree"."""
    if not merged:
        return ""
    if before <= len(merged):
        return _all_agree(text("analyses.kept.merged_alone", before=before), merged)
    return _all_agree(text("analyses.kept.merged", before=before, after=len(merged)), merged)


def _all_agree(found: str, estimates: Sequence[Estimate]) -> str:
    if all(each.survives for each in estimates):
        return text("analyses.kept.all_agree", found=found, number=len(estimates))
    return f"{found}: {estimates[0].said if len(estimates) == 1 else _counted(estimates)}"
