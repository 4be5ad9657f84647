"""A loaded table: its size, how its file was understood, how to override that, its first records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.components.data_table import data_table
from dashboard.loading import LoadedTable, ReadOptions
from dashboard.text import plain
from dashboard.workspace import FailedUpload, Slot, Workspace
from metrics.errors import InputError
from metrics.reading import MOST_LINES
from metrics.table import Source

_AS_DETECTED = "as detected"
_DELIMITERS = {
    "comma ,": ",",
    "semicolon ;": ";",
    "tab": "\t",
    "bar |": "|",
    "blank": " ",
    "colon :": ":",
    "none: one column": "",
}
_QUOTES = {'double "': '"', "single '": "'", "none": ""}
_ESCAPES = {"none": "", "backslash \\": "\\"}
_BLANK_LINES = {"records of empty cells": "cells", "nothing": "nothing"}
_COUNTS = {
    "skip_lines": "Lines before the header",
    "header_lines": "Lines of the header",
    "footer_lines": "Lines after the records",
}
_ENCODINGS = {name: name for name in ("utf-8", "utf-16", "latin-1", "cp1252", "big5", "gb18030", "shift_jis")}
_DECIMALS = {"point .": ".", "comma ,": ","}
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
        sheet = f"Excel, sheet {plain(source.sheet or '')} of {len(source.sheets)}"
        return ", ".join([sheet, *map(plain, source.notes)])
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
        places = iter((*st.columns(4), *st.columns(4)))
        chosen: dict[str, Any] = {
            "delimiter": _choice(
                next(places), "Delimiter", _DELIMITERS, current.delimiter, own="Or type signs of your own, several too."
            ),
            "quote": _choice(next(places), "Quote", _QUOTES, current.quote),
            "escape": _choice(next(places), "Escape", _ESCAPES, current.escape, about=_ESCAPE_HELP),
            "encoding": _choice(
                next(places), "Encoding", _ENCODINGS, current.encoding, own="Or type the name of another one."
            ),
            "decimal": _choice(next(places), "Decimal sign", _DECIMALS, current.decimal),
        }
        for place, (name, label) in zip(places, _COUNTS.items(), strict=True):
            chosen[name] = _count(place, label, getattr(current, name), f"read_{name}_{key}")
        left, right = st.columns([1, 3])
        chosen["blank_lines"] = _choice(left, "Empty lines", _BLANK_LINES, current.blank_lines)
        missing = right.multiselect(
            "Cells that mean “missing”",
            [*_MISSING, *(text for text in current.missing if text not in _MISSING)],
            default=list(current.missing),
            format_func=lambda text: text or "(empty)",
            accept_new_options=True,
            help="Without a choice every cell is text, “NA” and empty ones too.",
        )
        if source is None:
            chosen["sheet"] = st.text_input("Sheet", placeholder="of a workbook: the first that holds a table") or None
        elif source.sheets:
            known = source.sheets.index(source.sheet) if source.sheet in source.sheets else 0
            chosen["sheet"] = st.selectbox("Sheet", source.sheets, index=known)
        if not st.form_submit_button("Read again"):
            return None
    return replace(current, missing=tuple(missing), **chosen)


def _choice(
    place: DeltaGenerator,
    label: str,
    known: Mapping[str, str],
    current: str | None,
    *,
    own: str | None = None,
    about: str | None = None,
) -> str | None:
    """One of the known values by their names, or None as detected; `own` lets the user type others, and says so.

    What is current is offered in any case: it may have been typed, or come from a settings file.
    """
    names = [_AS_DETECTED, *known]
    if current is not None and current not in known.values():
        names.append(current)
    index = 0 if current is None else [None, *known.values(), current].index(current)
    name = place.selectbox(label, names, index=index, accept_new_options=own is not None, help=own or about)
    return None if name in (None, _AS_DETECTED) else known.get(name, name)


def _count(place: DeltaGenerator, label: str, current: int | None, key: str) -> int | None:
    """A number of lines, or None as detected.

    Only a field whose default is none can be emptied again: what is current is put there beside it.
    """
    key = f"{key}_{current}"
    if key not in st.session_state:
        st.session_state[key] = current
    count = place.number_input(label, 0, MOST_LINES, None, key=key, placeholder=_AS_DETECTED)
    return None if count is None else int(count)
