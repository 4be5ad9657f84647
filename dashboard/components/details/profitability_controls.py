"""Sliders for the four amounts of profitability, and the attack switch, which are tried on its page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from dashboard.components.page_head import what_if_buttons
from dashboard.session import exact_step, synced_key
from dashboard.workspace import Workspace
from metrics.config.parameters import ProfitabilityParameters
from metrics.economics.profitability import PROFITABILITY

_AMOUNTS = [control for control in PROFITABILITY.controls if control.maximum is not None]
_SWITCHES = [control for control in PROFITABILITY.controls if control.maximum is None]
_PRESETS = {
    "Default amounts": ProfitabilityParameters(),
    "Strict definition (no profitable attack allowed)": ProfitabilityParameters(allow_attack=False),
    "Costly attack: cost 60": ProfitabilityParameters(adversary_cost=60.0),
    "Heavy fines: loss 3,000 per record": ProfitabilityParameters(publisher_loss=3000.0),
    "Lucrative records: gain 3,000": ProfitabilityParameters(adversary_gain=3000.0),
}
_REACH = "profitability_reach"


def profitability_controls(state: Workspace) -> None:
    """Four amounts per record, in one currency, and whether attacks are acceptable."""
    current = state.what_if(PROFITABILITY.id).parameters.profitability
    reach = st.session_state.get(_REACH, 1)
    for control in _AMOUNTS:
        name, amount = control.name, getattr(current, control.name)
        maximum = max((control.maximum or 0.0) * reach, amount)
        st.slider(
            control.label,
            0.0,
            maximum,
            value=amount,
            step=exact_step(amount, reach * control.step),
            key=synced_key(name, amount),
            format="%g",
            on_change=_set,
            args=(state, name, float),
            help=f"{control.help} Range: 0 to {maximum:,.0f}, in the currency of all amounts.",
        )
    for control in _SWITCHES:
        name = control.name
        st.toggle(
            control.label,
            value=getattr(current, name),
            key=synced_key(name, getattr(current, name)),
            on_change=_set,
            args=(state, name, bool),
            help=control.help,
        )
    st.selectbox("Preset", list(_PRESETS), index=None, key="profit_preset", on_change=_preset, args=(state,))
    st.select_slider(
        "Slider range",
        [1, 10, 100, 1000],
        key=_REACH,
        format_func=lambda factor: f"× {factor:,}",
        persist_state="session",
    )
    what_if_buttons(state, PROFITABILITY.id)


def _set(state: Workspace, name: str, kind: Callable[[Any], Any]) -> None:
    current = state.what_if(PROFITABILITY.id).parameters.profitability
    state.try_settings(PROFITABILITY.id, replace(current, **{name: kind(st.session_state[name])}))


def _preset(state: Workspace) -> None:
    preset = _PRESETS.get(st.session_state["profit_preset"])
    if preset is not None:
        state.try_settings(PROFITABILITY.id, preset)
