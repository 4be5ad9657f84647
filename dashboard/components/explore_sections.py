"""The parts of the explore page: a table made by hand, the search, and what it found."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.components.data_table import data_table
from dashboard.components.explore_controls import (
    MEASURES,
    k_slider,
    level_sliders,
    limit_sliders,
    search_controls,
)
from dashboard.components.figure import draw_with_data
from dashboard.components.figure_data import figure_data
from dashboard.search import Inputs, SearchState
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.candidates.constraints import Constraints
from metrics.candidates.exploration import Exploration
from metrics.candidates.figures import FIGURES
from metrics.export import to_csv
from metrics.figures.lattice import lattice_layers, node_cloud
from metrics.figures.theme import CONFIG
from metrics.matching_rule import MatchingRule
from metrics.wording import counted, shown

_MOST_SECONDS = 120.0
_AT_ONCE = 1_000
_CARDS = ("suppressed_rows", "smallest_class", "classes", "granularity", "non_uniform_entropy", "ambiguity")
_CARDS_OF_SENSITIVE = ("distinct_l_diversity", "t_closeness", "p29", "publisher_payout")
BY_HAND, FOUND = "explore_by_hand", "explore_found"
"""Keys of the page's fragments."""


def by_hand(state: Workspace, inputs: Inputs) -> None:
    """Levels on sliders, what they give at once, and the table to keep or download."""
    search = state.search
    level_sliders(search, inputs)
    k_slider(search)
    figures = search.tried(inputs)
    names = [name for name in (*_CARDS, *_CARDS_OF_SENSITIVE) if name in figures]
    for start in range(0, len(names), 5):
        for place, name in zip(st.columns(5), names[start : start + 5], strict=False):
            about = f"{FIGURES[name].meaning} Full figure: {figures[name]}"
            place.metric(FIGURES[name].title, shown(figures[name]), help=about)
    levels = "-".join(str(level) for level in search.chosen_levels(inputs).values())
    name = f"{inputs.original.name.split('.')[0]}_{levels}_k{search.k}"
    left, right = st.columns(2)
    if left.button("Keep as a candidate", key="keep_levels", icon=":material/bookmark_add:"):
        # It has the original's records in their order.
        label = state.keep(name, search.table(inputs), MatchingRule())
        st.toast(f"Kept as {plain(label)}; choose it at the left.", icon=":material/check:")
        st.rerun()
    right.download_button(
        "Download as CSV",
        lambda: to_csv(search.table(inputs).to_arrow()),
        file_name=f"{name}.csv",
        mime="text/csv",
        on_click="ignore",
        icon=":material/download:",
    )


def search_section(state: Workspace, inputs: Inputs) -> None:
    """What to search for, the button, and the progress; whatever is pressed meanwhile ends it and keeps the part."""
    search = state.search
    total = int(np.prod([height + 1 for height in search.heights(inputs).values()], dtype=float))
    left, right = st.columns(2)
    with left:
        search_controls(search, bool(inputs.roles.sensitive))
    with right:
        st.caption(
            f"{total:,} generalizations of {counted(inputs.original.rows, 'record')}; those with classes below "
            f"k = {search.k} suppress these. Lattices too large to see whole are searched best-first for up to "
            f"{_MOST_SECONDS:.0f} seconds."
        )
        if search.searching:
            bar = st.progress(0.0, text="Searching…")
            st.button("Stop and keep what was found", key="stop_search", on_click=_stop, args=(search,))
            try:
                with closing(search.search(inputs, _MOST_SECONDS)) as steps:
                    for progress in steps:
                        text = f"{progress.nodes_evaluated:,} of {progress.nodes_total:,} generalizations"
                        bar.progress(progress.share, text=text)
            finally:
                search.searching = False
            st.rerun()
        st.button(
            "Search", key="search_lattice", type="primary", on_click=_start, args=(search,), icon=":material/search:"
        )


def _start(search: SearchState) -> None:
    search.searching = True
    search.limits = Constraints(max_suppression=search.max_suppression)


def _stop(search: SearchState) -> None:
    search.searching = False


def found_section(state: Workspace, inputs: Inputs, found: Exploration) -> None:
    """What the search found, filtered by limits that move: the best, the cloud with its front, the lattice, a table."""
    search = state.search
    limit_sliders(search, found)
    limits = search.limits
    measure = search.measure if search.measure in found.figures else found.measure
    best = found.best_by(measure, limits)
    if not found.finished:
        st.caption("The search ended before all others were ruled out: a better one may exist.")
    if best is None:
        for one in found.nearest(limits)[:1]:
            st.warning(plain(one.in_words()), icon=":material/warning:")
    else:
        _best(state, found, best, measure)
    names = [name for name in MEASURES if name in found.figures]
    across, up = st.columns(2)
    x = across.selectbox(
        "Across", names, names.index("suppressed_rows"), key="cloud_x", format_func=_title, persist_state="session"
    )
    y = up.selectbox(
        "Upwards", names, names.index("granularity"), key="cloud_y", format_func=_title, persist_state="session"
    )
    meets = found.feasible(limits)
    drawn = node_cloud(found, str(x), str(y), feasible=meets, best=best)
    event = st.plotly_chart(
        drawn, key="node_cloud", config=CONFIG, on_select="rerun", selection_mode="points", alt="Generalizations"
    )
    st.caption("Click a mark to put its levels on the sliders above.")
    points = event["selection"]["points"]
    clicked = int(np.ravel(points[0]["customdata"])[0]) if points and "customdata" in points[0] else None
    if clicked != search.clicked:
        search.clicked = clicked
        if clicked is not None:
            _take(search, found, clicked)
            st.rerun()
    draw_with_data(lattice_layers(found, feasible=meets, best=best), "lattice_layers")
    front = found.front(str(x), str(y), limits)
    st.subheader("The front")
    st.caption(f"{counted(len(front), 'generalization')} that no other betters in both figures.")
    table = found.to_arrow()
    frame: pd.DataFrame = table.take(front[:_AT_ONCE]).to_pandas()
    data_table(frame, "Generalizations on the front", key="front_table")
    figure_data(lambda: table, "generalizations", "All generalizations as CSV")


def _title(name: str) -> str:
    return FIGURES[name].title


def _best(state: Workspace, found: Exploration, best: int, measure: str) -> None:
    node = found.node(best)
    levels = ", ".join(f"{plain(name)} {level}" for name, level in found.levels_of(best).items())
    st.markdown(
        f"**Best by {plain(FIGURES[measure].title.lower())}** ({shown(node[measure])}): {levels}; "
        f"{counted(node['suppressed_rows'], 'record')} suppressed, k = {node['smallest_class']}."
    )
    st.button(
        "Put it on the sliders",
        key="take_best",
        on_click=_take_best,
        args=(state.search, found, best),
        icon=":material/tune:",
    )


def _take(search: SearchState, found: Exploration, index: int) -> None:
    search.levels = found.levels_of(index)


def _take_best(search: SearchState, found: Exploration, best: int) -> None:
    _take(search, found, best)
    st.rerun([BY_HAND])
