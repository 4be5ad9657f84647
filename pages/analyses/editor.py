"""The form in which analyses are added, and those that are saved are removed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import numpy as np
import streamlit as st

from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.config.analyses import Analysis, Count, Crosstab, Linear, Logistic, Mean, Term
from metrics.errors import InputError, Unavailable
from metrics.estimates.grouping import MAX_GROUPS
from metrics.estimates.proposals import group_name
from metrics.formatting import join_names, visible
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.matching.released_values import holds_numbers, plain_numbers
from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import Column
from metrics.texts import text
from metrics.utility.analyses import answer
from metrics.utility.count_queries.queries import Answer, query_text

_MAX_VALUES = 200
_FEW_GROUPS = 12
_EXAMPLES = 3
_Columns = Mapping[str, Column]
_Trees = Mapping[str, Hierarchy]
_Named = tuple[str, Analysis]


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
            st.rerun()
        _new_analysis(state, card, analyses)
        if is_saved:
            st.button("Use the proposed analyses", on_click=_save, args=(state, {}))


def _save(state: Workspace, analyses: Mapping[str, Analysis]) -> None:
    state.policy.parameters = replace(state.policy.parameters, analyses=dict(analyses))


def _new_analysis(state: Workspace, card: Scorecard, analyses: Mapping[str, Analysis]) -> None:
    """The kind, its columns, and what is wrong with them."""
    kind = st.selectbox("Add", list(_FORMS), key="analysis_kind")
    given = _FORMS[str(kind)](_columns(card), card.aggregates.hierarchies)
    if not st.button("Add this analysis", key="add_analysis", disabled=given is None) or given is None:
        return
    name, analysis = given
    if analysis in analyses.values():
        known = next(name for name, each in analyses.items() if each == analysis)
        st.info(plain(text("analyses.known", name=known)))
        return
    try:
        found = answer(card.aggregates, analysis)
    except (InputError, Unavailable) as error:
        st.error(plain(text("analyses.not_supported", reason=str(error))))
        return
    if isinstance(found, Answer):
        name = query_text(found.query)
    while name in analyses:  # another analysis of these columns, such as one by a level
        name = text("analyses.another", name=name)
    st.session_state["added_analysis"] = name
    _save(state, {**analyses, name: analysis})
    st.rerun()


def _columns(card: Scorecard) -> dict[str, Column]:
    """The original's columns that are in the release."""
    original, identifiers = card.aggregates.original, card.aggregates.roles.identifiers
    names = [] if original is None else [name for name in original.names if name not in identifiers]
    return {name: original[name] for name in names if original is not None and name in card.aggregates.anonymized}


def _column(label: str, names: Iterable[str], key: str) -> str | None:
    return st.selectbox(label, list(names), index=None, format_func=visible, key=f"analysis_{key}")


def _number(label: str, columns: _Columns, key: str) -> str | None:
    return _column(label, (name for name, column in columns.items() if holds_numbers(column)), key)


def _several(label: str, names: Iterable[str], key: str, most: int | None = None) -> list[str]:
    return st.multiselect(label, list(names), format_func=visible, max_selections=most, key=f"analysis_{key}")


def _groups(label: str, columns: _Columns, trees: _Trees, key: str, most: int | None = None) -> list[Term]:
    """Columns, each by its values or by a level of its hierarchy."""
    return [_term(columns[name], trees.get(name), key) for name in _several(label, columns, key, most)]


def _term(column: Column, tree: Hierarchy | None, key: str) -> Term:
    if tree is None or tree.height < 2:
        return Term(column.name)
    few = (level for level in range(1, tree.height) if len(tree.labels(level)) <= _FEW_GROUPS)
    level = st.selectbox(
        plain(text("analyses.groups_of", column=column.name)),
        range(tree.height),
        index=next(few, 0) if column.distinct > MAX_GROUPS else 0,
        format_func=lambda level: _examples(tree, level),
        key=f"analysis_{key}_level_{column.name}",
    )
    return Term(column.name, level)


def _joined(terms: Iterable[Term]) -> str:
    return join_names([*map(group_name, terms)])


def _examples(tree: Hierarchy, level: int) -> str:
    labels = tree.labels(level)
    return ", ".join([*map(visible, labels[:_EXAMPLES]), *["…"] * (len(labels) > _EXAMPLES)])


def _values(label: str, column: Column | None, key: str) -> list[str]:
    labels = [] if column is None else column.labels[:_MAX_VALUES]
    return _several(label, (value for value in labels if value is not None), key)


def _mean(columns: _Columns, trees: _Trees) -> _Named | None:
    number, groups = _number("Mean of", columns, "number"), _groups("by", columns, trees, "groups", most=2)
    if number is None:
        return None
    by = _joined(groups) if groups else text("analyses.everything")
    return text("analyses.proposed.mean", number=number, group=by), Mean(number, groups)


def _crosstab(columns: _Columns, trees: _Trees) -> _Named | None:
    chosen = _groups("Columns", columns, trees, "columns", most=2)
    if len(chosen) < 2:
        return None
    first, second = map(group_name, chosen)
    return text("analyses.proposed.crosstab", column=first, group=second), Crosstab(chosen)


def _linear(columns: _Columns, trees: _Trees) -> _Named | None:
    outcome, terms = _number("Number to explain", columns, "outcome"), _groups("explained by", columns, trees, "terms")
    if outcome is None or not terms:
        return None
    return text("analyses.proposed.explained", outcome=outcome, terms=_joined(terms)), Linear(outcome, terms)


def _logistic(columns: _Columns, trees: _Trees) -> _Named | None:
    outcome = _column("Outcome", columns, "event_outcome")
    event = _values("Values that are the event", columns.get(outcome or ""), f"event_{outcome}")
    terms = _groups("explained by", columns, trees, "event_terms")
    if outcome is None or not event or not terms:
        return None
    name = text(
        "analyses.proposed.explained",
        outcome=f"{outcome} {join_names(event)}",
        terms=_joined(terms),
    )
    return name, Logistic(outcome, event, terms)


def _count(columns: _Columns, _: _Trees) -> _Named | None:
    """A count, which is named by what it asks for."""
    where = {
        name: _range(name, columns[name])
        if holds_numbers(columns[name])
        else _values(f"Values of {visible(name)}", columns[name], f"values_{name}")
        for name in _several("Columns", columns, "count_columns", most=3)
    }
    return ("", Count(where)) if where and all(where.values()) else None


def _range(name: str, column: Column) -> list[float]:
    numbers = plain_numbers(column)
    ends = {"smallest": np.nanmin(numbers), "largest": np.nanmax(numbers)}
    return [
        place.number_input(f"{visible(name)}, {end}", value=float(value), key=f"analysis_{end}_{name}")
        for place, (end, value) in zip(st.columns(2), ends.items(), strict=True)
    ]


_FORMS: Mapping[str, Callable[[_Columns, _Trees], _Named | None]] = {
    "Mean of a number by groups": _mean,
    "Cross-tabulation of two columns": _crosstab,
    "Linear regression": _linear,
    "Logistic regression": _logistic,
    "Count of records with some values": _count,
}
