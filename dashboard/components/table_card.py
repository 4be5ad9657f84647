"""A loaded table: its size, how its file was understood, how to override that, its first records."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from dashboard.components.data_table import data_table
from dashboard.loading import LoadedTable, ReadOptions
from dashboard.text import plain
from dashboard.workspace import FailedUpload, Slot, Workspace
from metrics.errors import InputError
from metrics.table import Source

_DELIMITERS = {
    "as detected": None,
    "comma ,": ",",
    "semicolon ;": ";",
    "tab": "\t",
    "bar |": "|",
    "blank": " ",
    "colon :": ":",
    "none: one column": "",
}
_QUOTES = {"as detected": None, 'double "': '"', "single '": "'", "none": ""}
_ESCAPES = {"as detected": None, "none": "", "backslash \\": "\\"}
_BLANK_LINES = {"as detected": None, "empty cells": "cells", "nothing": "nothing"}
_COUNTS = {
    "skip_lines": "Lines before the header",
    "header_lines": "Lines of the header",
    "footer_lines": "Lines after the records",
}
_ENCODINGS = ["as detected", "utf-8", "utf-16", "latin-1", "cp1252", "big5", "gb18030", "shift_jis"]
_DECIMALS = {"as detected": None, "point .": ".", "comma ,": ","}
_MISSING = ["", "NA", "N/A", "NaN", "null", "None", "?", "-", "."]
_PREVIEW = 10
_ESCAPE_HELP = "The sign that makes the next one text, so that a quote or delimiter can stand in a cell."


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
    parts += [plain(note) for note in source.notes]
    return ", ".join(parts)


def _separated(delimiter: str) -> str:
    words = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "blanks"}
    return words.get(delimiter) or f"“{plain(delimiter)}”"


def _override_form(key: str, current: ReadOptions, source: Source | None) -> ReadOptions | None:
    """A form with every choice the reader made; what was submitted, or None."""
    with st.form(f"read_{key}", border=False):
        columns = st.columns(4)
        delimiter = columns[0].selectbox(
            "Delimiter",
            _with_own(_DELIMITERS, current.delimiter),
            index=_position(_with_own(_DELIMITERS, current.delimiter, values=True), current.delimiter),
            accept_new_options=True,
            help="Or type signs of your own, several too.",
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
        below = st.columns(5)
        escape = below[0].selectbox(
            "Escape", list(_ESCAPES), index=_position(list(_ESCAPES.values()), current.escape), help=_ESCAPE_HELP
        )
        lines = {
            name: column.number_input(
                label, min_value=0, max_value=1000, value=getattr(current, name), placeholder="as detected"
            )
            for column, (name, label) in zip(below[1:4], _COUNTS.items(), strict=True)
        }
        blank_lines = below[4].selectbox(
            "Empty lines of one column",
            list(_BLANK_LINES),
            index=_position(list(_BLANK_LINES.values()), current.blank_lines),
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
        delimiter=_DELIMITERS.get(str(delimiter), str(delimiter)),
        quote=_QUOTES.get(str(quote)),
        encoding=None if encoding in (None, _ENCODINGS[0]) else str(encoding),
        decimal=_DECIMALS.get(str(decimal)),
        sheet=sheet,
        missing=tuple(missing),
        escape=_ESCAPES.get(str(escape)),
        blank_lines=_BLANK_LINES.get(str(blank_lines)),
        renamed=current.renamed,
        same_values=current.same_values,
        **{name: None if count is None else int(count) for name, count in lines.items()},
    )


def _with_own(known: dict[str, str | None], own: str | None, *, values: bool = False) -> list[Any]:
    """The choices, and one that the user typed."""
    more = [] if own in known.values() else [own]
    return [*(known.values() if values else known), *more]


def _position(values: list[str | None], wanted: str | None) -> int:
    return values.index(wanted) if wanted in values else 0
