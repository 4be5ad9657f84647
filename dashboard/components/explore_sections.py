"""The parts of the explore page: the levels tried and what they give, the options that the search found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.components.candidate_picker import choose_candidate, chosen_candidate
from dashboard.components.data_table import data_table
from dashboard.components.explore_controls import level_controls, level_labels
from dashboard.components.figure import draw_with_data
from dashboard.components.figure_data import figure_data
from dashboard.components.recipe_section import recipe_button
from dashboard.components.search_at_work import AXES, Places, measure_of, search_figure
from dashboard.navigation import COMPARE
from dashboard.search import Inputs, SearchState
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.candidates.exploration import Exploration
from metrics.candidates.figures import FIGURES
from metrics.candidates.levels import ColumnLevels
from metrics.config.matching_rule import MatchingRule
from metrics.errors import InputError
from metrics.explanations.decision import figure_text
from metrics.figures.lattice import node_cloud
from metrics.metric import Direction
from metrics.scoring.scorecard import Scorecard
from metrics.tables.export import to_csv
from metrics.wording import format_number, join_names, pluralize

_AT_ONCE = 1_000
_TABLE_PX = 300
_X, _Y = AXES
_TILES = ("k_anonymity", "distinct_l_diversity", "t_closeness", _X, _Y, "suppression")
"""Shown for the levels tried, each beside the current candidate's."""
_LEAST_CHANGE = 5e-4
_TILE_WIDTHS = (4, 4, 5)
_SHARES = ("highest risk", "information kept", "suppressed")
_SHORT = {"k": "k", "max_suppression": "suppressed records", "no_attack": "no attack pays", "p29": "P_29"}


def tried(state: Workspace, inputs: Inputs) -> Places | None:
    """Levels, what they give at once beside the current candidate, and the table to keep or download.

    While a search runs, the places where it draws; else None.
    """
    search, found = state.search, state.search.found(inputs)
    figures = search.tried(inputs)
    card = _current(state)
    left, right = st.columns([6, 5], gap="medium")
    with right:
        st.markdown(f"## {plain(_status(search, inputs, figures))}")
        level_controls(search, inputs)
        _tiles(figures, inputs, card)
        _keep(state, inputs, figures[_Y])
    with left:
        if search.searching:
            places = Places.reserve()
            places.draw(found, None if search.limits.k is None else 1 / search.limits.k)
            return places
        _map(state, inputs, found, figures, card)
        if found is not None:
            search_figure(found)
    return None


def _status(search: SearchState, inputs: Inputs, figures: Mapping[str, Any]) -> str:
    if not figures["classes"]:
        return "Every record is suppressed"
    unmet = search.unmet(inputs)
    if not search.limits.limits(inputs.original.rows):
        return "No limits set"
    if not unmet:
        return "These levels meet the policy"
    return f"These levels fail the policy: {join_names([_SHORT.get(name, name) for name in unmet])}"


def _current(state: Workspace) -> Scorecard | None:
    """The current candidate's scores, where it has some."""
    if not state.ready:
        return None
    label = chosen_candidate(state)
    try:
        return None if label in state.server.candidates else state.card(label)
    except InputError:
        return None


def _value(card: Scorecard, name: str) -> float | None:
    if name == "suppression":
        sizes, removed = card.aggregates.class_sizes, card.aggregates.comparison.removed or 0
        return (sizes.suppressed + removed) / ((sizes.rows + removed) or 1)
    value = card[name].value
    return None if value is None else float(value)


def _tiles(figures: Mapping[str, Any], inputs: Inputs, card: Scorecard | None) -> None:
    """The figures of the levels, each with its change against the current candidate."""
    titles = {"suppression": "Suppressed or removed", _X: "Highest risk", _Y: "Information kept"}
    own = {
        **figures,
        "k_anonymity": figures["smallest_class"],
        "suppression": figures["suppressed_rows"] / inputs.original.rows,
    }
    names = [name for name in _TILES if name in own]
    places = [place for _ in range(0, len(names), len(_TILE_WIDTHS)) for place in st.columns(_TILE_WIDTHS, gap="small")]
    for place, name in zip(places, names, strict=False):
        before = None if card is None else _value(card, name)
        now = own[name]
        lower = name == "suppression" or (name in FIGURES and FIGURES[name].direction is Direction.LOWER)
        change = None if before is None or now is None else float(now) - before
        place.metric(
            titles.get(name, FIGURES[name].title if name in FIGURES else "k-anonymity"),
            figure_text(name, now),
            delta=None if change is None else _delta(name, change),
            delta_color="off" if _same(change) else "inverse" if lower else "normal",
            delta_arrow="off" if _same(change) else "auto",
            help="The change is against the current candidate.",
        )


def _alike(some: tuple[float | None, float | None], others: tuple[float | None, float | None]) -> bool:
    """Whether two places in the figure are one, apart from rounding."""
    pairs = zip(some, others, strict=True)
    return all(one is not None and other is not None and abs(one - other) < _LEAST_CHANGE for one, other in pairs)


