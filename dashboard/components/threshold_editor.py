"""The limits that turn a metric into passed or failed."""

from __future__ import annotations

import streamlit as st

from dashboard.session import controlled
from dashboard.workspace import Workspace
from metrics.errors import InputError
from metrics.scorecard import Score
from metrics.specification import Direction, Metric
from metrics.thresholds import Thresholds, keeps, wanted


def limit_badge(state: Workspace, score: Score) -> None:
    """Whether the figure keeps the limit that is set for it; nothing without one."""
    limit = state.thresholds.limits.get(score.metric.id)
    if limit is None:
        return
    kept = keeps(score, limit)
    text = f"{wanted(score.metric, limit)} wanted"
    if kept is None:
        st.badge(f"not measured; {text}", icon=":material/help:", color="gray")
    elif kept:
        st.badge(f"passed; {text}", icon=":material/check:", color="blue")
    else:
        st.badge(f"failed; {text}", icon=":material/close:", color="red")


def limit_editor(state: Workspace, metric: Metric) -> None:
    """A popover that sets, changes and drops the limit of one metric."""
    limit = state.thresholds.limits.get(metric.id)
    with st.popover("Limit" if limit is None else f"Limit: {wanted(metric, limit)}", key=f"limit_popover_{metric.id}"):
        if metric.direction is Direction.TRUE:
            st.toggle(
                "Must be yes",
                value=limit is True,
                key=controlled(f"limit_{metric.id}", limit is True),
                on_change=_set_limit,
                args=(state, metric),
            )
            return
        # On every run: a closed popover has no field yet to take the value, and the next run would not repeat it.
        st.session_state[f"limit_{metric.id}"] = None if limit is None else float(limit)
        side = "At most" if metric.direction is Direction.LOWER else "At least"
        st.number_input(
            f"{side} (empty: no limit)",
            min_value=None if metric.minimum is None else float(metric.minimum),
            max_value=None if metric.maximum is None else float(metric.maximum),
            # Not the limit: with a number as default, a field that is emptied would go back to it.
            value=None,
            step=0.05 if metric.maximum == 1 else 1.0,
            format="%g",
            key=f"limit_{metric.id}",
            on_change=_set_limit,
            args=(state, metric),
        )


def _set_limit(state: Workspace, metric: Metric) -> None:
    chosen = st.session_state[f"limit_{metric.id}"]
    limit = (True if chosen else None) if metric.direction is Direction.TRUE else chosen
    try:
        state.thresholds = state.thresholds.with_limit(metric.id, limit)
    except InputError as error:
        st.toast(str(error))


def drop_limits(state: Workspace) -> None:
    """No limit any longer; for a button's callback."""
    state.thresholds = Thresholds()
