"""A chart keeps its element while what is drawn in it changes."""

import pytest
from streamlit.elements import plotly_chart
from streamlit.testing.v1 import AppTest

from dashboard.serving.charts_in_place import update_charts_in_place


def page() -> None:
    import plotly.graph_objects as go
    import streamlit as st

    height = st.slider("height", 0, 9, 1)
    for key in ("one", "other"):
        st.plotly_chart(go.Figure(go.Bar(y=[height])), key=key, alt=f"height {height}")
    st.plotly_chart(go.Figure(go.Bar(y=[height])), key="selected", on_select="rerun")


def test_a_chart_is_known_by_its_key_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit's private function is called from the module whose name is replaced; otherwise charts would blink."""
    name = "compute_and_register_element_id"
    monkeypatch.setattr(plotly_chart, name, getattr(plotly_chart, name))
    update_charts_in_place()
    app = AppTest.from_function(page).run()
    before = [chart.proto.id for chart in app.get("plotly_chart")]
    app.slider[0].set_value(5).run()
    assert [chart.proto.id for chart in app.get("plotly_chart")] == before
    assert len(set(before)) == 3
    assert not app.exception