def _same(change: float | None) -> bool:
    return change is None or abs(change) < _LEAST_CHANGE


def _delta(name: str, change: float) -> str:
    if _same(change):
        return "same"
    return f"{'+' if change > 0 else '-'}{figure_text(name, abs(change))}"


def _keep(state: Workspace, inputs: Inputs, information: float | None) -> None:
    """Keep the table of these levels, download it, and go on to compare what was kept."""
    search = state.search
    kept = "" if information is None else f"_{100 * information:.0f}pct"
    name = f"{inputs.original.name.split('.')[0]}_generalized_k{search.k}{kept}"

    def keep() -> None:
        """Add the table to the candidates, as the current one; it has the original's records in their order."""
        search.kept = state.keep(name, search.table(inputs), MatchingRule(), search.recipe(inputs))
        choose_candidate(search.kept)

    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(
            "Keep as a candidate", key="explore_keep", type="primary", on_click=keep, icon=":material/bookmark_add:"
        ):
            st.rerun()
        st.download_button(
            "Download as CSV",
            lambda: to_csv(search.table(inputs).to_arrow()),
            file_name=f"{name}.csv",
            mime="text/csv",
            on_click="ignore",
            icon=":material/download:",
        )
        recipe_button(lambda: search.recipe(inputs), name, "explore_recipe")
        if search.kept in state.labels:
            st.markdown(f"Kept as **{plain(str(search.kept))}**, now the current candidate.", width="content")
            if len(state.labels) > 1:
                st.page_link(COMPARE.page(), label="Compare now", icon=":material/compare_arrows:")


def _map(
    state: Workspace,
    inputs: Inputs,
    found: Exploration | None,
    figures: Mapping[str, Any],
    card: Scorecard | None,
) -> None:
    """Risk against information kept: what was found, these levels, the current candidate."""
    search = state.search
    levels = (figures[_X], figures[_Y])
    current = None if card is None else (_value(card, _X), _value(card, _Y))
    if current is not None and _alike(levels, current):
        marked = {"these levels, as in the current candidate": levels}
    else:
        marked = {"these levels": levels} | ({} if current is None else {"current candidate": current})
    feasible = None if found is None else found.feasible(search.limits)
    best = None if found is None else found.best_by(measure_of(search, found), search.limits)
    limit = None if search.limits.k is None else 1 / search.limits.k
    drawn = node_cloud(found, _X, _Y, feasible=feasible, best=best, marked=marked, limit=limit)
    event = draw_with_data(drawn, "node_cloud", on_select="rerun", selection_mode="points")
    if found is None:
        st.caption("“Find the best” adds every generalization of the table to this figure.")
        return
    st.caption("Click a mark to try its levels.")
    points = event["selection"]["points"]
    clicked = int(np.ravel(points[0]["customdata"])[0]) if points and points[0].get("customdata") else None
    if clicked != search.clicked:
        search.clicked = clicked
        if clicked is not None:
            search.levels = found.levels_of(clicked)
            st.rerun()


def options(state: Workspace, inputs: Inputs, found: Exploration) -> None:
    """What the search found: the best, and every option that no other betters in risk and information."""
    search = state.search
    best = found.best_by(measure_of(search, found), search.limits)
    if best is None:
        for one in found.nearest(search.limits)[:1]:
            st.warning(plain(one.summary()), icon=":material/warning:")
        return
    front = found.pareto_front(_X, _Y, search.limits)[::-1]  # the most information first
    st.header(pluralize(len(front), "Pareto-optimal option"), anchor=False)
    title = FIGURES[measure_of(search, found)].title
    value = format_number(found.node(best)[measure_of(search, found)])
    st.caption(f"{plain(title)} of the best: {value}. Select a row to try its levels.")
    options = front[:_AT_ONCE]
    event = data_table(
        _front_frame(found, options, search.evaluation(inputs).columns),
        "Pareto-optimal options",
        key="front_table",
        on_select="rerun",
        selection_mode="single-row",
        shares=_SHARES,
        height=min(_TABLE_PX, 36 * (len(options) + 1) + 2),
    )
    figure_data(found.to_arrow, "generalizations", "All generalizations as CSV")
    rows = event.selection.rows
    chosen = int(options[rows[0]]) if rows and rows[0] < len(options) else None
    if chosen is not None and st.session_state.get("front_chosen") != chosen:
        search.levels = found.levels_of(chosen)
        st.session_state["front_chosen"] = chosen
        st.rerun()


def _front_frame(found: Exploration, nodes: Any, columns: Sequence[ColumnLevels]) -> pd.DataFrame:
    """Figures after suppression, then what one value of each column becomes."""
    figures = {
        "k": found.figures["smallest_class"][nodes],
        "highest risk": found.figures[_X][nodes],
        "information kept": found.figures[_Y][nodes],
        "suppressed": found.figures["suppressed_rows"][nodes] / found.records,
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
