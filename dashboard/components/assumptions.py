"""Controls of what the measures assume: the settings of those metrics that have no page of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any

import streamlit as st

from dashboard.session import synced_key
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.aggregates import Aggregates
from metrics.config.parameters import CellReading, Statistic
from metrics.config.population_sizes import REGIONS
from metrics.config.setting_texts import setting_label, setting_meaning
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
            target = "classification_accuracy.target"
            _choice(state, target, "accuracy_target", columns, "the first sensitive attribute")
        with right:
            population_size(state)
        _bias(state, card, columns)


def known_columns(state: Workspace, aggregates: Aggregates) -> None:
    """Pills that choose the columns whose exact values the attacker knows; the parameters of all pages follow."""
    roles, original = aggregates.roles, aggregates.original
    hidden = {*roles.identifiers, *roles.matching.key}
    options = [
        name
        for name in dict.fromkeys((*roles.quasi_identifiers, *aggregates.anonymized.names))
        if name not in hidden and name in aggregates.anonymized and original is not None and name in original
    ]
    current = list(state.parameters_for(aggregates).attack.known or roles.quasi_identifiers)
    st.pills(
        "The attacker knows",
        options,
        selection_mode="multi",
        default=current,
        key=synced_key("attack_known", current),
        format_func=plain,
        wrap=True,
        on_change=_set_known_columns,
        args=(state, options, roles.quasi_identifiers),
        help=setting_meaning("attack.known"),
    )


def _set_known_columns(state: Workspace, options: Sequence[str], quasi_identifiers: Sequence[str]) -> None:
    chosen = set(st.session_state["attack_known"])
    known = () if chosen == set(quasi_identifiers) else tuple(name for name in options if name in chosen)
    state.policy.parameters = state.policy.parameters.with_settings({"attack.known": known})


def others_toggle(state: Workspace) -> None:
    """Whether a sensitive attribute is assessed with the other ones among the quasi-identifiers."""
    current = state.policy.parameters.sensitive.others_as_quasi_identifiers
    setting = "sensitive.others_as_quasi_identifiers"
    st.toggle(
        setting_label(setting),
        value=current,
        key=synced_key("others_as_quasi_identifiers", current),
        on_change=_set_parameter,
        args=(state, setting, "others_as_quasi_identifiers"),
        help=setting_meaning(setting),
    )


def wildcard_toggles(state: Workspace) -> None:
    """Whether a suppressed, or a missing, cell of a quasi-identifier can be any value."""
    with st.container(horizontal=True):
        for name, label in _WILDCARDS.items():
            key = f"wildcard_{name}"
            current = getattr(state.policy.parameters.classes, name) is CellReading.WILDCARD
            st.toggle(
                label,
                value=current,
                key=synced_key(key, current),
                on_change=_set_wildcard,
                args=(state, name, key),
                help=text("assumptions.wildcards_help"),
            )


def _set_wildcard(state: Workspace, name: str, key: str) -> None:
    reading = CellReading.WILDCARD if st.session_state[key] else CellReading.VALUE
    state.policy.parameters = replace(
        state.policy.parameters, classes=replace(state.policy.parameters.classes, **{name: reading})
    )


def population_size(state: Workspace) -> None:
    """The population that the records were drawn from: a number of people, a sampling fraction or a region."""
    current = state.policy.parameters.population_uniqueness
    _choice(
        state,
        "population_uniqueness.country",
        "population_country",
        list(REGIONS),
        "Automatic: sum of the survey weights" if state.chosen_roles().weight else "Automatic: unknown",
    )
    st.number_input(
        "Sampling fraction",
        0.0,
        1.0,
        value=None,
        step=0.01,
        format="%g",
        key=synced_key("sampling_fraction", current.sampling_fraction or None),
        placeholder="unknown",
        on_change=_set_parameter,
        args=(state, "population_uniqueness.sampling_fraction", "sampling_fraction"),
        help=setting_meaning("population_uniqueness.sampling_fraction"),
    )
    st.number_input(
        "Population size (people)",
        0,
        10**11,
        value=None,
        key=synced_key("population_size", current.size or None),
        placeholder="unknown",
        on_change=_set_parameter,
        args=(state, "population_uniqueness.size", "population_size"),
        help=setting_meaning("population_uniqueness.size"),
    )


def _bias(state: Workspace, card: Scorecard, columns: Sequence[str]) -> None:
    """The statistic whose change is the utility bias."""
    current = state.policy.parameters.utility_bias
    st.markdown("**Utility bias**")
    fields = st.columns(4)
    with fields[0]:
        st.selectbox(
            setting_label("utility_bias.statistic"),
            [str(statistic) for statistic in Statistic],
            index=list(Statistic).index(current.statistic),
            key=synced_key("bias_statistic", str(current.statistic)),
            on_change=_set_statistic,
            args=(state,),
            help=setting_meaning("utility_bias.statistic"),
        )
    with fields[1]:
        _choice(state, "utility_bias.column", "bias_column", columns, "all suitable columns")
    with fields[2]:
        if current.statistic is Statistic.CORRELATION:
            _choice(state, "utility_bias.other", "bias_other", columns, "choose one")
        elif current.statistic in _LABELLED:
            table = card.aggregates.original or card.aggregates.anonymized
            labels = (
                [label for label in table[current.column].labels[:_MAX_LABELS] if label]
                if current.column in table
                else []
            )
            _choice(state, "utility_bias.label", "bias_label", labels, "any")
    with fields[3]:
        st.number_input(
            setting_label("utility_bias.bound"),
            0.0,
            value=current.bound,
            format="%g",
            key=synced_key("bias_bound", current.bound),
            on_change=_set_parameter,
            args=(state, "utility_bias.bound", "bias_bound"),
            help=setting_meaning("utility_bias.bound"),
        )


def _choice(state: Workspace, setting: str, key: str, options: Sequence[str], empty_label: str) -> None:
    """A select box for a text parameter: one of the options, or none of them."""
    current = attrgetter(setting)(state.policy.parameters)
    selected = current if current in options else ""
    st.selectbox(
        setting_label(setting),
        ["", *options],
        index=["", *options].index(selected),
        key=synced_key(key, selected),
        format_func=lambda option: visible(option) if option else empty_label,
        on_change=_set_parameter,
        args=(state, setting, key),
        help=setting_meaning(setting),
    )


def _set_statistic(state: Workspace) -> None:
    statistic = Statistic(st.session_state["bias_statistic"])
    bias = replace(state.policy.parameters.utility_bias, statistic=statistic)
    state.policy.parameters = replace(state.policy.parameters, utility_bias=bias)


def _set_parameter(state: Workspace, setting: str, key: str) -> None:
    value: Any = st.session_state[key]
    group, _, name = setting.partition(".")
    current = getattr(state.policy.parameters, group)
    try:
        settings = replace(current, **{name: 0 if value is None else value})
        state.policy.parameters = replace(state.policy.parameters, **{group: settings})
    except InputError as error:
        st.toast(plain(str(error)))
