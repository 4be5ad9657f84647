"""Counting a table that stays on the server: how far it is, and a button that stops it."""

from __future__ import annotations

from time import monotonic

import streamlit as st

from dashboard.serving.background_job import BackgroundJob
from dashboard.workspace import Workspace
from metrics.formatting import pluralize
from metrics.scoring.scorecard import Scorecard

NEEDS_RECORDS = "This part needs the records in memory; upload the table to use it."
_UNSEEN_S, _LOOK_S, _END_S = 0.3, 0.2, 0.02


def count_on_server(state: Workspace, label: str) -> Scorecard:
    """The scores of a candidate on the server; the page ends here where the user has stopped counting.

    The records are counted in a thread of its own. A click anywhere interrupts that; the page then goes on from the
    last count that was complete, unless the click was on Cancel. Raises InputError.
    """
    server = state.server
    if server.stopped:
        st.info("Counting was stopped. Completed counts are kept.", icon=":material/info:")
        st.button("Count the records", key="count_again", on_click=server.begin, icon=":material/play_arrow:")
        st.stop()
    server.begin()
    start = monotonic()
    counting = BackgroundJob(lambda: state.card(label))
    placeholder = st.empty()
    try:
        if not counting.ended(_UNSEEN_S):
            with placeholder.container():
                bar = st.progress(0.0, text="Counting…")
                st.button("Cancel", key="cancel_count", on_click=server.stop, icon=":material/close:")
            while not counting.ended(_LOOK_S):
                progress = f"{pluralize(server.queries, 'count')} on the server, {monotonic() - start:.0f} s"
                bar.progress(server.share, text=progress)
    finally:
        while not counting.ended(_END_S):
            server.interrupt()
    placeholder.empty()
    try:
        return counting.result()
    except KeyboardInterrupt:
        # Meant for the count of a run before, which was still ending.
        st.rerun()


def stays_on_server(state: Workspace, label: str) -> bool:
    """Whether a candidate's records stay on the server, and so cannot be gone through one by one; a message says so."""
    is_on_server = label in state.server.candidates
    if is_on_server:
        st.info(f"This table stays on the server. {NEEDS_RECORDS}", icon=":material/info:")
    return is_on_server
