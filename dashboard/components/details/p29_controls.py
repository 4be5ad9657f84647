"""Sliders for P_29's weights and its limit on t, which are tried on its page."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dashboard.components.policy_panel import limit_summary
from dashboard.components.what_if import what_if_buttons
from dashboard.navigation import T_CLOSENESS
from dashboard.session import exact_step, synced_key
from dashboard.workspace import Workspace
from metrics.config.parameters import rescale_weights
from metrics.privacy.p29 import P_29
from metrics.texts import text

_WEIGHTS = [control for control in P_29.controls if control.is_weight]
_MOVING = "p29_moving_weight"
"""Session key of the weight that was moved last."""


def p29_controls(state: Workspace) -> None:
    """Three weights that keep their sum at 1, and the condition on t, apart from the policy's limit."""
    current = state.what_if(P_29.id).parameters.p29
    for control in P_29.controls:
        value, name = getattr(current, control.name), control.name
        st.slider(
            control.label,
            0.0,
            control.maximum,
            value=value,
            step=control.step if control.is_weight else exact_step(value, control.step),
            # Shares of the rest lie between the steps; cut to two digits they would not seem to add up.
            format="%.4g",
            key=synced_key(name if control.is_weight else f"p29_{name}", value),
            on_change=_reweigh if control.is_weight else _limit,
            args=(state, name),
            help=f"{control.help} Range: 0 to {control.maximum:g}.",
        )
    st.caption(text("p29.own_condition"))
    limit = limit_summary(state.policy.limits, "t_closeness")
    st.page_link(T_CLOSENESS.page(), label=f"Policy's limit on t-closeness: {limit}", icon=":material/arrow_forward:")
    what_if_buttons(state, P_29.id)


def _reweigh(state: Workspace, name: str) -> None:
    current = state.what_if(P_29.id).parameters.p29
    previous = {control.name: getattr(current, control.name) for control in _WEIGHTS}
    changed_keys = {key for key, weight in previous.items() if st.session_state[key] != weight}
    # A browser that has not yet drawn the other two sends their older values with the next key press.
    moving = st.session_state.get(_MOVING)
    if name not in changed_keys or (moving in changed_keys and moving != name):
        return
    st.session_state[_MOVING] = name
    weights = rescale_weights(previous, name, float(st.session_state[name]))
    for other, weight in weights.items():
        if other != name:
            st.session_state[other] = weight
    state.try_settings(P_29.id, replace(current, **weights))


def _limit(state: Workspace, name: str) -> None:
    current = state.what_if(P_29.id).parameters.p29
    state.try_settings(P_29.id, replace(current, **{name: float(st.session_state[f"p29_{name}"])}))
