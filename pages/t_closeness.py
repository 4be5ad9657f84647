"""t-closeness: how far each class is from the whole table, where, and what limit it would meet."""

from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

from dashboard.components.chart import chart_data, data_table, draw, draw_with_data, first_rows
from dashboard.components.fragments import metrics_above_charts, show_view
from dashboard.components.guard import require_card, unavailable
from dashboard.components.limits import slider_label, what_if_buttons, what_if_title
from dashboard.links import write_link
from dashboard.session import bound, exact_step, synced_key, workspace
from dashboard.text import plain
from metrics.aggregates.agreement import is_drawn
from metrics.config.parameters import GroundDistance, TClosenessParameters
from metrics.config.setting_texts import setting_meaning
from metrics.counting.classes import EquivalenceClasses
from metrics.drawing.classes import class_distribution
from metrics.errors import Unavailable
from metrics.formatting import format_number, join_names, pluralize, visible
from metrics.privacy.classes.ground_distances import choose_distance
from metrics.privacy.t_closeness.chart import distance_distribution
from metrics.privacy.t_closeness.curve import ClosenessCurve
from metrics.privacy.t_closeness.curve_chart import exceeding_curve
from metrics.privacy.t_closeness.measure import T_CLOSENESS, TCloseness
from metrics.privacy.t_closeness.transport_chart import transport_plan_chart
from metrics.privacy.t_closeness.transport_plan import transport_plan
from metrics.scoring.class_filter import measure_title
from metrics.scoring.class_table import ClassTable
from metrics.tables.table import Integers
from metrics.texts import text

_AUTOMATIC = "automatic"
_FEW = 2
_LISTED = 200
_MAX_BARS = 8
_BINARY = 2

card = require_card()
metric = card["t_closeness"].metric
aggregates = card.aggregates
state = workspace()
try:
    aggregates.sensitive()
except Unavailable as reason:
    what_if_title(state, "t-closeness", metric.id)
    unavailable(str(reason))


@st.fragment
def show_closeness() -> None:
    """The verdict, what the limit makes of every class, and one class in full."""
    what_if_title(state, "t-closeness", metric.id)
    try:
        result, curve = state.closeness.measured(aggregates, closeness_settings())
    except Unavailable as reason:
        st.info(f"Unavailable: {plain(str(reason))}.", icon=":material/info:")
        ground_distances(needed=True)
        what_if_buttons(state, metric.id)
        return
    beyond = curve.exceeding(result.limit)
    sentences = [result.summary()]
    if beyond.classes:
        sentences.append(text("t_closeness.held", classes=beyond.classes, records=beyond.records, kept=curve.kept))
    st.container(key="finding").markdown(plain(" ".join(sentences)))
    if state.policy.parameters.sensitive.others_as_quasi_identifiers and len(aggregates.roles.sensitive) > 1:
        st.caption(text("t_closeness.quasi_identifiers_only"))
    if drawn := [name for name in result.per_class if is_drawn(aggregates, name)]:
        st.caption(plain(text("verdict.randomized", columns=drawn)))
    lost = {"suppressed record": aggregates.classes.suppressed, "removed record": aggregates.comparison.removed}
    not_counted = [pluralize(number, noun) for noun, number in lost.items() if number]
    if not_counted:
        st.caption(text("t_closeness.not_counted", records=join_names(not_counted)))
    metrics_above_charts()
    left, right = st.columns([1, 2])
    with left:
        limit_slider()
        ground_distances()
        what_if_buttons(state, metric.id)
    with right:
        draw(exceeding_curve(curve, result.limit), "closeness_curve", curve.to_arrow, ["t_closeness"])
    write_link(state.policy.what_if(metric.id).parameters)

    def one_class() -> None:
        """Show one class in full, the farthest unless another is chosen."""
        chosen = choose_class(result, curve)
        class_in_full(result, chosen)

    def beyond_the_limit() -> None:
        """All classes that exceed the limit."""
        exceeding_table(card.classes, result, curve)

    def by_attribute() -> None:
        """Show how many classes are how far from the table, for each attribute."""
        draw_with_data(distance_distribution(result), "closeness_by_attribute")

    parts = {"One class": one_class, "Classes above the limit": beyond_the_limit}
    show_view("closeness", parts if len(result.per_class) < 2 else {**parts, "By attribute": by_attribute})


