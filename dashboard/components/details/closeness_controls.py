"""The limit on t, and the ground distance of each sensitive attribute, which are tried on the page."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dashboard.components.policy_panel import slider_label
from dashboard.session import exact_step, synced_key
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.aggregates import Aggregates
from metrics.config.parameters import GroundDistance, TClosenessParameters
from metrics.config.setting_texts import setting_meaning
from metrics.privacy.classes.ground_distances import choose_distance
from metrics.privacy.t_closeness import T_CLOSENESS
from metrics.texts import text

_AUTOMATIC = "automatic"
_FEW = 2


def closeness_settings(state: Workspace, aggregates: Aggregates) -> TClosenessParameters:
    """The limit and the ground distances that the page tries, of a candidate's sensitive columns."""
    return state.what_if(T_CLOSENESS.id).parameters_of(aggregates.roles.sensitive).t_closeness


def limit_slider(state: Workspace) -> None:
    """The largest distance from the table that a class may have."""
    current = state.what_if(T_CLOSENESS.id).parameters.t_closeness.t
    st.slider(
        slider_label(state, "largest t", "t_closeness"),
        0.0,
        1.0,
        value=current,
        step=exact_step(current, 0.01),
        format="%.4g",
        key=synced_key("t_limit", current),
        on_change=_set_limit,
        args=(state,),
        help=text("t_closeness.limit_help"),
    )


def ground_distances(state: Workspace, aggregates: Aggregates, *, needed: bool = False) -> None:
    """A choice per sensitive attribute; one that does not apply is refused in a sentence.

    More than a few are folded, unless `needed`: the figure must stay near the limit on a narrow screen.
    """
    if len(aggregates.roles.sensitive) <= _FEW:
        _choices(state, aggregates)
        return
    with st.expander("Ground distances", expanded=needed):
        _choices(state, aggregates)


def _choices(state: Workspace, aggregates: Aggregates) -> None:
    distances = closeness_settings(state, aggregates).distance
    for column in aggregates.roles.sensitive:
        automatic = choose_distance(aggregates.histogram(column), aggregates.hierarchies.get(column), None)
        st.selectbox(
            f"Ground distance of {plain(column)}",
            [_AUTOMATIC, *map(str, GroundDistance)],
            key=synced_key(f"t_distance_{column}", str(distances.get(column, _AUTOMATIC))),
            format_func=partial(_choice_label, automatic),
            on_change=_set_distance,
            args=(state, aggregates, column),
            help=setting_meaning("t_closeness.distance"),
        )
        refused = state.closeness.refused
        if refused is not None and refused[0] == column:
            st.warning(f"Not changed: {plain(refused[1])}.", icon=":material/warning:")
            state.closeness.refused = None


def _choice_label(automatic: GroundDistance, choice: str) -> str:
    return f"{choice} ({automatic})" if choice == _AUTOMATIC else choice


def _set_limit(state: Workspace) -> None:
    limit = float(st.session_state["t_limit"])
    state.try_limit(T_CLOSENESS.id, limit if limit < 1 else None)


def _set_distance(state: Workspace, aggregates: Aggregates, column: str) -> None:
    choice = st.session_state[f"t_distance_{column}"]
    distance = None if choice == _AUTOMATIC else GroundDistance(choice)
    settings = state.what_if(T_CLOSENESS.id).parameters.t_closeness
    state.try_settings(T_CLOSENESS.id, state.closeness.try_distance(aggregates, settings, column, distance))
