"""The settings file: what a session hands over, and takes up again."""

from __future__ import annotations

import streamlit as st

from dashboard.components.data.uploads import uploader_key, use_uploads
from dashboard.loading import parse_document
from dashboard.settings import lacking_keys, restore, saved_tables
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.policy.settings_file import parse_settings

_ERRORS, _NOTES = "settings", "settings_notes"


def settings_uploader(state: Workspace) -> None:
    """Upload a settings file; say what it names that is not loaded."""
    container, key = uploader_key("upload_settings", state.uploader_generation)
    file = container.file_uploader(
        "Settings file",
        type=["json"],
        key=key,
        help="A JSON file saved by “Save settings” or on the Report page. It restores roles, key, parameters, limits, "
        "hierarchies and names of candidates, never a table.",
    )
    if file is None:
        state.messages[_NOTES] = []
    use_uploads(state, _ERRORS, [] if file is None else [file], apply_settings)
    for confirmation in state.messages[_NOTES]:
        st.success(plain(confirmation), icon=":material/check:")
        _still_to_load(state)


def _still_to_load(state: Workspace) -> None:
    """List the tables that the settings were saved with, those loaded ticked off, until all are."""
    tables = saved_tables(state)
    if not all(table.is_loaded for table in tables):
        heading = "Settings contain no tables. Load these files again, or make a candidate again from its recipe:"
        items = [f"- {'✓ ' if table.is_loaded else ''}{plain(table.description)}" for table in tables]
        st.warning("\n".join([heading, "", *items]), icon=":material/warning:")
    for sentence in lacking_keys(state):
        st.warning(plain(sentence), icon=":material/warning:")


def apply_settings(state: Workspace, name: str, content: bytes) -> None:
    """Restore the settings of a file. Raises InputError, and then nothing has changed."""
    state.messages[_NOTES] = []
    restore(state, parse_document(parse_settings, name, content))
    state.messages[_NOTES] = [f"Settings restored from {name}."]