def closeness_settings() -> TClosenessParameters:
    """The limit and the ground distances that the page tries, of a version's sensitive columns."""
    return state.policy.what_if(T_CLOSENESS.id).parameters_of(aggregates.roles.sensitive).t_closeness


def limit_slider() -> None:
    """The largest distance from the table that a class may have."""
    current = state.policy.what_if(T_CLOSENESS.id).parameters.t_closeness.t
    st.slider(
        slider_label(state, "largest t", "t_closeness"),
        0.0,
        1.0,
        value=current,
        step=exact_step(current, 0.01),
        format="%.4g",
        help=text("t_closeness.limit_help"),
        **bound("t_limit", current, lambda t: state.policy.try_limit(T_CLOSENESS.id, float(t) if t < 1 else None)),
    )


def ground_distances(*, needed: bool = False) -> None:
    """A choice per sensitive attribute; one that does not apply is refused in a sentence.

    More than a few are folded, unless `needed`: the chart must stay near the limit on a narrow screen.
    """
    if len(aggregates.roles.sensitive) <= _FEW:
        _choices()
        return
    with st.expander("Ground distances", expanded=needed):
        _choices()


def _choices() -> None:
    distances = closeness_settings().distance
    for column in aggregates.roles.sensitive:
        automatic = choose_distance(aggregates.histogram(column), aggregates.hierarchies.get(column), None)
        st.selectbox(
            f"Ground distance of {plain(column)}",
            [_AUTOMATIC, *map(str, GroundDistance)],
            format_func=partial(_choice_label, automatic),
            help=setting_meaning("t_closeness.distance"),
            **bound(f"t_distance_{column}", str(distances.get(column, _AUTOMATIC)), partial(_set_distance, column)),
        )
        refused = state.closeness.refused
        if refused is not None and refused[0] == column:
            st.warning(f"Not changed: {plain(refused[1])}.", icon=":material/warning:")
            state.closeness.refused = None


def _choice_label(automatic: GroundDistance, choice: str) -> str:
    return f"{choice} ({automatic})" if choice == _AUTOMATIC else choice


def _set_distance(column: str, choice: str) -> None:
    distance = None if choice == _AUTOMATIC else GroundDistance(choice)
    settings = state.policy.what_if(T_CLOSENESS.id).parameters.t_closeness
    state.policy.try_settings(T_CLOSENESS.id, state.closeness.try_distance(aggregates, settings, column, distance))


def choose_class(result: TCloseness, curve: ClosenessCurve) -> int:
    """A list of the classes with the largest distances, and of the attributes; the class that is chosen."""
    classes = aggregates.classes
    chosen = state.closeness.chosen_class(aggregates, curve)
    options = curve.order[:_LISTED].tolist()
    if chosen not in options:
        options.append(chosen)
    left, right = st.columns([2, 1])
    left.selectbox(
        "Class",
        options,
        format_func=lambda index: _label(classes, curve, index),
        key=synced_key("t_class", chosen),
        on_change=_choose,
        help=f"The largest distance first; at most {_LISTED} classes.",
    )
    if len(result.per_class) > 1:
        right.selectbox(
            "Sensitive attribute",
            list(result.per_class),
            format_func=visible,
            key=synced_key("t_attribute", _attribute(result, chosen)),
            on_change=_choose,
        )
    return chosen


def _choose() -> None:
    """Keep both choices, which can come in together."""
    state.closeness.choose(aggregates, int(st.session_state["t_class"]), st.session_state.get("t_attribute"))


