"""Labels of a hierarchy that mislead whoever reads a table with them, and the button that replaces them."""

from __future__ import annotations

import streamlit as st

from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.errors import InputError
from metrics.figures.theme import shortened
from metrics.formatting import pluralize, visible
from metrics.hierarchies.builders import with_intervals
from metrics.hierarchies.domain import outside_intervals
from metrics.hierarchies.hierarchy import Hierarchy

_LABEL = 18


def hierarchy_faults(state: Workspace) -> None:
    """Show what misleads in the labels of each hierarchy, with a button where it can be corrected."""
    for column, hierarchy in list(state.hierarchies.items()):
        sentences = _sentences(state, column, hierarchy)
        if not sentences:
            continue
        corrected = _with_intervals(hierarchy)
        sentences.append(
            "Correct the hierarchy on the Data page before you generalize by it."
            if corrected is None
            else f"Interval labels such as {visible(corrected.labels(1)[0])} avoid this in new tables; in loaded "
            "tables, the old labels will no longer count as generalized values."
        )
        with st.container(gap="xsmall"):
            st.warning(plain(" ".join(sentences)), icon=":material/warning:")
            if corrected is not None:
                st.button(
                    plain(f"Use intervals as labels of {visible(column)}"),
                    key=f"use_intervals_{column}",
                    on_click=_replace,
                    args=(state, column, corrected),
                    icon=":material/straighten:",
                    help="Each label becomes the interval from the smallest to the largest value below it. "
                    "The groups stay as they are.",
                )


def _replace(state: Workspace, column: str, hierarchy: Hierarchy) -> None:
    state.hierarchies[column] = hierarchy
    st.toast(plain(f"The hierarchy of {visible(column)} now has intervals as labels."), icon=":material/check:")


def outside_labels(state: Workspace, column: str, hierarchy: Hierarchy) -> dict[str, str]:
    """Values of the loaded table that stand under an interval without them, each with that interval."""
    table = state.loaded_columns.get(column)
    outside = outside_intervals(hierarchy)
    return {value: label for value, label in outside.items() if table is None or value in table[column].code_of}


def _sentences(state: Workspace, column: str, hierarchy: Hierarchy) -> list[str]:
    faults = []
    outside = outside_labels(state, column, hierarchy)
    if outside:
        value, interval = next(iter(outside.items()))
        intervals = (
            "an interval that does not contain it" if len(outside) == 1 else "intervals that do not contain them"
        )
        faults.append(
            f"The hierarchy of {visible(column)} places {pluralize(len(outside), 'value')} under {intervals}, for "
            f"example {visible(value)} under {visible(interval)}: tables generalized by it hold false intervals."
        )
    labels = hierarchy.ambiguous_labels
    if labels:
        example = shortened(visible(labels[-1]), _LABEL)
        faults.append(
            f"The hierarchy of {visible(column)} has {pluralize(len(labels), 'label')} on two levels with different "
            f"meanings, for example {example}. In a table, such a label is read as the more specific value, so "
            "information kept can be overstated; a search reads it on its own level."
        )
    return faults


def _with_intervals(hierarchy: Hierarchy) -> Hierarchy | None:
    """The hierarchy with intervals as labels; None where it cannot be."""
    try:
        return with_intervals(hierarchy)
    except InputError:
        return None
