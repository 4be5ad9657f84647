"""Metrics that take long: computed when asked for, with their progress, and cancelled on request."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboard.session import chosen_candidate, workspace
from dashboard.workspace import Workspace
from metrics.config.roles import Roles
from metrics.metric import Metric
from metrics.scoring.scorecard import Score

_KEY = "computing"

Work = Callable[[], None]
"""Computes what was asked for and draws the page anew; called when the rest of the page is drawn."""


def on_demand(state: Workspace, score: Score) -> Work | None:
    """A button that requests the metric; once requested, its progress, a button to cancel, and the work to do.

    A click anywhere interrupts the work when it next reports its progress; the page then begins it again, unless the
    click was on Cancel.
    """
    spec = score.metric
    if not spec.on_demand or score.result is not None:
        return None
    if not computing() or st.session_state[_KEY] != _request(state, spec):
        st.button("Compute", key=f"compute_{spec.id}", on_click=_ask, args=(state, spec), icon=":material/play_arrow:")
        return None
    bar = st.progress(0.0, text="Computing…")
    st.button("Cancel", key=f"cancel_{spec.id}", on_click=_drop, icon=":material/close:")

    def work() -> None:
        state.compute(
            chosen_candidate(state),
            spec,
            lambda share: bar.progress(min(max(share, 0.0), 1.0), text=f"Computing: {share:.0%}"),
        )
        _drop()
        st.rerun()

    return work


def computing() -> bool:
    """Whether a metric is requested and not computed yet; a request is for one candidate and its roles."""
    state, request = workspace(), st.session_state.get(_KEY)
    if request is not None and (not state.labels or request[:-1] != _request(state)[:-1]):
        _drop()
    return _KEY in st.session_state


def _request(state: Workspace, spec: Metric | None = None) -> tuple[str, Roles, str]:
    label = chosen_candidate(state)
    return label, state.roles_for(label), spec.id if spec else ""


def _ask(state: Workspace, spec: Metric) -> None:
    st.session_state[_KEY] = _request(state, spec)


def _drop() -> None:
    st.session_state.pop(_KEY, None)
