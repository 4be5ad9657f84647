"""A worked example that can be edited: its tables, its parameters, its values, and the working beneath."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.text import plain
from metrics.config.parameters import Parameters
from metrics.config.setting_texts import setting_label
from metrics.explanations.example import Example, Rows

_ABREAST = 2
_WEIGHTS = ("p29.w_k", "p29.w_l", "p29.w_t")


@dataclass
class _Sheet:
    """One editable table. Its editor is fed `base`, which stands still while it is on the page.

    Streamlit drops edits when an editor's own output is fed back to it, and forgets them when the page is left: so
    what it last held becomes the base only when it is drawn anew.
    """

    base: Rows
    held: Rows


@dataclass
class _Edits:
    """Changes that a reader has made to one example; a reset starts the next generation."""

    generation: int = 0
    sheets: dict[str, _Sheet] = field(default_factory=dict)


def edit_example(example: Example) -> tuple[Rows, dict[str, Rows], dict[str, Any]]:
    """The example's table, hierarchies and settings as the reader has left them, with the widgets that change them."""
    edits = _edits(example.id)
    name = f"{example.id}_{edits.generation}"
    rows = _edited_rows(edits, f"learn_{name}_table", example.headings, example.rows, "Table")
    hierarchies = {}
    for column, levels in example.hierarchies.items():
        st.caption(f"Hierarchy of {plain(column)}: each value with its more general forms, up to the root.")
        headings = ["Value", *(f"Level {level}" for level in range(1, len(levels[0])))]
        hierarchies[column] = _edited_rows(edits, f"learn_{name}_{column}", headings, levels, f"Hierarchy of {column}")
    return rows, hierarchies, _settings(example, name)


def reset_button(example_id: str) -> None:
    """A button that puts everything of an example back."""
    st.button("Reset the example", key=f"learn_reset_{example_id}", on_click=_reset, args=(example_id,))


def generation(example_id: str) -> int:
    """How often an example has been reset: part of the keys of its widgets."""
    return _edits(example_id).generation


def _edits(example_id: str) -> _Edits:
    edits: _Edits = st.session_state.setdefault(f"learn_edits_{example_id}", _Edits())
    return edits


def _reset(example_id: str) -> None:
    st.session_state[f"learn_edits_{example_id}"] = _Edits(generation(example_id) + 1)


def _edited_rows(edits: _Edits, key: str, headings: Sequence[str], rows: Rows, alt: str) -> Rows:
    sheet = edits.sheets.setdefault(key, _Sheet(rows, rows))
    if key not in st.session_state:
        sheet.base = sheet.held
    frame = pd.DataFrame(sheet.base, columns=list(headings), dtype="str")
    edited = st.data_editor(frame, num_rows="dynamic", hide_index=True, key=key, alt=f"{alt}, editable")
    sheet.held = tuple(tuple("" if pd.isna(cell) else str(cell) for cell in row) for row in edited.to_numpy())
    return sheet.held


def _settings(example: Example, name: str) -> dict[str, Any]:
    values = Parameters().with_settings(example.settings).to_dict()
    settings = {}
    for start in range(0, len(example.parameters), _ABREAST):
        parameters = list(example.parameters.items())[start : start + _ABREAST]
        for column, (setting, largest) in zip(st.columns(len(parameters)), parameters, strict=True):
            group, _, field = setting.partition(".")
            with column:
                settings[setting] = _control(setting, largest, values[group][field], f"learn_{name}_{field}")
    return _with_scaled_weights(settings)


def _control(setting: str, largest: float | None, value: Any, key: str) -> Any:
    label = setting_label(setting)
    if isinstance(value, bool):
        return st.toggle(label, value, key=key, persist_state="session")
    if largest is not None:
        return st.slider(label, 0.0, largest, value, 0.01, key=key, persist_state="session")
    return st.number_input(label, 0.0, 1e6, value, 1.0, format="%g", key=key, persist_state="session")


def _with_scaled_weights(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings with the weights of P_29 brought to the sum 1."""
    total = sum(settings.get(name, 0) for name in _WEIGHTS)
    if not total:
        return dict(settings)
    shares = {name: settings[name] / total for name in _WEIGHTS}
    if abs(total - 1) > 1e-9:
        weights = ", ".join(f"{share:.3g}" for share in shares.values())
        st.caption(f"The weights are scaled to sum to 1: {weights}.")
    return {**settings, **shares}
