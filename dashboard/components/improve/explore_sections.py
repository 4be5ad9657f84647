"""The parts of the explore page: the levels tried and what they give, the options that the search found."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.components.figure import data_table, draw_with_data, figure_data, first_rows
from dashboard.components.hierarchies.hierarchy_faults import hierarchy_faults
from dashboard.components.improve.candidate_offer import (
    LEAST_CHANGE,
    change_tile,
    compared_with,
    offer_candidate,
    scores_of,
    tile_columns,
)
from dashboard.components.improve.explore_controls import level_controls, level_labels, start_search
from dashboard.components.improve.running_search import Places
from dashboard.repairs import checked_limits, limit_names
from dashboard.session import chosen_candidate
from dashboard.state.search_state import Inputs, SearchState
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.candidates.generalization.levels import ColumnLevels
from metrics.candidates.limits.enforced import needs_sensitive, not_enforced, repair_limits
from metrics.candidates.limits.measures import NODE_MEASURES
from metrics.candidates.search.exploration import Exploration
from metrics.candidates.search.lattice import is_listed
from metrics.explanations.bounds import bound_text
from metrics.explanations.search_finding import proven_finding
from metrics.figures.lattice import node_cloud
from metrics.figures.search import search_progress
from metrics.figures.theme import take_title
from metrics.formatting import format_number, join_names, percent, pluralize, visible, within_sentence
from metrics.metric import Direction
from metrics.policy.limitable_measures import LIMITABLE_MEASURES, measure_text
from metrics.policy.policy import Policy
from metrics.scoring.catalog import INFORMATION, RISK
from metrics.scoring.scorecard import Scorecard
from metrics.texts import text

_LINKAGE = "record_linkage_attack"
_TILES = ("k_anonymity", "distinct_l_diversity", "t_closeness", RISK, _LINKAGE, "suppression", INFORMATION)
"""Shown for the levels tried where they have the figure, each compared with the current candidate's."""
_TILE_WIDTHS = (4, 5, 4)
_TWO_VALUES = 2
"""A column with no more values needs no level between the value and *."""
_LOCAL = text("search.whole_columns")
_OPTIONS = 20
"""Rows of the table of options that are in view at once."""
_COLUMNS = "risk: the highest; kept: information kept; suppressed: records."
_CELL_PX, _LETTER_PX, _DIGITS, _LETTERS = 16, 7, 6, 80
"""Pixels of a cell without text and of a letter; letters of a number, and of all columns of text together."""
_SHARES = ("risk", "kept", "suppressed")


def levels_section(state: Workspace, inputs: Inputs) -> Places | None:
    """Levels, what they give at once compared with the current candidate, and the table to keep or download.

    While a search runs, the places where it draws; else None.
    """
    search, exploration = state.search, state.search.found(inputs)
    figures = search.current_measures(inputs)
    current = chosen_candidate(state) if state.labels else ""
    baseline = search.baseline(inputs, current)
    card = scores_of(state, baseline)
    left, right = st.columns([6, 5], gap="medium")
    with right:
        unmet = search.unmet(inputs)
        st.markdown(f"## {plain(_status(state.policy, search, inputs, figures, unmet))}")
        actions = st.empty()
        st.caption(_levels_explained(search, inputs))
        level_controls(search, inputs)
        if card is not None:
            compared_with(baseline)
        _tiles(figures, inputs, card, state.policy)
        recommended = not unmet and not search.at_start(inputs) and not search.stopped(inputs)
        _offer_table(state, inputs, figures, actions, baseline, recommended=recommended)
    with left:
        other = "current candidate" if baseline == current else "former candidate"
        marked = _points_by_label((figures[RISK], figures[INFORMATION]), card, other)
        if search.searching:
            places = Places.reserve(marked)
            places.draw(exploration, risk_limit(state))
            return places
        if exploration is not None and search.stopped(inputs):
            st.warning(
                text(
                    "search.stopped",
                    evaluated=exploration.nodes_evaluated,
                    generalizations=exploration.nodes_total,
                ),
                icon=":material/pause:",
            )
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
    policy: Policy, search: SearchState, inputs: Inputs, figures: Mapping[str, Any], unmet: Collection[str]
) -> str:
    if not figures["classes"]:
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
    value = LIMITABLE_MEASURES[name].measure(card).value
    return None if value is None else float(value)


