"""The file of a table to pass on, in an order that links no record to the original, and the notice of one that does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

import streamlit as st

from dashboard.session import chosen_version
from dashboard.text import file_stem
from dashboard.workspace import Workspace
from metrics.aggregates import Aggregates
from metrics.explanations.findings import said
from metrics.metric import FindingKind
from metrics.scoring.scorecard import Scorecard
from metrics.tables.export import to_csv
from metrics.tables.table import Table
from metrics.texts import text

RELEASE_FILE: Final = "Anonymized table (CSV)"
ABOUT_RELEASE: Final = (
    "Sorted by its values: no record can be linked to the original by its position. The report gives the checksum of "
    "this file. To load the table here again, keep it, and use the file in the original's order on the Report page."
)


def for_release(table: Table) -> bytes:
    """The records as CSV, in an order that their values alone determine."""
    return to_csv(table.sorted_by_cells().to_arrow())


def without_suppressed(table: Table, aggregates: Aggregates) -> bytes:
    """The same without the suppressed records of the table, which the aggregates are of."""
    return for_release(table.take(aggregates.class_of_record() >= 0))


def release_name(stem: str) -> str:
    """The file's name, which tells it from one in the original's order."""
    return f"{stem}_sorted.csv"


def release_button(
    table: Callable[[], Table],
    stem: str,
    key: str,
    kind: Literal["secondary", "tertiary"] = "secondary",
    *,
    label: str = RELEASE_FILE,
    about: str = ABOUT_RELEASE,
) -> None:
    """A button that downloads the table in that order, made when it is pressed."""
    st.download_button(
        label,
        lambda: for_release(table()),
        file_name=release_name(stem),
        mime="text/csv",
        key=key,
        on_click="ignore",
        type=kind,
        icon=":material/download:",
        help=about,
    )


def order_notice(state: Workspace, card: Scorecard) -> None:
    """Warn of the order of the records, and offer the file in another one."""
    warning = order_warning(state, card)
    if not warning:
        return
    label = chosen_version(state)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="order_notice", width="stretch"):
        st.warning(warning, icon=":material/warning:")
        release_button(
            lambda: state.tables.versions[label].table,
            file_stem(label),
            "download_sorted",
            "tertiary",
            label=text("verdict.sorted_file"),
            about=text("verdict.sorted_file_help"),
        )


def order_in_short(state: Workspace, card: Scorecard) -> None:
    """Mention it on a page whose values do not account for the order."""
    warning = order_warning(state, card)
    if warning:
        st.caption(f":material/warning: {warning}")


def order_warning(state: Workspace, card: Scorecard) -> str:
    """Say that the order links records; empty if not: the file for release of a table that was made here is sorted."""
    return "" if state.recipe_of(chosen_version(state)) is not None else said(card, FindingKind.ORDER)
