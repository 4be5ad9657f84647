"""The policy that every page assesses against, in the sidebar: which one, its limits, and how to change them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import streamlit as st

from dashboard.session import synced_key
from dashboard.settings import SETTINGS_FILE, settings_of
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.errors import InputError
from metrics.formatting import format_number, visible
from metrics.metric import Direction, Measure
from metrics.policy.built_in_policies import DEFAULT_POLICY, source_of
from metrics.policy.limitable_measures import DIRECT_IDENTIFIERS, LIMITABLE_MEASURES, Outcome
from metrics.texts import text

_MAX_NAME = 60
POLICY_PANEL: Final = "policy_panel"
"""Key of the sidebar's fragment; a page whose own control changes a limit draws it again with its own parts."""
_OFFERED = (
    "k_anonymity",
    "distinct_l_diversity",
    "t_closeness",
    "reidentification_risk",
    "p29",
    "suppression",
    "no_attack",
)


def policy_panel(state: Workspace) -> None:
    """The choice of the policy, its limits in one line, a popover to edit them, and the settings file."""

    @st.fragment(key=POLICY_PANEL)
    def panel() -> None:
        st.selectbox(
            "Policy",
            list(state.policy.by_name),
            key=synced_key("policy", state.policy.current.name),
            format_func=visible,
            on_change=_choose,
            args=(state,),
            help="The limits that all pages, figures, searches, repairs and reports are assessed against.",
        )
        with st.container(horizontal=True, gap="xsmall", key="policy_actions"):
            with st.popover("Edit limits", key="policy_edit", width="stretch"):
                key = _current_key("policy_name", state.policy.current.name)
                st.text_input(
                    "Name of the policy",
                    value=state.policy.current.name,
                    max_chars=_MAX_NAME,
                    key=synced_key(key, state.policy.current.name),
                    on_change=_name,
                    args=(state, key),
                )
                with st.container(gap="xsmall"):
                    for identifier in dict.fromkeys((*_OFFERED, *state.policy.limits)):
                        limit_field(state, identifier, f"limit_{identifier}")
                    _another_limit(state)
            st.download_button(
                "Save settings",
                lambda: settings_of(state).to_json(),
                file_name=SETTINGS_FILE,
                mime="application/json",
                key="save_session",
                on_click="ignore",
                width="stretch",
                disabled=state.tables.empty,
                help="Policy, roles, parameters and hierarchies, without any table. Hierarchies list values of the "
                "original. Restore the settings on the Data page.",
            )
        st.caption(plain(limits_in_short(state)))
        if state.policy.current == DEFAULT_POLICY:
            st.caption("Default: a common starting point, not a legal standard.")
        source = source_of(state.policy.current)
        if source is not None:
            with st.popover("Source of the limits", key="policy_source", type="tertiary"):
                st.markdown(f"{source.basis}, {source.date}: [{plain(source.title)}]({source.url})")
                st.caption(plain(source.note))

    panel()


def _another_limit(state: Workspace) -> None:
    """Choose a metric that is not offered above, and set its limit."""
    names = [name for name in LIMITABLE_MEASURES if name not in _OFFERED and name != DIRECT_IDENTIFIERS]
    chosen = st.selectbox(
        "Another limit",
        names,
        index=None,
        format_func=lambda name: LIMITABLE_MEASURES[name].title,
        key="another_limit",
        placeholder="Choose a metric",
    )
    if chosen is not None and chosen not in state.policy.limits:
        limit_field(state, chosen, f"limit_{chosen}")


def limits_in_short(state: Workspace) -> str:
    """Every limit of the policy in one line: "k ≥ 5 · t ≤ 0.5"."""
    limits = state.policy.limits
    parts = [limitable.condition(limits[name]) for name, limitable in LIMITABLE_MEASURES.items() if name in limits]
    unbroken = (part.replace("≥ ", "≥\u00a0").replace("≤ ", "≤\u00a0") for part in parts)
    return " · ".join(unbroken) if parts else "No limits set"


