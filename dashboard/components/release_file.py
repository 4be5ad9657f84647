"""The file of a table to pass on: its records in an order that links none of them to the original."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

import streamlit as st

from metrics.aggregates import Aggregates
from metrics.tables.export import to_csv
from metrics.tables.table import Table

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
