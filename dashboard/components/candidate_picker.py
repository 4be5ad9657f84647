"""The choice of the candidate that the pages speak of."""

from __future__ import annotations

import streamlit as st

from dashboard.session import workspace
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.formatting import visible

_KEY = "candidate"


def candidate_picker(state: Workspace) -> None:
    """A choice among the anonymized tables; nothing while there is none."""
    labels = state.labels
    if not labels:
        return
    if st.session_state.get(_KEY) not in labels:
        st.session_state[_KEY] = labels[0]
    st.selectbox(
        "Anonymized table",
        labels,
        key=_KEY,
        format_func=visible,
        persist_state="session",
    )


def page_title(title: str, mark: str = "") -> None:
    """The title of a page that speaks of the chosen candidate, with a mark if there is one."""
    badge = f" :orange-badge[{mark}]" if mark else ""
    st.title(f"{title} · {plain(chosen_candidate(workspace()))}{badge}", anchor=False)


def choose_candidate(label: str) -> None:
    """Choose the candidate of all pages; for callbacks, which run before the picker is drawn."""
    st.session_state[_KEY] = label


def chosen_candidate(state: Workspace) -> str:
    """The label of the chosen candidate; there is at least one."""
    label = st.session_state.get(_KEY)
    return label if label in state.labels else state.labels[0]
