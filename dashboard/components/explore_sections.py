"""The parts of the explore page: the levels tried and what they give, the options that the search found."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.components.candidate_offer import LEAST_CHANGE, change_tile, current_card, offer_candidate, tile_places
from dashboard.components.data_table import data_table
from dashboard.components.explore_controls import level_controls, level_labels, start_search
from dashboard.components.figure import draw_with_data
from dashboard.components.figure_data import figure_data
from dashboard.components.hierarchy_faults import hierarchy_faults
from dashboard.components.running_search import AXES, Places
from dashboard.repairs import checked_limits, limit_names
from dashboard.search_state import Inputs, SearchState
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.candidates.generalization.levels import ColumnLevels
from metrics.candidates.limits.figures import FIGURES
from metrics.candidates.limits.policy_limits import constraints_of, not_enforced
from metrics.candidates.search.exploration import Exploration
from metrics.candidates.search.lattice import is_listed
from metrics.explanations.search_finding import search_finding
from metrics.figures.lattice import node_cloud
from metrics.figures.search import search_progress
from metrics.figures.theme import take_title
from metrics.metric import Direction
from metrics.policy.policy import Policy
from metrics.policy.thresholds import CRITERIA
from metrics.scoring.scorecard import Scorecard
from metrics.texts import text
from metrics.wording import format_number, join_names, percent, pluralize, visible, within_sentence

_AT_ONCE = 1_000
_X, _Y = AXES
_LINKAGE = "record_linkage_attack"
_TILES = ("k_anonymity", "distinct_l_diversity", "t_closeness", _X, _Y, "suppression", _LINKAGE)
"""Shown for the levels tried where they have the figure, each compared with the current candidate's."""
_TILE_WIDTHS = (4, 4, 5)
_LOCAL = text("search.whole_columns")
_SHARES = ("highest risk", "information kept", "suppression")


def tried(state: Workspace, inputs: Inputs) -> Places | None:
    """Levels, what they give at once compared with the current candidate, and the table to keep or download.

    While a search runs, the places where it draws; else None.
    """
    search, found = state.search, state.search.found(inputs)
    figures = search.current_figures(inputs)
    card = current_card(state)
    left, right = st.columns([6, 5], gap="medium")
    with right:
        unmet = search.unmet(inputs)
        st.markdown(f"## {plain(_status(state.policy, search, inputs, figures, unmet))}")
        actions = st.empty()
        st.caption(_levels_explained(search, inputs))
        level_controls(search, inputs)
        _tiles(figures, inputs, card, state.policy)
        _keep(state, inputs, figures, actions, recommended=not unmet)
    with left:
        if search.searching:
            places = Places.reserve()
            places.draw(found, risk_limit(state))
            return places
        _map(state, inputs, found, figures, card)
        hierarchy_faults(state)
        if found is not None:
            if not found.proven:
                draw_with_data(search_progress(found), "search_progress")
            st.caption(_LOCAL)
    return None


def risk_limit(state: Workspace) -> float | None:
    """The policy's limit on the highest risk, which the map shows."""
    return state.policy.limits.get(_X)


def _status(
    policy: Policy, search: SearchState, inputs: Inputs, figures: Mapping[str, Any], unmet: Collection[str]
) -> str:
    if not figures["classes"]:
        return "Every record is suppressed"
    if not policy.limits:
        return "No limits set"
    if unmet:
        return f"These levels fail the policy: {limit_names(unmet)}"
    if constraints_of(policy).needs_sensitive and not inputs.roles.sensitive:
        return "No levels meet the policy: it limits sensitive values, and no column is tagged as sensitive"
    checked = checked_limits(policy, search.limits)
    unchecked = join_names(
        [within_sentence(CRITERIA[one].title) for one in not_enforced(policy, search.limits)] or [""]
    )
    sentences = [f"These levels meet every limit checked here: {checked}"] if checked else []
    return ". ".join([*sentences, *([f"Not checked here: {unchecked}"] if unchecked else [])])


