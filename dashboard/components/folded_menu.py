"""The menu on a telephone, which would otherwise stay open over the page that was chosen in it."""

from __future__ import annotations

import streamlit as st

# A link to the page that is shown already draws nothing anew, so its click closes the menu, too.
_SCRIPT = """
const MENU = '[data-testid="stSidebarCollapseButton"] button';
const fold = () => window.matchMedia('(max-width: 768px)').matches && document.querySelector(MENU)?.click();
let shown;
export default function ({ data }) {
    if (shown === undefined) document.addEventListener('click', (event) => {
        const link = event.target.closest('[data-testid="stSidebarNavLink"]');
        if (link && new URL(link.href).pathname === window.location.pathname) fold();
    });
    else if (shown !== data.page) fold();
    shown = data.page;
}
"""
_MENU = st.components.v2.component("folded_menu", html="<span></span>", js=_SCRIPT)


def folded_menu(page: str) -> None:
    """Close the menu on a small screen once another page is shown."""
    _MENU(key="folded_menu", data={"page": page})
