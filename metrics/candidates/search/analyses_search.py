"""Analyses kept by generalizations: counts of those that may be on the front, then regressions of the best of these."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from time import monotonic

import numpy as np

from metrics.aggregates import Aggregates, TableAggregates
from metrics.candidates.generalization.generalize import generalized_table
from metrics.candidates.limits.measures import oriented_values
from metrics.candidates.search.evaluation import Evaluation
from metrics.candidates.search.exploration import Exploration, SearchSnapshot
from metrics.config.analyses import Count, Crosstab, Estimated, Mean, Term
from metrics.config.roles import Roles
from metrics.errors import InputError, Unavailable
from metrics.estimates.analyze import analyze
from metrics.estimates.proposals import propose_analyses
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.interruption import checkpoint
from metrics.matching.released_values import holds_numbers
from metrics.scoring.catalog import RISK
from metrics.tables.table import SUPPRESSED, Integers, Table
from metrics.utility.analyses import ANALYSES

_MAX_REGRESSED = 100
_LEAST_GAIN = 1e-12

Levels = Mapping[str, int]
"""By quasi-identifier."""


class AnalysesOfNodes:
    """What generalizations keep of the analyses that are saved, or else proposed, and that the original supports."""

    def __init__(self, original: Table, roles: Roles, hierarchies: Hierarchies | None, evaluation: Evaluation) -> None:
        """Raises InputError where there is no analysis."""
        self._original, self._roles, self._hierarchies = original, roles, dict(hierarchies or {})
        self._columns = {column_levels.column.name: column_levels for column_levels in evaluation.columns}
        self._rule, self._parameters = evaluation.rule, evaluation.parameters
        unchanged = TableAggregates(original, roles, original, self._hierarchies)
        self._own: dict[Estimated, int] = {}
        """How many estimates the original has."""
        listed = self._parameters.analyses
        reason = "all analyses listed are counts" if listed else "no analysis is listed, and the roles suggest none"
        for analysis in (listed or propose_analyses(original, roles, hierarchies)).values():
            try:
                if not isinstance(analysis, Count):
                    self._own[analysis] = analyze(unchanged, analysis).own
            except Unavailable as why:
                reason = f"the original supports no analysis: {why}"
        if not self._own:
            remedy = "list means, cross-tabulations or regressions"
            raise InputError(reason, remedy=remedy, file=None if listed else roles.name)
        self.counted = [analysis for analysis in self._own if isinstance(analysis, Mean | Crosstab)]
        self.regressions = [analysis for analysis in self._own if analysis not in self.counted]

    def kept(self, levels: Levels, analyses: Sequence[Estimated]) -> float:
        """The sum over these analyses."""
        aggregates, total = self._aggregates(levels), 0.0
        for analysis in analyses:
            checkpoint()
            total += analyze(aggregates, analysis).value
        return total

    def value(self, levels: Levels) -> float:
        """The mean over all analyses."""
        return self.kept(levels, list(self._own)) / len(self._own)

    def most(self, levels: Levels, analyses: Sequence[Estimated]) -> float:
        """What the sum over these analyses is at most, as groups with one label have one estimate together."""
        return sum(min(self._estimates(levels, analysis) / self._own[analysis], 1.0) for analysis in analyses)

    def _aggregates(self, levels: Levels) -> Aggregates:
        """The generalized table beside the original."""
        table = generalized_table(
            self._original, self._roles, self._hierarchies, levels, rule=self._rule, parameters=self._parameters
        )
        by_level = {name: tree.for_level(levels.get(name, 0)) for name, tree in self._hierarchies.items()}
        return TableAggregates(table, self._roles, self._original, by_level)

    def _estimates(self, levels: Levels, analysis: Estimated) -> int:
        if isinstance(analysis, Crosstab):  # a group without a label has a share, 0, which may be near the true one
            return self._own[analysis]
        if isinstance(analysis, Mean):
            return math.prod(self._groups(levels, term) for term in analysis.terms_of_all)
        return sum(self._coefficients(levels, term) for term in analysis.terms_of_all if not term.control)

    def _coefficients(self, levels: Levels, term: Term) -> int:
        if term.level or term.groups or not holds_numbers(self._original[term.column]):
            return self._groups(levels, term) - 1
        is_removed = term.column in levels and set(self._labels(levels, term)) == {SUPPRESSED}
        return 0 if is_removed else 1

    def _groups(self, levels: Levels, term: Term) -> int:
        return len(self._labels(levels, term)) if term.column in levels else self._original[term.column].distinct

    def _labels(self, levels: Levels, term: Term) -> tuple[str, ...]:
        return self._columns[term.column].labels[max(levels[term.column], term.level)]


class AnalysesSearch:
    """Runs analyses on the nodes of a search that meet the limits, as far as these may keep more than others.

    The levels bound what a node keeps; of nodes that may keep more than any known of no more risk, the one with the
    highest bound, then the least loss, is next. First its means and cross-tabulations are run, which lowers the bound,
    then its regressions, of a hundred nodes at most.
    """

    def __init__(self, found: Exploration, nodes: AnalysesOfNodes) -> None:
        self._found, self._nodes, self._began = found, nodes, monotonic()
        candidates = np.flatnonzero(found.feasible())
        self._candidates = candidates[np.argsort(found.figures["loss"][candidates], kind="stable")]
        self._risk = -oriented_values(RISK, found.figures[RISK])
        self._values = np.full(found.nodes_evaluated, np.nan)
        self._analyses = [*nodes.counted, *nodes.regressions]
        self._bounds = np.zeros(found.nodes_evaluated)
        for index in candidates.tolist():
            self._bounds[index] = nodes.most(found.levels_of(index), self._analyses) / len(self._analyses)
        self._reached = np.full(found.nodes_evaluated, -np.inf)
        """The most that is kept by nodes of no more risk, as far as it is known."""
        self._counted: dict[int, float] = {}
        self._history: list[SearchSnapshot] = []

    @property
    def seconds(self) -> float:
        """Since the search for nodes began."""
        return self._found.history[-1].seconds + monotonic() - self._began

    def steps(self) -> Iterator[float]:
        """Run the analyses, yielding the share done."""
        regressed = 0
        while regressed < _MAX_REGRESSED and len(may_be_better := self._may_be_better()):
            index = int(may_be_better[self._bounds[may_be_better].argmax()])
            levels = self._found.levels_of(index)
            if index in self._counted:
                kept = self._counted[index] + self._nodes.kept(levels, self._nodes.regressions)
                self._add(index, kept / len(self._analyses))
                regressed += 1
            else:
                self._counted[index] = self._nodes.kept(levels, self._nodes.counted)
                most = self._counted[index] + self._nodes.most(levels, self._nodes.regressions)
                self._bounds[index] = most / len(self._analyses)
                if not self._nodes.regressions:
                    self._add(index, self._bounds[index])
            yield 1 - len(may_be_better) / len(self._candidates)

    def exploration(self) -> Exploration:
        """The nodes with what is known of the analyses they keep."""
        found, may_be_better = self._found, self._may_be_better()
        known = self._values[~np.isnan(self._values)]
        best = float(known.max()) if len(known) else None
        complete = found.nodes_evaluated == found.nodes_total
        bound = max([*known.tolist(), *self._bounds[may_be_better].tolist()], default=None) if complete else None
        return replace(
            found,
            figures={**found.figures, ANALYSES.id: self._values.copy()},
            measure=ANALYSES.id,
            proven=complete and bound == best,
            history=(*self._history, SearchSnapshot(self.seconds, best, bound)),
            not_evaluated=len(may_be_better),
        )

    def _add(self, index: int, value: float) -> None:
        is_best = not (value <= self._values).any()
        self._values[index] = value
        at_no_less_risk = self._risk >= self._risk[index]
        self._reached[at_no_less_risk] = np.maximum(self._reached[at_no_less_risk], value)
        if is_best:
            self._history.append(SearchSnapshot(self.seconds, value, None))

    def _may_be_better(self) -> Integers:
        """Nodes without a value that may be on the front, in the order of loss."""
        of = self._candidates
        open_nodes: Integers = of[np.isnan(self._values[of]) & (self._bounds[of] > self._reached[of] + _LEAST_GAIN)]
        return open_nodes
