"""Controls of the explore page: the goal with its search, and a level for each quasi-identifier."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.components.policy_panel import limits_in_short
from dashboard.session import synced_key
from dashboard.state.search_state import Inputs, SearchState
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.candidates.generalization.levels import ColumnLevels
from metrics.candidates.limits.enforced import not_enforced
from metrics.candidates.limits.measures import MEASURES, NODE_MEASURES, SENSITIVE_MEASURES
from metrics.formatting import join_names, pluralize, shortened, visible, within_sentence
from metrics.hierarchies.domain import range_of_number
from metrics.policy.limitable_measures import LIMITABLE_MEASURES
from metrics.privacy.classes.ground_distances import not_ordered_for_few_values
from metrics.scoring.catalog import INFORMATION
from metrics.texts import text

_LABEL = 24


def policy_goal(container: DeltaGenerator, state: Workspace, explanation: str | None = None) -> None:
    """The policy that the table is to meet."""
    with container.container(gap=None):
        st.markdown(f"**Goal: {plain(state.policy.name)}**", help=explanation)
        st.markdown(plain(limits_in_short(state)))


def _explain_equal_distance(state: Workspace, inputs: Inputs, about: DeltaGenerator) -> None:
    """Name the numeric attributes that t-closeness does not compare as numbers."""
    attributes = [inputs.original[name] for name in inputs.roles.sensitive]
    columns = not_ordered_for_few_values(attributes, inputs.hierarchies, state.parameters.t_closeness.distance)
    if columns:
        about.caption(plain(text("search.not_ordered", columns=columns, number=len(columns))))


def goal_controls(state: Workspace, inputs: Inputs, about: DeltaGenerator, action: DeltaGenerator) -> DeltaGenerator:
    """The policy, the measure, and the button; return the placeholder of the last two, for the progress of a search."""
    search = state.search
    rule = search.rule(inputs)
    failing = [name for name, limit in (("k", rule.k > 1), ("l", rule.l), ("t", rule.t)) if limit]
    explanation = None
    if failing:
        limits = join_names(failing, "or")
        by_t = "t" in failing
        explanation = (
            text("search.suppressed_by_t", limits=limits) if by_t else text("search.suppressed", limits=limits)
        )
    policy_goal(about, state, explanation)
    if not state.policy.limits:
        about.caption(text("search.no_limits"))
    other_limits = [
        within_sentence(LIMITABLE_MEASURES[name].title)
        for name in not_enforced(state.policy, search.limits, inputs.roles)
    ]
    if other_limits:
        about.caption(text("search.not_part", limits=plain(join_names(other_limits))))
    if "t_closeness" in state.policy.limits:
        _explain_equal_distance(state, inputs, about)
    placeholder = action.empty()
    if search.searching:
        return placeholder
    with placeholder.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        measures = [name for name in MEASURES if inputs.roles.sensitive or name not in SENSITIVE_MEASURES]
        measure = search.measure if search.measure in measures else INFORMATION
        st.selectbox(
            "Best by",
            measures,
            index=measures.index(measure),
            key=synced_key("explore_measure", measure),
            format_func=lambda name: NODE_MEASURES[name].title,
            on_change=_set_measure,
            args=(search,),
            help="The measure that the search optimizes among the generalizations that meet its limits.",
        )
        stopped = search.stopped(inputs)
        st.button(
            "Finish the search" if stopped else "Find the best",
            key="explore_search",
            type="primary",
            on_click=start_search,
            args=(search,),
            kwargs={"every": stopped and search.every},
            disabled=not state.policy.limits,
            icon=":material/search:",
        )
    return placeholder


def level_controls(search: SearchState, inputs: Inputs) -> None:
    """A level for each quasi-identifier, named by what one value becomes there."""
    columns = {column_levels.column.name: column_levels for column_levels in search.evaluation(inputs).columns}
    with st.container(key="levels", gap="xsmall"):
        for name, level in search.chosen_levels(inputs).items():
            column_levels = columns[name]
            st.segmented_control(
                plain(name),
                list(range(column_levels.height + 1)),
                default=level,
                key=synced_key(f"level_{name}", level),
                format_func=[plain(label) for label in level_labels(column_levels)].__getitem__,
                required=True,
                wrap=True,
                on_change=_set_level,
                args=(search, name),
                help="The generalization level of this column, shown by what one value becomes. The selected level has "
                f"{pluralize(len(column_levels.labels[level]), 'distinct value')}.",
            )


def level_labels(column_levels: ColumnLevels) -> list[str]:
    """Return what a value in the middle of the column becomes on each level; a number with the range that it means.

    Labels that repeat are named with their level: a control tells its options apart by their text.
    """
    order = column_levels.column.order
    value = order[len(order) // 2]
    code, leaf = int(column_levels.leaf_code[value]), int(column_levels.leaf[value])
    names = []
    for level, (labels, codes) in enumerate(zip(column_levels.labels, column_levels.codes, strict=True)):
        values_range = range_of_number(column_levels.hierarchy, level, leaf)
        label = shortened(visible(labels[int(codes[code])]), _LABEL)
        names.append(f"{label} ({values_range})" if values_range else label)
    return told_apart(names)


def told_apart(names: Sequence[str]) -> list[str]:
    """Names of levels, those that repeat with the number of the level, and all where that repeats, too."""
    numbered = [f"{name} (level {level})" for level, name in enumerate(names)]
    unique = [number if names.count(name) > 1 else name for number, name in zip(numbered, names, strict=True)]
    return unique if len(set(unique)) == len(names) else numbered


def _set_level(search: SearchState, name: str) -> None:
    search.levels[name] = int(st.session_state[f"level_{name}"])


def _set_measure(search: SearchState) -> None:
    search.measure = st.session_state["explore_measure"]


def start_search(search: SearchState, *, every: bool) -> None:
    """Search when the page is drawn again: for the best, or all generalizations."""
    search.searching, search.every = True, every
