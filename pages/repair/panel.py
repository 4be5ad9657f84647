"""Repairs that would make a table meet the policy: the method, its cost, and the repaired table to download or keep."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import pandas as pd
import streamlit as st

from dashboard.components.chart import data_table
from dashboard.components.guard import stays_on_server
from dashboard.components.measures_table import results_table
from dashboard.components.recipe_section import recipe_button
from dashboard.components.release_file import release_button
from dashboard.components.version_offer import change_tile, kept_notice, tile_columns, warn_removed
from dashboard.navigation import COMPARE, EXPLORE, REPORT
from dashboard.repairs import limits_on, repaired_measures, starting_levels_summary, why_unrepairable
from dashboard.session import choose_version, chosen_version
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.aggregates import Aggregates
from metrics.candidates.limits.enforced import Limits, needs_sensitive, not_enforced, repair_limits
from metrics.candidates.repair.by_policy import computed_repair, limits_for
from metrics.candidates.repair.summary import change_summary, information_change, no_violations_summary, unmet_summary
from metrics.candidates.repair.to_limits import LimitedRepair, Method
from metrics.config.parameters import CellReading, P29Parameters, Parameters
from metrics.errors import InputError, Unavailable
from metrics.explanations.bounds import as_bound, bound_text
from metrics.explanations.checked_rows import title_of
from metrics.explanations.direct_identifiers import hiding_summary
from metrics.explanations.recommendation import recommend
from metrics.explanations.what_matters import what_matters
from metrics.formatting import join_names, short_percent, visible, within_sentence
from metrics.metric import Direction, Measure
from metrics.policy.limitable_measures import (
    LIMITABLE_MEASURES,
    SUPPRESSION,
    LimitResult,
    Outcome,
    measure_text,
    measured,
)
from metrics.policy.policy import PolicyResult, Status
from metrics.recipes.recipe import Recipe
from metrics.recipes.repair_recipe import recipe_of_repair
from metrics.scoring.catalog import INFORMATION
from metrics.scoring.scorecard import Score, Scorecard
from metrics.texts import text
from metrics.utility.cells.removed_values import removed_from

_AT_ONCE = 3_000
_TILE_WIDTHS = (1,) * 6
_ARROWS = {Direction.HIGHER: "↑", Direction.LOWER: "↓"}
_KEPT = "repair_kept"
_METHODS = {
    Method.MERGE: "Merge classes",
    Method.CELLS: "Suppress single cells",
    Method.RECORDS: "Suppress whole classes",
}
"""Methods in the order offered: what usually keeps the most information first, as on the verdict page."""
_ENDINGS = {Method.MERGE: "merged", Method.CELLS: "cells_suppressed", Method.RECORDS: "classes_suppressed"}
"""How the names of repaired tables end."""
_DONE = {
    Method.RECORDS: text("repair.whole_classes_title"),
    Method.CELLS: text("repair.cells_title"),
    Method.MERGE: text("repair.merging_title"),
}
_ABOUT = {
    Method.RECORDS: text("repair.whole_classes_help"),
    Method.CELLS: text("repair.cells_help"),
    Method.MERGE: text("repair.merging_help"),
}


def repair_panel(state: Workspace, card: Scorecard) -> None:
    """The policy's limits, the method, and its result."""
    if stays_on_server(state, chosen_version(state)):
        return
    aggregates = card.aggregates
    limits = _limits(state, aggregates)
    checked = state.policy.current.check(card)
    _kept_before(state)
    if checked.status is Status.MEETS:
        _nothing_to_repair(checked, state.policy.parameters.p29)
        return
    unrepairable = why_unrepairable(checked)
    if unrepairable is not None:
        better = starting_levels_summary(state, chosen_version(state))
        st.warning(plain(" ".join(filter(None, (unrepairable, better)))), icon=":material/warning:")
        if state.searchable:
            with st.container(key="repair_next_link"):
                st.page_link(EXPLORE.page(), label="Find a better table", icon=":material/explore:")
        if all(limit.metric == SUPPRESSION for limit in checked.failed):
            return
        limits = {name: bound for name, bound in limits.items() if name != SUPPRESSION}
    method = st.radio(
        "Repair method",
        list(_METHODS),
        key="repair_method",
        format_func=lambda option: _METHODS[option],
        captions=[_ABOUT[option] for option in _METHODS],
        persist_state="session",
    )
    _repair_by(state, aggregates, limits, Method(method or Method.MERGE), checked)


