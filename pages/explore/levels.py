"""The levels tried, what they give compared with the current version, and the table that they make."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.components.chart import draw_with_data
from dashboard.components.hierarchy_faults import hierarchy_faults
from dashboard.components.version_offer import (
    LEAST_CHANGE,
    change_tile,
    compared_with,
    offer_version,
    scores_of,
    tile_columns,
)
from dashboard.repairs import checked_limits, limit_names
from dashboard.session import bound, chosen_version
from dashboard.state.search_state import Inputs, SearchState
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.candidates.generalization.levels import ColumnLevels
from metrics.candidates.limits.enforced import needs_sensitive, not_enforced, repair_limits
from metrics.candidates.search.exploration import Exploration
from metrics.candidates.search.finding import not_run_finding, proven_finding
from metrics.candidates.search.lattice_chart import node_cloud
from metrics.candidates.search.progress_chart import search_progress
from metrics.drawing.theme import take_title
from metrics.explanations.bounds import bound_text
from metrics.formatting import join_names, pluralize, shortened, visible, within_sentence
from metrics.hierarchies.domain import range_of_number
from metrics.metric import Direction
from metrics.policy.limitable_measures import LIMITABLE_MEASURES, measure_text, measured
from metrics.policy.policy import Policy
from metrics.scoring.catalog import INFORMATION, RISK
from metrics.scoring.scorecard import Scorecard
from metrics.texts import text
from metrics.utility.analyses import ANALYSES
from pages.explore.running_search import Places

_LINKAGE = "record_linkage_attack"
_TILES = ("k_anonymity", "distinct_l_diversity", "t_closeness", RISK, _LINKAGE, "suppression", INFORMATION, ANALYSES.id)
"""Shown for the levels tried where they have the value, each compared with the current version's."""
_TILE_WIDTHS = (4, 5, 4)
_TWO_VALUES = 2
"""A column with no more values needs no level between the value and *."""
_LOCAL = text("search.whole_columns")

_LABEL = 24


def levels_section(state: Workspace, inputs: Inputs) -> Places | None:
    """Levels, what they give at once compared with the current version, and the table to keep or download.

    While a search runs, the places where it draws; else None.
    """
    search, exploration = state.search, state.search.found(inputs)
    measures = search.current_measures(inputs)
    current = chosen_version(state) if state.tables.labels else ""
    baseline = search.baseline(inputs, current)
    card = scores_of(state, baseline)
    kept = search.kept_by(exploration)
    if exploration is not None and kept == ANALYSES.id:
        measures[kept] = search.analyses_kept(inputs, exploration)
        card = None if card is None else state.with_analyses(card)
    left, right = st.columns([6, 5], gap="medium")
    with right:
        unmet = search.unmet(inputs)
        st.markdown(f"## {plain(_status(state.policy.current, search, inputs, measures, unmet))}")
        actions = st.empty()
        st.caption(_levels_explained(search, inputs))
        level_controls(search, inputs)
        if card is not None:
            compared_with(baseline)
        _tiles(measures, inputs, card, state.policy.current)
        recommended = not unmet and not search.at_start(inputs) and not search.stopped(inputs)
        _offer_table(state, inputs, measures, actions, baseline, recommended=recommended)
    with left:
        other = "current version" if baseline == current else "former version"
        marked = _points_by_label(kept, (measures[RISK], measures[kept]), card, other)
        if search.searching:
            places = Places.reserve(marked)
            places.draw(exploration, risk_limit(state))
            return places
        if exploration is not None and search.stopped(inputs):
            evaluated, generalizations = exploration.nodes_evaluated, exploration.nodes_total
            stopped = text("search.stopped", evaluated=evaluated, generalizations=generalizations)
            st.warning(not_run_finding(exploration) or stopped, icon=":material/pause:")
        _risk_map(state, inputs, exploration, marked)
        hierarchy_faults(state)
        if exploration is not None:
            if not exploration.proven:
                draw_with_data(search_progress(exploration), "search_progress")
            st.caption(_LOCAL)
    return None


def risk_limit(state: Workspace) -> float | None:
    """The policy's limit on the highest risk, which the map shows."""
    return state.policy.limits.get(RISK)


