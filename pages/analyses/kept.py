"""What one version keeps of one analysis: what becomes of its results, and the columns it tells nothing of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from metrics.aggregates import Aggregates, TableAggregates
from metrics.config.analyses import Estimated, Linear, Logistic, Mean
from metrics.estimates.analyze import analyze
from metrics.estimates.estimate import AnalysisResult, Estimate, Extent, Outcome
from metrics.estimates.grouping import GroupedColumn, grouped_column, original_column
from metrics.formatting import join_names, visible
from metrics.matching.released_values import holds_numbers
from metrics.tables.table import Table
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
        """A term of a regression is a number where the original's column is, unless groups are asked for."""
        is_regression = isinstance(analysis, Linear | Logistic)
        terms = [
            term
            for term in analysis.terms_of_all
            if not is_regression
            or term.level
            or term.groups
            or not holds_numbers(original_column(aggregates, term.column))
        ]
        return cls(analysis, result, [grouped_column(aggregates, term) for term in terms])

    @property
    def removed(self) -> list[str]:
        """Columns of which the version tells no group from another."""
        return [each.own.column for each in self.columns if each.blocks.groups == 1 < each.own.groups]

    @property
    def references(self) -> list[str]:
        """The groups that others of a regression are compared with, as the version has them."""
        pairs = zip(self.result.references, self._merged, strict=True)
        return [f"{visible(column)} {visible(merged[group])}" for (column, group), merged in pairs]

    @cached_property
    def _merged(self) -> list[dict[str, str]]:
        """By column of groups what the version calls each group, alone or merged with others."""
        return [
            {
                each.own.names[group]: name
                for name, members in zip(each.blocks.names, each.blocks.members, strict=True)
                for group in members
            }
            for each in self.columns
        ]

    @cached_property
    def _by_name(self) -> dict[str, Estimate]:
        return {estimate.name: estimate for estimate in self.result.estimates}

    def fate(self, own: Estimate) -> tuple[str, str]:
        """What becomes of a result of the original, and in which merged group or why."""
        prefixes = [f"{each.own.column}: " if self.result.references else "" for each in self.columns]
        parts = [
            part for part, prefix in enumerate(prefixes) if not prefix or f"{prefix}{', '.join(own.groups)}" == own.name
        ]
        if any(self.columns[part].own.column in self.removed for part in parts):
            return Outcome.LOST, self.without
        merged = [self._merged[part].get(group, group) for part, group in zip(parts, own.groups, strict=True)]
        name = f"{prefixes[parts[0]]}{', '.join(merged)}" if parts else own.name
        found = self._by_name.get(name) or self._by_name.get(own.name)
        if found is None:
            is_reference = self.result.references and merged
            return Outcome.LOST, text("analyses.kept.in_reference") if is_reference else ""
        if found.lost is not None:
            return found.outcome, found.lost.reason
        return found.outcome, "" if found.name == own.name else text("analyses.kept.merged_into", group=found.name)

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
        several = {Outcome.SURVIVES: "survive"}
        parts = [
            f"{len(found):,} {several.get(outcome, outcome) if len(found) > 1 else outcome}"
            for outcome, found in outcomes.items()
        ]
        lost = f"{self.gone:,} {'lost' if self.removed else 'merged away'}"
        return ", ".join([*parts, lost] if self.gone else parts)

    @property
    def gone(self) -> int:
        """Results that have none of their own, as groups are merged or a column is removed."""
        return self.result.most - len(self.result.estimates)

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


def own_results(aggregates: Aggregates, analysis: Estimated) -> Sequence[Estimate]:
    """The original's results, which are those of an unchanged version; none where a server holds the records."""
    unchanged = aggregates.whole.memoize(_unchanged)
    return () if unchanged is None else analyze(unchanged, analysis).estimates


def _unchanged(aggregates: Aggregates) -> TableAggregates | None:
    original = aggregates.original
    if not isinstance(original, Table):
        return None
    return TableAggregates(original, aggregates.roles, original, aggregates.hierarchies)
