"""The uploaders: each file becomes a card of its table, or a sentence that says why not."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.arx_project import SUFFIX, open_project
from dashboard.components.chart import data_table
from dashboard.components.release_file import release_button
from dashboard.components.uploader import unseen, uploader_key, use_uploads
from dashboard.loading import LoadedTable
from dashboard.serving.reading_process import READING
from dashboard.session import free_upload
from dashboard.text import plain
from dashboard.workspace import LOADING, Slot, Workspace
from metrics.counting.classes import suppressed_records
from metrics.drawing.version_styles import breakable
from metrics.errors import InputError
from metrics.formatting import join_names, pluralize, visible
from metrics.hierarchies.files import column_of_file, read_hierarchy
from metrics.tables.read_plan import EXCEL, SAS, SPSS, STATA, TEXT, ReadPlan
from metrics.tables.table import Table
from pages.data.reading import ENCODINGS, plan_remarks

_TABLES = ["csv", "tsv", "txt", "gz", "parquet", "xlsx", "xlsm", "sav", "zsav", "dta", "sas7bdat", "xpt"]

_PREVIEW = 10
_MAX_NAME = 120
"""Characters of a file's name that are shown; a longer one is shortened in its middle."""
_KINDS = {SPSS: "SPSS", STATA: "Stata", SAS: "SAS"}
_SEPARATED = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars", " ": "spaces", ":": "colons"}


def table_uploaders(state: Workspace) -> None:
    """Three uploaders side by side, each above what it has loaded: original, anonymized tables, hierarchies."""
    left, middle, right = st.columns(3)
    with left, _uploader_slot("original"):
        container, key = uploader_key("upload_original", state.tables.uploader_generation)
        original = container.file_uploader(
            "Original table",
            type=[*_TABLES, SUFFIX[1:]],
            key=key,
            help="The table as collected: CSV (also gzip), Parquet, Excel, SPSS, Stata or SAS. It stays in memory. "
            "An ARX project (.deid) replaces everything in this session.",
        )
        _table_cards(state, Slot.ORIGINAL)
    with middle, _uploader_slot("anonymized"):
        container, key = uploader_key("upload_anonymized", state.tables.uploader_generation)
        anonymized = container.file_uploader(
            "Anonymized tables",
            type=_TABLES,
            accept_multiple_files=True,
            key=key,
            help="One or more anonymized versions of the original, with `*` for suppressed cells. They stay in memory.",
        )
        _table_cards(state, Slot.ANONYMIZED)
    new_files = [(Slot.ORIGINAL, file) for file in unseen(state, [] if original is None else [original])]
    new_files += [(Slot.ANONYMIZED, file) for file in unseen(state, anonymized)]
    _read_new_files(state, new_files)
    with right, _uploader_slot("hierarchies"):
        _hierarchy_uploader(state)


def _uploader_slot(name: str) -> DeltaGenerator:
    """A place for an uploader and the cards of what it has loaded, beside which the style sheet makes it small."""
    return st.container(key=f"slot_{name}", gap="xsmall")


def _table_cards(state: Workspace, slot: Slot) -> None:
    for loaded_slot, label, loaded in list(state.tables.loaded()):
        if loaded_slot is slot:
            table_card(state, slot, label, loaded)


def population_uploader(state: Workspace) -> None:
    """Takes the table of everybody whom the records could be about."""
    _reference_uploader(
        state,
        Slot.POPULATION,
        "Population table",
        "The quasi-identifiers of all people whom the records could be about, for δ-presence, k-map and the risk in "
        "the population. Values may be original, or generalized as in the anonymized table.",
    )


def holdout_uploader(state: Workspace) -> None:
    """Takes the table of people who are not in the original."""
    _reference_uploader(
        state,
        Slot.HOLDOUT,
        "Hold-out table",
        "People of the same population who are not in the original, with its columns and original values. Attacks on "
        "them show what the anonymized table reveals about people who are not in it.",
    )


def _reference_uploader(state: Workspace, slot: Slot, label: str, explanation: str) -> None:
    """Upload one table that the others are compared with."""
    with _uploader_slot(slot.name.lower()):
        container, key = uploader_key(f"upload_{slot.name.lower()}", state.tables.uploader_generation)
        file = container.file_uploader(label, type=_TABLES, key=key, help=explanation)
        _table_cards(state, slot)
    _read_new_files(state, [(slot, new_file) for new_file in unseen(state, [] if file is None else [file])])


def _read_new_files(state: Workspace, new_files: Sequence[tuple[Slot, Any]]) -> None:
    """Read new files into tables; then the page is drawn again with them."""
    if new_files:
        state.tables.messages[LOADING] = []
    for slot, file in new_files:
        with st.spinner(f"Reading {plain(file.name)}…", show_time=True):
            _take(state, slot, file)
        free_upload(file)
    if new_files:
        st.rerun()


def _take(state: Workspace, slot: Slot, file: Any) -> None:
    """Read a table, or open a project in place of everything."""
    if slot is not Slot.ORIGINAL or not file.name.lower().endswith(SUFFIX):
        state.tables.try_add(slot, file.name, file.getvalue())
        return
    try:
        open_project(state, file.name, file.getvalue())
    except InputError as error:
        state.tables.messages[LOADING] = [str(error)]


