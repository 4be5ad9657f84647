"""What matters: the level at least kept of each column, and how much it counts in the loss."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from dashboard.session import bound
from dashboard.state.search_state import Inputs
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.candidates.generalization.levels import ColumnLevels
from metrics.config.roles import DEFAULT_WEIGHT
from metrics.errors import InputError
from metrics.explanations.what_matters import what_matters
from metrics.tables.table import SUPPRESSED
from metrics.texts import text
from pages.explore.levels import level_labels

_IN_A_ROW = 2


def what_matters_section(state: Workspace, inputs: Inputs) -> None:
    """A level and a weight for each quasi-identifier; closed, with what is chosen as its title."""
    try:
        columns = state.search.evaluation(inputs).columns
    except InputError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    chosen = what_matters(inputs.roles) or text("what_matters.nothing")
    with st.expander(f"**What matters.** {plain(chosen)}", key="section_what_matters"):
        st.caption(text("what_matters.help"))
        for start in range(0, len(columns), _IN_A_ROW):
            for place, column_levels in zip(st.columns(_IN_A_ROW), columns[start : start + _IN_A_ROW], strict=False):
                with place.container(horizontal=True, wrap=False):
                    _controls(state, column_levels)


def _controls(state: Workspace, column_levels: ColumnLevels) -> None:
    name, height = column_levels.column.name, column_levels.height
    labels = level_labels(column_levels)
    labels[0] = f"{labels[0]} (as it is)"
    if set(column_levels.labels[height]) == {SUPPRESSED}:
        labels[height] = "may be removed"
    st.selectbox(
        f"{plain(name)}: keep at least",
        list(range(height, -1, -1)),
        format_func=labels.__getitem__,
        **bound(f"keep_{name}", column_levels.highest, partial(_set, state.highest_levels, name, height)),
    )
    weight = float(state.column_weights.get(name, DEFAULT_WEIGHT))
    st.number_input(
        "Weight",
        0.0,
        1.0,
        step=0.1,
        format="%g",
        width=120,
        **bound(f"weight_{name}", weight, partial(_set, state.column_weights, name, DEFAULT_WEIGHT)),
    )


def _set(chosen: dict[str, Any], name: str, default: float, value: float) -> None:
    """Remember what is chosen; the default need not be."""
    chosen.pop(name, None)
    if value != default:
        chosen[name] = value
