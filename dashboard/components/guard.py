"""Guards of pages: what a page shows instead of itself while something is missing, or is still counted."""

from __future__ import annotations

from contextlib import suppress
from time import monotonic
from typing import NoReturn

import streamlit as st

from dashboard.navigation import DATA, EXPLORE, REPAIR
from dashboard.sample import sample_button
from dashboard.serving.background_job import BackgroundJob
from dashboard.session import chosen_version, workspace
from dashboard.state.search_state import Inputs
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.errors import InputError
from metrics.formatting import pluralize
from metrics.scoring.scorecard import Scorecard
from metrics.texts import text

NEEDS_RECORDS = "This part needs the records in memory; upload the table to use it."
_UNSEEN_S, _LOOK_S, _END_S = 0.3, 0.2, 0.02
"""While a table on the server is counted: when its progress is shown, how often it is looked at, and asked to end."""


def require_card() -> Scorecard:
    """The chosen version's scores; without them the page says what is missing, links to it, and ends."""
    return _card(require_version())


def require_all_classes() -> Scorecard:
    """Return the card where each class is held; if a table on the server has too many, the page says so and ends."""
    card = require_card()
    if card.aggregates.is_partitioned:
        number = pluralize(card.aggregates.class_sizes.count, "class", "classes")
        _stop(f"This table has {number}, too many to list. The Verdict page summarizes them.")
    return card


def require_cards() -> dict[str, Scorecard]:
    """The scores of all versions, at least two; what does not fit is shown. Without them the page ends as above."""
    state = require_version()
    if len(state.tables.labels) == 1:
        st.title("Compare", anchor=False)
        st.info(
            "Only one anonymized table is loaded. Make or load another version to compare them.", icon=":material/info:"
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            if state.searchable:
                st.page_link(EXPLORE.page(), label="Find a better table")
            st.page_link(REPAIR.page(), label="Repair this table")
            st.page_link(DATA.page(), label="Load a table")
        st.stop()
    for label in state.tables.server.versions:
        with suppress(InputError):  # told below, with what else does not fit
            count_on_server(state, label)
    with st.spinner("Counting…", show_time=True):
        cards, sentences = state.cards()
    for sentence in sentences:
        st.warning(plain(sentence), icon=":material/warning:")
    if len(cards) < 2:
        _stop("At least two tables are needed. Fix the problems above, or load another table.")
    return cards


def require_version() -> Workspace:
    """The session, if it holds something to score; else the page says what is missing, links to it, and ends."""
    state = workspace()
    if not state.tables.labels:
        _start(state, "There is no anonymized table yet. Load one, or the sample, to see results.")
    if not state.ready:
        _stop("No column is tagged as a quasi-identifier. Tag the columns that others may know about a person.")
    return state


def require_original() -> Inputs:
    """Return the inputs of a search; without them the page says what is missing, links to it, and ends."""
    state = workspace()
    if state.tables.original is None and state.tables.server.original is not None:
        _stop(f"{plain(state.tables.server.original.name)} stays on the server. {NEEDS_RECORDS}")
    if state.tables.original is None and state.tables.labels:
        st.title(EXPLORE.title, anchor=False)
        stop_without_original(text("search.without_original"))
    if state.tables.original is None:
        _start(state, "There is no original table yet. Load it, or the sample, to make anonymized versions of it.")
    if not state.searchable:
        _stop(
            "No column of the original is tagged as a quasi-identifier. Tag the columns that others may know about a "
            "person."
        )
    return state.search_inputs()


def _card(state: Workspace) -> Scorecard:
    label = chosen_version(state)
    try:
        if label in state.tables.server.versions:
            return count_on_server(state, label)
        with st.spinner("Counting…", show_time=True):
            return state.card(label)
    except InputError as error:
        _stop(plain(str(error)))


def stop_without_original(sentence: str) -> NoReturn:
    """End a page that compares with the original by saying so, with the way to load it."""
    st.info(sentence, icon=":material/info:")
    if st.button("Load the original table", key="load_original", type="primary", icon=":material/upload_file:"):
        st.switch_page(DATA.page())
    st.stop()


def unavailable(sentence: str) -> NoReturn:
    """End the page with the reason why its metric has no value."""
    _stop(f"Unavailable: {plain(sentence)}.")


def _start(state: Workspace, sentence: str) -> NoReturn:
    """The way in, as on the first page, for whoever comes to a page by its address or reloads it."""
    st.title("No results yet", anchor=False)
    st.info(sentence, icon=":material/info:")
    with st.container(horizontal=True, vertical_alignment="center"):
        if state.tables.empty:
            sample_button(state, "Try the sample", "primary")
        st.page_link(DATA.page(), label="Load a table or restore a session")
    if state.tables.empty:
        st.caption("Tables are kept in memory only: a page that is reloaded or opened by its address has none.")
    st.stop()


def _stop(sentence: str) -> NoReturn:
    st.info(sentence, icon=":material/info:")
    st.page_link(DATA.page(), label="Go to the data")
    st.stop()


def count_on_server(state: Workspace, label: str) -> Scorecard:
    """The scores of a version on the server; the page ends here where the user has stopped counting.

    The records are counted in a thread of its own. A click anywhere interrupts that; the page then goes on from the
    last count that was complete, unless the click was on Cancel. Raises InputError.
    """
    server = state.tables.server
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
    """Whether a version's records stay on the server, and so cannot be gone through one by one; a message says so."""
    is_on_server = label in state.tables.server.versions
    if is_on_server:
        st.info(f"This table stays on the server. {NEEDS_RECORDS}", icon=":material/info:")
    return is_on_server