def _repair_by(state: Workspace, aggregates: Aggregates, limits: Limits, method: Method, checked: PolicyResult) -> None:
    """The repair by a method, or that there is nothing to repair."""
    # Every method has the place of its result here, where it takes away at once what another one drew.
    controls, place = st.container(), st.empty()
    with controls:
        importance: list[str] = _importance(aggregates) if method is Method.CELLS else []
        if aggregates.classes.count > _AT_ONCE and not st.toggle(
            f"Compute for {aggregates.classes.count:,} classes (can take a while)", key="repair_large"
        ):
            return
    parameters = state.policy.parameters_for(aggregates)
    try:
        with place, st.spinner("Computing…", show_time=True):
            repair = computed_repair(aggregates, limits, method, parameters, importance)
    except (Unavailable, InputError) as reason:
        place.info(plain(f"{str(reason).rstrip('.')}."), icon=":material/info:")
        return
    with place.container():
        if len(repair.violating) or repair.unmet or hiding_summary(aggregates):
            _repair_result(state, aggregates, repair, parameters)
        else:
            _nothing_to_repair(checked, parameters.p29)


def _limits(state: Workspace, aggregates: Aggregates) -> Limits:
    """The policy's limits that a repair can enforce on this table; the others are named."""
    if CellReading.WILDCARD in (
        state.policy.parameters.classes.suppressed_cell,
        state.policy.parameters.classes.missing_cell,
    ):
        st.caption(text("repair.equal_records"))
    chosen = what_matters(aggregates.roles)
    with st.container(horizontal=True, vertical_alignment="center"):
        if chosen or state.searchable:
            st.caption(plain(chosen or text("what_matters.nothing")), width="content")
        if state.searchable:
            st.page_link(EXPLORE.page(), label="Change what matters", icon=":material/tune:")
    limits = repair_limits(state.policy.current)
    others = not_enforced(state.policy.current, limits, aggregates.roles)
    other_limits = [within_sentence(LIMITABLE_MEASURES[name].title) for name in others]
    if other_limits:
        st.caption(text("repair.not_part", limits=plain(join_names(other_limits))))
    if needs_sensitive(limits) and not aggregates.roles.sensitive:
        st.caption(text("repair.sensitive_not_part"))
    return limits_for(state.policy.current, aggregates)


def _nothing_to_repair(result: PolicyResult, parameters: P29Parameters) -> None:
    """The policy's verdict on a table whose classes and suppression meet every limit that a repair can enforce.

    It is an all-clear only where k, l and t all have limits.
    """
    if result.status is Status.NO_LIMITS:
        st.info("No limits set. Choose a policy in the sidebar to repair against.", icon=":material/info:")
    elif result.status is Status.MEETS:
        sentence, is_complete = no_violations_summary(repair_limits(result.policy), parameters)
        if is_complete:
            st.success(plain(f"{result.summary()} {sentence}"), icon=":material/check:")
        else:
            st.info(plain(f"{result.summary()} {sentence}"), icon=":material/info:")
        st.page_link(REPORT.page(), label="Make the report", icon=":material/description:")
    else:
        explanation = text("repair.rest_met")
        st.warning(plain(f"{result.summary()} {explanation}"), icon=":material/warning:")


def _importance(aggregates: Aggregates) -> list[str]:
    chosen = st.multiselect(
        "Columns to preserve, most important first",
        list(aggregates.classes.quasi_identifiers),
        key="repair_importance",
        format_func=visible,
        help=text("repair.importance_help"),
        persist_state="session",
    )
    return [name for name in chosen if name in aggregates.classes.quasi_identifiers]


def _repair_result(state: Workspace, aggregates: Aggregates, repair: LimitedRepair, parameters: Parameters) -> None:
    hidden = hiding_summary(aggregates)
    changes = _changes(state, repair, parameters)
    failed = [change.measure.short for change in changes.values() if change.fails]
    st.header(plain(_finding(state, repair, hidden, failed)), anchor=False)
    if repair.unmet and state.searchable:
        st.page_link(EXPLORE.page(), label="Find a better table", icon=":material/explore:")
    _tiles(changes)
    classes = repair.aggregates.classes.count
    st.caption(plain(text("repair.classes_after", change=change_summary(repair), classes=classes)))
    if hidden is not None and len(repair.violating):
        st.caption(plain(hidden))
    _costs(repair)
    if not repair.unmet:
        earlier_recipe = state.recipe_of(chosen_version(state))

        def recipe() -> Recipe:
            """The recipe of the repair, after that of the version where it was made here."""
            repair_recipe = recipe_of_repair(aggregates, repair, parameters=parameters)
            return repair_recipe if earlier_recipe is None else earlier_recipe.then(repair_recipe)

        warn_removed(removed_from(repair.aggregates))
        _take_away(state, repair, recipe, recommended=not failed)


def _finding(state: Workspace, repair: LimitedRepair, hidden: str | None, failed: Sequence[str]) -> str:
    """Say what the repair achieves; `hidden`: which identifiers it suppresses; `failed`: limits that it cannot meet."""
    method = _DONE[repair.method]
    if repair.unmet:
        return text("repair.not_enough", method=method, unmet=unmet_summary(repair))
    if hidden is not None and not len(repair.violating):
        return hidden.removesuffix(".")
    limits, information = limits_on(state.policy.current, repair.limits), information_change(repair)
    if failed:
        limits = text("repair.but_not", met=limits, failed=join_names(failed), number=len(failed))
    if information:
        return text("repair.meets_and_keeps", method=method, limits=limits, information=information)
    return text("repair.meets", method=method, limits=limits)


