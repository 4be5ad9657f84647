"""Views below a page's answer, one part at a time: the part is chosen beside what it replaces."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st


def show_view(key: str, parts: Mapping[str, Callable[[], None]]) -> None:
    """Draw the chosen one of the named parts, at first the first; the choice is kept while the page is left.

    The place keeps a height, so that a shorter part does not move the control under the reader's pointer.
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
