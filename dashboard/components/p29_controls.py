"""Sliders for P_29's weights and its limit on t."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dashboard.session import controlled
from dashboard.workspace import Workspace
from metrics.parameters import P29Parameters

_LABELS = {"w_k": "Weight of k", "w_l": "Weight of l", "w_t": "Weight of t"}


def p29_controls(state: Workspace) -> None:
    """Three weights that keep their sum at 1, and the limit on t."""
    current = state.parameters.p29
    for name, label in _LABELS.items():
        st.slider(
            label,
            0.0,
            1.0,
            value=getattr(current, name),
            step=0.01,
            # Shares of the rest lie between the steps; cut to two digits they would not seem to add up.
            format="%.4g",
            key=controlled(name, getattr(current, name)),
            on_change=_reweigh,
            args=(state, name),
        )
    st.caption("The weights keep their sum at 1: moving one shares the rest among the others as they were.")
    st.slider(
        "Limit on t",
        0.0,
        1.0,
        value=current.t_max,
        step=0.01,
        format="%.4g",
        key=controlled("p29_t_max", current.t_max),
        on_change=_limit,
        args=(state,),
        help="A class violates if its distance from the whole table is larger.",
    )
    st.button("Back to 0.5, 0.25, 0.25 and 0.5", key="p29_reset", on_click=_reset, args=(state,))


def reweighed(current: P29Parameters, name: str, weight: float) -> P29Parameters:
    """Weights with one changed and the others scaled, in proportion, to fill the rest; equally if both were 0."""
    others = [other for other in _LABELS if other != name]
    before = [getattr(current, other) for other in others]
    rest = 1 - weight
    shares = [value / sum(before) for value in before] if sum(before) > 0 else [0.5, 0.5]
    first = round(rest * shares[0], 10)
    weights = {name: weight, others[0]: first, others[1]: max(round(rest - first, 10), 0.0)}
    return P29Parameters(weights["w_k"], weights["w_l"], weights["w_t"], current.t_max)


def _reweigh(state: Workspace, name: str) -> None:
    weights = reweighed(state.parameters.p29, name, float(st.session_state[name]))
    state.parameters = replace(state.parameters, p29=weights)


def _limit(state: Workspace) -> None:
    limited = replace(state.parameters.p29, t_max=float(st.session_state["p29_t_max"]))
    state.parameters = replace(state.parameters, p29=limited)


def _reset(state: Workspace) -> None:
    state.parameters = replace(state.parameters, p29=P29Parameters())
