"""The form in which analyses are added, changed and removed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import streamlit as st
from numpy import nanmax, nanmin

from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.aggregates import Aggregates
from metrics.config.analyses import Analysis, Count, Crosstab, Linear, Logistic, Mean, Term
from metrics.errors import InputError, Unavailable
from metrics.estimates.grouping import MAX_GROUPS, value_groups
from metrics.estimates.proposals import group_name
from metrics.formatting import join_names, visible
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.matching.released_values import holds_numbers, plain_numbers
from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import Column
from metrics.tables.values import parse_numbers
from metrics.texts import text
from metrics.utility.analyses import answer
from metrics.utility.count_queries.queries import query_text, saved_answer

_FEW_GROUPS = 12
_EXAMPLES = 3
_LISTED = 1_000
_Names = Iterable[str]


def edit_analyses(state: Workspace, card: Scorecard, analyses: Mapping[str, Analysis], *, is_saved: bool) -> None:
    """Which analyses there are, and a form for another or for one of them."""
    with st.expander("Change the analyses", key="edit_analyses", icon=":material/edit:"):
        st.caption(text("analyses.about_saved") if is_saved else text("analyses.about_proposed"))
        names, key = list(analyses), f"kept_analyses_{hash(tuple(analyses))}"
        kept = st.multiselect("Analyses", names, names, format_func=visible, key=key)
        if kept != names:
            _save(state, {name: analyses[name] for name in kept})
            st.rerun()
        _one_analysis(state, card.aggregates, analyses)
        if is_saved:
            st.button("Use the proposed analyses", on_click=_save, args=(state, {}))


def _save(state: Workspace, analyses: Mapping[str, Analysis]) -> None:
    for key in [str(key) for key in st.session_state]:
        if key.startswith("analysis_") and "_of_" in key:  # of one that existed, which the form shows as it is now
            del st.session_state[key]
    state.policy.parameters = replace(state.policy.parameters, analyses=dict(analyses))


def _one_analysis(state: Workspace, aggregates: Aggregates, analyses: Mapping[str, Analysis]) -> None:
    """A new analysis or one that exists: its columns, and what is wrong with them."""
    choices = {(kind, ""): label for kind, (label, _) in _KINDS.items()}
    choices |= {(each.kind, name): f"Edit: {visible(name)}" for name, each in analyses.items()}
    kind, old = st.selectbox("Add or edit", list(choices), format_func=choices.__getitem__, key="analysis_kind")
    others = {name: each for name, each in analyses.items() if name != old}
    try:
        form = _Form(aggregates, old, analyses.get(old))
        analysis = _KINDS[kind][1](form)
        name, analysis = ("", None) if analysis is None else form.with_options(analysis)
        label = "Save this analysis" if old else "Add this analysis"
        if not st.button(label, key="add_analysis", disabled=analysis is None) or analysis is None:
            return
        if known := next((name for name, each in others.items() if each == analysis), ""):
            st.info(plain(text("analyses.known", name=known)))
            return
        answer(aggregates, analysis)
    except (InputError, Unavailable) as error:
        st.error(plain(text("analyses.not_supported", reason=str(error))))
        return
    while name in others:  # another analysis of these columns, such as one by a level
        name = text("analyses.another", name=name)
    renamed = {name if each == old else each: known for each, known in analyses.items()}
    st.session_state["added_analysis"] = name
    _save(state, {**renamed, name: analysis})
    st.rerun()


def _name(aggregates: Aggregates, analysis: Analysis) -> str:
    """What an analysis is called that nobody has named: after its columns, a count after what it asks for."""
    if isinstance(analysis, Count):
        with suppress(Unavailable):
            return query_text(saved_answer(aggregates, analysis).query)
    groups = [*map(group_name, analysis.terms_of_all)] or [text("analyses.everything")]
    if isinstance(analysis, Mean):
        return text("analyses.proposed.mean", number=analysis.number, group=join_names(groups))
    if isinstance(analysis, Linear | Logistic):
        event = f" {join_names([*analysis.event])}" if isinstance(analysis, Logistic) else ""
        outcome = f"{analysis.outcome}{event}"
        return text("analyses.proposed.explained", outcome=outcome, terms=join_names(groups))
    return join_names(groups)


@dataclass(frozen=True)
class _Form:
    """The controls for an analysis: empty, or as one that exists has them."""

    aggregates: Aggregates
    old: str
    known: Analysis | None

    @cached_property
    def columns(self) -> dict[str, Column]:
        """The original's columns, without identifiers unless the analysis is about one."""
        original, named = self.aggregates.original, () if self.known is None else self.known.column_names
        hidden = {*self.aggregates.roles.identifiers} - {*named}
        return {} if original is None else {name: original[name] for name in original.names if name not in hidden}

    @cached_property
    def numbers(self) -> list[str]:
        """The columns of numbers."""
        return [name for name, column in self.columns.items() if holds_numbers(column)]

    def given(self, field: str, empty: Any = None) -> Any:
        """What the analysis that exists says."""
        return getattr(self.known, field, empty)

    def key(self, field: str) -> str:
        return f"analysis_{field}_of_{self.old}" if self.old else f"analysis_{field}"

    def one(self, label: str, field: str, names: _Names, given: str = "", hint: str | None = None) -> str | None:
        options, given = [*names], given or self.given(field)
        index = options.index(given) if given in options else None
        return st.selectbox(label, options, index, format_func=visible, key=self.key(field), placeholder=hint)

    def several(self, label: str, field: str, names: _Names, given: _Names, most: int | None = None) -> list[str]:
        options = dict.fromkeys(names)
        default = [name for name in given if name in options]
        return st.multiselect(label, [*options], default, format_func=visible, max_selections=most, key=self.key(field))

    def terms(self, label: str, field: str, most: int | None = None) -> list[Term]:
        """Columns, each by its values or by a level of its hierarchy."""
        known: dict[str, list[Term]] = {}
        for term in self.given(field, ()):
            known.setdefault(term.column, []).append(term)
        chosen = self.several(label, field, self.columns, known, most)
        return [term for name in chosen for term in self._groups(name, field, known.get(name, []))]

    def _groups(self, name: str, field: str, known: list[Term]) -> list[Term]:
        """What is made of a column: as it stands where it is a number and groups, say, which the form cannot show."""
        column, tree, (term, *_) = self.columns[name], self.aggregates.hierarchies.get(name), [*known, Term(name)]
        if len(known) > 1 or tree is None or tree.height < max(2, term.level + 1):
            return known or [term]
        is_number = field == "terms" and self.is_number(replace(term, level=0))
        few = (level for level in range(1, tree.height) if len(tree.labels(level)) <= _FEW_GROUPS)
        level = st.selectbox(
            plain(text("analyses.groups_of", column=name)),
            range(tree.height),
            index=term.level if known or is_number or column.distinct <= MAX_GROUPS else next(few, 0),
            format_func=lambda level: "None: the number itself" if is_number and not level else _examples(tree, level),
            key=self.key(f"{field}_level_{name}"),
        )
        return [replace(term, level=level)]

    def is_number(self, term: Term) -> bool:
        """Whether a term of a regression is a number."""
        return not term.level and not term.groups and term.column in self.numbers

    def values(self, label: str, column: Column, given: _Names) -> list[str]:
        """Values of a column, in reading order; of very many, which would hold the browser up, others can be typed."""
        labels = [value for code in column.order if (value := column.labels[code])]
        if len(labels) <= _LISTED:
            return self.several(label, f"values_{column.name}", labels, given)
        label = text("analyses.type_others", label=label, listed=_LISTED, values=len(labels))
        known, key = [value for value in given if value in column.code_of], self.key(f"values_{column.name}")
        options = [*dict.fromkeys([*known, *labels[:_LISTED]])]
        return st.multiselect(label, options, known, format_func=visible, key=key, accept_new_options=True)

    def with_options(self, analysis: Analysis) -> tuple[str, Analysis]:
        """The name of an analysis, and the analysis with what it may say besides."""
        automatic = _name(self.aggregates, analysis)
        own = "" if self.known is None or self.old == _name(self.aggregates, self.known) else self.old
        terms: dict[str, Any] = {}
        with st.expander("Options"):
            if isinstance(analysis, Linear | Logistic):
                terms = {"terms": self._compared(analysis.terms_of_all)}
            weight = self.one("Weights of the records", "weight", self.numbers, hint="None")
            name = st.text_input("Name", own, placeholder=automatic, key=self.key("name"))
        return name.strip() or automatic, replace(analysis, weight=weight, **terms)

    def _compared(self, terms: Sequence[Term]) -> list[Term]:
        """The terms of a regression, with which of them count and what their groups are compared with."""
        columns = [term.column for term in terms]
        once = {term.column: term for term in terms if columns.count(term.column) == 1}
        adjusted = (name for name, term in once.items() if term.control)
        control = self.several("Only to adjust for (estimates do not count)", "control", once, adjusted)
        for name, term in once.items():
            label, reference = plain(text("analyses.compared_with", column=name)), None
            if not self.is_number(term):
                groups = filter(None, value_groups(self.aggregates, term)[1])
                reference = self.one(label, f"reference_{name}", groups, term.reference or "", "The most frequent")
            once[name] = replace(term, control=name in control, reference=reference)
        return [once.get(term.column, term) for term in terms]


