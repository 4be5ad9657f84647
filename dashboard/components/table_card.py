"""A loaded table: its size, how its file was understood, how to override that, its first records."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard.components.data_table import data_table
from dashboard.loading import LoadedTable, ReadOptions
from dashboard.text import plain
from dashboard.workspace import FailedUpload, Slot, Workspace
from metrics.errors import InputError
from metrics.table import Source

_DELIMITERS = {"as detected": None, "comma ,": ",", "semicolon ;": ";", "tab": "\t", "bar |": "|"}
_QUOTES = {"as detected": None, 'double "': '"', "single '": "'"}
_ENCODINGS = ["as detected", "utf-8", "utf-16", "latin-1", "cp1252", "big5", "gb18030", "shift_jis"]
_DECIMALS = {"as detected": None, "point .": ".", "comma ,": ","}
_MISSING = ["", "NA", "N/A", "NaN", "null", "None", "?", "-", "."]
_PREVIEW = 10


def table_card(state: Workspace, slot: Slot, label: str, loaded: LoadedTable) -> None:
    """Name, size, Remove; below it how the file was read, and a preview."""
    table = loaded.table
    with st.container(border=True):
        left, right = st.columns([4, 1], vertical_alignment="center")
        left.markdown(f"**{plain(label)}** · {slot.value}")
        left.caption(f"{table.rows:,} records, {len(table.columns):,} columns; {described(table.source)}")
        right.button(
            "Remove",
            key=f"remove_{slot.value}_{label}",
            on_click=state.remove,
            args=(slot, label),
            icon=":material/delete:",
            width="stretch",
        )
        with st.expander("Preview and how it was read"):
            preview = pd.DataFrame(table.head(_PREVIEW), columns=pd.Index(table.names))
            data_table(preview, f"The first {_PREVIEW} records")
            options = _override_form(f"{slot.value}_{label}", loaded.options, table.source)
            if options is not None:
                try:
                    state.read_again(slot, label, options)
                except InputError as error:
                    st.error(plain(str(error)))
                else:
                    st.rerun()


def failed_card(state: Workspace, failure: FailedUpload) -> None:
    """An upload that could not be read, with the sentence that says why and another try."""
    with st.container(border=True):
        st.error(plain(failure.error), icon=":material/error:")
        with st.expander("Read it in another way"):
            options = _override_form(f"failed_{failure.slot.value}_{failure.name}", ReadOptions(), None)
            if options is not None:
                state.try_again(failure, options)
                st.rerun()
        if st.button("Dismiss", key=f"dismiss_{failure.slot.value}_{failure.name}"):
            state.failed.remove(failure)
            st.rerun()


def described(source: Source) -> str:
    """How a file was understood, in words."""
    if source.kind == "excel":
        return f"Excel, sheet {plain(source.sheet or '')} of {len(source.sheets)}"
    if source.kind != "csv":
        return source.kind.capitalize()
    parts = ["CSV of one column" if source.delimiter is None else f"CSV separated by {_separated(source.delimiter)}"]
    parts += [f"encoding {plain(source.encoding)}", f"decimal {'comma' if source.decimal == ',' else 'point'}"]
    if source.compression:
        parts.append(plain(source.compression))
    if source.missing:
        parts.append(f"missing where {' or '.join(f'“{plain(text)}”' for text in source.missing)}")
    return ", ".join(parts)


def _separated(delimiter: str) -> str:
    words = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "blanks"}
    return words.get(delimiter) or f"“{plain(delimiter)}”"


def _override_form(key: str, current: ReadOptions, source: Source | None) -> ReadOptions | None:
    """A form with every choice the reader made; what was submitted, or None."""
    with st.form(f"read_{key}", border=False):
        columns = st.columns(4)
        delimiter = columns[0].selectbox(
            "Delimiter", list(_DELIMITERS), index=_position(list(_DELIMITERS.values()), current.delimiter)
        )
        quote = columns[1].selectbox("Quote", list(_QUOTES), index=_position(list(_QUOTES.values()), current.quote))
        encoding = columns[2].selectbox(
            "Encoding",
            _ENCODINGS,
            index=_position([None, *_ENCODINGS[1:]], current.encoding),
            accept_new_options=True,
        )
        decimal = columns[3].selectbox(
            "Decimal sign", list(_DECIMALS), index=_position(list(_DECIMALS.values()), current.decimal)
        )
        missing = st.multiselect(
            "Cells that mean “missing”",
            _MISSING,
            default=[text for text in current.missing if text in _MISSING],
            format_func=lambda text: text or "(empty)",
            accept_new_options=True,
            help="Without a choice every cell is text, “NA” and empty ones too.",
        )
        sheets = () if source is None else source.sheets
        sheet = (
            st.selectbox("Sheet", sheets, index=_position(list(sheets), source.sheet))
            if source is not None and sheets
            else None
        )
        if not st.form_submit_button("Read again"):
            return None
    return ReadOptions(
        delimiter=_DELIMITERS.get(str(delimiter)),
        quote=_QUOTES.get(str(quote)),
        encoding=None if encoding in (None, _ENCODINGS[0]) else str(encoding),
        decimal=_DECIMALS.get(str(decimal)),
        sheet=sheet,
        missing=tuple(missing),
    )


def _position(values: list[str | None], wanted: str | None) -> int:
    return values.index(wanted) if wanted in values else 0
