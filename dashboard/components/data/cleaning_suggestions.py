"""Values and columns that seem to mean the same in two tables: offered, and taken back as easily."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from weakref import ReferenceType, WeakKeyDictionary, ref

import pandas as pd
import streamlit as st

from dashboard.components.figure import data_table
from dashboard.loading import LoadedTable
from dashboard.text import plain
from dashboard.workspace import LOADING, Slot, Workspace
from metrics.errors import InputError
from metrics.formatting import pluralize, visible
from metrics.matching.similar_values import (
    Pair,
    Rename,
    like_hierarchy,
    like_original,
    renamed_columns,
    uncompared,
    whole_numbers,
)

_SHOWN = 100
_FOUND: WeakKeyDictionary[LoadedTable, tuple[ReferenceType[LoadedTable], dict[str, list[Pair]]]] = WeakKeyDictionary()
"""The values of each candidate that an original has in another form: compared once, dropped with the table."""


@dataclass(frozen=True)
class CleaningSuggestion:
    """Values of one column of a table that another place has in another form; `place` says which."""

    column: str
    pairs: list[Pair]
    place: str
    whole_numbers: bool = False
    """Whether the values are the original's whole numbers, written with decimals of zeros."""


def cleaning_suggestions(state: Workspace) -> None:
    """Offer what can be taken as the same in the loaded tables, one button per column; and show what was taken so."""
    for slot, label, loaded in list(state.tables()):
        for number, rename in enumerate(_renames(state, slot, loaded)):
            _rename(state, slot, label, rename, number)
        for number, suggestion in enumerate(_values(state, slot, loaded)):
            _suggestion(state, slot, label, suggestion, number)
        _uncompared_columns(state, slot, label, loaded)
        _accepted_suggestions(state, slot, label, loaded)


def _renames(state: Workspace, slot: Slot, loaded: LoadedTable) -> list[Rename]:
    if slot is not Slot.ANONYMIZED or state.original is None:
        return []
    return renamed_columns(state.original.table, loaded.table)


def _values(state: Workspace, slot: Slot, loaded: LoadedTable) -> Iterator[CleaningSuggestion]:
    suggestions: dict[str, CleaningSuggestion] = {}
    if slot is Slot.ANONYMIZED and state.original is not None:
        original = f"the original {state.original.name}"
        for column, pairs in whole_numbers(state.original.table, loaded.table).items():
            suggestions[column] = CleaningSuggestion(column, pairs, original, whole_numbers=True)
        for column, pairs in _like_original(state.original, loaded).items():
            suggestions.setdefault(column, CleaningSuggestion(column, pairs, original))
    for column, hierarchy in state.hierarchies.items():
        if column not in suggestions and column in loaded.table:
            pairs = like_hierarchy(loaded.table[column], hierarchy)
            if pairs:
                suggestions[column] = CleaningSuggestion(column, pairs, f"the hierarchy {hierarchy.name}")
    yield from suggestions.values()


def _like_original(original: LoadedTable, candidate: LoadedTable) -> dict[str, list[Pair]]:
    cached = _FOUND.get(candidate)
    if cached is None or cached[0]() is not original:
        cached = _FOUND[candidate] = ref(original), like_original(original.table, candidate.table)
    return cached[1]


def _rename(state: Workspace, slot: Slot, label: str, rename: Rename, number: int) -> None:
    with st.container(border=True):
        st.markdown(
            f"**{plain(label)}**: its column “{plain(rename.column)}” may be the original's “{plain(rename.target)}” "
            f"({rename.reason})."
        )
        if st.button("Rename the column", key=f"rename_{slot.value}_{label}_{number}"):
            _accept(state, slot, label, renamed=((rename.column, rename.target),))


def _suggestion(state: Workspace, slot: Slot, label: str, suggestion: CleaningSuggestion, number: int) -> None:
    reasons = " and ".join(sorted({pair.reason for pair in suggestion.pairs}))
    with st.container(border=True):
        st.markdown(f"**{plain(label)}**, column “{plain(suggestion.column)}”: {_finding(suggestion, reasons)}")
        with st.expander("Show the values"):
            values = pd.DataFrame(
                [[visible(pair.value), visible(pair.target), pair.reason] for pair in suggestion.pairs[:_SHOWN]],
                columns=pd.Index(["here", "there", "differs in"]),
            )
            data_table(values, f"Values of {suggestion.column} that differ in form alone")
        accept = "Read the column as integers" if suggestion.whole_numbers else "Treat them as equal"
        if st.button(accept, key=f"same_{slot.value}_{label}_{number}"):
            pairs = tuple((suggestion.column, pair.value, pair.target) for pair in suggestion.pairs)
            _accept(state, slot, label, same_values=pairs)


def _finding(suggestion: CleaningSuggestion, reasons: str) -> str:
    values = pluralize(len(suggestion.pairs), "value")
    if suggestion.whole_numbers:
        return (
            f"{values} are whole numbers of {plain(suggestion.place)} written with decimals, such as 34.0 for 34. "
            "Measures of loss treat them as equal; equivalence classes keep them apart if a column has both forms."
        )
    return (
        f"{values} differ from those of {plain(suggestion.place)} only in {reasons}. They count as different unless "
        "you treat them as equal."
    )


def _uncompared_columns(state: Workspace, slot: Slot, label: str, loaded: LoadedTable) -> None:
    if slot is not Slot.ANONYMIZED or state.original is None:
        return
    for column in uncompared(state.original.table, loaded.table):
        st.caption(
            f"{plain(label)}, column “{plain(column)}”: too many values to look for those that differ from the "
            "original's only in form."
        )


def _accept(state: Workspace, slot: Slot, label: str, **choices: tuple[tuple[str, ...], ...]) -> None:
    try:
        state.accept(slot, label, **choices)
    except InputError as error:
        state.messages[LOADING] = [str(error)]
    st.rerun()


def _accepted_suggestions(state: Workspace, slot: Slot, label: str, loaded: LoadedTable) -> None:
    n_values, n_renamed = len(loaded.options.same_values), len(loaded.options.renamed)
    if not n_values and not n_renamed:
        return
    left, right = st.columns([4, 1], vertical_alignment="center")
    accepted = [f"{pluralize(n_values, 'value')} treated as equal"] if n_values else []
    accepted += [f"{pluralize(n_renamed, 'column')} renamed"] if n_renamed else []
    left.caption(f"{plain(label)}, accepted: {', '.join(accepted)}. The settings file lists them.")
    if right.button("Undo", key=f"take_back_{slot.value}_{label}", width="stretch"):
        state.read_again(slot, label, replace(loaded.options, same_values=(), renamed=()))
        st.rerun()
