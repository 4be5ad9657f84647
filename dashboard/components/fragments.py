"""Parts of a page that are drawn anew by themselves, as long as nothing long is at work on the page."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st


def fragment(part: Callable[[], None], *, busy: bool, key: str | None = None) -> Callable[[], None]:
    """`st.fragment`; while the page is busy the part as it is.

    What is pressed in a fragment waits until the page's own run has ended, and does nothing till then; what is pressed
    in the page itself interrupts that run.
    """
    return part if busy else st.fragment(part, key=key)
