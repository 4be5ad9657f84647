"""Making a candidate by a method beside the lattice: its parameters, what it gives, and keeping it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from dashboard.components.candidate_picker import choose_candidate, chosen_candidate
from dashboard.components.method_costs import compare_methods
from dashboard.components.recipe_section import recipe_button
from dashboard.making import Made
from dashboard.navigation import COMPARE
from dashboard.search import Inputs
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.candidates.methods.catalog import METHODS, method_named
from metrics.candidates.methods.costs import ATTACKS, COSTS, LATTICE, figure_of
from metrics.candidates.methods.method import MAX_SEED, CandidateMethod, Parameter, in_words, parameters_of
from metrics.candidates.policy_limits import constraints_of
from metrics.config.matching_rule import MatchingRule
from metrics.errors import InputError
from metrics.explanations.decision import figure_text
from metrics.explanations.verdict import perturbed_release
from metrics.metric import Direction
from metrics.scoring.scorecard import Scorecard
from metrics.tables.export import to_csv
from metrics.wording import join_names, visible

_TILES = ("k_anonymity", "distinct_l_diversity", *ATTACKS, *COSTS)
_PER_ROW = 3
_LEAST_CHANGE = 5e-4


def chosen_method() -> type[CandidateMethod] | None:
    """The control of the methods; None for the lattice."""
    titles = [LATTICE, *(method.title for method in METHODS)]
    chosen = st.segmented_control(
        "Method",
        titles,
        default=LATTICE,
        key="explore_method",
        required=True,
        wrap=True,
        label_visibility="collapsed",
        persist_state="session",
    )
    return next((method for method in METHODS if method.title == chosen), None)


def make_by(state: Workspace, inputs: Inputs, method: type[CandidateMethod]) -> None:
    """The parameters of the method; beside them what was made by it, to keep."""
    left, right = st.columns([4, 7], gap="large")
    with left:
        st.caption(method.about)
        values = {one.name: _field(one, method, state, inputs) for one in parameters_of(method)}
        seed = st.number_input(
            "Seed",
            0,
            MAX_SEED,
            state.making.seed,
            key="make_seed",
            help="The same seed gives the same table again. Keep it secret: with it noise can be taken out again.",
            persist_state="session",
        )
        pressed = st.button("Make candidate", key="make_candidate", type="primary", icon=":material/play_arrow:")
    with right:
        if pressed:
            _make(state, inputs, method.name, values, int(seed))
        made = state.making.made(inputs, method.name)
        if made is None:
            st.info(f"“Make candidate” shows here what {method.title} gives.", icon=":material/info:")
        else:
            _result(state, made)
    compare_methods(state, inputs, int(seed))


def _make(state: Workspace, inputs: Inputs, name: str, values: Mapping[str, Any], seed: int) -> None:
    try:
        with st.spinner("Working it out…", show_time=True):
            state.making.make(inputs, method_named(name, values), seed)
    except InputError as error:
        st.error(plain(str(error)), icon=":material/error:")


def _field(one: Parameter, method: type[CandidateMethod], state: Workspace, inputs: Inputs) -> Any:
    key = f"make_{method.name}_{one.name}"
    if one.kind is bool:
        return st.checkbox(one.label, value=one.default, key=key, help=one.help, persist_state="session")
    if one.kind is tuple:
        columns = [*inputs.roles.quasi_identifiers, *inputs.roles.sensitive]
        chosen = st.multiselect(
            one.label, columns, key=key, help=one.help, format_func=visible, persist_state="session"
        )
        return tuple(name for name in chosen if name in columns)
    limits = constraints_of(state.policy)
    value = {"k": limits.k, "l": limits.l if inputs.roles.sensitive else None}.get(one.name) or one.default
    return st.number_input(
        one.label,
        one.low if one.low is None else one.kind(one.low),
        one.high if one.high is None else one.kind(one.high),
        value,
        step=1 if one.kind is int else 0.01,
        key=key,
        help=one.help,
        persist_state="session",
    )


def _result(state: Workspace, made: Made) -> None:
    st.markdown(f"## {plain(state.policy.judge(made.card).summary())}")
    st.caption(plain(f"{made.method.title}: {in_words(made.method)}, seed {made.seed}."))
    current = _current(state)
    names = [name for name in _TILES if figure_of(made.card[name]) is not None]
    places = [place for _ in range(0, len(names), _PER_ROW) for place in st.columns(_PER_ROW, gap="small")]
    for place, name in zip(places, names, strict=False):
        _tile(place, name, made.card, current)
    unknown = [made.card[name].metric.title for name in _TILES if name not in names]
    if unknown:
        st.caption(plain(f"Not available for this table: {join_names(unknown)}."))
    perturbed = perturbed_release(made.card)
    if perturbed is not None:
        st.caption(plain(perturbed))
    _keep(state, made)


def _current(state: Workspace) -> Scorecard | None:
    """The current candidate's scores, where it has some."""
    if not state.ready or chosen_candidate(state) in state.server.candidates:
        return None
    try:
        return state.card(chosen_candidate(state))
    except InputError:
        return None


def _tile(place: Any, name: str, card: Scorecard, current: Scorecard | None) -> None:
    """A figure with its change against the current candidate."""
    score = card[name]
    before = None if current is None else figure_of(current[name])
    change = None if before is None or score.value is None else float(score.value) - float(before)
    same = change is not None and abs(change) < _LEAST_CHANGE
    sign = "" if change is None else "+" if change > 0 else "-"
    place.metric(
        score.metric.title,
        figure_text(name, score.value),
        delta=None if change is None else "same" if same else f"{sign}{figure_text(name, abs(change))}",
        delta_color="off" if same else "inverse" if score.metric.direction is Direction.LOWER else "normal",
        delta_arrow="off" if same else "auto",
        help="The change is against the current candidate.",
    )


def _keep(state: Workspace, made: Made) -> None:
    name = f"{made.table.name.split('.')[0]}_{made.method.name}"

    def keep() -> None:
        """Add the table to the candidates, as the current one; it has the original's records in their order."""
        state.making.kept = state.keep(name, made.table, MatchingRule(), made.recipe)
        choose_candidate(state.making.kept)

    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Keep as a candidate", key="make_keep", on_click=keep, icon=":material/bookmark_add:"):
            st.rerun()
        st.download_button(
            "Download as CSV",
            lambda: to_csv(made.table.to_arrow()),
            file_name=f"{name}.csv",
            mime="text/csv",
            key="make_download",
            on_click="ignore",
            icon=":material/download:",
        )
        recipe_button(lambda: made.recipe, name, "make_recipe")
        if state.making.kept in state.labels:
            st.markdown(f"Kept as **{plain(str(state.making.kept))}**, now the current candidate.", width="content")
            if len(state.labels) > 1:
                st.page_link(COMPARE.page(), label="Compare now", icon=":material/compare_arrows:")
