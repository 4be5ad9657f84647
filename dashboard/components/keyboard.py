"""What the browser does beside Streamlit: presents a page on a key, moves the focus with it, and says what is new."""

from __future__ import annotations

import streamlit as st

# P is a letter in fields, and Escape closes what is open first.
_SCRIPT = """
const FINDINGS = '[class*="st-key-heading_"] h2, .st-key-finding, [data-testid="stMain"] [role="alert"]';
const FIELD = 'input:not([type="range"], [type="radio"], [type="checkbox"]), textarea, [contenteditable="true"]';
const OPEN = '[role="dialog"], [role="listbox"], [aria-expanded="true"][aria-haspopup]';
const isReady = () => document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState === 'notRunning';
let region, shown, said = new Set(), waiting;

const onKey = (event) => {
    const { classList } = document.body;
    const presents = classList.contains('presentation');
    if (event.ctrlKey || event.metaKey || event.altKey || event.composedPath()[0].closest?.(FIELD)) return;
    if (event.key.toLowerCase() === 'p') classList.toggle('presentation');
    else if (event.key === 'Escape' && presents && !document.querySelector(OPEN)) classList.remove('presentation');
    else return;
    window.dispatchEvent(new Event('resize'));
    onChange();
};
const findings = () => [...document.querySelectorAll(FINDINGS)].map((element) => element.innerText.trim());
// A table whose last columns are out of sight says so at its edge.
const markTables = () => {
    for (const table of document.querySelectorAll('[data-testid="stDataFrame"]')) {
        const scrolled = table.querySelector('.dvn-scroller');
        const hidden = scrolled ? scrolled.scrollWidth - scrolled.clientWidth - scrolled.scrollLeft : 0;
        table.classList.toggle('continues', hidden > 8);
    }
};
const say = () => {
    markTables();
    const now = findings();
    const added = now.filter((finding) => finding && !said.has(finding));
    said = new Set(now);
    if (added.length) region.textContent = added.slice(0, 2).join(' ');
};
const onChange = () => {
    clearTimeout(waiting);
    waiting = setTimeout(say, 700);
};
const begin = () => {
    region = document.createElement('div');
    region.className = 'announcements';
    region.setAttribute('role', 'status');
    document.body.append(region);
    document.addEventListener('keydown', onKey);
    document.addEventListener('scroll', markTables, { capture: true, passive: true });
    window.addEventListener('resize', onChange);
    const main = document.querySelector('[data-testid="stMain"]');
    new MutationObserver(onChange).observe(main, { subtree: true, childList: true, characterData: true });
};
const arrive = () => {
    if (!isReady()) return setTimeout(arrive, 100);
    said = new Set(findings());
    const heading = document.querySelector('[data-testid="stMain"] h1');
    const focused = document.activeElement;
    if (heading === null || (focused !== document.body && !focused.closest('[data-testid="stSidebarNav"]'))) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
};
export default function ({ data }) {
    if (region === undefined) begin();
    else if (shown !== data.page) {
        region.textContent = '';
        setTimeout(arrive, 100);
    }
    shown = data.page;
}
"""
_KEYBOARD = st.components.v2.component("keyboard", html="<span></span>", js=_SCRIPT)


def keyboard(page: str) -> None:
    """Present the page while P has been pressed, focus the heading of another page, and announce what changes."""
    _KEYBOARD(key="keyboard", data={"page": page})
