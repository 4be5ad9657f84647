"""What a page shows instead of itself while something is missing."""

from __future__ import annotations

from typing import NoReturn

import streamlit as st

from dashboard.components.candidate_picker import chosen_candidate
from dashboard.navigation import DATA
from dashboard.session import workspace
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.errors import InputError
from metrics.scorecard import Scorecard


def require_card() -> Scorecard:
    """The chosen candidate's scores; without them the page says what is missing, links to it, and ends."""
    state = workspace()
    if not state.candidates:
        _stop("There is no anonymized table yet. Load one, or the sample, to see its figures.")
    if not state.ready:
        _stop("No column is tagged as a quasi-identifier. Tag those that others may know about a person.")
    return _card(state)


def _card(state: Workspace) -> Scorecard:
    label = chosen_candidate(state)
    try:
        with st.spinner("Counting…", show_time=True):
            return state.card(label)
    except InputError as error:
        _stop(plain(str(error)))


def unavailable(sentence: str) -> NoReturn:
    """End the page with the reason why its metric has no figure."""
    _stop(f"Unavailable: {plain(sentence)}.")


def _stop(sentence: str) -> NoReturn:
    st.info(sentence, icon=":material/info:")
    st.page_link(DATA.page(), label="Go to the data")
    st.stop()
