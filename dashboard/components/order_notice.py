"""The notice that a table's records are in the original's order, and its file in an order that links none of them."""

from __future__ import annotations

import streamlit as st

from dashboard.components.release_file import release_button
from dashboard.session import chosen_candidate
from dashboard.text import file_stem
from dashboard.workspace import Workspace
from metrics.explanations.findings import said
from metrics.metric import FindingKind
from metrics.scoring.scorecard import Scorecard
from metrics.texts import text


def order_notice(state: Workspace, card: Scorecard) -> None:
    """Warn of the order of the records, and offer the file in another one."""
    warning = order_warning(state, card)
    if not warning:
        return
    label = chosen_candidate(state)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="order_notice", width="stretch"):
        st.warning(warning, icon=":material/warning:")
        release_button(
            lambda: state.candidates[label].table,
            file_stem(label),
            "download_sorted",
            "tertiary",
            label=text("verdict.sorted_file"),
            about=text("verdict.sorted_file_help"),
        )


def order_in_short(state: Workspace, card: Scorecard) -> None:
    """Mention it on a page whose figures do not account for the order."""
    warning = order_warning(state, card)
    if warning:
        st.caption(f":material/warning: {warning}")


def order_warning(state: Workspace, card: Scorecard) -> str:
    """Say that the order links records; empty if not: the file for release of a table that was made here is sorted."""
    return "" if state.recipe_of(chosen_candidate(state)) is not None else said(card, FindingKind.ORDER)