def _hierarchy_uploader(state: Workspace) -> None:
    """Upload hierarchy files; the file for column C is `C.csv` or `…hierarchy_C.csv`."""
    container, key = uploader_key("upload_hierarchies", state.tables.uploader_generation)
    files = container.file_uploader(
        "Hierarchies (optional)",
        type=["csv", "txt"],
        accept_multiple_files=True,
        key=key,
        help="The more general forms of each value, one file per column, named C.csv or …hierarchy_C.csv for column C: "
        "no header, one row per value, from the value itself to its most general form.",
    )
    use_uploads(state, "hierarchies", files, add_hierarchy)
    if state.hierarchies:
        with st.container(border=True, gap=None, key="file_hierarchies"):
            st.markdown(f"**{pluralize(len(state.hierarchies), 'hierarchy', 'hierarchies')}**")
            st.caption(plain(join_names([visible(name) for name in state.hierarchies])))


def add_hierarchy(state: Workspace, name: str, content: bytes) -> None:
    """Keep a hierarchy for the column its file names. Raises InputError."""
    columns = list(state.columns)
    column = column_of_file(name, columns)
    if columns and column not in columns:
        raise InputError(
            f'no loaded table has the column "{column}" that the file is named after',
            remedy="rename the file to COLUMN.csv",
            file=name,
        )
    state.hierarchies[column] = READING.call(read_hierarchy, content, name=name)


def table_card(state: Workspace, slot: Slot, label: str, loaded: LoadedTable) -> None:
    """Name, size and how the file was read; beside them its first records, the change of its reading, its removal."""
    table, plan = loaded.table, loaded.plan
    recipe = state.recipe_of(label) if slot is Slot.ANONYMIZED else None
    pending = any((item.slot, item.label) == (slot, label) for item in state.tables.imports)
    with st.container(border=True, gap=None, key=f"file_{slot.value}_{label}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="xxsmall", wrap=False):
            name = "<wbr>".join(map(escape, breakable(label, _MAX_NAME)))
            st.html(f'<p class="file-name">{name}</p>', width="stretch")
            preview = st.popover(
                "Preview",
                key=f"preview_{slot.value}_{label}",
                on_change="rerun",
                type="tertiary",
                icon=":material/visibility:",
                help="Preview",
            )
            if preview.open:
                with preview:
                    frame = pd.DataFrame(table.head(_PREVIEW), columns=pd.Index(table.names))
                    data_table(frame, f"The first {_PREVIEW} records", width="content")
            if recipe is None:
                st.button(
                    "Change how it was read",
                    key=f"change_{slot.value}_{label}",
                    on_click=state.tables.change,
                    args=(slot, label),
                    disabled=pending,
                    type="tertiary",
                    icon=":material/tune:",
                    help="Change how it was read",
                )
            else:
                release_button(lambda: table, label, f"download_{slot.value}_{label}", "tertiary")
            st.button(
                "Remove",
                key=f"remove_{slot.value}_{label}",
                on_click=state.remove,
                args=(slot, label),
                type="tertiary",
                icon=":material/close:",
                help="Remove",
            )
        size = f"{pluralize(table.rows, 'record')}, {pluralize(len(table.columns), 'column')}"
        suppressed = _suppressed(state, table) if slot is Slot.ANONYMIZED else 0
        if suppressed:
            size += f", {pluralize(suppressed, 'record')} suppressed"
        st.caption(f"{size}  \n{reading_summary(plan) if recipe is None else 'made in this session'}")
        plan_remarks(plan.left_out, table.source.notes)


def _suppressed(state: Workspace, table: Table) -> int:
    """The number of records whose quasi-identifiers are all suppressed."""
    names = [name for name in state.chosen_roles().quasi_identifiers if name in table]
    return int(suppressed_records(table, names).sum()) if names else 0


def reading_summary(plan: ReadPlan) -> str:
    """How a file is read, in words."""
    parts = _format_parts(plan)
    if plan.kind in (TEXT, EXCEL) and plan.header_lines != 1:
        parts.append(f"header of {plan.header_lines} lines" if plan.header_lines else "no header")
    if plan.decimal == ",":
        parts.append("decimal comma")
    if plan.compression:
        parts.append(plan.compression)
    if plan.missing:
        parts.append(f"missing where {join_names([f'“{plain(text)}”' for text in plan.missing], 'or')}")
    return ", ".join(parts)


def _format_parts(plan: ReadPlan) -> list[str]:
    """The file's format, and what was chosen for it."""
    if plan.kind == TEXT:
        names = {encoding: name for name, encoding in ENCODINGS.items()}
        separator = _SEPARATED.get(plan.delimiter or "") or f"“{plain(plan.delimiter)}”"
        return [
            f"CSV with {separator}" if plan.delimiter else "CSV of one column",
            plain(names.get(plan.encoding or "", plan.encoding)),
        ]
    name = _KINDS.get(plan.kind, plan.kind.capitalize())
    if plan.kind == EXCEL and plan.sheet is not None:
        return [name, f"sheet {plain(plan.sheet)}"]
    if plan.kind in _KINDS and not plan.value_labels:
        return [name, "codes instead of value labels"]
    return [name]