def _examples(tree: Hierarchy, level: int) -> str:
    labels = tree.labels(level)
    return ", ".join([*map(visible, labels[:_EXAMPLES]), *["…"] * (len(labels) > _EXAMPLES)])


def _mean(form: _Form) -> Mean | None:
    number, groups = form.one("Mean of", "number", form.numbers), form.terms("by", "by", most=2)
    return None if number is None else Mean(number, groups)


def _crosstab(form: _Form) -> Crosstab | None:
    columns = form.terms("Columns", "columns", most=2)
    return Crosstab(columns) if len(columns) == 2 else None


def _linear(form: _Form) -> Linear | None:
    outcome = form.one("Number to explain", "outcome", form.numbers)
    terms = form.terms("explained by", "terms")
    return None if outcome is None or not terms else Linear(outcome, terms)


def _logistic(form: _Form) -> Logistic | None:
    outcome = form.one("Outcome", "outcome", form.columns)
    column = form.columns.get(outcome or "")
    event = column and form.values("Values that are the event", column, form.given("event", ()))
    terms = form.terms("explained by", "terms")
    return Logistic(outcome, event, terms) if outcome and event and terms else None


def _count(form: _Form) -> Count | None:
    known: Mapping[str, Sequence[str]] = form.given("where", {})
    chosen = form.several("Columns", "where", form.columns, known, most=max(3, len(known)))
    where = {name: _asked(form, form.columns[name], known.get(name, ())) for name in chosen}
    return Count(where) if where and all(where.values()) else None


def _asked(form: _Form, column: Column, known: Sequence[str]) -> list[str]:
    """The ends of a range of numbers, or values."""
    name, ends = plain(column.name), parse_numbers(known, column.decimal) if known else plain_numbers(column)
    if column.name not in form.numbers or ends is None or len(known) not in (0, 2):
        return form.values(f"Values of {name}", column, known)
    asked = [
        place.number_input(f"{name}, {end}", value=float(value), format="%g", key=form.key(f"{end}_{column.name}"))
        for place, end, value in zip(st.columns(2), ("smallest", "largest"), (nanmin(ends), nanmax(ends)), strict=True)
    ]
    return [f"{value:.15g}".replace(".", column.decimal) for value in asked]


_KINDS: Mapping[str, tuple[str, Callable[[_Form], Analysis | None]]] = {
    "mean": ("Mean of a number by groups", _mean),
    "crosstab": ("Cross-tabulation of two columns", _crosstab),
    "linear": ("Linear regression", _linear),
    "logistic": ("Logistic regression", _logistic),
    "count": ("Count of records with some values", _count),
}
