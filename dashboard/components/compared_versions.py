"""Which versions stand beside each other, and in what order: one choice, on Compare and in the report."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from dashboard.session import bound
from dashboard.workspace import Workspace
from metrics.formatting import visible


def compared_versions(state: Workspace, labels: Iterable[str]) -> list[str]:
    """A field that keeps the order in which versions are chosen; emptied, it holds all in the order given."""
    options = list(labels)
    chosen = [label for label in state.compared if label in options] or options

    def keep(labels: list[str]) -> None:
        state.compared = labels

    st.multiselect(
        "Versions, in this order", options, default=chosen, format_func=visible, **bound("compared", chosen, keep)
    )
    return chosen