def limit_field(state: Workspace, identifier: str, name: str) -> None:
    """A field that sets, changes and removes one limit of the policy, a share in percent.

    `name` tells it from others.
    """
    limitable, limit = LIMITABLE_MEASURES[identifier], state.policy.limits.get(identifier)
    key = _current_key(name, limit)
    if limitable.direction is Direction.TRUE:
        st.toggle(
            f"{limitable.title}: required",
            value=limit is True,
            key=synced_key(key, limit is True),
            on_change=_set_limit,
            args=(state, identifier, name, key),
        )
        return
    # On every run: a closed popover has no field yet to take the value, and the next run would not repeat it.
    scale = _scale(limitable)
    st.session_state[key] = None if limit is None else round(scale * float(limit), 10)
    st.number_input(
        _label(limitable),
        min_value=None if limitable.minimum is None else scale * float(limitable.minimum),
        max_value=None if limitable.maximum is None else scale * float(limitable.maximum),
        # Not the limit: with a number as default, a field that is emptied would go back to it.
        value=None,
        step=0.05 if limitable.maximum == 1 and not limitable.is_share else 1.0,
        format="%g",
        key=key,
        placeholder="no limit",
        on_change=_set_limit,
        args=(state, identifier, name, key),
    )


def _current_key(name: str, value: float | bool | str | None) -> str:
    """The key of a field: a new one once its value was changed elsewhere.

    A field in a closed popover misses the change. The browser would send the old value with the next run, whose
    callback would begin another run, without the button that was pressed.
    """
    seen_value, number = st.session_state.get(f"{name}_seen", (value, 0))
    number += seen_value != value
    st.session_state[f"{name}_seen"] = value, number
    return f"{name}_{number}" if number else name


def _keep_key(name: str, value: float | bool | str | None) -> None:
    """Note a value that the field itself was given."""
    st.session_state[f"{name}_seen"] = value, st.session_state[f"{name}_seen"][1]


def limit_summary(limits: Mapping[str, float | bool], identifier: str) -> str:
    """The limit on one value: "at least 5", "no limit"."""
    return LIMITABLE_MEASURES[identifier].limit_text(limits[identifier]) if identifier in limits else "no limit"


def slider_label(state: Workspace, name: str, identifier: str) -> str:
    """The label of a slider that tries a limit of the policy, whose last value means no limit."""
    limits = state.policy.what_if(identifier).limits
    kind = "Policy" if limits == state.policy.limits else text("changed_settings.what_if")
    return f"{kind}: {name}{'' if identifier in limits else ', no limit'}"


def outcome_words(outcome: Outcome) -> str:
    """Whether a limit is met, with its mark."""
    return {Outcome.MET: "✓ meets", Outcome.FAILED: "✗ fails", Outcome.NOT_MEASURED: "not measured"}[outcome]


def _scale(limitable: Measure) -> float:
    """What a limit is multiplied by in its field."""
    return 100.0 if limitable.is_share else 1.0


def _label(limitable: Measure) -> str:
    relation = "at most" if limitable.direction is Direction.LOWER else "at least"
    if limitable.is_share:
        range_text = " (%)"
    elif limitable.maximum is None:
        range_text = ""
    else:
        range_text = f" ({format_number(limitable.minimum)} to {limitable.maximum:g})"
    return f"{plain(limitable.title)} {relation}{range_text}"


def _choose(state: Workspace) -> None:
    state.policy.choose(state.policy.by_name[st.session_state["policy"]])
    st.rerun()


def _name(state: Workspace, key: str) -> None:
    state.policy.rename(str(st.session_state[key]).strip())
    _keep_key("policy_name", state.policy.current.name)
    st.rerun()


def _set_limit(state: Workspace, identifier: str, name: str, key: str) -> None:
    value = st.session_state[key]
    limitable = LIMITABLE_MEASURES[identifier]
    if limitable.direction is Direction.TRUE:
        limit = True if value else None
    else:
        limit = None if value is None else value / _scale(limitable)
    _keep_key(name, limit)
    try:
        state.policy.set_limit(identifier, limit)
    except InputError as error:
        st.toast(plain(str(error)))
    st.rerun()
