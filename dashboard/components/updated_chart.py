"""A chart that the browser updates where it stands, so that it is never blank while a slider moves."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Any

import plotly.io
import streamlit as st
from plotly.basedatatypes import BaseFigure

from dashboard.serving.charts_in_place import kept_element

# Streamlit's element takes what to draw when it is mounted, and after that what Plotly tells of a change by the user.
# So a change is told to it as one of these. The digest in the chart's layout says what is drawn.
_SCRIPT = """
const MOST_TRIES = 600;
const latest = new Map();
const update = (key, blue, tries) => {
    const { digest, figure } = latest.get(key);
    const chart = document.querySelector(`.${key} .js-plotly-plot`);
    if (!chart?._ev?.listeners('plotly_redraw').length) {
        if (tries) requestAnimationFrame(() => update(key, blue, tries - 1));
        return;
    }
    if (chart.layout.meta === digest) return;
    const { data, layout } = JSON.parse(figure.replaceAll('#000001', blue));
    const { template, width, dragmode, clickmode, hovermode } = chart.layout;
    chart.data = data;
    chart.layout = { ...layout, template, width, dragmode, clickmode, hovermode, meta: digest };
    chart.emit('plotly_redraw');
};
export default function ({ parentElement, data }) {
    const theme = getComputedStyle(parentElement.host);
    latest.set(data.key, data);
    update(data.key, theme.getPropertyValue('--st-chart-categorical-colors').split(',')[0].trim(), MOST_TRIES);
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
    """`st.plotly_chart` with an element that is kept as long as its key."""
    drawn = chart.to_dict()
    figure = plotly.io.to_json(_Drawn(drawn), validate=False)
    digest = blake2b(figure.encode(), digest_size=8).hexdigest()
    drawn["layout"]["meta"] = digest
    with kept_element():
        selected = st.plotly_chart(_Drawn(drawn), key=key, **options)
    _UPDATE(key=f"{key}_update", data={"key": _class_name(key), "digest": digest, "figure": figure})
    return selected


def _class_name(key: str) -> str:
    """The class by which Streamlit marks the element with a key."""
    return f"st-key-{re.sub('[^a-zA-Z0-9_-]', '-', key.strip())}"
