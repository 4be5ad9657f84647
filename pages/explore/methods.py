"""Making a version by a method beside the lattice: its parameters, what it gives, and keeping it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.components.chart import data_table
from dashboard.components.version_offer import change_tile, compared_with, offer_version, scores_of, tile_columns
from dashboard.navigation import REPAIR
from dashboard.session import chosen_version
from dashboard.state.making_state import ComparisonTarget, Made
from dashboard.state.search_state import Inputs
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.candidates.limits.enforced import K, L, repair_limits
from metrics.candidates.methods.catalog import METHODS, method_named
from metrics.candidates.methods.costs import ATTACKS, COSTS, LATTICE, MethodCost, comparable_value
from metrics.candidates.methods.method import MAX_SEED, CandidateMethod, Parameter, method_parameters, parameter_summary
from metrics.candidates.methods.pram import PRAM
from metrics.candidates.methods.randomized_response import RandomizedResponse
from metrics.errors import InputError
from metrics.explanations.attack_rows import guessed_attributes
from metrics.explanations.bounds import as_bound
from metrics.explanations.findings import findings
from metrics.formatting import join_names, sentence_case, short_percent, visible
from metrics.metric import Direction, FindingKind
from metrics.policy.limitable_measures import measure_text
from metrics.policy.policy import Status
from metrics.privacy.local_dp.measure import LOCAL_DP
from metrics.scoring.catalog import BY_ID, RISK
from metrics.scoring.compared_records import perturbed_columns_of
from metrics.scoring.metric_score import Score
from metrics.scoring.scorecard import Scorecard
from metrics.texts import text
from metrics.utility.cells.removed_values import removed_from
from pages.explore.randomized import epsilon_curve, epsilon_fields

_TILES = ("k_anonymity", "distinct_l_diversity", "t_closeness", RISK, *ATTACKS, *COSTS, LOCAL_DP.id)
_TILE_WIDTHS = (1, 1, 1)

_TITLES = {name: sentence_case(BY_ID[name].short) for name in (*ATTACKS, *COSTS)}
_MEETS = {True: "✓ meets", False: "✗ fails", None: "—"}


def chosen_method() -> type[CandidateMethod] | None:
    """The control of the methods; None for the lattice."""
    titles = [LATTICE, *(method.title for method in METHODS)]
    chosen = st.selectbox("Method", titles, key="explore_method", persist_state="session")
    return next((method for method in METHODS if method.title == chosen), None)


def make_by(state: Workspace, inputs: Inputs, method: type[CandidateMethod]) -> None:
    """The parameters of the method; beside them the table that it made, which can be kept."""
    left, right = st.columns([4, 7], gap="large")
    with left:
        st.caption(method.about)
        if method is RandomizedResponse:
            values = epsilon_fields(inputs)
        else:
            values = {one.name: _field(one, method, state, inputs) for one in method_parameters(method)}
        if method is PRAM:
            _epsilon_of_pram(PRAM(**values), inputs)
        seed = _seed(state) if method.takes_seed else state.making.seed
        pressed = st.button("Make the table", key="make_candidate", type="primary", icon=":material/play_arrow:")
    with right:
        if pressed:
            _make(state, inputs, method.name, values, seed)
        result = state.making.made(inputs, method.name)
        if result is None:
            st.info(f"Select “Make the table” to see the result of {method.title}.", icon=":material/info:")
        else:
            _result(state, result)
    if method is RandomizedResponse:
        epsilon_curve(state, inputs, RandomizedResponse(**values))
    compare_methods(state, inputs, seed)


def _seed(state: Workspace) -> int:
    return int(
        st.number_input(
            "Seed",
            0,
            MAX_SEED,
            state.making.seed,
            key="make_seed",
            help=f"The starting value of the random choices, 0 to {MAX_SEED:,}. The same seed reproduces the table. "
            "Keep it secret: anyone who has it can remove added noise.",
            persist_state="session",
        )
    )


def _epsilon_of_pram(method: PRAM, inputs: Inputs) -> None:
    """What its noise protects, before anything is drawn."""
    with suppress(InputError):
        found = method.epsilon_by_column(inputs.original, inputs.roles)
        each = [text("pram.of_column", epsilon=epsilon, column=name) for name, epsilon in found.items()]
        st.caption(plain(text("pram.epsilon", each=join_names(each))))


def _make(state: Workspace, inputs: Inputs, name: str, values: Mapping[str, Any], seed: int) -> None:
    try:
        with st.spinner("Computing…", show_time=True):
            state.making.make(inputs, method_named(name, values), seed)
    except InputError as error:
        st.error(plain(str(error)), icon=":material/error:")


def _field(parameter: Parameter, method: type[CandidateMethod], state: Workspace, inputs: Inputs) -> Any:
    key = f"make_{method.name}_{parameter.name}"
    if parameter.kind is bool:
        return st.checkbox(
            parameter.label, value=parameter.default, key=key, help=parameter.help, persist_state="session"
        )
    if parameter.kind is tuple:
        columns = [*inputs.roles.quasi_identifiers, *inputs.roles.sensitive]
        if parameter.name == "levels":
            columns = [f"{name}={level}" for name in columns for level in range(_height(name, inputs) + 1)]
        chosen = st.multiselect(
            parameter.label, columns, key=key, help=parameter.help, format_func=visible, persist_state="session"
        )
        return tuple(name for name in chosen if name in columns)
    limits = repair_limits(state.policy.current)
    by_policy = {"k": limits.get(K), "l": limits.get(L) if inputs.roles.sensitive else None}
    value: Any = by_policy.get(parameter.name) or parameter.default or None
    chosen_number = st.number_input(
        parameter.label,
        parameter.low if parameter.low is None else parameter.kind(parameter.low),
        parameter.high if parameter.high is None else parameter.kind(parameter.high),
        value,
        step=1 if parameter.kind is int else 0.01,
        format="%g" if 0 < parameter.default < 0.01 else None,  # else it would be shown as 0
        key=key,
        help=" ".join([parameter.help, *_range(parameter)]),
        placeholder="largest",
        persist_state="session",
    )
    return parameter.default if chosen_number is None else chosen_number


def _height(name: str, inputs: Inputs) -> int:
    """The highest level of a column; without a hierarchy it is suppressed on the first."""
    return inputs.hierarchies[name].height if name in inputs.hierarchies else 1


def _range(parameter: Parameter) -> Iterator[str]:
    """The numbers that a parameter may have, as a sentence, where they are bounded."""
    if parameter.low is not None:
        yield f"Range: {parameter.low:g} to {'∞' if parameter.high is None else f'{parameter.high:g}'}."


def _result(state: Workspace, result: Made) -> None:
    st.markdown(f"## {plain(state.policy.current.check(result.card).summary())}")
    actions = st.empty()
    seed = "" if result.seed is None else f", seed {result.seed}"
    st.caption(plain(f"{result.method.title}: {parameter_summary(result.method)}{seed}."))
    label = chosen_version(state) if state.tables.labels else ""
    is_kept = state.making.kept is not None and state.making.kept == label
    current = None if is_kept else scores_of(state, label)
    if current is not None:
        compared_with(label)
    _tiles(state, result, current)
    for finding in findings(result.card, kinds=[FindingKind.PERTURBED]):
        st.caption(plain(finding.sentence))
    _keep(state, result, actions)


def _tiles(state: Workspace, result: Made, current: Scorecard | None) -> None:
    """The values of the table made, each with its change against the current version's, and what is missing."""
    has_perturbed = bool(perturbed_columns_of(result.card.aggregates))
    names = [name for name in _TILES if comparable_value(result.card[name]) is not None]
    for column, name in zip(tile_columns(len(names), _TILE_WIDTHS), names, strict=False):
        score = result.card[name]
        current_value = (
            None if current is None or _requires_class(score, current[name]) else _checked_value(current[name])
        )
        change_tile(
            column,
            sentence_case(score.metric.short) if name in COSTS else score.metric.title,
            name,
            _checked_value(score),
            current_value,
            limit=state.policy.limits.get(name),
            shown=as_bound(score, measure_text(name, score.value), perturbed=has_perturbed, with_class=False),
            lower_is_better=score.metric.direction is Direction.LOWER,
        )
        if guessed := guessed_attributes(score, result.card.aggregates):
            column.caption(plain("; ".join(guessed)))
    titles_by_reason: dict[str, list[str]] = {}
    for score in (result.card[name] for name in _TILES if name not in names):
        if score.unavailable is not None and score.metric is not LOCAL_DP:
            titles_by_reason.setdefault(score.unavailable, []).append(score.metric.title)
    for reason, titles in titles_by_reason.items():
        verb = "is" if len(titles) == 1 else "are"
        st.caption(plain(f"{join_names(titles)} {verb} not available: {reason}."))


