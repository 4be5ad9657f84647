"""Sliders for the four amounts of profitability, and the attack switch."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dashboard.session import synced_key
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
    current = state.parameters.profitability
    reach = st.session_state.get(_REACH, 1)
    for control in _AMOUNTS:
        name, amount = control.name, getattr(current, control.name)
        maximum = max((control.maximum or 0.0) * reach, amount)
        st.slider(
            control.label,
            0.0,
            maximum,
            value=amount,
            step=reach * control.step,
            key=synced_key(name, amount),
            format="%g",
            on_change=_set_amount,
            args=(state, name),
            help=f"{control.help} Range: 0 to {maximum:,.0f}, in the currency of all amounts.",
        )
    for control in _SWITCHES:
        name = control.name
        st.toggle(
            control.label,
            value=getattr(current, name),
            key=synced_key(name, getattr(current, name)),
            on_change=_set_switch,
            args=(state, name),
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


def _set_amount(state: Workspace, name: str) -> None:
    amount = float(st.session_state[name])
    state.parameters = state.parameters.with_settings({f"profitability.{name}": amount})


def _set_switch(state: Workspace, name: str) -> None:
    state.parameters = state.parameters.with_settings({f"profitability.{name}": bool(st.session_state[name])})


def _preset(state: Workspace) -> None:
    preset = _PRESETS.get(st.session_state["profit_preset"])
    if preset is not None:
        state.parameters = replace(state.parameters, profitability=preset)
