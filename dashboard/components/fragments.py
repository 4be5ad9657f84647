"""Parts of a page: drawn anew by themselves, one at a time below the page's answer, or computed when asked for."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dashboard.session import chosen_version, workspace
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.config.roles import Roles
from metrics.metric import Metric
from metrics.scoring.scorecard import Score

WHOLE = "whole"
"""Key of a page's fragment that has another within it."""
_UNTIL_DRAWN_S = 0.03

# A page that becomes shorter than the scroll position needs would scroll by itself, and move the control in hand.
_SCRIPT = """
const keepPosition = ({ target }) => {
    const part = target.querySelector('[class*="_view_part"]');
    if (!part) return;
    const below = target.scrollHeight - target.clientHeight - target.scrollTop;
    // Heights are rounded: a pixel more, so that none is missing, but no more than there is, or the part would grow.
    const height = part.getBoundingClientRect().height;
    part.style.minHeight = `${Math.max(0, Math.min(height, height - below + 1))}px`;
};
export default function () {
    document.querySelector('[data-testid="stMain"]').addEventListener('scroll', keepPosition, { passive: true });
}
"""
_SCROLL_POSITION = st.components.v2.component("scroll_position", html="<span></span>", js=_SCRIPT)

_KEY = "computing"
"""Session key of the metric that is requested and not computed yet."""
Work = Callable[[], None]
"""Computes what was asked for and draws the page anew; called when the rest of the page is drawn."""


def metrics_above_charts() -> None:
    """Let the browser draw what was written so far before more of the page comes in.

    It takes all that arrives within some ten milliseconds in one go, and a number that comes with charts is not seen
    until they are drawn. Call it in a fragment, after the numbers that a slider in it moves; a whole page goes on.
    """
    if _is_fragment_run():
        time.sleep(_UNTIL_DRAWN_S)


def _is_fragment_run() -> bool:
    context = get_script_run_ctx()
    return context is not None and bool(context.fragment_ids_this_run)


def draw_whole() -> None:
    """In a callback of a fragment within the one with the key `WHOLE`: draw that one anew; the page's own run does."""
    if _is_fragment_run():
        st.rerun(WHOLE)


def show_view(key: str, parts: Mapping[str, Callable[[], None]]) -> None:
    """Draw the chosen one of the named parts, initially the first; the choice survives leaving the page.

    The container keeps the height that the scroll position needs, so that a shorter part does not move the control.
    """
    state_key = f"{key}_view"
    if st.session_state.get(state_key) not in parts:
        st.session_state[state_key] = next(iter(parts))
    chosen = st.segmented_control(
        "View",
        list(parts),
        key=state_key,
        required=True,
        wrap=True,
        label_visibility="collapsed",
        persist_state="session",
    )
    with st.container(key=f"{state_key}_part"):
        parts[str(chosen)]()
    _SCROLL_POSITION(key=f"{state_key}_scroll_position")


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
    if _is_fragment_run():  # only a run of the whole page does the work
        st.rerun()
    bar = st.progress(0.0, text="Computing…")
    st.button("Cancel", key=f"cancel_{spec.id}", on_click=_drop, icon=":material/close:")

    def work() -> None:
        state.compute(
            chosen_version(state),
            spec,
            lambda share: bar.progress(min(max(share, 0.0), 1.0), text=f"Computing: {share:.0%}"),
        )
        _drop()
        st.rerun()

    return work


def on_demand_row(state: Workspace, score: Score) -> Work | None:
    """What the metric is, with a button that requests it."""
    left, right = st.columns([4, 1], vertical_alignment="center")
    left.markdown(f"**{plain(score.metric.title)}**: {plain(score.metric.meaning)}")
    with right:
        return on_demand(state, score)


def computing() -> bool:
    """Whether a metric is requested and not computed yet; a request is for one version and its roles."""
    state, request = workspace(), st.session_state.get(_KEY)
    if request is not None and (not state.tables.labels or request[:-1] != _request(state)[:-1]):
        _drop()
    return _KEY in st.session_state


def _request(state: Workspace, spec: Metric | None = None) -> tuple[str, Roles, str]:
    label = chosen_version(state)
    return label, state.roles_for(label), spec.id if spec else ""


def _ask(state: Workspace, spec: Metric) -> None:
    st.session_state[_KEY] = _request(state, spec)


def _drop() -> None:
    st.session_state.pop(_KEY, None)
