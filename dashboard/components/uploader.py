"""Uploaders that several pages have, and how each page uses the files of one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from dashboard.session import free_upload
from dashboard.session_file import restore_session
from dashboard.settings import lacking_keys, saved_tables
from dashboard.text import plain
from dashboard.workspace import LOADING, Workspace
from metrics.errors import InputError

_ERRORS, _NOTES = "settings", "settings_notes"


def uploader_key(key: str, generation: int) -> tuple[Any, str]:
    """A container for an uploader and its widget key: the container keeps its name when the widget is made anew."""
    if not generation:
        return st.container(), key
    return st.container(key=key), f"{key}_{generation}"


def unseen(state: Workspace, files: Sequence[Any]) -> list[Any]:
    """Files that no earlier run has taken in."""
    new_files = [file for file in files if file.file_id not in state.tables.seen_uploads]
    state.tables.seen_uploads.update(file.file_id for file in new_files)
    return new_files


def use_uploads(
    state: Workspace, messages_key: str, files: Sequence[Any], use: Callable[[Workspace, str, bytes], None]
) -> None:
    """Use an uploader's new files; below it, one sentence for each that failed, until its files change."""
    new_files = unseen(state, files)
    if new_files or not files:
        state.tables.messages[messages_key] = []
    if new_files:
        state.tables.messages[LOADING] = []
    for file in new_files:
        try:
            use(state, file.name, file.getvalue())
        except InputError as error:
            state.tables.messages[messages_key].append(str(error))
        free_upload(file)
    if new_files:
        st.rerun()
    for message in state.tables.messages[messages_key]:
        st.error(plain(message), icon=":material/error:")


def settings_uploader(state: Workspace) -> None:
    """Upload a settings file; say what it names that is not loaded."""
    container, key = uploader_key("upload_settings", state.tables.uploader_generation)
    file = container.file_uploader(
        "Session or settings file",
        type=["zip", "json"],
        key=key,
        help="A file saved by “Save session”, or the settings saved on the Report page. It restores roles, key, "
        "parameters, limits, hierarchies, names of versions and, from a session, the versions that were made in it.",
    )
    if file is None:
        state.tables.messages[_NOTES] = []
    use_uploads(state, _ERRORS, [] if file is None else [file], apply_settings)
    for confirmation in state.tables.messages[_NOTES]:
        st.success(plain(confirmation), icon=":material/check:")
        _still_to_load(state)


def _still_to_load(state: Workspace) -> None:
    """List the tables that the settings were saved with, those loaded ticked off, until all are."""
    tables = saved_tables(state)
    if not all(table.is_loaded for table in tables):
        heading = "Load these files again, which the saved session or settings do not contain:"
        items = [f"- {'✓ ' if table.is_loaded else ''}{plain(table.description)}" for table in tables]
        st.warning("\n".join([heading, "", *items]), icon=":material/warning:")
    for sentence in lacking_keys(state):
        st.warning(plain(sentence), icon=":material/warning:")


def apply_settings(state: Workspace, name: str, content: bytes) -> None:
    """Restore the session or the settings of a file. Raises InputError, and then nothing has changed."""
    state.tables.messages[_NOTES] = []
    restore_session(state, name, content)
    state.tables.messages[_NOTES] = [f"Settings restored from {name}."]
