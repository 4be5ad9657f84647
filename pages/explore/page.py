"""Explore: find levels of generalization that meet the policy, from the original and its hierarchies."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import pandas as pd
import pyarrow as pa
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.components.chart import chart_data, data_table, first_rows
from dashboard.components.guard import require_original
from dashboard.components.hierarchy_faults import hierarchy_faults
from dashboard.components.limits import limits_in_short
from dashboard.components.recipe_section import recipe_section
from dashboard.components.scripts import search_script
from dashboard.session import bound, chosen_version, fragment, workspace
from dashboard.text import plain
from metrics.candidates.generalization.levels import ColumnLevels
from metrics.candidates.limits.enforced import K, L, T, not_enforced
from metrics.candidates.limits.measures import MEASURES, NODE_MEASURES, SENSITIVE_MEASURES
from metrics.candidates.methods.mondrian import Mondrian
from metrics.candidates.search.exploration import Exploration
from metrics.candidates.search.finding import not_run_finding
from metrics.candidates.search.lattice import is_listed
from metrics.errors import InputError
from metrics.formatting import format_number, join_names, percent, pluralize, within_sentence
from metrics.policy.limitable_measures import LIMITABLE_MEASURES
from metrics.privacy.classes.ground_distances import not_ordered_for_few_values
from metrics.scoring.catalog import INFORMATION, RISK
from metrics.texts import text
from metrics.utility.analyses import ANALYSES
from pages.explore.levels import level_labels, levels_section, risk_limit
from pages.explore.methods import chosen_method, make_by
from pages.explore.running_search import Places, running_search, wait_for_search
from pages.explore.what_matters import what_matters_section

_OPTIONS = 20
"""Rows of the table of options that are in view at once."""
_COLUMNS = "risk: the highest; kept: information kept; suppressed: records."
_CELL_PX, _LETTER_PX, _DIGITS, _LETTERS = 16, 7, 6, 80
"""Pixels of a cell without text and of a letter; letters of a number, and of all columns of text together."""
_SHARES = ("risk", "analyses", "kept", "suppressed")

state = workspace()
inputs = require_original()
search = state.search


def show_explore() -> None:
    """A table by the method chosen; by levels, the search for the best, the levels tried, and the options found."""
    st.title("Explore", anchor=False)
    with st.container(key="explore_controls"):
        about, choice, action = st.columns([17, 9, 14], vertical_alignment="bottom")
    with choice:
        method = chosen_method()
    if method is not None:
        policy_goal(about)
        hierarchy_faults(state)
        if method is Mondrian:
            what_matters_section(state, inputs)
        make_by(state, inputs, method)
        return
    wait_for_search()
    try:
        state.start_exploring(chosen_version(state) if state.tables.labels else "")
    except InputError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    place = goal_controls(about, action)
    what_matters_section(state, inputs)
    exploration = search.found(inputs)
    places = fragment(show_levels, busy=search.searching)()
    if exploration is not None:
        options_section(exploration)
    recipe_section(state)
    search_script(state, inputs)
    # Last of all: the page stands still, whole and up to date, while the search is at work.
    if search.searching and places is not None:
        running_search(search, inputs, place, places, risk_limit(state))


def show_levels() -> Places | None:
    """The map, the levels, and what they give."""
    return levels_section(state, inputs)


def policy_goal(container: DeltaGenerator, explanation: str | None = None) -> None:
    """The policy that the table is to meet."""
    with container.container(gap=None):
        st.markdown(f"**Policy: {plain(state.policy.current.name)}**", help=explanation)
        st.markdown(plain(limits_in_short(state)))


def _explain_equal_distance(about: DeltaGenerator) -> None:
    """Name the numeric attributes that t-closeness does not compare as numbers."""
    attributes = [inputs.original[name] for name in inputs.roles.sensitive]
    columns = not_ordered_for_few_values(attributes, inputs.hierarchies, state.policy.parameters.t_closeness.distance)
    if columns:
        about.caption(plain(text("search.not_ordered", columns=columns, number=len(columns))))


def goal_controls(about: DeltaGenerator, action: DeltaGenerator) -> DeltaGenerator:
    """The policy, the measure, and the button; return the placeholder of the last two, for the progress of a search."""
    rule = search.rule(inputs)
    failing = [name for name, limit in (("k", rule[K] > 1), ("l", L in rule), ("t", T in rule)) if limit]
    explanation = None
    if failing:
        limits = join_names(failing, "or")
        by_t = "t" in failing
        explanation = (
            text("search.suppressed_by_t", limits=limits) if by_t else text("search.suppressed", limits=limits)
        )
    policy_goal(about, explanation)
    if not state.policy.limits:
        about.caption(text("search.no_limits"))
    other_limits = [
        within_sentence(LIMITABLE_MEASURES[name].title)
        for name in not_enforced(state.policy.current, search.limits, inputs.roles)
    ]
    if other_limits:
        about.caption(text("search.not_part", limits=plain(join_names(other_limits))))
    if "t_closeness" in state.policy.limits:
        _explain_equal_distance(about)
    placeholder = action.empty()
    if search.searching:
        return placeholder
    with placeholder.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        needs_sensitive = SENSITIVE_MEASURES if inputs.parameters.analyses else (*SENSITIVE_MEASURES, ANALYSES.id)
        measures = [name for name in MEASURES if inputs.roles.sensitive or name not in needs_sensitive]
        measure = search.measure if search.measure in measures else INFORMATION
        st.selectbox(
            "Optimize",
            measures,
            index=measures.index(measure),
            format_func=lambda name: NODE_MEASURES[name].title,
            help="The measure that the search optimizes among the generalizations that meet its limits.",
            **bound("explore_measure", measure, partial(setattr, search, "measure")),
        )
        stopped = search.stopped(inputs)
        st.button(
            "Finish the search" if stopped else "Find the best",
            key="explore_search",
            type="primary",
            on_click=start_search,
            kwargs={"every": stopped and search.every},
            disabled=not state.policy.limits,
            icon=":material/search:",
        )
    return placeholder


def options_section(exploration: Exploration) -> None:
    """Show what the search found: the best, and every option that is Pareto-optimal in risk and information."""
    best = exploration.best_by(search.measure_of(exploration))
    if best is None:
        # As long as generalizations remain, one that meets the limits may be among them.
        nearest = None if search.searching or search.stopped(inputs) else exploration.nearest()
        if nearest is not None:
            st.warning(plain(nearest.summary()), icon=":material/warning:")
        return
    front = exploration.pareto_front(RISK, search.kept_by(exploration))[::-1]  # what keeps most first
    evaluated = f"{exploration.nodes_evaluated:,} of {pluralize(exploration.nodes_total, 'generalization')}"
    scope = "" if exploration.nodes_evaluated == exploration.nodes_total else f" among {evaluated}"
    st.header(f"{pluralize(len(front), 'Pareto-optimal option')}{scope}", anchor=False)
    if scope and is_listed(search.evaluation(inputs)):
        st.button(
            f"Evaluate all {exploration.nodes_total:,} generalizations",
            key="explore_every",
            on_click=start_search,
            kwargs={"every": True},
            help="Evaluates the rest, too, which adds options with lower risk. A proven best option does not change.",
            icon=":material/grid_view:",
        )
    st.caption(_about_options(exploration, best, len(front)))
    listed_nodes = first_rows(front)
    frame = _front_frame(exploration, listed_nodes, search.evaluation(inputs).columns)
    event = data_table(
        frame,
        "Pareto-optimal options",
        key="front_table",
        on_select="rerun",
        selection_mode="single-row",
        shares=[name for name in _SHARES if name in frame],
        rows=_OPTIONS,
        widths=_widths(frame),
    )
    is_complete = exploration.nodes_evaluated == exploration.nodes_total
    name, label = (
        ("generalizations", "all generalizations") if is_complete else ("evaluated", "evaluated generalizations")
    )
    chart_data(lambda: _all_nodes(exploration), name, f"Download {label} (CSV)")
    rows = event.selection.rows
    chosen = int(listed_nodes[rows[0]]) if rows and rows[0] < len(listed_nodes) else None
    if chosen is not None and st.session_state.get("front_chosen") != chosen:
        search.levels = exploration.levels_of(chosen)
        st.session_state["front_chosen"] = chosen
        st.rerun()


def _about_options(exploration: Exploration, best: int, options: int) -> str:
    """The figure of the best option, and what the columns of the table say."""
    measure = NODE_MEASURES[search.measure_of(exploration)]
    value = exploration.node(best)[search.measure_of(exploration)]
    shown = percent(value) if measure.is_share else format_number(value)
    scroll = f" {_OPTIONS} options are in view; scroll the table for the others." if options > _OPTIONS else ""
    about = (text("search.analyses_column"), not_run_finding(exploration)) if ANALYSES.id in exploration.figures else ()
    columns = "  \n".join([_COLUMNS, *map(plain, filter(None, about))])
    figure = f"{plain(measure.title)} of the best option: {plain(shown)}."
    return f"{figure} Select a row to try its levels.{scroll}  \n{columns}"


def _widths(frame: pd.DataFrame) -> dict[str, int]:
    """Pixels of each column: what its heading or its longest text takes, up to its part of the table."""
    of_text = [name for name, cells in frame.items() if cells.dtype.kind not in "fiu"]
    most = _LETTERS // max(len(of_text), 1)
    letters = {
        name: min(max(map(len, (str(name), *frame[name]))), most) if name in of_text else max(len(str(name)), _DIGITS)
        for name in frame
    }
    return {str(name): _CELL_PX + _LETTER_PX * length for name, length in letters.items()}


def _all_nodes(exploration: Exploration) -> pa.Table:
    """Every generalization that was evaluated, its k before suppression named as such."""
    return exploration.to_arrow().rename_columns({"k": NODE_MEASURES["k"].title})


def _front_frame(exploration: Exploration, nodes: Any, columns: Sequence[ColumnLevels]) -> pd.DataFrame:
    """NodeMeasures after suppression, then what one value of each column becomes."""
    analyses = {"analyses": exploration.figures[ANALYSES.id][nodes]} if ANALYSES.id in exploration.figures else {}
    cells = {
        "k": exploration.figures["smallest_class"][nodes],
        "risk": exploration.figures[RISK][nodes],
        **analyses,
        "kept": exploration.figures[INFORMATION][nodes],
        "suppressed": exploration.figures["suppressed_rows"][nodes] / exploration.records,
    }
    for name, title in (("distinct_l_diversity", "l"), ("t_closeness", "t")):
        if name in exploration.figures:
            cells[title] = exploration.figures[name][nodes]
    labels = {column_levels.column.name: level_labels(column_levels) for column_levels in columns}
    levels = {
        f"{name} (column)" if name in cells else name: [
            labels[name][level] for level in exploration.levels[nodes, position]
        ]
        for position, name in enumerate(exploration.attributes)
    }
    return pd.DataFrame({**cells, **levels})


def start_search(*, every: bool) -> None:
    """Search when the page is drawn again: for the best, or all generalizations."""
    search.searching, search.every = True, every


show_explore()