def _status(
    policy: Policy, search: SearchState, inputs: Inputs, measures: Mapping[str, Any], unmet: Collection[str]
) -> str:
    if not measures["classes"]:
        return "Every record is suppressed"
    if not policy.limits:
        return "No limits set"
    if unmet:
        return f"These levels fail the policy: {limit_names(unmet)}"
    if needs_sensitive(repair_limits(policy)) and not inputs.roles.sensitive:
        return "No levels meet the policy: it limits sensitive values, and no column is tagged as sensitive"
    checked = checked_limits(policy, search.limits)
    others = not_enforced(policy, search.limits, inputs.roles)
    unchecked = join_names([within_sentence(LIMITABLE_MEASURES[name].title) for name in others] or [""])
    sentences = [f"These levels meet every limit checked here: {checked}"] if checked else []
    return ". ".join([*sentences, *([f"Not checked here: {unchecked}"] if unchecked else [])])


def _levels_explained(search: SearchState, inputs: Inputs) -> str:
    """Explain what the controls of the levels show, and which columns keep nothing."""
    levels, columns = search.chosen_levels(inputs), search.evaluation(inputs).columns
    constant = [
        visible(column_levels.column.name)
        for column_levels in columns
        if len(column_levels.labels[levels[column_levels.column.name]]) == 1
    ]
    sentences = ["Each row shows what one example value becomes at each level."]
    whole = [name for name in levels if name not in inputs.hierarchies and inputs.original[name].distinct > _TWO_VALUES]
    if whole:
        sentences.append(text("search.without_hierarchy", whole=len(whole)))
    if constant:
        verb = "keeps" if len(constant) == 1 else "keep"
        sentences.append(f"{len(constant)} of {len(columns)} columns ({join_names(constant)}) {verb} no information.")
    return plain(" ".join(sentences))


def _value(card: Scorecard, name: str) -> float | None:
    value = measured(name, card).value
    return None if value is None else float(value)


def _tiles(measures: Mapping[str, Any], inputs: Inputs, card: Scorecard | None, policy: Policy) -> None:
    """The values of the levels, each with its change against the version of the card."""
    # Short, as three tiles stand side by side.
    titles = {
        "distinct_l_diversity": "l-diversity",
        RISK: "Highest risk",
        INFORMATION: "Information kept",
        _LINKAGE: "Record linkage",
    }
    values = {
        **measures,
        "k_anonymity": measures["smallest_class"],
        "suppression": measures["suppressed_rows"] / inputs.original.rows,
    }
    if _LINKAGE in measures:
        values[_LINKAGE] = measures["max_record_linkage"]
    names = [name for name in _TILES if name in values]
    for column, name in zip(tile_columns(len(names), _TILE_WIDTHS), names, strict=False):
        before, direction = None if card is None else _value(card, name), LIMITABLE_MEASURES[name].direction
        is_bound = card is not None and _is_only_a_bound(card, name)
        change_tile(
            column,
            titles.get(name, LIMITABLE_MEASURES[name].title),
            name,
            values[name],
            before,
            limit=policy.limits.get(name),
            bound=bound_text(measure_text(name, before), direction) if is_bound else None,
            lower_is_better=direction is Direction.LOWER,
        )


def _is_only_a_bound(card: Scorecard, name: str) -> bool:
    """Whether a value of the version is only a bound, and so no difference is known."""
    return name in card.scores and card[name].not_checked is not None


def _is_same_point(point: tuple[float | None, float | None], other_point: tuple[float | None, float | None]) -> bool:
    """Whether two points of the chart are the same, apart from rounding."""
    pairs = zip(point, other_point, strict=True)
    return all(value is not None and other is not None and abs(value - other) < LEAST_CHANGE for value, other in pairs)


def _offer_table(
    state: Workspace,
    inputs: Inputs,
    measures: Mapping[str, Any],
    actions: DeltaGenerator,
    baseline: str,
    *,
    recommended: bool,
) -> None:
    """Keep the table of these levels, go on to compare it, and download it."""
    search = state.search
    k, information = int(measures["smallest_class"] or 0), measures[INFORMATION]
    suffix = "" if information is None else f"_{100 * information:.0f}pct"
    name = f"{inputs.original.name.split('.')[0]}_generalized_k{k}{suffix}"

    offer_version(
        state,
        name,
        "explore",
        lambda: search.table(inputs),
        lambda: search.recipe(inputs),
        search.kept(inputs),
        lambda label: search.keep(inputs, label, baseline),
        search.removed(inputs),
        actions,
        recommended=recommended,
    )


