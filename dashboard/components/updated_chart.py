"""A chart that the browser updates where it stands, so that it is never blank while a slider moves."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Any

import plotly.io
import streamlit as st
from plotly.basedatatypes import BaseFigure

from dashboard.serving.charts_in_place import kept_element

_MOUNT_ANEW = "mount_charts_anew"
"""Session key of whether this browser could not update a chart; from then on each is mounted anew."""

# Streamlit's element takes what to draw when it is mounted, and after that only what Plotly tells of a change by the
# user. So an update is told to it as one of these. The digest in the chart's layout says what Plotly has drawn. Neither
# Plotly's list of listeners nor what it has drawn are public, so a later version may refuse: then the server is told.
_SCRIPT = """
const MOST_FRAMES = 300;
const latest = new Map();
const update = (key, frames) => {
    const { digest, figure, blue, place, fail } = latest.get(key);
    const element = document.querySelector(`.${key} .stPlotlyChart`);
    const chart = element?.querySelector('.js-plotly-plot');
    const updatable = chart?._ev?.listeners('plotly_redraw').length > 0;
    if (!place.isConnected || (updatable && chart._fullLayout?.meta === digest)) return;
    if (frames === 0) {
        fail();
        return;
    }
    if (updatable && chart.layout.meta !== digest) {
        const { data, layout } = JSON.parse(figure.replaceAll('#000001', blue));
        const { template, width, dragmode, clickmode, hovermode } = chart.layout;
        chart.data = data;
        chart.layout = { ...layout, template, width, dragmode, clickmode, hovermode, meta: digest };
        chart.emit('plotly_redraw');
    }
    // A chart that is not there yet shows nothing out of date.
    requestAnimationFrame(() => update(key, element ? frames - 1 : frames));
};
export default function ({ parentElement, data, setTriggerValue }) {
    const colours = getComputedStyle(parentElement.host).getPropertyValue('--st-chart-categorical-colors');
    latest.set(data.key, {
        ...data,
        blue: colours.split(',')[0].trim(),
        place: parentElement,
        fail: () => setTriggerValue('failed', true),
    });
    update(data.key, MOST_FRAMES);
}
"""
_UPDATE = st.components.v2.component("chart_update", html="<span></span>", js=_SCRIPT)


class _Drawn(BaseFigure):  # type: ignore[misc]  # Plotly ships no types
    """A chart as a dictionary that is taken as it is."""

    def __init__(self, drawn: dict[str, Any]) -> None:
        self._drawn = drawn

    def to_dict(self) -> dict[str, Any]:
        return self._drawn


def updated_chart(chart: BaseFigure, key: str, **options: Any) -> Any:
    """`st.plotly_chart` with an element that is kept as long as its key, where the browser can update it."""
    if st.session_state.get(_MOUNT_ANEW):
        return st.plotly_chart(chart, key=key, **options)
    drawn = chart.to_dict()
    figure = plotly.io.to_json(_Drawn(drawn), validate=False)
    digest = blake2b(figure.encode(), digest_size=8).hexdigest()
    drawn["layout"]["meta"] = digest
    with kept_element():
        selected = st.plotly_chart(_Drawn(drawn), key=key, **options)
    update = {"key": _class_name(key), "digest": digest, "figure": figure}
    _UPDATE(key=f"{key}_update", data=update, on_failed_change=_mount_anew)
    return selected


def _mount_anew() -> None:
    st.session_state[_MOUNT_ANEW] = True


def _class_name(key: str) -> str:
    """The class by which Streamlit marks the element with a key."""
    return f"st-key-{re.sub('[^a-zA-Z0-9_-]', '-', key.strip())}"
