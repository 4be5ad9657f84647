"""The browser's question before a page with tables is reloaded or closed."""

from __future__ import annotations

import streamlit as st

from dashboard.workspace import Workspace

_SCRIPT = """
const warn = (event) => { event.preventDefault(); event.returnValue = true; };
export default function ({ data }) {
    if (data.armed) window.addEventListener('beforeunload', warn);
    else window.removeEventListener('beforeunload', warn);
}
"""
_WARNING = st.components.v2.component("unload_warning", html="<span></span>", js=_SCRIPT)


def unload_warning(state: Workspace) -> None:
    """Ask before tables are lost: a reload begins a new session. The sidebar saves all but the tables."""
    _WARNING(key="unload_warning", data={"armed": not state.tables.empty})
