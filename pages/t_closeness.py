"""t-closeness: how far each class is from the whole table, where, and what limit it would meet."""

import streamlit as st

from dashboard.components.details.closeness_classes import choose_class, class_in_full, exceeding_table
from dashboard.components.details.closeness_controls import closeness_settings, ground_distances, limit_slider
from dashboard.components.figure import draw, draw_with_data
from dashboard.components.fragments import metrics_above_figures, show_view
from dashboard.components.guard import require_card, unavailable
from dashboard.components.page_head import what_if_buttons, what_if_title
from dashboard.links import write_link
from dashboard.session import workspace
from dashboard.text import metric_help, plain
from metrics.errors import Unavailable
from metrics.figures.closeness_curve import exceeding_curve
from metrics.figures.t_closeness import distance_distribution
from metrics.formatting import format_number, join_names, pluralize
from metrics.texts import text

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
        result, curve = state.closeness.measured(aggregates, closeness_settings(state, aggregates))
    except Unavailable as reason:
        st.info(f"Unavailable: {plain(str(reason))}.", icon=":material/info:")
        ground_distances(state, aggregates, needed=True)
        what_if_buttons(state, metric.id)
        return
    is_limited = result.limit < 1
    beyond = curve.exceeding(result.limit)
    sentences = [result.summary()]
    if beyond.classes:
        sentences.append(text("t_closeness.held", classes=beyond.classes, records=beyond.records, kept=curve.kept))
    st.container(key="finding").markdown(plain(" ".join(sentences)))
    if state.parameters.sensitive.others_as_quasi_identifiers and len(aggregates.roles.sensitive) > 1:
        st.caption(text("t_closeness.quasi_identifiers_only"))
    lost = {"suppressed record": aggregates.classes.suppressed, "removed record": aggregates.comparison.removed}
    not_counted = [pluralize(number, noun) for noun, number in lost.items() if number]
    if not_counted:
        st.caption(text("t_closeness.not_counted", records=join_names(not_counted)))
    tiles = st.columns(3)
    tiles[0].metric(metric.title, format_number(result.value), help=metric_help(metric))
    tiles[1].metric(
        "Classes above the limit",
        f"{beyond.classes:,}" if is_limited else "no limit",
        help=text("t_closeness.classes_help", classes=result.classes),
    )
    tiles[2].metric(
        "Records above the limit",
        f"{beyond.records:,}" if is_limited else "no limit",
        help=text("t_closeness.records_help", records=curve.kept),
    )
    metrics_above_figures()
    left, right = st.columns([1, 2])
    with left:
        limit_slider(state)
        ground_distances(state, aggregates)
        what_if_buttons(state, metric.id)
    with right:
        draw(exceeding_curve(curve, result.limit), "closeness_curve", curve.to_arrow, ["t_closeness"])
    write_link(state.what_if(metric.id).parameters)

    def one_class() -> None:
        """Show one class in full, the farthest unless another is chosen."""
        chosen = choose_class(state, aggregates, result, curve)
        class_in_full(state, aggregates, result, chosen)

    def beyond_the_limit() -> None:
        """All classes that exceed the limit."""
        exceeding_table(card.classes, result, curve)

    def by_attribute() -> None:
        """Show how many classes are how far from the table, for each attribute."""
        draw_with_data(distance_distribution(result), "closeness_by_attribute")

    parts = {"One class": one_class, "Classes above the limit": beyond_the_limit}
    show_view("closeness", parts if len(result.per_class) < 2 else {**parts, "By attribute": by_attribute})


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