def _costs(repair: LimitedRepair) -> None:
    """The utility metrics before and after the repair."""
    available = [cost for cost in repair.costs if cost.before.value is not None]
    if not available:
        return
    measures = [cost.before.metric.shown for cost in available]
    frame = pd.DataFrame(
        {
            "Utility metric": [f"{measure.title} {_ARROWS[measure.direction]}" for measure in measures],
            "Before": [_shown(cost.before) for cost in available],
            "After": [_shown(cost.after) for cost in available],
        }
    )
    st.caption(" · ".join(f"{arrow} {direction}" for direction, arrow in _ARROWS.items()))
    data_table(frame, "Utility metrics before and after the repair", right=("Before", "After"), key="repair_costs")


@dataclass(frozen=True)
class _Change:
    """A value before and after a repair, and the policy's limit on it."""

    measure: Measure
    before: LimitResult
    after: LimitResult
    limit: float | bool | None

    @property
    def comparable(self) -> bool:
        """Whether both are known; else the value after the repair is only a bound."""
        return self.before.measured and self.after.measured

    @property
    def fails(self) -> bool:
        """Whether the repaired table fails the limit."""
        return self.limit is not None and replace(self.after, limit=self.limit).outcome is Outcome.FAILED


def _changes(state: Workspace, repair: LimitedRepair, parameters: Parameters) -> dict[str, _Change]:
    """What the policy limits, and the information kept, where the table to repair has a value."""
    card = state.card(chosen_version(state))
    limits = {result.metric: result.limit for result in state.policy.current.check(card).limits}
    before = {name: measured(name, card) for name in dict.fromkeys((*limits, INFORMATION))}
    shown = [name for name in before if before[name].value is not None]
    after = repaired_measures(repair, shown, parameters)
    return {name: _Change(LIMITABLE_MEASURES[name], before[name], after[name], limits.get(name)) for name in shown}


def _tiles(changes: Mapping[str, _Change]) -> None:
    """Show each value with its change by the repair or as a bound."""
    for column, (name, change) in zip(tile_columns(len(changes), _TILE_WIDTHS), changes.items(), strict=False):
        before, after = (
            measure_text(name, result.value)
            if result.measured or result.value is None
            else bound_text(measure_text(name, result.value), change.measure.direction)
            for result in (change.before, change.after)
        )
        change_tile(
            column,
            title_of(name),
            name,
            change.after.value,
            change.before.value,
            limit=change.limit if change.comparable else None,
            shown=after,
            bound=None if change.comparable else before,
            lower_is_better=change.measure.direction is Direction.LOWER,
        )
    information = changes.get(INFORMATION)
    sentences = []
    if information is not None and information.before.reason is not None:
        sentences.append(text("repair.overstated_before", reason=information.before.reason))
    if information is not None and information.after.reason is not None:
        sentences.append(text("repair.overstated_after", reason=information.after.reason))
    if sentences:
        st.warning(plain(" ".join(sentences)), icon=":material/warning:")


def _kept_before(state: Workspace) -> None:
    """Show what a repair that was kept here has changed, and the way on, where it is the current version."""
    kept_label, repaired_label = st.session_state.get(_KEPT, ("", ""))
    if kept_label == chosen_version(state) and repaired_label in state.tables.labels:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(plain(kept_notice(kept_label)), width="content")
            st.page_link(COMPARE.page(), label="Compare now", icon=":material/compare_arrows:")

            def back() -> None:
                """Choose the table that was repaired, on the whole page."""
                choose_version(repaired_label)
                st.rerun()

            button_label = f"Repair {plain(repaired_label)} by another method"
            st.button(button_label, key="repair_again", on_click=back, type="tertiary")
        cards = {label: state.card(label) for label in (repaired_label, kept_label)}
        results_table(recommend(cards, state.policy.current).versions, "repair_kept_results")


def _shown(score: Score) -> str:
    return as_bound(score, score.shown_text(short_percent))


def _take_away(state: Workspace, repair: LimitedRepair, recipe: Callable[[], Recipe], *, recommended: bool) -> None:
    """Keep the repaired table, the next step if it is `recommended`, or download it or its recipe."""
    stem = f"{repair.table.name.split('.')[0]}_{_ENDINGS[repair.method]}"

    def kept() -> None:
        """Add the repaired table to the versions, as the current one."""
        repaired = chosen_version(state)
        label = state.keep(stem, repair.table, repair.aggregates.roles.matching, recipe(), repaired)
        choose_version(label)
        st.session_state[_KEPT] = label, repaired

    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(
            "Keep as a version",
            key="keep_repair",
            type="primary" if recommended else "secondary",
            on_click=kept,
            icon=":material/bookmark_add:",
        ):
            st.rerun()
        release_button(lambda: repair.table, stem, "repair_csv")
        recipe_button(recipe, stem, "repair_recipe")
