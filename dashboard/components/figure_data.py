"""The data behind a figure, to download under it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pandas as pd
import pyarrow as pa
import streamlit as st

from metrics.tables.export import to_csv

FigureData: TypeAlias = pa.Table | pd.DataFrame


def figure_data(
    data: FigureData | Callable[[], FigureData], name: str, label: str = "Data as CSV", *, confidential: bool = False
) -> None:
    """A quiet button that downloads the data of the figure above it as `<name>.csv`.

    `data` may be a function: it is then called on the click alone. `name` also tells the button from others. Data that
    describe single classes or records are `confidential`, which the button and the file's name then say.
    """
    file_name = f"{name.removesuffix('.csv')}.csv"
    st.download_button(
        f"{label} (confidential)" if confidential else label,
        lambda: csv_of(data() if callable(data) else data),
        file_name=f"confidential-{file_name}" if confidential else file_name,
        mime="text/csv",
        key=f"data_{name}",
        icon=":material/download:",
        type="tertiary",
        on_click="ignore",
    )


def csv_of(data: FigureData) -> bytes:
    """A table as CSV, made harmless for spreadsheets; a frame's index is left out."""
    return to_csv(pa.Table.from_pandas(data, preserve_index=False) if isinstance(data, pd.DataFrame) else data)
