"""Values that follow what is dragged, a slider or the point of a chart, while it is being dragged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from dashboard.components.fragments import draw_whole
from dashboard.session import exact_step, synced_key

# A slider tells of its value in an attribute that changes with every step of pointer, finger or keyboard; Streamlit
# sends it on release alone. A browser that has not drawn yet what the server changed sends older values of the other
# controls besides, so it tells which one is in hand.
_SCRIPT = """
const INTERVAL_MS = 50;
const parts = new Map();
let timer, waiting, told, held, released = true;
const send = () => {
    timer = undefined;
    if (!waiting) return;
    // What moves, moves by itself; the whole follows on release.
    const inner = parts.get(false)?.data;
    const known = inner?.controls.includes(waiting.key) || inner?.charts.includes(waiting.key);
    const part = parts.get(waiting.done || !known);
    if (!part) return;
    part.setStateValue('moved', waiting);
    waiting = undefined;
    timer = setTimeout(send, INTERVAL_MS);
};
const move = (moved) => {
    // A slider that is drawn anew tells its value once more; a run for it would take the control for released.
    const now = JSON.stringify(moved);
    if (now === told) return;
    told = now;
    released = moved.done;
    waiting = moved;
    if (timer === undefined) send();
};
const keyOf = (element, keys) => parts.get(true)?.data[keys].find((key) => element?.closest?.(`.st-key-${key}`));
const slide = (slider, done = false) => {
    const key = keyOf(slider, 'controls');
    if (key && slider.type === 'range') move({ key, value: Number(slider.value), done });
};
const drag = ({ clientX, clientY }, done = false) => {
    const plot = document.querySelector(`.st-key-${held.key} .js-plotly-plot`);
    // While the chart is drawn anew, its axes and its place are those that it had.
    if (plot?._fullLayout?.xaxis) {
        const box = plot.getBoundingClientRect();
        held = { ...held, axes: plot._fullLayout, box, scale: box.width / plot.offsetWidth };  // 1.5 as it is presented
    }
    const { axes: { xaxis, yaxis }, box: { left, top }, scale } = held;
    const at = (axis, pixel) => axis.p2d(Math.min(Math.max(pixel - axis._offset, 0), axis._length));
    move({ key: held.key, x: at(xaxis, (clientX - left) / scale), y: at(yaxis, (clientY - top) / scale), done });
};
const release = (event) => {
    if (held) drag(event, true);
    else slide(document.activeElement, true);
    held = undefined;
};
const start = () => {
    new MutationObserver((changes) => {
        for (const { target } of changes) if (target === document.activeElement) slide(target);
    }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ['aria-valuetext'] });
    document.addEventListener('focusin', ({ target }) => {
        const key = target.type === 'number' && keyOf(target, 'controls');
        if (key) move({ key, done: true });
    });
    document.addEventListener('pointerdown', (event) => {
        const key = event.target.closest('.nsewdrag') && keyOf(event.target, 'charts');
        if (!key) return;
        held = { key };
        drag(event);
    }, true);
    document.addEventListener('pointermove', (event) => held && drag(event));
    document.addEventListener('pointerup', release);
    document.addEventListener('pointercancel', release);
    document.addEventListener('keyup', (event) => released || release(event));
};
let started = false;
export default function (component) {
    const { whole } = component.data;
    parts.set(whole, component);
    if (!started) start();
    started = true;
    document.querySelector('.st-key-finding')?.setAttribute('aria-live', 'polite');
    return () => { if (parts.get(whole) === component) parts.delete(whole); };
}
"""
_LIVE = st.components.v2.component("live_values", html="<span></span>", js=_SCRIPT)
_IN_HAND = "control_in_hand"
"""Session key of the control, or chart, that was moved or entered last."""
_MOVING = "control_moving"
"""Session key of the control that is being dragged in this run."""


def live_values(
    key: str,
    controls: Mapping[str, Callable[[float], object]],
    charts: Mapping[str, Callable[[float, float], object]],
    fields: Sequence[str] = (),
    *,
    whole: bool = False,
) -> None:
    """Give `controls` the value, and `charts` the point, that is dragged; call it last.

    The keys are those of the sliders and charts. `fields` are further controls whose values the page changes. Called in
    a fragment within one, it draws the inner one anew many times a second, and called for the `whole`, on release; what
    the inner one does not know is the whole's at once.
    """

    def moved() -> None:
        move = st.session_state[key].moved
        st.session_state[_IN_HAND] = name = move["key"]
        if not move["done"]:
            st.session_state[_MOVING] = name
        if name in charts:
            charts[name](float(move["x"]), float(move["y"]))
        elif "value" in move:
            controls[name](float(move["value"]))

    _LIVE(
        key=key,
        data={"controls": [*controls, *fields], "charts": list(charts), "whole": whole},
        default={"moved": None},
        on_moved_change=moved,
    )
    st.session_state.pop(_MOVING, None)


def live_bound(key: str, value: Any, store: Callable[[Any], object]) -> dict[str, Any]:
    """Key and callback of a control whose value the page changes while another control is in hand."""

    def chosen() -> None:
        if st.session_state.get(_IN_HAND, key) == key:
            store(st.session_state[key])
            draw_whole()

    return {"key": synced_key(key, value), "on_change": chosen}


def field_of(key: str) -> str:
    """The key of the field in which a slider's value is typed."""
    return f"{key}_field"


def live_field(
    label: str,
    maximum: float,
    step: float,
    key: str,
    value: float,
    store: Callable[[float], object],
    number: str,
    **options: Any,
) -> None:
    """A field for the value of the slider with a key, as the format `number` shows it."""
    st.number_input(
        f"{label}, typed",
        0.0,
        maximum,
        value=value,
        step=step,
        format=number,
        label_visibility="collapsed",
        **live_bound(field_of(key), value, store),
        **options,
    )


def live_slider(
    label: str, maximum: float, step: float, key: str, value: float, store: Callable[[float], object], **options: Any
) -> None:
    """A slider from 0 whose value is stored while it is dragged; its thumb is then left to the browser."""
    shown = float(st.session_state.get(key, value)) if st.session_state.get(_MOVING) == key else value
    bound = live_bound(key, shown, store)
    st.slider(label, 0.0, max(maximum, shown), value=shown, step=exact_step(shown, step), **bound, **options)
