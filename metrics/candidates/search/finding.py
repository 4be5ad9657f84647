"""Progress of a search for the best generalization, with the bound that it has proven, in one sentence."""

from __future__ import annotations

import math

import numpy as np

from metrics.candidates.limits.measures import KEPT, NODE_MEASURES
from metrics.candidates.search.exploration import Exploration
from metrics.formatting import within_sentence
from metrics.scoring.catalog import INFORMATION
from metrics.texts import text
from metrics.utility.analyses import ANALYSES

_ALL = 0.9995
"""A bound on a share says nothing from this value on."""


def search_finding(exploration: Exploration) -> str:
    """The best so far, and the bound that is proven for all generalizations within the limits."""
    if exploration.proven:
        finding, proof = proven_finding(exploration)
        return f"{finding}. {proof}" if proof else finding
    if exploration.best is None:
        not_run = exploration.measure == ANALYSES.id and exploration.feasible().any()
        return text("search.analyses_not_begun") if not_run else text("search.none_found")
    figure, bound = _best_figure(exploration), exploration.bound
    is_share = exploration.measure in KEPT
    if bound is None or (is_share and bound >= _ALL):
        return text("search.unbounded", figure=figure) + _chance(exploration)
    # A share is rounded so that no better one is shown as the bound.
    limit = f"{math.ceil(round(1000 * bound, 6)) / 10:.1f}%" if is_share else bound
    return text("search.bounded", figure=figure, bound=limit) + _chance(exploration)


def proven_finding(exploration: Exploration) -> tuple[str, str]:
    """The best figure of a search that has proven it, and a sentence with the proof; empty where there is no best."""
    if exploration.best is None:
        return text("search.none_proven"), ""
    return text("search.best", figure=_best_figure(exploration)), text("search.proven") + _chance(exploration)


def not_run_finding(exploration: Exploration) -> str:
    """On how many generalizations all analyses were run; empty where on all that meet the limits."""
    if exploration.measure != ANALYSES.id:
        return ""
    run, candidates = int((~np.isnan(exploration.figures[ANALYSES.id])).sum()), int(exploration.feasible().sum())
    if run == candidates:
        return ""
    if not exploration.not_evaluated:
        return text("search.analyses_run", run=run, candidates=candidates)
    return text("search.analyses_not_run", run=run, candidates=candidates, others=exploration.not_evaluated)


def _chance(exploration: Exploration) -> str:
    """That others may be as good as the best by analyses, though they keep less."""
    return f" {text('search.analyses_chance')}" if exploration.measure == ANALYSES.id else ""


def _best_figure(exploration: Exploration) -> str:
    measure = exploration.measure
    value = exploration.figures[measure][exploration.best].item()
    if measure == INFORMATION:
        return text("search.information", share=value)
    if measure == ANALYSES.id:
        return text("search.analyses", share=value)
    return text("search.figure", measure=within_sentence(NODE_MEASURES[measure].title), value=value)
