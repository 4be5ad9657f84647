"""Parameters that travel in the page's address: numbers and switches only, never a name or a cell of a table."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dashboard.state.policy_state import DEFAULT_PARAMETERS
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.config.parameters import Parameters
from metrics.errors import InputError

_SETTING_OF = {
    "w_k": "p29.w_k",
    "w_l": "p29.w_l",
    "w_t": "p29.w_t",
    "p29_t_max": "p29.t_max",
    "t_limit": "t_closeness.t",
    "adversary_cost": "profitability.adversary_cost",
    "adversary_gain": "profitability.adversary_gain",
    "publisher_loss": "profitability.publisher_loss",
    "publisher_benefit": "profitability.publisher_benefit",
    "allow_attack": "profitability.allow_attack",
    "information_loss": "profitability.information_loss",
}


def link_parameters(parameters: Parameters) -> dict[str, str]:
    """The parameters that differ from their defaults, as an address carries them."""
    default = DEFAULT_PARAMETERS.to_dict()
    texts = {}
    for name, setting in _SETTING_OF.items():
        group, _, key = setting.partition(".")
        value = parameters.to_dict()[group][key]
        if value != default[group][key]:
            texts[name] = f"{value:.10g}" if isinstance(value, float) else str(value).lower()
    return texts


def from_link(query: Mapping[str, str]) -> Parameters:
    """Parameters from an address; names it does not know are left out. Raises InputError for values out of range."""
    settings = {_SETTING_OF[name]: value for name, value in query.items() if name in _SETTING_OF}
    return DEFAULT_PARAMETERS.with_settings(settings)


def read_link(state: Workspace) -> None:
    """Let pages try the parameters of the address a session was opened with; once, before any widget shows them."""
    if state.link_read:
        return
    state.link_read = True
    try:
        query = st.query_params.to_dict()
        parameters = from_link(query)
        for metric_id in ("p29", "profitability"):
            state.policy.try_settings(metric_id, getattr(parameters, metric_id))
        if "t_limit" in query:
            state.policy.try_limit("t_closeness", parameters.t_closeness.t)
    except InputError as error:
        st.toast(plain(f"The link's parameters were left out: {error}"), icon=":material/warning:")


def write_link(parameters: Parameters) -> None:
    """Let the address carry the parameters that a page shows, so that it can be copied."""
    texts = link_parameters(parameters)
    if st.query_params.to_dict() != texts:
        st.query_params.from_dict(texts)
