"""Controls of what the measures assume: the settings of those metrics that have no page of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Any

import streamlit as st

from dashboard.session import bound
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.aggregates import Aggregates
from metrics.config.parameters import CellReading, LearningModel, Statistic
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
    current = list(state.policy.parameters_for(aggregates).attack.known or roles.quasi_identifiers)
    st.pills(
        "The attacker knows",
        options,
        selection_mode="multi",
        default=current,
        format_func=plain,
        wrap=True,
        help=setting_meaning("attack.known"),
        **bound("attack_known", current, partial(_set_known_columns, state, options, roles.quasi_identifiers)),
    )


def _set_known_columns(
    state: Workspace, options: Sequence[str], quasi_identifiers: Sequence[str], chosen: Sequence[str]
) -> None:
    known = () if set(chosen) == set(quasi_identifiers) else tuple(name for name in options if name in chosen)
    state.policy.parameters = state.policy.parameters.with_settings({"attack.known": known})


def learning_model(state: Workspace) -> None:
    """A choice of the model of the learning attack."""
    setting = "learning_attack.model"
    current = str(state.policy.parameters.learning_attack.model)

    def choose(model: str) -> None:
        state.policy.parameters = state.policy.parameters.with_settings({setting: model})

    st.segmented_control(
        setting_label(setting),
        [str(model) for model in LearningModel],
        default=current,
        format_func=lambda model: model.replace("_bayes", " Bayes").replace("_", " "),
        help=setting_meaning(setting),
        required=True,
        **bound("learning_model", current, choose),
    )


def others_toggle(state: Workspace) -> None:
    """Whether a sensitive attribute is assessed with the other ones among the quasi-identifiers."""
    current = state.policy.parameters.sensitive.others_as_quasi_identifiers
    setting = "sensitive.others_as_quasi_identifiers"
    st.toggle(setting_label(setting), value=current, **_setting(state, setting, "others_as_quasi_identifiers", current))


def wildcard_toggles(state: Workspace) -> None:
    """Whether a suppressed, or a missing, cell of a quasi-identifier can be any value."""
    with st.container(horizontal=True):
        for name, label in _WILDCARDS.items():
            current = getattr(state.policy.parameters.classes, name) is CellReading.WILDCARD
            st.toggle(
                label,
                value=current,
                help=text("assumptions.wildcards_help"),
                **bound(f"wildcard_{name}", current, partial(_set_wildcard, state, name)),
            )


def _set_wildcard(state: Workspace, name: str, is_wildcard: bool) -> None:
    reading = CellReading.WILDCARD if is_wildcard else CellReading.VALUE
    classes = replace(state.policy.parameters.classes, **{name: reading})
    state.policy.parameters = replace(state.policy.parameters, classes=classes)


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
        placeholder="unknown",
        **_setting(
            state, "population_uniqueness.sampling_fraction", "sampling_fraction", current.sampling_fraction or None
        ),
    )
    st.number_input(
        "Population size (people)",
        0,
        10**11,
        value=None,
        placeholder="unknown",
        **_setting(state, "population_uniqueness.size", "population_size", current.size or None),
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
            help=setting_meaning("utility_bias.statistic"),
            **bound("bias_statistic", str(current.statistic), partial(_set_statistic, state)),
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
            **_setting(state, "utility_bias.bound", "bias_bound", current.bound),
        )


def _choice(state: Workspace, setting: str, key: str, options: Sequence[str], empty_label: str) -> None:
    """A select box for a text parameter: one of the options, or none of them."""
    current = attrgetter(setting)(state.policy.parameters)
    selected = current if current in options else ""
    st.selectbox(
        setting_label(setting),
        ["", *options],
        index=["", *options].index(selected),
        format_func=lambda option: visible(option) if option else empty_label,
        **_setting(state, setting, key, selected),
    )


def _set_statistic(state: Workspace, statistic: str) -> None:
    bias = replace(state.policy.parameters.utility_bias, statistic=Statistic(statistic))
    state.policy.parameters = replace(state.policy.parameters, utility_bias=bias)


def _setting(state: Workspace, setting: str, key: str, shown: Any) -> dict[str, Any]:
    """The key, callback and help of a control that shows a setting of the parameters."""

    def store(value: Any) -> None:
        """Keep the value; an empty field means 0."""
        group, _, name = setting.partition(".")
        try:
            settings = replace(getattr(state.policy.parameters, group), **{name: 0 if value is None else value})
            state.policy.parameters = replace(state.policy.parameters, **{group: settings})
        except InputError as error:
            st.toast(plain(str(error)))

    return {**bound(key, shown, store), "help": setting_meaning(setting)}
