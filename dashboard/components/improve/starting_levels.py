"""Levels of generalization that meet the policy, for pages of tables that no repair can make meet it."""

from __future__ import annotations

from dashboard.workspace import Workspace
from metrics.candidates.limits.enforced import needs_sensitive, not_enforced, repair_limits
from metrics.errors import InputError
from metrics.scoring.catalog import INFORMATION
from metrics.texts import text

_MAX_RECORDS = 100_000
"""Levels for more records take too long to find for one sentence."""


def starting_levels_summary(state: Workspace, label: str) -> str | None:
    """Say how much information the levels keep with which Explore begins; None unless they meet every limit."""
    original = state.original
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
    lacks_sensitive = needs_sensitive(repair_limits(state.policy)) and not inputs.roles.sensitive
    if information is None or lacks_sensitive or not_enforced(state.policy, search.limits, inputs.roles):
        return None
    return text("search.starting_levels", information=float(information))
