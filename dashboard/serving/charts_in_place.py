"""Charts that keep their element: Streamlit would mount a chart anew whenever anything in it changes."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from streamlit.elements import plotly_chart

_NAME = "compute_and_register_element_id"
_ARGUMENT = "key_as_main_identity"
_IDENTITY = {"theme", "selection_mode", "is_selection_activated"}
"""What, beside its key and its page, such an element is known by; not what is drawn in it."""
_KEPT = ContextVar("kept", default=False)


def keep_elements_of_charts() -> None:
    """Let `kept_element` take effect, once per process; a later Streamlit may lack what this needs."""
    element_id = getattr(plotly_chart, _NAME, None)
    if element_id is None or _ARGUMENT not in inspect.signature(element_id).parameters:
        return

    def by_key(element_type: str, **parameters: Any) -> Any:
        return element_id(element_type, **{**parameters, **({_ARGUMENT: _IDENTITY} if _KEPT.get() else {})})

    setattr(plotly_chart, _NAME, by_key)


@contextmanager
def kept_element() -> Iterator[None]:
    """Let `st.plotly_chart` keep the element with its key. What it then draws, the browser has to be told besides."""
    token = _KEPT.set(True)
    try:
        yield
    finally:
        _KEPT.reset(token)
