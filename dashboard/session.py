"""The bridge to Streamlit's session: the workspace, widgets that show it, and forgetting."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeVar

import streamlit as st
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from dashboard.arx_project import open_project_of_server
from dashboard.serving.server import ends_with_its_run, free_leftovers, free_with_session, release_soon
from dashboard.workspace import Workspace

T = TypeVar("T")
_WORKSPACE = "workspace"
VERSION_KEY: Final = "candidate"
"""Key of the choice of the version that the pages speak of."""
OPENED_CLASS: Final = "class_selected"
"""Key of the version and the class that were opened from another page, until another class is chosen."""
SHOWN_CLASS: Final = "class_shown"
"""Key of the version and the class whose attribute is chosen."""


def workspace() -> Workspace:
    """This session's workspace."""
    if _WORKSPACE not in st.session_state:
        context = get_script_run_ctx()
        # A page that has just been opened has no widget with a value yet: this one was drawn by an earlier session.
        resumed = context is not None and bool(context.session_state.get_widget_states())
        st.session_state[_WORKSPACE] = new = Workspace(lost=resumed)
        # Its uploaders still name the files that the earlier session had: new ones are empty.
        new.tables.uploader_generation = time.time_ns() if resumed else 0
        free_with_session(new)
        if not resumed:
            open_project_of_server(new)
    state: Workspace = st.session_state[_WORKSPACE]
    return state


def chosen_version(state: Workspace) -> str:
    """The label of the chosen version; there is at least one."""
    label = st.session_state.get(VERSION_KEY)
    return label if label in state.tables.labels else state.tables.labels[0]


def choose_version(label: str) -> None:
    """Choose the version of all pages; for callbacks, which run before the picker is drawn."""
    st.session_state[VERSION_KEY] = label


def open_class(version: str, index: int, attribute: str | None = None) -> None:
    """Open a class of a version on the page of classes, on a sensitive attribute."""
    st.session_state[OPENED_CLASS] = version, index
    if attribute is not None:
        st.session_state["class_attribute"], st.session_state[SHOWN_CLASS] = attribute, (version, index)


def synced_key(key: str, value: Any) -> str:
    """Let a widget show what the workspace holds; the widget's callback writes there, so the two never disagree.

    The value outlives page switches with the workspace. It is only set where it differs: setting it on every run would
    pull a slider back while it is being moved. Give the widget the same value as its default besides: where two runs
    overlap, as when two files come in at once, the browser can miss a value that was only set here.
    """
    if st.session_state.get(key) != value:
        st.session_state[key] = value
    return key


def bound(key: str, value: Any, store: Callable[[Any], object]) -> dict[str, Any]:
    """Key and callback of a widget that shows a value of the workspace, as above; `store` takes what is chosen."""
    return {"key": synced_key(key, value), "on_change": lambda: store(st.session_state[key])}


def exact_step(value: float, step: float) -> float:
    """The step, or a hundredth of it at least, of which a value is a multiple: a slider rounds to its steps."""
    for finer in (step, step / 10, step / 100):
        if math.isclose(value / finer, round(value / finer), abs_tol=1e-6):
            return finer
    return step / 100


def fragment(part: Callable[[], T], *, busy: bool, key: str | None = None) -> Callable[[], T]:
    """`st.fragment`; while the page is busy the part as it is.

    What is pressed in a fragment waits until the page's own run has ended, and does nothing till then; what is pressed
    in the page itself interrupts that run.
    """

    @wraps(part)
    def ending_part() -> T:
        with ends_with_its_run():
            return part()

    return part if busy else st.fragment(ending_part, key=key)


def forget() -> None:
    """Drop all tables, settings (those in the address too) and uploaded bytes of this session."""
    generation = workspace().tables.uploader_generation + 1
    workspace().clear()
    for key in list(st.session_state):
        del st.session_state[key]
    st.query_params.clear()
    workspace().tables.uploader_generation = generation
    workspace().lost = False
    free_leftovers()


def free_upload(file: UploadedFile) -> None:
    """Free what Streamlit keeps of an uploaded file whose bytes were taken in; the widget goes on showing its name."""
    context = get_script_run_ctx()
    manager = None if context is None else context.uploaded_file_mgr
    if context is None or not isinstance(manager, MemoryUploadedFileManager):
        return
    for record in manager.get_files(context.session_id, [file.file_id]):
        manager.add_file(context.session_id, record._replace(data=b""))
    file.truncate(0)
    release_soon()
