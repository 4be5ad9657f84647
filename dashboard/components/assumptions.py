"""What the measures assume, on controls: the settings of those metrics that have no page of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from dashboard.session import controlled
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.config.parameters import CellReading, Statistic
from metrics.config.populations import REGIONS
from metrics.errors import InputError
from metrics.scoring.scorecard import Scorecard
from metrics.wording import visible

_LABELLED = {Statistic.COUNT, Statistic.SHARE}
_MAX_LABELS = 1_000
_WILDCARDS = {
    "suppressed_cell": "A suppressed cell (*) can be any value",
    "missing_cell": "A missing cell can be any value",
}


def assumptions(state: Workspace, card: Scorecard) -> None:
    """Everything that can be set, by the question it belongs to."""
    columns = list(dict.fromkeys((*card.aggregates.roles.quasi_identifiers, *card.aggregates.roles.sensitive)))
    with st.expander("Assumptions", icon=":material/tune:"):
        if len(card.aggregates.roles.sensitive) > 1:
            others_toggle(state)
        wildcard_toggles(state)
        left, right = st.columns(2)
        with left:
            risk_threshold(state)
            _choice(
                state,
                "classification_accuracy",
                "target",
                "Column to predict",
                "accuracy_target",
                columns,
                "the first sensitive attribute",
                "For classification accuracy, which is computed on demand.",
            )
        with right:
            population_size(state)
        _bias(state, card, columns)


def others_toggle(state: Workspace) -> None:
    """Whether a sensitive attribute is judged with the other ones among the quasi-identifiers."""
    current = state.parameters.sensitive.others_as_quasi_identifiers
    st.toggle(
        "The other sensitive values of a person are known too",
        value=current,
        key=controlled("others_as_quasi_identifiers", current),
        on_change=_set,
        args=(state, "sensitive", "others_as_quasi_identifiers", "others_as_quasi_identifiers"),
        help="Judges each sensitive attribute within the classes that the others refine, in all diversity, closeness "
        "and likeness measures. P_29 keeps to the quasi-identifiers.",
    )


def wildcard_toggles(state: Workspace) -> None:
    """Whether a suppressed, or a missing, cell of a quasi-identifier can be any value."""
    with st.container(horizontal=True):
        for name, label in _WILDCARDS.items():
            key = f"wildcard_{name}"
            current = getattr(state.parameters.classes, name) is CellReading.WILDCARD
            st.toggle(
                label,
                value=current,
                key=controlled(key, current),
                on_change=_set_wildcard,
                args=(state, name, key),
                help="For k-anonymity and the re-identification risks, which then count every record that is "
                "compatible. By default such a cell is a value of its own, so k is a lower bound.",
            )


def _set_wildcard(state: Workspace, name: str, key: str) -> None:
    reading = CellReading.WILDCARD if st.session_state[key] else CellReading.VALUE
    state.parameters = replace(state.parameters, classes=replace(state.parameters.classes, **{name: reading}))


def risk_threshold(state: Workspace, fragments: Sequence[str] = ()) -> None:
    """The policy's limit on the highest risk, above which a record counts as at risk.

    In a fragment, it names the fragments to be drawn anew.
    """
    current = state.parameters.reidentification_risk.threshold

    def set_limit() -> None:
        """Keep the limit in the policy."""
        state.set_limit("reidentification_risk", float(st.session_state["risk_threshold"]))
        if fragments:
            st.rerun(list(fragments))

    st.slider(
        "Policy: highest risk",
        0.0,
        1.0,
        value=current,
        step=0.01,
        key=controlled("risk_threshold", current),
        on_change=set_limit,
        help="A record is at risk if its re-identification risk exceeds this limit, 0 to 1. It changes the policy, for "
        "every page.",
    )


def population_size(state: Workspace) -> None:
    """The population that the records were drawn from: a number of people, a sampling fraction or a region."""
    current = state.parameters.population_uniqueness
    _choice(
        state,
        "population_uniqueness",
        "country",
        "Population of",
        "population_country",
        list(REGIONS),
        "Automatic: the sum of the survey weights, if a column is chosen",
        "For the estimate of population uniqueness. Without survey weights, choose a region or enter a sampling "
        "fraction or a number of people.",
    )
    st.number_input(
        "Sampling fraction",
        0.0,
        1.0,
        value=current.sampling_fraction,
        step=0.01,
        format="%g",
        key=controlled("sampling_fraction", current.sampling_fraction),
        on_change=_set,
        args=(state, "population_uniqueness", "sampling_fraction", "sampling_fraction"),
        help="The share of the population that is in the table. It replaces the region; 0 leaves it unset.",
    )
    st.number_input(
        "Custom population size",
        0,
        10**11,
        value=current.size,
        key=controlled("population_size", current.size),
        on_change=_set,
        args=(state, "population_uniqueness", "size", "population_size"),
        help="The number of people. It replaces the region and the sampling fraction; 0 leaves it unset.",
    )


def _bias(state: Workspace, card: Scorecard, columns: Sequence[str]) -> None:
    """The statistic whose change is the utility bias."""
    current = state.parameters.utility_bias
    places = st.columns(4)
    with places[0]:
        st.selectbox(
            "Utility bias of the",
            [str(statistic) for statistic in Statistic],
            index=list(Statistic).index(current.statistic),
            key=controlled("bias_statistic", str(current.statistic)),
            on_change=_set_statistic,
            args=(state,),
        )
    with places[1]:
        _choice(state, "utility_bias", "column", "of column", "bias_column", columns, "every one it fits", None)
    with places[2]:
        if current.statistic is Statistic.CORRELATION:
            _choice(state, "utility_bias", "other", "and", "bias_other", columns, "choose one", None)
        elif current.statistic in _LABELLED:
            of = card.aggregates.original or card.aggregates.anonymized
            labels = (
                [label for label in of[current.column].labels[:_MAX_LABELS] if label] if current.column in of else []
            )
            _choice(state, "utility_bias", "label", "with the value", "bias_label", labels, "any", None)
    with places[3]:
        st.number_input(
            "may be at most",
            0.0,
            value=current.bound,
            format="%g",
            key=controlled("bias_bound", current.bound),
            on_change=_set,
            args=(state, "utility_bias", "bound", "bias_bound"),
        )


def _choice(
    state: Workspace,
    group: str,
    name: str,
    label: str,
    key: str,
    options: Sequence[str],
    otherwise: str,
    about: str | None,
) -> None:
    """One text among some, or none of them, for a parameter."""
    current = getattr(getattr(state.parameters, group), name)
    known = current if current in options else ""
    st.selectbox(
        label,
        ["", *options],
        index=["", *options].index(known),
        key=controlled(key, known),
        format_func=lambda option: visible(option) if option else otherwise,
        on_change=_set,
        args=(state, group, name, key),
        help=about,
    )


def _set_statistic(state: Workspace) -> None:
    chosen = Statistic(st.session_state["bias_statistic"])
    bias = replace(state.parameters.utility_bias, statistic=chosen)
    state.parameters = replace(state.parameters, utility_bias=bias)


def _set(state: Workspace, group: str, name: str, key: str) -> None:
    value: Any = st.session_state[key]
    current = getattr(state.parameters, group)
    try:
        changed = replace(current, **{name: getattr(current, name) if value is None else value})
        state.parameters = replace(state.parameters, **{group: changed})
    except InputError as error:
        st.toast(plain(str(error)))
