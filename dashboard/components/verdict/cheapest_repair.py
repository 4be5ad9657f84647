"""One line on the verdict page: what a repair would cost, and the way to it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboard.components.improve.starting_levels import starting_levels_summary
from dashboard.components.order_notice import order_warning
from dashboard.navigation import COMPARE, DATA, EXPLORE, REPAIR, REPORT
from dashboard.repairs import limits_on, why_unrepairable
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.candidates.limits.enforced import not_enforced
from metrics.candidates.repair.by_policy import merge_to_policy
from metrics.candidates.repair.summary import information_change
from metrics.candidates.repair.to_limits import LimitedRepair
from metrics.explanations.direct_identifiers import hiding_summary
from metrics.explanations.findings import said
from metrics.explanations.recommendation import Recommendation
from metrics.metric import FindingKind
from metrics.policy.limitable_measures import identifiers_in_release
from metrics.policy.policy import Policy, Status
from metrics.scoring.scorecard import Scorecard
from metrics.texts import text


def cheapest_repair(state: Workspace, label: str, recommended: Recommendation) -> Callable[[], None] | None:
    """Show what to do next: pass on a table that meets the policy, repair or replace one that fails.

    Where another candidate should be chosen instead, the line names it. Computing the cost of
    merging classes, which usually keeps the most information, takes about a second: the function returned, called once
    the rest of the page is drawn, adds it to the line. None if there is nothing to add.
    """
    candidate = recommended.candidates[label]
    card, result = candidate.card, candidate.result
    if result.status is Status.NO_LIMITS:
        return None
    meets = result.status is Status.MEETS
    unrepairable = None if meets else why_unrepairable(result)
    other = recommended.instead_of(label)
    alternative = "" if other is None else f" {plain(other)}"
    step = unrepairable or (_after_meeting(state, card) if meets else text("repair.next_repair"))
    with st.container(horizontal=True, vertical_alignment="center", border=True, key="verdict_repair"):
        placeholder = st.empty()
        placeholder.markdown(f"**Next:** {plain(step)}{alternative}")
        with st.container(horizontal=True, width="content"):
            if identifiers_in_release(card.aggregates):
                st.page_link(DATA.page(), label="Check the roles", icon=":material/badge:")
            _links(state, meets=meets, repairable=unrepairable is None)
    if meets:
        return None

    def complete() -> None:
        """Add what merging costs, or that other levels meet the policy."""
        if unrepairable is not None:
            better = starting_levels_summary(state, label)
            if better is not None:
                placeholder.markdown(f"**Next:** {plain(f'{step} {better}')}{alternative}")
            return
        repair = merge_to_policy(card.aggregates, state.policy, card.parameters)
        if repair is not None:
            placeholder.markdown(f"{plain_cost(state.policy, repair, hiding_summary(card.aggregates))}{alternative}")

    return complete


def _after_meeting(state: Workspace, card: Scorecard) -> str:
    """The next step with a table that meets the policy."""
    if said(card, FindingKind.FALSE_INTERVALS):
        return text("repair.next_hierarchy")
    if said(card, FindingKind.SUPPRESSED_GROUP):
        return text("repair.next_without_suppressed")
    return text("repair.next_reordered") if order_warning(state, card) else text("repair.next_report")


def _links(state: Workspace, *, meets: bool, repairable: bool) -> None:
    """The pages on which the next step is done."""
    if not meets and repairable:
        st.page_link(REPAIR.page(), label="Repair this table", icon=":material/build:")
    if len(state.labels) > 1:
        st.page_link(COMPARE.page(), label="Compare candidates", icon=":material/compare_arrows:")
    if state.searchable and not meets:
        st.page_link(EXPLORE.page(), label="Search for a better table", icon=":material/explore:")
    elif not state.searchable and not repairable:
        st.page_link(DATA.page(), label="Load the original", icon=":material/upload_file:")
    st.page_link(REPORT.page(), label="Report", icon=":material/description:")


def plain_cost(policy: Policy, repair: LimitedRepair, hidden: str | None = None) -> str:
    """Say what merging costs and which limits it meets, as Markdown; `hidden`: that it suppresses identifiers."""
    changes = text("repair.changed", records=repair.records_changed)
    costs = ", ".join(filter(None, (information_change(repair), changes)))
    if repair.unmet:
        return f"**{text('repair.merging_not_enough')}** {plain(f'{repair.unmet[0]}; {costs}.')}"
    if not len(repair.violating):
        return (
            f"**{text('repair.no_repair_helps')}** {text('repair.rest_met_in_brief')}"
            if hidden is None
            else f"**Repair:** {plain(hidden)}"
        )
    limits = limits_on(policy, repair.limits)
    if not_enforced(policy, repair.limits, repair.aggregates.roles):
        return f"**Repair:** {plain(text('repair.merging_meets_some', limits=limits, costs=costs))}"
    return f"**Repair:** {plain(text('repair.merging_meets', limits=limits, costs=costs))}"
