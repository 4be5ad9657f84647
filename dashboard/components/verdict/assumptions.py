"""Controls of what the measures assume: the settings of those metrics that have no page of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from dashboard.components.policy_panel import slider_label
from dashboard.session import controlled
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.config.parameters import CellReading, Statistic
from metrics.config.population_sizes import REGIONS
from metrics.errors import InputError
from metrics.formatting import visible
from metrics.scoring.scorecard import Scorecard
from metrics.texts import text

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
                text("classification_accuracy.target_help"),
            )
        with right:
            population_size(state)
        _bias(state, card, columns)


def others_toggle(state: Workspace) -> None:
    """Whether a sensitive attribute is assessed with the other ones among the quasi-identifiers."""
    current = state.parameters.sensitive.others_as_quasi_identifiers
    st.toggle(
        "The attacker also knows the other sensitive attributes",
        value=current,
        key=controlled("others_as_quasi_identifiers", current),
        on_change=_set_parameter,
        args=(state, "sensitive", "others_as_quasi_identifiers", "others_as_quasi_identifiers"),
        help=text("assumptions.other_sensitive_help"),
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
                help=text("assumptions.wildcards_help"),
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
        limit = float(st.session_state["risk_threshold"])
        state.set_limit("reidentification_risk", limit if limit < 1 else None)
        if fragments:
            st.rerun(list(fragments))

    st.slider(
        slider_label(state, "highest risk", "reidentification_risk"),
        0.0,
        1.0,
        value=current,
        step=0.01,
        format="percent",
        key=controlled("risk_threshold", current),
        on_change=set_limit,
        help=text("reidentification_risk.threshold_help"),
    )


def population_size(state: Workspace) -> None:
    """The population that the records were drawn from: a number of people, a sampling fraction or a region."""
    current = state.parameters.population_uniqueness
    _choice(
        state,
        "population_uniqueness",
        "country",
        "Population region",
        "population_country",
        list(REGIONS),
        "Automatic: sum of the survey weights" if state.chosen_roles().weight else "Automatic: unknown",
        text("population_uniqueness.region_help"),
    )
    st.number_input(
        "Sampling fraction",
        0.0,
        1.0,
        value=None,
        step=0.01,
        format="%g",
        key=controlled("sampling_fraction", current.sampling_fraction or None),
        placeholder="unknown",
        on_change=_set_parameter,
        args=(state, "population_uniqueness", "sampling_fraction", "sampling_fraction"),
        help=text("population_uniqueness.fraction_help"),
    )
    st.number_input(
        "Population size (people)",
        0,
        10**11,
        value=None,
        key=controlled("population_size", current.size or None),
        placeholder="unknown",
        on_change=_set_parameter,
        args=(state, "population_uniqueness", "size", "population_size"),
        help=text("population_uniqueness.size_help"),
    )


def _bias(state: Workspace, card: Scorecard, columns: Sequence[str]) -> None:
    """The statistic whose change is the utility bias."""
    current = state.parameters.utility_bias
    st.markdown("**Utility bias**")
    fields = st.columns(4)
    with fields[0]:
        st.selectbox(
            "Statistic",
            [str(statistic) for statistic in Statistic],
            index=list(Statistic).index(current.statistic),
            key=controlled("bias_statistic", str(current.statistic)),
            on_change=_set_statistic,
            args=(state,),
            help=text("utility_bias.statistic_help"),
        )
    with fields[1]:
        help_text = text("utility_bias.column_help")
        _choice(state, "utility_bias", "column", "Column", "bias_column", columns, "all suitable columns", help_text)
    with fields[2]:
        if current.statistic is Statistic.CORRELATION:
            _choice(state, "utility_bias", "other", "Second column", "bias_other", columns, "choose one", None)
        elif current.statistic in _LABELLED:
            table = card.aggregates.original or card.aggregates.anonymized
            labels = (
                [label for label in table[current.column].labels[:_MAX_LABELS] if label]
                if current.column in table
                else []
            )
            _choice(state, "utility_bias", "label", "Value", "bias_label", labels, "any", None)
    with fields[3]:
        st.number_input(
            "Largest acceptable bias",
            0.0,
            value=current.bound,
            format="%g",
            key=controlled("bias_bound", current.bound),
            on_change=_set_parameter,
            args=(state, "utility_bias", "bound", "bias_bound"),
            help=text("utility_bias.bound_help"),
        )


def _choice(
    state: Workspace,
    group: str,
    name: str,
    label: str,
    key: str,
    options: Sequence[str],
    empty_label: str,
    help_text: str | None,
) -> None:
    """A select box for a text parameter: one of the options, or none of them."""
    current = getattr(getattr(state.parameters, group), name)
    selected = current if current in options else ""
    st.selectbox(
        label,
        ["", *options],
        index=["", *options].index(selected),
        key=controlled(key, selected),
        format_func=lambda option: visible(option) if option else empty_label,
        on_change=_set_parameter,
        args=(state, group, name, key),
        help=help_text,
    )


def _set_statistic(state: Workspace) -> None:
    statistic = Statistic(st.session_state["bias_statistic"])
    bias = replace(state.parameters.utility_bias, statistic=statistic)
    state.parameters = replace(state.parameters, utility_bias=bias)


def _set_parameter(state: Workspace, group: str, name: str, key: str) -> None:
    value: Any = st.session_state[key]
    current = getattr(state.parameters, group)
    try:
        settings = replace(current, **{name: 0 if value is None else value})
        state.parameters = replace(state.parameters, **{group: settings})
    except InputError as error:
        st.toast(plain(str(error)))