def _levels_explained(search: SearchState, inputs: Inputs) -> str:
    """Explain what the controls of the levels show, and which columns keep nothing."""
    levels, columns = search.chosen_levels(inputs), search.evaluation(inputs).columns
    emptied = [visible(of.column.name) for of in columns if len(of.labels[levels[of.column.name]]) == 1]
    explained = "Each row shows what one example value becomes at each level."
    if not emptied:
        return explained
    verb = "keeps" if len(emptied) == 1 else "keep"
    return plain(f"{explained} {len(emptied)} of {len(columns)} columns ({join_names(emptied)}) {verb} no information.")


def _value(card: Scorecard, name: str) -> float | None:
    value = CRITERIA[name].measure(card).value
    return None if value is None else float(value)


def _tiles(figures: Mapping[str, Any], inputs: Inputs, card: Scorecard | None, policy: Policy) -> None:
    """The figures of the levels, each with its change against the current candidate."""
    # Short, as three tiles stand side by side.
    titles = {
        "distinct_l_diversity": "l-diversity",
        _X: "Highest risk",
        _Y: "Information kept",
        _LINKAGE: "Record linkage",
    }
    own = {
        **figures,
        "k_anonymity": figures["smallest_class"],
        "suppression": figures["suppressed_rows"] / inputs.original.rows,
    }
    if _LINKAGE in figures:
        own[_LINKAGE] = figures["max_record_linkage"]
    names = [name for name in _TILES if name in own]
    for place, name in zip(tile_places(len(names), _TILE_WIDTHS), names, strict=False):
        change_tile(
            place,
            titles.get(name, CRITERIA[name].title),
            name,
            own[name],
            None if card is None or _is_only_a_bound(card, name) else _value(card, name),
            limit=policy.limits.get(name),
            lower_is_better=CRITERIA[name].direction is Direction.LOWER,
        )


def _is_only_a_bound(card: Scorecard, name: str) -> bool:
    """Whether a figure of the current candidate is only a bound, and so no difference is known."""
    return name in card.scores and card[name].not_judged is not None


def _alike(some: tuple[float | None, float | None], others: tuple[float | None, float | None]) -> bool:
    """Whether two places in the figure are one, apart from rounding."""
    pairs = zip(some, others, strict=True)
    return all(one is not None and other is not None and abs(one - other) < LEAST_CHANGE for one, other in pairs)


def _keep(
    state: Workspace, inputs: Inputs, figures: Mapping[str, Any], actions: DeltaGenerator, *, recommended: bool
) -> None:
    """Keep the table of these levels, go on to compare it, and download it."""
    search = state.search
    k, information = int(figures["smallest_class"] or 0), figures[_Y]
    kept = "" if information is None else f"_{100 * information:.0f}pct"
    name = f"{inputs.original.name.split('.')[0]}_generalized_k{k}{kept}"

    offer_candidate(
        state,
        name,
        "explore",
        lambda: search.table(inputs),
        lambda: search.recipe(inputs),
        search.kept(inputs),
        lambda label: search.keep(inputs, label),
        search.removed(inputs),
        actions,
        recommended=recommended,
    )


def _points_by_label(
    levels: tuple[float | None, float | None], card: Scorecard | None
) -> dict[str, tuple[float | None, float | None]]:
    """Return the points of these levels and of the current candidate, by label."""
    if card is None:
        return {"these levels": levels}
    current = (_value(card, _X), _value(card, _Y))
    if _alike(levels, current):
        return {"these levels, as in the current candidate": levels}
    at_most = " (at most)" if _is_only_a_bound(card, _Y) else ""
    return {"these levels": levels, f"current candidate{at_most}": current}


