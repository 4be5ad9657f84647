"""A loaded table: its size, how its file was read, what was left out, its first records."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard.components.data.import_dialog import plan_remarks
from dashboard.components.data.plan_fields import ENCODINGS
from dashboard.components.figure import data_table
from dashboard.components.release_file import release_button
from dashboard.loading import LoadedTable
from dashboard.text import plain
from dashboard.workspace import Slot, Workspace
from metrics.counting.classes import suppressed_records
from metrics.formatting import join_names, pluralize
from metrics.tables.read_plan import EXCEL, SPSS, STATA, TEXT, ReadPlan
from metrics.tables.table import Table

_PREVIEW = 10
_KINDS = {SPSS: "SPSS", STATA: "Stata"}
_SEPARATED = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars", " ": "spaces", ":": "colons"}


def table_card(state: Workspace, slot: Slot, label: str, loaded: LoadedTable) -> None:
    """Name, size and how the file was read; beside them its first records, the change of its reading, its removal."""
    table, plan = loaded.table, loaded.plan
    recipe = state.recipe_of(label) if slot is Slot.ANONYMIZED else None
    pending = any((item.slot, item.label) == (slot, label) for item in state.imports)
    with st.container(border=True, gap=None, key=f"file_{slot.value}_{label}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="xxsmall", wrap=False):
            st.markdown(f"**{plain(label)}**", width="stretch")
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
                    on_click=state.change,
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
