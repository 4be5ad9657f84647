"""The analyses that a session's versions are to serve, and what is left of them. No Streamlit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from weakref import WeakKeyDictionary

from metrics.aggregates import Aggregates
from metrics.config.analyses import Analysis
from metrics.config.parameters import Parameters
from metrics.estimates.proposals import propose_analyses
from metrics.scoring.scorecard import Score, score_metric
from metrics.tables.table import Table
from metrics.utility.analyses import ANALYSES

Analyses = Mapping[str, Analysis]


@dataclass
class AnalysesState:
    """What each version keeps of the analyses: those that are saved, or those that its columns suggest if none is."""

    _proposed: WeakKeyDictionary[Aggregates, Analyses] = field(default_factory=WeakKeyDictionary)
    _scores: WeakKeyDictionary[Aggregates, tuple[Analyses, Score]] = field(default_factory=WeakKeyDictionary)

    def of(self, aggregates: Aggregates, saved: Analyses) -> Analyses:
        """The analyses by name."""
        if saved:
            return saved
        if aggregates not in self._proposed:
            original = aggregates.original
            self._proposed[aggregates] = (
                propose_analyses(original, aggregates.roles, aggregates.hierarchies)
                if isinstance(original, Table)
                else {}
            )
        return self._proposed[aggregates]

    def score(self, aggregates: Aggregates, parameters: Parameters, saved: Analyses) -> Score:
        """How much of them a version keeps; computed once."""
        analyses = self.of(aggregates, saved)
        known = self._scores.get(aggregates)
        if known is None or known[0] != analyses:
            known = analyses, score_metric(ANALYSES, aggregates, replace(parameters, analyses=analyses))
            self._scores[aggregates] = known
        return known[1]