def _map(
    state: Workspace,
    inputs: Inputs,
    found: Exploration | None,
    figures: Mapping[str, Any],
    card: Scorecard | None,
) -> None:
    """Risk against information kept: what was found, these levels, the current candidate."""
    search, marked = state.search, _points_by_label((figures[_X], figures[_Y]), card)
    made = state.making.latest(inputs)
    if made is not None:
        marked |= {made.method.title: (_value(made.card, _X), _value(made.card, _Y))}
    best = None if found is None else found.best_by(search.measure_of(found))
    drawn = node_cloud(found, _X, _Y, best=best, marked=marked, limit=risk_limit(state))
    is_proven = found is not None and found.proven
    counted = f"{take_title(drawn)}. " if is_proven else ""
    heading = search_finding(found) if found is not None and is_proven else ""
    event = draw_with_data(drawn, "node_cloud", [_X], heading=heading, on_select="rerun", selection_mode="points")
    if found is None:
        changed = (
            "The policy, the roles or the data have changed since the last search. " if search.outdated(inputs) else ""
        )
        if state.policy.limits:
            st.caption(f"{changed}Select “Find the best” to plot the generalizations here.")
        return
    others = "" if made is not None else " A table made by one of the other methods is shown here as well."
    st.caption(f"{counted}Click a mark to try its levels; one mark can stand for several generalizations.{others}")
    points = event["selection"]["points"]
    clicked = int(np.ravel(points[0]["customdata"])[0]) if points and points[0].get("customdata") else None
    if clicked != search.clicked:
        search.clicked = clicked
        if clicked is not None:
            search.levels = found.levels_of(clicked)
            st.rerun()


def options(state: Workspace, inputs: Inputs, found: Exploration) -> None:
    """Show what the search found: the best, and every option that is Pareto-optimal in risk and information."""
    search = state.search
    best = found.best_by(search.measure_of(found))
    if best is None:
        for one in found.nearest()[:1]:
            st.warning(plain(one.summary()), icon=":material/warning:")
        return
    front = found.pareto_front(_X, _Y)[::-1]  # the most information first
    evaluated = f"{found.nodes_evaluated:,} of {pluralize(found.nodes_total, 'generalization')}"
    seen = "" if found.nodes_evaluated == found.nodes_total else f" among {evaluated}"
    st.header(f"{pluralize(len(front), 'Pareto-optimal option')}{seen}", anchor=False)
    if seen and is_listed(search.evaluation(inputs)):
        st.button(
            f"Evaluate all {found.nodes_total:,} generalizations",
            key="explore_every",
            on_click=start_search,
            args=(search,),
            kwargs={"every": True},
            help="Also shows the options with less risk. A best option that is proven stays the best.",
            icon=":material/grid_view:",
        )
    title = FIGURES[search.measure_of(found)].title
    value = found.node(best)[search.measure_of(found)]
    shown = percent(value) if FIGURES[search.measure_of(found)].is_share else format_number(value)
    st.caption(f"{plain(title)} of the best option: {plain(shown)}. Select a row to try its levels.")
    options = front[:_AT_ONCE]
    event = data_table(
        _front_frame(found, options, search.evaluation(inputs).columns),
        "Pareto-optimal options",
        key="front_table",
        on_select="rerun",
        selection_mode="single-row",
        shares=_SHARES,
    )
    is_whole = found.nodes_evaluated == found.nodes_total
    name, label = ("generalizations", "All generalizations") if is_whole else ("evaluated", "Evaluated generalizations")
    figure_data(lambda: _all_nodes(found), name, f"{label} as CSV")
    rows = event.selection.rows
    chosen = int(options[rows[0]]) if rows and rows[0] < len(options) else None
    if chosen is not None and st.session_state.get("front_chosen") != chosen:
        search.levels = found.levels_of(chosen)
        st.session_state["front_chosen"] = chosen
        st.rerun()


def _all_nodes(found: Exploration) -> pa.Table:
    """Every generalization that was evaluated, its k before suppression named as such."""
    return found.to_arrow().rename_columns({"k": FIGURES["k"].title})


def _front_frame(found: Exploration, nodes: Any, columns: Sequence[ColumnLevels]) -> pd.DataFrame:
    """Figures after suppression, then what one value of each column becomes."""
    figures = {
        "k": found.figures["smallest_class"][nodes],
        "highest risk": found.figures[_X][nodes],
        "information kept": found.figures[_Y][nodes],
        "suppression": found.figures["suppressed_rows"][nodes] / found.records,
    }
    for name, title in (("distinct_l_diversity", "l"), ("t_closeness", "t")):
        if name in found.figures:
            figures[title] = found.figures[name][nodes]
    labels = {of.column.name: level_labels(of) for of in columns}
    levels = {
        f"{name} (column)" if name in figures else name: [labels[name][level] for level in found.levels[nodes, place]]
        for place, name in enumerate(found.attributes)
    }
    return pd.DataFrame({**figures, **levels})
