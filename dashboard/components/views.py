"""Views below a page's answer, one part at a time: the part is chosen beside what it replaces."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

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