def _attribute(result: TCloseness, index: int) -> str:
    """The chosen attribute, else the one in which the class is farthest."""
    attribute = state.closeness.attribute
    if attribute is not None and attribute in result.per_class:
        return attribute
    return max(result.per_class, key=lambda name: float(result.per_class[name][index]))


def _label(classes: EquivalenceClasses, curve: ClosenessCurve, index: int) -> str:
    size = pluralize(int(classes.sizes[index]), "record")
    group = ", ".join(f"{visible(name)} = {visible(label)}" for name, label in classes.labels(index).items())
    return f"t = {format_number(curve.farthest[index])} · {size} · {group}"


def class_in_full(result: TCloseness, index: int) -> None:
    """Show who is in the class, one attribute's distribution beside the table's, and the mass that is moved."""
    classes = aggregates.classes
    name = _attribute(result, index)
    group = ", ".join(f"{plain(column)} = **{plain(label)}**" for column, label in classes.labels(index).items())
    distances = ", ".join(
        f"{plain(attribute)} t = {format_number(values[index])}" for attribute, values in result.per_class.items()
    )
    st.markdown(f"{group}: {pluralize(int(classes.sizes[index]), 'record')}; {distances}")
    histogram = aggregates.histogram(name)
    t = float(result.per_class[name][index])
    distribution = class_distribution(histogram, index, t=t, max_values=_MAX_BARS)
    if np.count_nonzero(histogram.totals) <= _BINARY:
        # All the mass moves from one value to the other, as the distributions show.
        draw_with_data(distribution, "closeness_distribution")
        return
    plan = transport_plan(histogram, index, result.distance[name], aggregates.hierarchies.get(name))
    plan_chart = transport_plan_chart(plan, name)
    height = max(chart.layout.height or 0 for chart in (distribution, plan_chart))
    left, right = st.columns(2)
    with left:
        draw_with_data(distribution.update_layout(height=height), "closeness_distribution", confidential=True)
    with right:
        draw(plan_chart.update_layout(height=height), "transport_plan", plan.to_arrow, confidential=True)


def exceeding_table(table: ClassTable, result: TCloseness, curve: ClosenessCurve) -> None:
    """All classes that exceed the limit, the farthest first, with their distance in each attribute."""
    exceeding = curve.beyond(result.limit)
    if not len(exceeding):
        st.markdown("The policy sets no limit on t." if result.limit >= 1 else "No class exceeds the limit.")
    else:
        frame: pd.DataFrame = _distances(table, result, first_rows(exceeding)).to_pandas()
        data_table(
            frame.rename(columns={f"{name}.t": measure_title(f"{name}.t") for name in result.per_class}),
            "Classes above the limit, the largest distance first",
            key="closeness_table",
        )
        chart_data(
            lambda: _distances(table, result, exceeding),
            "classes_beyond_t",
            "Download classes (CSV)",
            confidential=True,
        )


def _distances(table: ClassTable, result: TCloseness, index: Integers) -> pa.Table:
    """Quasi-identifiers, size, and the distance in each attribute."""
    return replace(table, distinct={}, measures={"t": result.per_class}, violations=None).to_arrow(index)


show_closeness()
with st.expander("The definition"):
    st.latex(metric.formula)
    st.markdown(f"{metric.meaning} {metric.good}")
    st.markdown(text("t_closeness.definition"))
    st.markdown(text("t_closeness.definition_equal"))
    st.latex(r"t = \tfrac12 \sum_s |p_s - q_s|")
    st.markdown(text("t_closeness.definition_ordered"))
    st.latex(r"t = \frac{1}{m-1} \sum_{i=1}^{m} \Big| \sum_{j \le i} (p_j - q_j) \Big|")
    st.markdown(text("t_closeness.definition_hierarchical"))
    st.latex(r"t = \sum_n \frac{v_n}{H} \min(\text{surplus}_n, \text{shortfall}_n)")
    st.markdown(plain(metric.reference))