def _requires_class(*scores: Score) -> bool:
    """Whether one of these is attained only by who knows the class, so that a difference is no gain for all people."""
    return any(score.attack is not None and score.attack.max_requires_class for score in scores)


def _checked_value(score: Score) -> float | None:
    """Return the value that limits and changes are about: the value, or the strongest attacker's success."""
    return comparable_value(score) if score.attack is None else score.attack.max_success


def _keep(state: Workspace, result: Made, actions: DeltaGenerator) -> None:
    name = f"{result.table.name.split('.')[0]}_{result.method.name}"

    def remember(label: str) -> None:
        state.making.kept = label

    removed = removed_from(result.card.aggregates)
    offer_version(
        state, name, "make", lambda: result.table, lambda: result.recipe, state.making.kept, remember, removed, actions
    )
    is_current = state.making.kept in state.tables.labels and state.making.kept == chosen_version(state)
    if is_current and state.policy.current.check(result.card).status is Status.FAILS:
        st.page_link(REPAIR.page(), label="Repair it to meet the policy", icon=":material/build:")


def compare_methods(state: Workspace, inputs: Inputs, seed: int) -> None:
    """The button, and the table once it is worked out."""
    limits = repair_limits(state.policy.current)
    fewest_values = int(limits.get(L, 1)) if inputs.roles.sensitive else 1
    target = ComparisonTarget(int(limits.get(K, 5)), fewest_values, seed, state.policy.current)
    st.header("What the methods cost", anchor=False)
    left, right = st.columns([7, 3], vertical_alignment="center")
    left.markdown(
        plain(
            f"All methods are compared at the same protection: k = {target.k}, or the same success of record linkage "
            "as Mondrian; SafePub has its own ε and δ. Other limits are ignored."
        )
    )
    if right.button("Compare the methods", key="compare_methods", icon=":material/compare:"):
        bar = st.progress(0.0, text="Comparing…")
        try:
            for share in state.making.compare(inputs, target):
                bar.progress(share, text=f"Comparing: {share:.0%}")
        except InputError as error:
            st.error(plain(str(error)), icon=":material/error:")
        bar.empty()
    comparison = state.making.costs(inputs)
    if comparison is None:
        return
    previous, costs = comparison
    data_table(cost_table(costs), "What the methods cost", key="method_costs", height="content")
    titles = [cost.title for cost in costs if not cost.reached]
    if titles:
        reference = measure_text(ATTACKS[0], (costs[0].figures or {}).get(ATTACKS[0]))
        st.caption(plain(f"Record linkage exceeds {reference} even at the strongest setting: {join_names(titles)}."))
    for cost in costs:
        if cost.unavailable is not None:
            st.caption(plain(f"{cost.title}: {cost.unavailable}"))
    if previous != target:
        settings = f"k = {previous.k}, l = {previous.l}, seed {previous.seed}, policy “{visible(previous.policy.name)}”"
        st.caption(plain(f"Compared at {settings}."))


def cost_table(costs: Sequence[MethodCost]) -> pd.DataFrame:
    """One row per method that gave a version."""
    available = [cost for cost in costs if cost.figures is not None]
    return pd.DataFrame(
        {
            "Method": [cost.title for cost in available],
            "Smallest class": [cost.smallest_class for cost in available],
            "Policy": [_MEETS[cost.meets] for cost in available],
            **{
                title: [measure_text(name, (cost.figures or {}).get(name), short_percent) for cost in available]
                for name, title in _TITLES.items()
            },
            "Parameters": [cost.settings for cost in available],
        }
    )
