"""Labels of a hierarchy that mislead whoever reads a table with them, and the buttons that replace and restore them."""

from __future__ import annotations

import streamlit as st

from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.errors import InputError
from metrics.formatting import join_names, pluralize, shortened, visible
from metrics.hierarchies.builders import with_intervals
from metrics.hierarchies.domain import outside_intervals
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.tables.table import SUPPRESSED

_LABEL = 18
_REPLACED = "hierarchies_replaced"
"""Key of the hierarchies whose labels were replaced here: by column the new one and the former one."""


def hierarchy_faults(state: Workspace) -> None:
    """Show what misleads in the labels of each hierarchy, with a button where it can be corrected."""
    for column, hierarchy in list(state.hierarchies.items()):
        sentences = _sentences(state, column, hierarchy)
        if not sentences:
            _offer_undo(state, column, hierarchy)
            continue
        corrected = _with_intervals(hierarchy)
        tables = [] if corrected is None else _tables_with_labels(state, column, hierarchy, corrected)
        made_here = _made_here(state, tables)
        if corrected is None:
            sentences.append("Correct the hierarchy on the Data page before you generalize by it.")
        elif made_here:
            was, it = ("was", "it") if len(made_here) == 1 else ("were", "them")
            sentences.append(
                f"{_names(made_here)} {was} made with these labels; remove {it} to replace the labels by intervals."
            )
        else:
            sentences.append(
                f"Replace the labels by the ranges of their values, such as {visible(corrected.rows[0][1])}."
            )
            if tables:
                it = "it" if len(tables) == 1 else "them"
                sentences.append(
                    f"{_names(tables)} may then have other figures of {visible(column)}, or none; keep the labels if "
                    f"this hierarchy was used to make {it}."
                )
        with st.container(gap="xsmall"):
            st.warning(plain(" ".join(sentences)), icon=":material/warning:")
            if corrected is not None and not made_here:
                st.button(
                    plain(f"Replace the labels of {visible(column)}"),
                    key=f"use_intervals_{column}",
                    on_click=_replace,
                    args=(state, column, corrected),
                    icon=":material/straighten:",
                    help="Each label becomes the interval from the smallest to the largest value below it. "
                    "The groups stay as they are.",
                )


def _tables_with_labels(state: Workspace, column: str, hierarchy: Hierarchy, corrected: Hierarchy) -> list[str]:
    """The anonymized tables most of whose labels would be read otherwise by the corrected hierarchy.

    Where fewer are, the table was hardly made with the hierarchy: its labels are values that happen to be labels, too.
    """
    changed = {label for label, n_leaves in hierarchy.coverage.items() if corrected.coverage.get(label) != n_leaves}
    return [
        name
        for name, loaded in state.tables.versions.items()
        if column in loaded.table
        and (labels := set(loaded.table[column].labels) - {None, SUPPRESSED})
        and 2 * len(changed & labels) > len(labels)
        and state.levels_of(name).get(column) != 0  # its labels are values, whatever stands above them
    ]


def _made_here(state: Workspace, labels: list[str]) -> list[str]:
    """Those of the tables that were made of the original in this session: how their labels are meant is known."""
    return [label for label in labels if state.recipe_of(label) is not None and state.source_of(label) is None]


def _names(labels: list[str]) -> str:
    return join_names([visible(label) for label in labels])


def _offer_undo(state: Workspace, column: str, hierarchy: Hierarchy) -> None:
    """Where the labels were replaced by intervals, say so, with a button that restores them."""
    new, former = st.session_state.get(_REPLACED, {}).get(column, (None, None))
    if new is not hierarchy or _made_here(state, _tables_with_labels(state, column, hierarchy, former)):
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(plain(f"The hierarchy of {visible(column)} has intervals as labels."), width="content")
        st.button(
            "Undo",
            key=f"undo_intervals_{column}",
            on_click=_replace,
            args=(state, column, former),
            type="tertiary",
            icon=":material/undo:",
        )


def _replace(state: Workspace, column: str, hierarchy: Hierarchy) -> None:
    """Use another hierarchy, on the whole page: values and a search beside the button depend on it."""
    st.session_state.setdefault(_REPLACED, {})[column] = hierarchy, state.hierarchies[column]
    state.hierarchies[column] = hierarchy
    st.rerun()


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
        levels = [[row[level] for row in hierarchy.rows] for level in range(hierarchy.height + 1)]
        sizes = [level.count(labels[-1]) for level in levels if labels[-1] in level]
        faults.append(
            f"The hierarchy of {visible(column)} has {pluralize(len(labels), 'label')} with two meanings: "
            f"{shortened(visible(labels[-1]), _LABEL)} stands for {pluralize(sizes[0], 'value')} or for {sizes[-1]:,}. "
            "In a table, such a label is read as the former, so information kept can be overstated; where Explore "
            "generalizes by levels, it knows which is meant, and its figures are exact."
        )
    return faults


def _with_intervals(hierarchy: Hierarchy) -> Hierarchy | None:
    """The hierarchy with intervals as labels; None where it cannot be."""
    try:
        return with_intervals(hierarchy)
    except InputError:
        return None
