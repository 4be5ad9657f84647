"""Limits of the policy on a page: fields that change them, controls that try others, and words for their outcome."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dashboard.components.fragments import draw_whole
from dashboard.session import chosen_version, synced_key, workspace
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.config.parameters import CellReading
from metrics.errors import InputError
from metrics.formatting import format_number
from metrics.metric import Direction, Measure
from metrics.policy.limitable_measures import LIMITABLE_MEASURES, Outcome
from metrics.policy.policy import without_equal_risk
from metrics.texts import text


def page_title(title: str, mark: str = "") -> None:
    """The title of a page that speaks of the chosen version, with a mark if there is one."""
    badge = f" :orange-badge[{mark}]" if mark else ""
    st.title(f"{title} · {plain(chosen_version(workspace()))}{badge}", anchor=False)


def what_if_title(state: Workspace, title: str, metric_id: str) -> None:
    """The title of a metric's page, with a mark while it differs from what is used everywhere.

    It stands in the fragment of the controls, which draw it anew.
    """
    page_title(title, mark=text("changed_settings.what_if") if state.policy.is_tried(metric_id) else "")


def what_if_buttons(state: Workspace, metric_id: str, *, nested: bool = False) -> None:
    """Below the controls of a metric's page: use what they say on all pages, or show again what those use.

    Are they `nested` in a fragment within another, both are drawn anew.
    """

    def undo() -> None:
        state.policy.undo(metric_id)
        if nested:
            draw_whole()

    is_tried = state.policy.is_tried(metric_id)
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="what_if"):
        st.button(
            "Use it everywhere",
            key="use_everywhere",
            type="primary" if is_tried else "secondary",
            disabled=not is_tried,
            on_click=_use_everywhere,
            args=(state, metric_id),
            help=text("changed_settings.on_this_page"),
        )
        st.button("Undo", key="what_if_undo", disabled=not is_tried, on_click=undo)


def _use_everywhere(state: Workspace, metric_id: str) -> None:
    state.policy.use_everywhere(metric_id)
    st.rerun()


def slider_label(state: Workspace, name: str, identifier: str) -> str:
    """The label of a slider that tries a limit of the policy, whose last value means no limit."""
    limits = state.policy.what_if(identifier).limits
    kind = "Policy" if limits == state.policy.limits else text("changed_settings.what_if")
    return f"{kind}: {name}{'' if identifier in limits else ', no limit'}"


def limit_field(state: Workspace, identifier: str, name: str) -> None:
    """A field that sets, changes and removes one limit of the policy, a share in percent.

    `name` tells it from others.
    """
    limitable, limit = LIMITABLE_MEASURES[identifier], state.policy.limits.get(identifier)
    key = current_key(name, limit)
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


def _set_limit(state: Workspace, identifier: str, name: str, key: str) -> None:
    value = st.session_state[key]
    limitable = LIMITABLE_MEASURES[identifier]
    if limitable.direction is Direction.TRUE:
        limit = True if value else None
    else:
        limit = None if value is None else value / _scale(limitable)
    keep_key(name, limit)
    try:
        state.policy.set_limit(identifier, limit)
    except InputError as error:
        st.toast(plain(str(error)))
    st.rerun()


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


def current_key(name: str, value: float | bool | str | None) -> str:
    """The key of a field: a new one once its value was changed elsewhere.

    A field in a closed popover misses the change. The browser would send the old value with the next run, whose
    callback would begin another run, without the button that was pressed.
    """
    seen_value, number = st.session_state.get(f"{name}_seen", (value, 0))
    number += seen_value != value
    st.session_state[f"{name}_seen"] = value, number
    return f"{name}_{number}" if number else name


def keep_key(name: str, value: float | bool | str | None) -> None:
    """Note a value that the field itself was given."""
    st.session_state[f"{name}_seen"] = value, st.session_state[f"{name}_seen"][1]


def limit_summary(limits: Mapping[str, float | bool], identifier: str) -> str:
    """The limit on one value: "at least 5", "no limit"."""
    return LIMITABLE_MEASURES[identifier].limit_text(limits[identifier]) if identifier in limits else "no limit"


def limits_in_short(state: Workspace) -> str:
    """Every limit of the policy in one line: "k ≥ 5 · t ≤ 0.5", without a highest risk that says the same as k."""
    limits, cells = state.policy.limits, state.policy.parameters.classes
    is_wildcard = CellReading.WILDCARD in (cells.suppressed_cell, cells.missing_cell)
    if not (is_wildcard or state.weight or state.tables.population):
        limits = without_equal_risk(limits)
    parts = [limitable.condition(limits[name]) for name, limitable in LIMITABLE_MEASURES.items() if name in limits]
    unbroken = (part.replace("≥ ", "≥\u00a0").replace("≤ ", "≤\u00a0") for part in parts)
    return " · ".join(unbroken) if parts else "No limits set"


def outcome_words(outcome: Outcome) -> str:
    """Whether a limit is met, with its mark."""
    return {Outcome.MET: "✓ meets", Outcome.FAILED: "✗ fails", Outcome.NOT_MEASURED: "not measured"}[outcome]
