"""The analyses that a version is to serve, and what is left of them. No Streamlit."""

from __future__ import annotations

from collections.abc import Mapping

from metrics.aggregates import Aggregates
from metrics.config.analyses import Analysis
from metrics.config.parameters import Parameters
from metrics.estimates.proposals import propose_analyses
from metrics.scoring.by_group import analyses_by_group
from metrics.scoring.scorecard import Score, score_metric
from metrics.tables.table import Table
from metrics.utility.analyses import ANALYSES


def analyses_of(aggregates: Aggregates, saved: Mapping[str, Analysis]) -> Mapping[str, Analysis]:
    """Those that are saved or, if none is, those that the columns suggest."""
    return saved or aggregates.whole.memoize(_proposed)


def analyses_score(aggregates: Aggregates, saved: Mapping[str, Analysis]) -> Score:
    """How much of them a version keeps; computed once."""
    return aggregates.whole.memoize(_score, tuple(analyses_of(aggregates, saved).items()))


def kept_by_group(aggregates: Aggregates, column: str, saved: Mapping[str, Analysis]) -> Mapping[str | None, Score]:
    """How much of them the people of each group keep; computed once. Raises Unavailable without matched records."""
    return aggregates.whole.memoize(_by_group, column, tuple(analyses_of(aggregates, saved).items()))


def _by_group(
    aggregates: Aggregates, column: str, analyses: tuple[tuple[str, Analysis], ...]
) -> Mapping[str | None, Score]:
    return analyses_by_group(aggregates, column, dict(analyses))


def _proposed(aggregates: Aggregates) -> Mapping[str, Analysis]:
    original = aggregates.original
    if not isinstance(original, Table):
        return {}
    return propose_analyses(original, aggregates.roles, aggregates.hierarchies)


def _score(aggregates: Aggregates, analyses: tuple[tuple[str, Analysis], ...]) -> Score:
    return score_metric(ANALYSES, aggregates, Parameters(analyses=dict(analyses)))