def _tiles(figures: Mapping[str, Any], inputs: Inputs, card: Scorecard | None, policy: Policy) -> None:
    """The figures of the levels, each with its change against the candidate of the card."""
    # Short, as three tiles stand side by side.
    titles = {
        "distinct_l_diversity": "l-diversity",
        RISK: "Highest risk",
        INFORMATION: "Information kept",
        _LINKAGE: "Record linkage",
    }
    values = {
        **figures,
        "k_anonymity": figures["smallest_class"],
        "suppression": figures["suppressed_rows"] / inputs.original.rows,
    }
    if _LINKAGE in figures:
        values[_LINKAGE] = figures["max_record_linkage"]
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
    """Whether a figure of the candidate is only a bound, and so no difference is known."""
    return name in card.scores and card[name].not_judged is not None


def _is_same_point(point: tuple[float | None, float | None], other_point: tuple[float | None, float | None]) -> bool:
    """Whether two points of the figure are the same, apart from rounding."""
    pairs = zip(point, other_point, strict=True)
    return all(value is not None and other is not None and abs(value - other) < LEAST_CHANGE for value, other in pairs)


def _offer_table(
    state: Workspace,
    inputs: Inputs,
    figures: Mapping[str, Any],
    actions: DeltaGenerator,
    baseline: str,
    *,
    recommended: bool,
) -> None:
    """Keep the table of these levels, go on to compare it, and download it."""
    search = state.search
    k, information = int(figures["smallest_class"] or 0), figures[INFORMATION]
    suffix = "" if information is None else f"_{100 * information:.0f}pct"
    name = f"{inputs.original.name.split('.')[0]}_generalized_k{k}{suffix}"

    offer_candidate(
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
    levels: tuple[float | None, float | None], card: Scorecard | None, other: str
) -> dict[str, tuple[float | None, float | None]]:
    """Return the points of these levels and of the `other` candidate, by label."""
    if card is None:
        return {"these levels": levels}
    point = (_value(card, RISK), _value(card, INFORMATION))
    if _is_same_point(levels, point):
        return {f"these levels, as in the {other}": levels}
    at_most = " (at most)" if _is_only_a_bound(card, INFORMATION) else ""
    return {"these levels": levels, f"{other}{at_most}": point}


def _risk_map(
    state: Workspace,
    inputs: Inputs,
    exploration: Exploration | None,
    marked: Mapping[str, tuple[float | None, float | None]],
) -> None:
    """Risk against information kept: what was found, and further points by their labels."""
    search = state.search
    candidate = state.making.latest(inputs)
    if candidate is not None:
        marked = {**marked, candidate.method.title: (_value(candidate.card, RISK), _value(candidate.card, INFORMATION))}
    best = None if exploration is None else exploration.best_by(search.measure_of(exploration))
    figure = node_cloud(exploration, RISK, INFORMATION, best=best, marked=marked, limit=risk_limit(state))
    sentences, heading = [], ""
    if exploration is not None and exploration.proven:
        heading, proof = proven_finding(exploration)
        sentences = [*([proof] if proof else []), f"{take_title(figure)}."]
    event = draw_with_data(figure, "node_cloud", [RISK], heading=heading, on_select="rerun", selection_mode="points")
    if exploration is None:
        reason = (
            "The policy, the roles or the data have changed since the last search. " if search.outdated(inputs) else ""
        )
        if state.policy.limits:
            st.caption(f"{reason}Select “Find the best” to plot the generalizations here.")
        return
    sentences.append("Click a mark to try its levels; one mark can stand for several generalizations.")
    if candidate is None:
        sentences.append("A table made by one of the other methods is shown here as well.")
    st.caption(" ".join(sentences))
    points = event["selection"]["points"] if event is not None else []
    clicked = int(np.ravel(points[0]["customdata"])[0]) if points and points[0].get("customdata") else None
    if clicked != search.clicked:
        search.clicked = clicked
        if clicked is not None:
            search.levels = exploration.levels_of(clicked)
            st.rerun()


