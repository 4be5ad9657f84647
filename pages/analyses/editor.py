"""The form in which analyses are added, and those that are saved are removed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import streamlit as st

from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.config.analyses import Analysis, Count, Crosstab, Linear, Logistic, Mean
from metrics.errors import InputError, Unavailable
from metrics.formatting import join_names, visible
from metrics.matching.released_values import holds_numbers, plain_numbers
from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import Column
from metrics.texts import text
from metrics.utility.analyses import answer
from metrics.utility.count_queries.queries import query_text, saved_answer

_MAX_VALUES = 200


def edit_analyses(state: Workspace, card: Scorecard, analyses: Mapping[str, Analysis], *, is_saved: bool) -> None:
    """Which analyses there are, and a form for another."""
    with st.expander("Change the analyses", key="edit_analyses", icon=":material/edit:"):
        st.caption(text("analyses.about_saved") if is_saved else text("analyses.about_proposed"))
        kept = st.multiselect(
            "Analyses",
            list(analyses),
            default=list(analyses),
            format_func=visible,
            key=f"kept_analyses_{hash(tuple(analyses))}",
        )
        if kept != list(analyses):
            _save(state, {name: analyses[name] for name in kept})
        _new_analysis(state, card, analyses)
        if is_saved:
            st.button("Use the proposed analyses", on_click=_save, args=(state, {}), kwargs={"rerun": False})


def _save(state: Workspace, analyses: Mapping[str, Analysis], *, rerun: bool = True) -> None:
    state.policy.parameters = replace(state.policy.parameters, analyses=dict(analyses))
    if rerun:
        st.rerun()


def _new_analysis(state: Workspace, card: Scorecard, analyses: Mapping[str, Analysis]) -> None:
    """The kind, its columns, and what is wrong with them."""
    kind = st.selectbox("Add", list(_FORMS), key="analysis_kind")
    given = _FORMS[str(kind)](card)
    if not st.button("Add this analysis", key="add_analysis", disabled=given is None) or given is None:
        return
    name, analysis = given
    if analysis in analyses.values():
        known = next(name for name, each in analyses.items() if each == analysis)
        st.info(plain(text("analyses.known", name=known)))
        return
    while name in analyses:  # another analysis of these columns, such as one by a level
        name = text("analyses.another", name=name)
    try:
        answer(card.aggregates, analysis)
    except (InputError, Unavailable) as error:
        st.error(plain(text("analyses.not_supported", reason=str(error))))
        return
    st.session_state["added_analysis"] = name
    _save(state, {**analyses, name: analysis})


def _columns(card: Scorecard) -> list[str]:
    original, identifiers = card.aggregates.original, card.aggregates.roles.identifiers
    names = () if original is None else original.names
    return [name for name in names if name in card.aggregates.anonymized and name not in identifiers]


def _numbers(card: Scorecard) -> list[str]:
    original = card.aggregates.original
    return [] if original is None else [name for name in _columns(card) if holds_numbers(original[name])]


def _column(label: str, columns: list[str], key: str) -> str | None:
    return st.selectbox(label, columns, index=None, format_func=visible, key=f"analysis_{key}")


def _several(label: str, card: Scorecard, key: str, most: int | None = None) -> list[str]:
    return st.multiselect(label, _columns(card), format_func=visible, max_selections=most, key=f"analysis_{key}")


def _mean(card: Scorecard) -> tuple[str, Analysis] | None:
    number = _column("Mean of", _numbers(card), "number")
    groups = _several("by", card, "groups", most=2)
    if number is None:
        return None
    by = join_names(groups) if groups else text("analyses.everything")
    return text("analyses.proposed.mean", number=number, group=by), Mean(number, groups)


def _crosstab(card: Scorecard) -> tuple[str, Analysis] | None:
    columns = _several("Columns", card, "columns", most=2)
    return (
        (text("analyses.proposed.crosstab", column=columns[0], group=columns[1]), Crosstab(columns))
        if len(columns) == 2
        else None
    )


def _linear(card: Scorecard) -> tuple[str, Analysis] | None:
    outcome, terms = _column("Number to explain", _numbers(card), "outcome"), _several("terms", card, "terms")
    if outcome is None or not terms:
        return None
    return text("analyses.proposed.explained", outcome=outcome, terms=join_names(terms)), Linear(outcome, terms)


def _logistic(card: Scorecard) -> tuple[str, Analysis] | None:
    outcome = _column("Outcome", _columns(card), "event_outcome")
    event = st.multiselect(
        "Values that are the event", _values(card, outcome), format_func=visible, key=f"analysis_event_{outcome}"
    )
    terms = _several("terms", card, "event_terms")
    if outcome is None or not event or not terms:
        return None
    name = text("analyses.proposed.explained", outcome=f"{outcome} {join_names(event)}", terms=join_names(terms))
    return name, Logistic(outcome, event, terms)


def _count(card: Scorecard) -> tuple[str, Analysis] | None:
    original = card.aggregates.original
    where: dict[str, list[str] | list[float]] = {}
    for name in _several("Columns", card, "count_columns", most=3):
        column = None if original is None else original[name]
        if column is not None and holds_numbers(column):
            where[name] = _range(name, column)
        else:
            where[name] = st.multiselect(
                f"Values of {visible(name)}",
                _values(card, name),
                format_func=visible,
                key=f"analysis_values_{name}",
            )
    if not where or not all(where.values()):
        return None
    analysis = Count(where)
    return query_text(saved_answer(card.aggregates, analysis).query), analysis


def _range(name: str, column: Column) -> list[float]:
    numbers = plain_numbers(column)
    ends = [float(np.nanmin(numbers)), float(np.nanmax(numbers))]
    left, right = st.columns(2)
    return [
        float(place.number_input(f"{visible(name)}, {end}", value=value, key=f"analysis_{end}_{name}"))
        for place, end, value in zip((left, right), ("smallest", "largest"), ends, strict=True)
    ]


def _values(card: Scorecard, name: str | None) -> list[str]:
    original = card.aggregates.original
    labels = [] if name is None or original is None else original[name].labels[:_MAX_VALUES]
    return [label for label in labels if label is not None]


_FORMS: Mapping[str, Callable[[Scorecard], tuple[str, Analysis] | None]] = {
    "Mean of a number by groups": _mean,
    "Cross-tabulation of two columns": _crosstab,
    "Linear regression": _linear,
    "Logistic regression": _logistic,
    "Count of records with some values": _count,
}
