"""What one version keeps of one analysis: what becomes of its results, and the columns it tells nothing of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from metrics.aggregates import Aggregates
from metrics.config.analyses import Estimated, Linear, Logistic, Mean
from metrics.estimates.estimate import AnalysisResult, Extent, Outcome
from metrics.estimates.grouping import GroupedColumn, grouped_column
from metrics.formatting import join_names, visible
from metrics.texts import text

_MARKS = {Extent.FULL: "meets", Extent.COARSER: ""}


@dataclass(frozen=True)
class Kept:
    """The result of an analysis on a version, with the columns of groups in both tables."""

    analysis: Estimated
    result: AnalysisResult
    columns: Sequence[GroupedColumn]

    @classmethod
    def of(cls, aggregates: Aggregates, analysis: Estimated, result: AnalysisResult) -> Self:
        """A term of a regression has groups if it has a reference; those of other analyses are all groups."""
        is_regression = isinstance(analysis, Linear | Logistic)
        grouped = {column for column, _ in result.references}
        terms = [term for term in analysis.terms_of_all if not is_regression or term.column in grouped]
        return cls(analysis, result, [grouped_column(aggregates, term) for term in terms])

    @property
    def removed(self) -> list[str]:
        """Columns of which the version tells no group from another."""
        return [each.own.column for each in self.columns if each.blocks.groups == 1 < each.own.groups]

    @property
    def references(self) -> list[str]:
        """The groups that others of a regression are compared with, as the version has them."""
        named = []
        for (column, group), each in zip(self.result.references, self.columns, strict=True):
            own = each.own.names.index(group)
            block = next(block for block, members in enumerate(each.blocks.members) if own in members)
            named.append(f"{visible(column)} {visible(each.blocks.names[block])}")
        return named

    @property
    def without(self) -> str:
        """The columns that were removed: "no longer by occupation"."""
        removed = self.removed
        return text("analyses.kept.without", columns=join_names([visible(name) for name in removed])) if removed else ""

    @property
    def in_short(self) -> str:
        """How many results become what, which add up to all: "6 survive, 3 coarser, 8 merged away"."""
        outcomes = {outcome: found for outcome, found in self.result.outcomes.items() if found}
        if self._is_overall:
            changed = [str(outcome) for outcome in outcomes if outcome is not Outcome.COARSER]
            return ", ".join([text("analyses.kept.overall"), *changed])
        words = {**{outcome: str(outcome) for outcome in Outcome}, Outcome.SURVIVES: "survive"}
        parts = [f"{len(found):,} {words[outcome]}" for outcome, found in outcomes.items()]
        gone = self.result.most - len(self.result.estimates)
        return ", ".join([*parts, f"{gone:,} {'lost' if self.removed else 'merged away'}"] if gone else parts)

    @property
    def finding(self) -> str:
        """The same as a line of its own."""
        if self._is_overall:
            return f"{self.without}; {self.in_short}"
        found = text("analyses.kept.of", own=self.result.asked, parts=self.in_short)
        return f"{found}; {self.without}" if self.without else found

    @property
    def mark(self) -> str:
        """How the version stands: "meets" where all survive in full, "fails" where some do not or a column is gone."""
        return "fails" if self.removed else _MARKS.get(self.result.extent, "fails")

    @property
    def _is_overall(self) -> bool:
        """Whether one mean of all records is what is left of those of groups."""
        is_whole = isinstance(self.analysis, Mean) and len(self.removed) == len(self.columns) > 0
        return is_whole and self.result.rows_released > 0
