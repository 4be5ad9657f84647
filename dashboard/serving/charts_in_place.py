"""Charts that the browser updates in place: Streamlit would mount a chart anew whenever anything in it changes."""

from __future__ import annotations

from typing import Any

from streamlit.elements import plotly_chart

_IDENTITY = {"theme", "selection_mode", "is_selection_activated"}
"""What, beside its key and its page, an element with a chart is known by; not what is drawn in it."""
_NAME = "compute_and_register_element_id"
_element_id = getattr(plotly_chart, _NAME)


def update_charts_in_place() -> None:
    """Let the same chart of a page keep its place in the browser, so that it never is blank while a slider moves."""

    def by_key(element_type: str, **parameters: Any) -> Any:
        return _element_id(element_type, **{**parameters, "key_as_main_identity": _IDENTITY})

    setattr(plotly_chart, _NAME, by_key)
