"""The menu on a telephone, which would otherwise stay open over the page that was chosen in it."""

from __future__ import annotations

import streamlit as st

_SCRIPT = """
let shown;
export default function ({ data }) {
    if (shown !== undefined && shown !== data.page && window.matchMedia('(max-width: 768px)').matches)
        document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
    shown = data.page;
}
"""
_MENU = st.components.v2.component("folded_menu", html="<span></span>", js=_SCRIPT)


def folded_menu(page: str) -> None:
    """Close the menu on a small screen once another page is shown."""
    _MENU(key="folded_menu", data={"page": page})
