"""Charts that are never blank: the former drawing stays until the browser has drawn the new one."""

from __future__ import annotations

import streamlit as st

# Streamlit mounts a chart anew whenever its values change, and the place is empty until Plotly has drawn it.
_SCRIPT = """
const MAX_MS = 1000;
const drawings = new Map();
const keyOf = (plot) => plot.closest('[class*="st-key-"]').className.match(/st-key-\\S+/)[0];
const remember = () => {
    for (const plot of document.querySelectorAll('[class*="st-key-"] .js-plotly-plot:not([data-former])')) {
        const drawing = plot.querySelector('.svg-container:has(.main-svg)');
        if (drawing && plot.checkVisibility()) drawings.set(keyOf(plot), drawing);
    }
};
const show = (holder, drawing) => {
    const former = document.createElement('div');
    former.className = 'js-plotly-plot';
    former.dataset.former = '';
    former.setAttribute('aria-hidden', 'true');
    former.append(drawing.isConnected ? drawing.cloneNode(true) : drawing);
    holder.append(former);
    setTimeout(() => former.remove(), MAX_MS);
};
const keep = () => {
    remember();
    for (const [key, drawing] of drawings) {
        const holder = [...document.querySelectorAll(`.${CSS.escape(key)}`)].find((node) => node.checkVisibility());
        const former = holder?.querySelector('[data-former]');
        if (!holder) drawings.delete(key);
        else if (holder.querySelector('.js-plotly-plot:not([data-former]) .main-svg')) former?.remove();
        else if (!former) {
            drawings.delete(key);
            show(holder, drawing);
        }
    }
};
let observer;
export default function () {
    if (observer) return;
    observer = new MutationObserver(keep);
    observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['style'] });
}
"""
_STEADY = st.components.v2.component("steady_charts", html="<span></span>", js=_SCRIPT)


def steady_charts() -> None:
    """Keep charts in sight while they are drawn anew, on every page."""
    _STEADY(key="steady_charts")
