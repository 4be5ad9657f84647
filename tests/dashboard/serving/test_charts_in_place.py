"""A chart keeps its element while what is drawn in it changes."""

import pytest
from streamlit.elements import plotly_chart
from streamlit.testing.v1 import AppTest

from dashboard.serving.charts_in_place import keep_elements_of_charts


def page() -> None:
    import plotly.graph_objects as go
    import streamlit as st

    from dashboard.components.updated_chart import updated_chart

    height = st.slider("height", 0, 9, 1)
    for key in ("one", "other"):
        updated_chart(go.Figure(go.Bar(y=[height])), key, alt=f"height {height}")
    st.plotly_chart(go.Figure(go.Bar(y=[height])), key="selected", on_select="rerun")


def test_an_updated_chart_is_known_by_its_key_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit's private function is called from the module whose name is replaced; otherwise charts would blink."""
    name = "compute_and_register_element_id"
    monkeypatch.setattr(plotly_chart, name, getattr(plotly_chart, name))
    keep_elements_of_charts()
    app = AppTest.from_function(page).run()
    before = [chart.proto.id for chart in app.get("plotly_chart")]
    app.slider[0].set_value(5).run()
    after = [chart.proto.id for chart in app.get("plotly_chart")]
    assert after[:2] == before[:2]
    assert len({*before, *after}) == 4  # the one that is selected on is new
    assert not app.exception


@pytest.mark.parametrize("later", [None, lambda element_type, **others: element_type])
def test_a_streamlit_without_what_this_needs_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch, later: object) -> None:
    name = "compute_and_register_element_id"
    monkeypatch.setattr(plotly_chart, name, later)
    keep_elements_of_charts()
    assert getattr(plotly_chart, name) is later
