"""The limits of repairs as pages name them, what a repair achieves, and what other levels would where none helps."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from dashboard.workspace import Workspace
from metrics.aggregates import Aggregates
from metrics.aggregates.memo import Memo
from metrics.candidates.limits.enforced import ENFORCED, K, Limits, needs_sensitive, not_enforced, repair_limits
from metrics.candidates.repair.to_limits import LimitedRepair
from metrics.config.parameters import Parameters
from metrics.errors import InputError
from metrics.formatting import join_names, within_sentence
from metrics.policy.limitable_measures import LIMITABLE_MEASURES, SUPPRESSION, LimitResult, measured, metrics_for
from metrics.policy.policy import Policy, PolicyResult
from metrics.scoring.catalog import INFORMATION, RISK
from metrics.scoring.scorecard import score_aggregates
from metrics.texts import text

_MAX_RECORDS = 100_000
"""Levels for more records take too long to find for one sentence."""


def limit_names(limits: Collection[str]) -> str:
    """What limits are on, as a sentence names it; "" without any."""
    return join_names([ENFORCED[name].title for name in ENFORCED if name in limits] or [""])


def checked_limits(policy: Policy, limits: Limits) -> str:
    """The limits that a search or a repair checks, as a sentence names them; "" without any.

    A limit on the highest risk is one on k: it is named only where k has none.
    """
    return join_names(_checked(policy, limits) or [""])


def limits_on(policy: Policy, limits: Limits) -> str:
    """The limits that a repair checks, at least one, as the object of a sentence: "the limits on k and l"."""
    titles = _checked(policy, limits)
    return text("repair.limits_on", limits=join_names(titles), number=len(titles))


def _checked(policy: Policy, limits: Limits) -> list[str]:
    titles = {name: ENFORCED[name].title for name in limits}
    if K in limits and RISK in policy.limits and K not in policy.limits:
        titles[RISK] = LIMITABLE_MEASURES[RISK].short
    return [titles[name] for name in LIMITABLE_MEASURES if name in titles]


def why_unrepairable(checked: PolicyResult) -> str | None:
    """Say why no repair can meet the policy: it restores no suppressed record, and a limit has to be measured."""
    if checked.not_measured and not checked.failed:
        names = join_names([within_sentence(limit.title) for limit in checked.not_measured])
        return text("repair.not_measured", limits=names, number=len(checked.not_measured))
    for limit in checked.failed:
        if limit.metric == SUPPRESSION:
            return text("repair.not_restorable", share=float(limit.value or 0), limit=float(limit.limit))
    return None


def repaired_measures(
    repair: LimitedRepair, names: Collection[str], parameters: Parameters
) -> Mapping[str, LimitResult]:
    """Measure the values that limits of these names apply to after a repair; kept with the repaired table."""
    metrics = metrics_for(names)
    cards = repair.aggregates.memoize(_cards)
    card = cards(f"{metrics} {parameters}", lambda: score_aggregates(repair.aggregates, parameters, metrics))
    return {name: measured(name, card) for name in names}


def _cards(aggregates: Aggregates) -> Memo:
    """The cards of a repair, by metrics and parameters."""
    return Memo()


def starting_levels_summary(state: Workspace, label: str) -> str | None:
    """Say how much information the levels keep with which Explore begins; None unless they meet every limit."""
    original = state.tables.original
    if original is None or original.table.rows > _MAX_RECORDS or not state.searchable or state.search.searching:
        return None
    search, inputs = state.search, state.search_inputs()
    try:
        state.start_exploring(label)
        if not search.at_start(inputs) or search.unmet(inputs):
            return None
        information = search.current_measures(inputs)[INFORMATION]
    except InputError:
        return None
    lacks_sensitive = needs_sensitive(repair_limits(state.policy.current)) and not inputs.roles.sensitive
    if information is None or lacks_sensitive or not_enforced(state.policy.current, search.limits, inputs.roles):
        return None
    return text("search.starting_levels", information=float(information))
