"""Tables in the folder that the server's owner offers: to choose, to look at, to remove."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from dashboard.components.figure import data_table
from dashboard.server_tables import ServerTable, TablesFolder
from dashboard.session import synced_key
from dashboard.text import plain
from dashboard.workspace import Slot, Workspace
from metrics.config.matching_rule import MatchingRule
from metrics.errors import InputError
from metrics.formatting import pluralize, visible

_MESSAGES = "server"
_PREVIEW = 10
_ORIGINAL, _ANONYMIZED = "server_original", "server_anonymized"


def server_choice(state: Workspace) -> None:
    """A choice for the original and one for anonymized tables; nothing where no folder is offered."""
    folder = TablesFolder.offered()
    if folder is None:
        return
    names = folder.names()
    with st.container(border=True):
        st.caption(
            "Or use files and folders of files on the server, of any size. They are counted there and compared with "
            "each other only, not with uploads."
        )
        left, right = st.columns(2)
        original = None if state.server.original is None else state.server.original.name
        left.selectbox(
            "Original on the server",
            _with_missing(names, [original] if original else []),
            index=None,
            key=synced_key(_ORIGINAL, original),
            format_func=visible,
            placeholder="none",
            on_change=_choose_original,
            args=(state, folder),
        )
        anonymized = [table.name for table in state.server.candidates.values()]
        right.multiselect(
            "Anonymized on the server",
            _with_missing(names, anonymized),
            key=synced_key(_ANONYMIZED, anonymized),
            format_func=visible,
            placeholder="none",
            on_change=_choose_anonymized,
            args=(state, folder),
        )
        for sentence in state.messages.get(_MESSAGES, []):
            st.error(plain(sentence), icon=":material/error:")
        _choose_key(state)


def server_cards(state: Workspace) -> None:
    """A card for each table that was chosen there."""
    if state.server.original is not None:
        _card(state, Slot.ORIGINAL, state.server.original.name, state.server.original)
    for label, table in list(state.server.candidates.items()):
        _card(state, Slot.ANONYMIZED, label, table)


def _with_missing(names: Sequence[str], chosen: Sequence[str]) -> list[str]:
    """The names that exist, and chosen ones that have disappeared since."""
    return [*names, *(name for name in chosen if name not in names)]


def _choose_original(state: Workspace, folder: TablesFolder) -> None:
    state.messages[_MESSAGES] = []
    name = st.session_state[_ORIGINAL]
    if name is None:
        state.drop(None)
    else:
        _open_table(state, Slot.ORIGINAL, folder, name)


def _choose_anonymized(state: Workspace, folder: TablesFolder) -> None:
    state.messages[_MESSAGES] = []
    names = st.session_state[_ANONYMIZED]
    labels = {table.name: label for label, table in state.server.candidates.items()}
    for name, label in labels.items():
        if name not in names:
            state.drop(label)
    for name in names:
        if name not in labels:
            _open_table(state, Slot.ANONYMIZED, folder, name)


def _open_table(state: Workspace, slot: Slot, folder: TablesFolder, name: str) -> None:
    try:
        state.adopt(slot, state.server.open(folder, name))
    except InputError as error:
        state.messages[_MESSAGES].append(str(error))


def _choose_key(state: Workspace) -> None:
    """Which columns match the records of these tables; none is by position."""
    if state.server.original is None or not state.server.candidates:
        return
    key = "server_match_by"
    labels = list(state.server.candidates)
    shared_columns = [
        name
        for name in state.server.original.sample.names
        if all(name in table.sample for table in state.server.candidates.values())
    ]

    def store_choice() -> None:
        """Keep the choice in the workspace."""
        for label in labels:
            state.matching.choose(label, MatchingRule(tuple(st.session_state[key])))

    current = [name for name in state.matching.rule_for(labels[0]).key if name in shared_columns]
    st.multiselect(
        "Columns that together identify a record of these tables",
        shared_columns,
        key=synced_key(key, current),
        format_func=visible,
        placeholder="none: by position",
        on_change=store_choice,
    )


def _card(state: Workspace, slot: Slot, label: str, server_table: ServerTable) -> None:
    with st.container(border=True):
        left, right = st.columns([4, 1], vertical_alignment="center")
        left.markdown(f"**{plain(label)}** · {slot.value}")
        left.caption(
            f"On the server: {pluralize(len(server_table.table.names), 'column')}; records are counted when it is "
            "scored."
        )
        right.button(
            "Remove",
            key=f"remove_server_{slot.value}_{label}",
            on_click=state.drop,
            args=(None if slot is Slot.ORIGINAL else label,),
            icon=":material/delete:",
            width="stretch",
        )
        with st.expander("Some records"):
            preview = pd.DataFrame(server_table.sample.head(_PREVIEW), columns=pd.Index(server_table.sample.names))
            data_table(preview, f"Some records of {visible(label)}")
