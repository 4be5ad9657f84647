"""Parts of a page that are drawn anew by themselves, as long as nothing long is at work on the page."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dashboard.serving.server import ends_with_its_run

_UNTIL_DRAWN_S = 0.03
T = TypeVar("T")


def fragment(part: Callable[[], T], *, busy: bool, key: str | None = None) -> Callable[[], T]:
    """`st.fragment`; while the page is busy the part as it is.

    What is pressed in a fragment waits until the page's own run has ended, and does nothing till then; what is pressed
    in the page itself interrupts that run.
    """

    @wraps(part)
    def ending_part() -> T:
        with ends_with_its_run():
            return part()

    return part if busy else st.fragment(ending_part, key=key)


def metrics_above_figures() -> None:
    """Let the browser draw what was written so far before more of the page comes in.

    It takes all that arrives within some ten milliseconds in one go, and a number that comes with figures is not seen
    until they are drawn. Call it in a fragment, after the numbers that a slider in it moves; a whole page goes on.
    """
    context = get_script_run_ctx()
    if context is not None and context.fragment_ids_this_run:
        time.sleep(_UNTIL_DRAWN_S)
