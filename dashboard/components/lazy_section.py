"""Parts far down a page, drawn once the reader comes near them."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboard.server import running

_NEAR_PX = 200
_SETTLING_MS = 300
"""A page that has not grown for so long has all that is above a part, which stands higher up till then."""
_AGAIN_MS = 4000
"""The server is told again after so long, then after twice that: a run that begins at the same time can swallow it."""
# The state is for who waits: `settling` and `seen` say that more is on its way without anybody doing anything.
_WATCH = """
export default function ({ parentElement, data, setStateValue }) {
    const place = parentElement.querySelector('div');
    place.style.height = `${data.height}px`;
    place.dataset.inSight = data.height ? 'settling' : 'drawn';
    if (!data.height) return;
    const near = `${data.near}px`;
    let again;
    const tell = (wait) => {
        if (place.dataset.inSight !== 'seen') return;
        setStateValue('seen', Date.now());
        again = setTimeout(tell, wait, 2 * wait);
    };
    const look = new IntersectionObserver((found) => {
        if (!found.some((one) => one.isIntersecting)) return;
        look.disconnect();
        place.dataset.inSight = 'seen';
        tell(data.again);
    }, { rootMargin: near, scrollMargin: near });
    const begin = () => { growth.disconnect(); place.dataset.inSight = 'waiting'; look.observe(place); };
    let still;
    const growth = new ResizeObserver(() => { clearTimeout(still); still = setTimeout(begin, data.settling); });
    growth.observe(place.closest('[data-testid="stMainBlockContainer"]') ?? document.body);
    return () => { clearTimeout(still); clearTimeout(again); growth.disconnect(); look.disconnect(); };
}
"""
_WATCHER = st.components.v2.component("lazy_section", html="<div></div>", js=_WATCH, isolate_styles=False)


def draw_lazily(part: Callable[[], None], key: str, height: int) -> None:
    """Draw a part when its place, so many pixels high till then, comes near the window; a fragment of its own.

    Figures that nobody sees yet would hold up the switch to their page, and every slider that moves them. Where no
    browser looks, as in tests of pages, the part is drawn at once.
    """
    watcher_key = f"{key}_watcher"

    @st.fragment(key=key)
    def place() -> None:
        unseen = running() is not None and not st.session_state.get(watcher_key, {}).get("seen")
        data = {"height": height if unseen else 0, "near": _NEAR_PX, "settling": _SETTLING_MS, "again": _AGAIN_MS}
        if not unseen:
            part()
        # Below it: the place keeps its height until the part stands there.
        _WATCHER(key=watcher_key, data=data, on_seen_change=lambda: None)

    place()