def options_section(state: Workspace, inputs: Inputs, exploration: Exploration) -> None:
    """Show what the search found: the best, and every option that is Pareto-optimal in risk and information."""
    search = state.search
    best = exploration.best_by(search.measure_of(exploration))
    if best is None:
        # As long as generalizations remain, one that meets the limits may be among them.
        nearest = None if search.searching or search.stopped(inputs) else exploration.nearest()
        if nearest is not None:
            st.warning(plain(nearest.summary()), icon=":material/warning:")
        return
    front = exploration.pareto_front(RISK, INFORMATION)[::-1]  # the most information first
    evaluated = f"{exploration.nodes_evaluated:,} of {pluralize(exploration.nodes_total, 'generalization')}"
    scope = "" if exploration.nodes_evaluated == exploration.nodes_total else f" among {evaluated}"
    st.header(f"{pluralize(len(front), 'Pareto-optimal option')}{scope}", anchor=False)
    if scope and is_listed(search.evaluation(inputs)):
        st.button(
            f"Evaluate all {exploration.nodes_total:,} generalizations",
            key="explore_every",
            on_click=start_search,
            args=(search,),
            kwargs={"every": True},
            help="Evaluates the rest, too, which adds options with lower risk. A proven best option does not change.",
            icon=":material/grid_view:",
        )
    title = NODE_MEASURES[search.measure_of(exploration)].title
    value = exploration.node(best)[search.measure_of(exploration)]
    figure = percent(value) if NODE_MEASURES[search.measure_of(exploration)].is_share else format_number(value)
    scroll = f" {_OPTIONS} options are in view; scroll the table for the others." if len(front) > _OPTIONS else ""
    st.caption(
        f"{plain(title)} of the best option: {plain(figure)}. Select a row to try its levels.{scroll}  \n{_COLUMNS}"
    )
    listed_nodes = first_rows(front)
    frame = _front_frame(exploration, listed_nodes, search.evaluation(inputs).columns)
    event = data_table(
        frame,
        "Pareto-optimal options",
        key="front_table",
        on_select="rerun",
        selection_mode="single-row",
        shares=_SHARES,
        rows=_OPTIONS,
        widths=_widths(frame),
    )
    is_complete = exploration.nodes_evaluated == exploration.nodes_total
    name, label = (
        ("generalizations", "All generalizations") if is_complete else ("evaluated", "Evaluated generalizations")
    )
    figure_data(lambda: _all_nodes(exploration), name, f"{label} as CSV")
    rows = event.selection.rows
    chosen = int(listed_nodes[rows[0]]) if rows and rows[0] < len(listed_nodes) else None
    if chosen is not None and st.session_state.get("front_chosen") != chosen:
        search.levels = exploration.levels_of(chosen)
        st.session_state["front_chosen"] = chosen
        st.rerun()


def _widths(frame: pd.DataFrame) -> dict[str, int]:
    """Pixels of each column: what its heading or its longest text takes, up to its part of the table."""
    of_text = [name for name, cells in frame.items() if cells.dtype.kind not in "fiu"]
    most = _LETTERS // max(len(of_text), 1)
    letters = {
        name: min(max(map(len, (str(name), *frame[name]))), most) if name in of_text else max(len(str(name)), _DIGITS)
        for name in frame
    }
    return {str(name): _CELL_PX + _LETTER_PX * length for name, length in letters.items()}


def _all_nodes(exploration: Exploration) -> pa.Table:
    """Every generalization that was evaluated, its k before suppression named as such."""
    return exploration.to_arrow().rename_columns({"k": NODE_MEASURES["k"].title})


def _front_frame(exploration: Exploration, nodes: Any, columns: Sequence[ColumnLevels]) -> pd.DataFrame:
    """NodeMeasures after suppression, then what one value of each column becomes."""
    figures = {
        "k": exploration.figures["smallest_class"][nodes],
        "risk": exploration.figures[RISK][nodes],
        "kept": exploration.figures[INFORMATION][nodes],
        "suppressed": exploration.figures["suppressed_rows"][nodes] / exploration.records,
    }
    for name, title in (("distinct_l_diversity", "l"), ("t_closeness", "t")):
        if name in exploration.figures:
            figures[title] = exploration.figures[name][nodes]
    labels = {column_levels.column.name: level_labels(column_levels) for column_levels in columns}
    levels = {
        f"{name} (column)" if name in figures else name: [
            labels[name][level] for level in exploration.levels[nodes, position]
        ]
        for position, name in enumerate(exploration.attributes)
    }
    return pd.DataFrame({**figures, **levels})