def _points_by_label(
    kept: str, levels: tuple[float | None, float | None], card: Scorecard | None, other: str
) -> dict[str, tuple[float | None, float | None]]:
    """Return the points of these levels and of the `other` version, by label."""
    if card is None:
        return {"these levels": levels}
    point = (_value(card, RISK), _value(card, kept))
    if _is_same_point(levels, point):
        return {f"these levels, as in the {other}": levels}
    at_most = " (at most)" if _is_only_a_bound(card, kept) else ""
    return {"these levels": levels, f"{other}{at_most}": point}


def _risk_map(
    state: Workspace,
    inputs: Inputs,
    exploration: Exploration | None,
    marked: Mapping[str, tuple[float | None, float | None]],
) -> None:
    """Risk against information kept: what was found, and further points by their labels."""
    search, kept = state.search, state.search.kept_by(exploration)
    made = state.making.latest(inputs)
    if made is not None:
        marked = {**marked, made.method.title: (_value(made.card, RISK), _value(made.card, kept))}
    best = None if exploration is None else exploration.best_by(search.measure_of(exploration))
    chart = node_cloud(exploration, RISK, kept, best=best, marked=marked, limit=risk_limit(state))
    sentences, heading = [], ""
    if exploration is not None and exploration.proven:
        heading, proof = proven_finding(exploration)
        sentences = [*([proof] if proof else []), f"{take_title(chart)}."]
    event = draw_with_data(chart, "node_cloud", [RISK], heading=heading, on_select="rerun", selection_mode="points")
    if exploration is None:
        reason = (
            "The policy, the roles, what matters or the data have changed since the last search. "
            if search.outdated(inputs)
            else ""
        )
        if state.policy.limits:
            st.caption(f"{reason}Select “Find the best” to plot the generalizations here.")
        return
    sentences.append("Click a mark to try its levels.")
    st.caption(" ".join(sentences))
    points = event["selection"]["points"] if event is not None else []
    clicked = int(np.ravel(points[0]["customdata"])[0]) if points and points[0].get("customdata") else None
    if clicked != search.clicked:
        search.clicked = clicked
        if clicked is not None:
            search.levels = exploration.levels_of(clicked)
            st.rerun()


def level_controls(search: SearchState, inputs: Inputs) -> None:
    """A level for each quasi-identifier, named by what one value becomes there."""
    columns = {column_levels.column.name: column_levels for column_levels in search.evaluation(inputs).columns}
    with st.container(key="levels", gap="xsmall"):
        for name, level in search.chosen_levels(inputs).items():
            column_levels = columns[name]
            st.segmented_control(
                plain(name),
                list(range(column_levels.highest + 1)),
                default=level,
                format_func=[plain(label) for label in level_labels(column_levels)].__getitem__,
                required=True,
                wrap=True,
                help="The generalization level of this column, shown by what one value becomes. The selected level has "
                f"{pluralize(len(column_levels.labels[level]), 'distinct value')}.",
                **bound(f"level_{name}", level, partial(_set_level, search, name)),
            )


def level_labels(column_levels: ColumnLevels) -> list[str]:
    """Return what a value in the middle of the column becomes on each level; a number with the range that it means.

    Labels that repeat are named with their level: a control tells its options apart by their text.
    """
    order = column_levels.column.order
    value = order[len(order) // 2]
    code, leaf = int(column_levels.leaf_code[value]), int(column_levels.leaf[value])
    names = []
    for level, (labels, codes) in enumerate(zip(column_levels.labels, column_levels.codes, strict=True)):
        values_range = range_of_number(column_levels.hierarchy, level, leaf)
        label = shortened(visible(labels[int(codes[code])]), _LABEL)
        names.append(f"{label} ({values_range})" if values_range else label)
    return told_apart(names)


def told_apart(names: Sequence[str]) -> list[str]:
    """Names of levels, those that repeat with the number of the level, and all where that repeats, too."""
    numbered = [f"{name} (level {level})" for level, name in enumerate(names)]
    unique = [number if names.count(name) > 1 else name for number, name in zip(numbered, names, strict=True)]
    return unique if len(set(unique)) == len(names) else numbered


def _set_level(search: SearchState, name: str, level: int) -> None:
    search.levels[name] = int(level)
