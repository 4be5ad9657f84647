"""One way to put a table on a page."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

import pandas as pd
import streamlit as st

from metrics.formatting import isolated, visible, without_isolates

_ROW_PX, _BORDER_PX = 31, 2
"""A row of Streamlit's table, 2.1875 times the font size of .streamlit/config.toml, and what is around all of them."""
_LEFT_TO_RIGHT = "\u200e"
_PLAIN = re.compile(r"[ -~]*")
"""Text that needs nothing to be shown."""
_MAX_ROWS = 1_000
"""Rows of a long table that a page shows."""


def first_rows(rows: Any) -> Any:
    """The rows of an array or Arrow table that a page shows, with a note where its download contains more."""
    if len(rows) > _MAX_ROWS:
        st.caption(f"The first {_MAX_ROWS:,} of {len(rows):,} are shown; the download contains all.")
    return rows[:_MAX_ROWS]


def data_table(
    frame: pd.DataFrame,
    alt: str,
    style: Callable[[Any], str] | None = None,
    shares: Collection[str] = (),
    right: Collection[str] = (),
    rows: int = 10,
    widths: Mapping[str, int] | None = None,
    **options: Any,
) -> Any:
    """Show a table without its index, as `st.dataframe` does: up to `rows` rows at once, none of them cut.

    Control characters are made visible, fractions rounded. `alt` is the accessible name; `style` gives the CSS of each
    cell; the columns named in `shares` are shown in percent, with one decimal unless that would be 0. Those in `right`
    hold figures as text, and stand as numbers do. `widths` gives the pixels of columns.
    """
    displayed = _visible(frame)
    for name in shares:
        cells = displayed[name].astype("float64")
        displayed[name] = cells.round(3).where(cells.round(3) > 0, cells)
    decimal = st.column_config.NumberColumn(format="%,.4f")
    percent = st.column_config.NumberColumn(format="percent")
    integer = st.column_config.NumberColumn(format="localized")
    formats = {
        str(name): percent if name in shares else decimal if cells.dtype.kind == "f" else integer
        for name, cells in displayed.items()
        if cells.dtype.kind in "fiu"
    }
    formats |= {visible(name): st.column_config.TextColumn(alignment="right") for name in right}
    for name, pixels in (widths or {}).items():
        formats[visible(name)] = {**formats.get(visible(name), st.column_config.TextColumn()), "width": pixels}
    styled = displayed if style is None else displayed.style.map(style)
    height = _ROW_PX + (options.get("row_height") or _ROW_PX) * max(1, min(rows, len(frame))) + _BORDER_PX
    return st.dataframe(styled, hide_index=True, alt=alt, column_config=formats, **{"height": height, **options})


def _visible(frame: pd.DataFrame) -> pd.DataFrame:
    displayed = frame.rename(columns={name: visible(name) for name in frame.columns if name})
    for name, cells in displayed.items():
        # One look at the whole column: nearly all of them need no more.
        if cells.dtype == "str" and not _PLAIN.fullmatch("".join(cells.dropna().to_numpy())):
            displayed[name] = [_in_order(visible(cell)) if isinstance(cell, str) and cell else cell for cell in cells]
    return displayed


def _in_order(text: str) -> str:
    """A text of several values from left to right: the table turns a cell around whose first letter is Arabic."""
    return text if text == isolated(without_isolates(text)) else f"{_LEFT_TO_RIGHT}{text}"
