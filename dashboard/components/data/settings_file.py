"""The settings file: what a session hands over, and takes up again."""

from __future__ import annotations

import streamlit as st

from dashboard.components.data.uploads import uploader_key, use_uploads
from dashboard.settings import restore
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
        help="A JSON file saved by “Save settings” or on the Report page. It restores roles, key, parameters, limits "
        "and hierarchies, never a table.",
    )
    if file is None:
        state.messages[_NOTES] = []
    use_uploads(state, _ERRORS, [] if file is None else [file], apply_settings)
    confirmation, *warnings = state.messages[_NOTES] or [""]
    if confirmation:
        st.success(plain(confirmation), icon=":material/check:")
    for sentence in warnings:
        st.warning(plain(sentence), icon=":material/warning:")


def apply_settings(state: Workspace, name: str, content: bytes) -> None:
    """Restore the settings of a file. Raises InputError, and then nothing has changed."""
    state.messages[_NOTES] = []
    missing = restore(state, parse_settings(content, name))
    state.messages[_NOTES] = [f"Settings restored from {name}.", *missing]
