"""P_29: the terms of the score, the classes that fail a condition, and repairs."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pandas as pd
import streamlit as st

from dashboard.components.chart import chart_data, data_table, draw_with_data, first_rows
from dashboard.components.fragments import metrics_above_charts, show_view
from dashboard.components.guard import require_card, stays_on_server, unavailable
from dashboard.components.limits import limit_summary, what_if_buttons, what_if_title
from dashboard.components.release_file import release_button
from dashboard.components.working import show_working
from dashboard.links import write_link
from dashboard.navigation import REPAIR, T_CLOSENESS
from dashboard.session import chosen_version, exact_step, synced_key, workspace
from dashboard.text import metric_help, plain
from metrics.candidates.repair.by_policy import computed_repair
from metrics.candidates.repair.summary import p29_after
from metrics.candidates.repair.to_limits import LimitedRepair, Method
from metrics.config.parameters import P29Parameters, Parameters, rescale_weights
from metrics.errors import Unavailable
from metrics.formatting import class_in_short, format_number, percent, pluralize
from metrics.metric import ABOVE_ZERO
from metrics.privacy.p29.chart import p29_attributes, p29_breakdown, p29_conditions
from metrics.privacy.p29.measure import P29, P_29, p29
from metrics.privacy.p29.triangle_chart import p29_triangle
from metrics.texts import text

_MOVING = "p29_moving_weight"
"""Session key of the weight that was moved last."""
_WIDTHS = {"class": 260, "reasons": 310}
_ONE_LINE = {"class": 40, "reasons": 48}
"""How many letters fit in these widths."""
_WRAPPED_PX = 57
"""The height of a row from which Streamlit wraps."""
_AT_ONCE = 3_000

card = require_card()
base = card["p29"]
state = workspace()
aggregates = card.aggregates
if not isinstance(base.result, P29):
    what_if_title(state, "P_29", P_29.id)
    unavailable(base.unavailable or "")
components = base.result.components


@st.fragment
def show_score() -> None:
    """All that the sliders move, in one fragment: the score they change at once comes first."""
    what_if_title(state, "P_29", P_29.id)
    parameters = state.policy.what_if(P_29.id).parameters
    result = p29(components, parameters.p29)
    show_answer(result)
    write_link(parameters)
    parts: dict[str, Callable[[], None]] = {
        "Failing classes": lambda: failing_classes(result),
        "Attributes and weights": lambda: attributes_and_weights(result),
    }
    if not stays_on_server(state, chosen_version(state)):
        parts["Repair options"] = lambda: p29_repairs(parameters.p29, result)
    show_view("p29", parts)
    show_working(card, P_29.id, parameters)


def show_answer(result: P29) -> None:
    """The score, the sliders that move it, and the chart that shows how."""
    st.caption(P_29.meaning)
    st.container(key="finding").markdown(" ".join([result.summary(), *_against_policy(result)]))
    tiles = st.columns(4)
    tiles[0].metric(P_29.title, format_number(result.value), help=metric_help(P_29))
    k_help = text("p29.k_help", size=result.components.k_min)
    tiles[1].metric("Class size (k)", format_number(1 - result.Nk), help=k_help)
    tiles[2].metric("Diversity (l)", format_number(result.Nl), help=text("p29.l_help"))
    tiles[3].metric("Closeness (t)", format_number(1 - result.Nt), help=text("p29.t_help"))
    with st.container(key="p29_without_conditions"):
        without = text("p29.without_conditions", score=format_number(sum(result.terms.values())))
        st.caption(without if result.violating.any() else "maximum: 1")
    metrics_above_charts()
    left, right = st.columns([1, 2], gap="medium")
    with left:
        show_sliders()
    with right:
        # Where a class fails, the sentence above has said so, with what the score would be.
        heading = (
            text("p29.terms_heading", score=format_number(sum(result.terms.values()))) if result.violating.any() else ""
        )
        chart = p29_breakdown(result, limit=state.policy.limits.get(P_29.id))
        draw_with_data(chart, "p29_breakdown", [P_29.id], heading=heading)


def _against_policy(result: P29) -> Iterator[str]:
    """Whether the score meets the policy's limit."""
    limit = state.policy.limits.get(P_29.id)
    if limit is not None:
        meets = result.value >= limit
        yield text("p29.meets_policy", limit=limit) if meets else text("p29.fails_policy", limit=limit)


def show_sliders() -> None:
    """Three weights that keep their sum at 1, and the condition on t, apart from the policy's limit."""
    current = state.policy.what_if(P_29.id).parameters.p29
    for control in P_29.controls:
        value, name = getattr(current, control.name), control.name
        st.slider(
            control.label,
            0.0,
            control.maximum,
            value=value,
            step=control.step if control.is_weight else exact_step(value, control.step),
            # Shares of the rest lie between the steps; cut to two digits they would not seem to add up.
            format="%.4g",
            key=synced_key(name if control.is_weight else f"p29_{name}", value),
            on_change=_reweigh if control.is_weight else _limit,
            args=(name,),
            help=f"{control.help} Range: 0 to {control.maximum:g}.",
        )
    st.caption(text("p29.own_condition"))
    limit = limit_summary(state.policy.limits, "t_closeness")
    st.page_link(T_CLOSENESS.page(), label=f"Policy's limit on t-closeness: {limit}", icon=":material/arrow_forward:")
    what_if_buttons(state, P_29.id)


def _reweigh(name: str) -> None:
    current = state.policy.what_if(P_29.id).parameters.p29
    previous = {control.name: getattr(current, control.name) for control in P_29.controls if control.is_weight}
    changed_keys = {key for key, weight in previous.items() if st.session_state[key] != weight}
    # A browser that has not yet drawn the other two sends their older values with the next key press.
    moving = st.session_state.get(_MOVING)
    if name not in changed_keys or (moving in changed_keys and moving != name):
        return
    st.session_state[_MOVING] = name
    weights = rescale_weights(previous, name, float(st.session_state[name]))
    for other, weight in weights.items():
        if other != name:
            st.session_state[other] = weight
    state.policy.try_settings(P_29.id, replace(current, **weights))


def _limit(name: str) -> None:
    current = state.policy.what_if(P_29.id).parameters.p29
    state.policy.try_settings(P_29.id, replace(current, **{name: float(st.session_state[f"p29_{name}"])}))


def failing_classes(result: P29) -> None:
    """How many classes fail which condition; beside it each of them, the most serious first; all to download."""
    if not result.violating.any():
        st.markdown(text("p29.conditions_met"))
        return
    left, right = st.columns([4, 7], gap="medium")
    with left:
        draw_with_data(p29_conditions(result), "p29_gates")
    index = result.most_serious_first()
    table = replace(card.classes, violations=result)
    with right:
        failing = pluralize(len(index), "failing class", "failing classes")
        st.header(f"{failing}, by reasons, then distance", anchor=False)
        st.caption(text("p29.own_l"))
        shown = first_rows(index)
        frame = pd.DataFrame(
            {
                "size": table.classes.sizes[shown],
                "class": [class_in_short(table.classes.labels(class_index).values()) for class_index in shown.tolist()],
                "reasons": result.reason_texts(shown).to_pylist(),
            }
        )
        wraps = any(frame[name].str.len().median() > letters for name, letters in _ONE_LINE.items())
        data_table(
            frame,
            "Failing classes with their reasons",
            key="violations",
            widths=_WIDTHS,
            row_height=_WRAPPED_PX if wraps else None,
        )
        chart_data(lambda: table.to_arrow(index), "violating_classes", "Failing classes as CSV", confidential=True)


def attributes_and_weights(result: P29) -> None:
    """Each attribute's part, and the score over every choice of weights."""
    left, right = st.columns(2)
    with left:
        draw_with_data(p29_attributes(result), "p29_attributes")
    with right:
        draw_with_data(p29_triangle(result), "p29_triangle")


def p29_repairs(parameters: P29Parameters, result: P29) -> None:
    """Both repairs side by side: what each costs, the score after it, how it went, and the table to download."""
    if not result.violating.any():
        st.markdown(text("p29.repair.conditions_met"))
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(text("p29.repair.repeats"))
        st.page_link(REPAIR.page(), label="Repair to the policy", icon=":material/build:")
    if aggregates.classes.count > _AT_ONCE and not st.toggle(
        f"Compute for {aggregates.classes.count:,} classes (can take a while)", key="lift_large"
    ):
        return
    left, right = st.columns(2)
    with left, st.container(border=True):
        st.header("Delete the records of failing classes")
        _repair_section(parameters, Method.FAILING)
    with right, st.container(border=True):
        st.header("Merge each failing class with the nearest class")
        _repair_section(parameters, Method.MERGE)


def _repair_section(parameters: P29Parameters, method: Method) -> None:
    """Which classes change depends on the limit on t alone, so a press on a weight repeats nothing."""
    limit = Parameters(p29=P29Parameters(t_max=parameters.t_max))
    try:
        with st.spinner("Computing…", show_time=True):
            repair = computed_repair(aggregates, {P_29.id: ABOVE_ZERO}, method, limit)
    except Unavailable as reason:
        st.info(plain(f"{reason}."), icon=":material/info:")
        return
    _draw_result(repair, p29_after(repair, parameters))


def _draw_result(repair: LimitedRepair, score: float) -> None:
    is_merge = repair.method is Method.MERGE
    removed = aggregates.comparison.removed or 0
    total = aggregates.anonymized.rows + removed
    share_lost = (repair.suppressed_now + aggregates.class_sizes.suppressed + removed) / total
    left, right = st.columns(2)
    if is_merge:
        left.metric("Records changed", f"{repair.records_changed:,}", help=text("p29.repair.changed_help"))
    else:
        deleted = percent(repair.suppressed_now / aggregates.anonymized.rows)
        left.metric("Records deleted", deleted, help=text("p29.repair.deleted_help", records=repair.suppressed_now))
    title = "P_29 after merging" if is_merge else "P_29 after deleting"
    right.metric(title, format_number(score), help=text("p29.repair.score_help"))
    limit = state.policy.current.max_suppression
    if limit is not None and share_lost > limit:
        st.warning(text("p29.repair.fails_policy", share=share_lost, limit=limit))
    st.markdown(_change(repair))
    rounds = [
        text("p29.repair.round", round=number, classes=classes, records=records)
        for number, (classes, records) in enumerate(repair.rounds, 1)
    ]
    st.caption("  \n".join(rounds))
    name = aggregates.anonymized.name.split(".")[0]
    ending = "merge" if is_merge else "delete"
    release_button(
        lambda: repair.table if is_merge else repair.without_suppressed, f"{name}_{ending}", f"repaired_{ending}"
    )


def _change(repair: LimitedRepair) -> str:
    """How many records were changed or lost, and how many classes are left."""
    n_lost, n_before, n_classes = repair.suppressed_now, aggregates.classes.count, repair.aggregates.classes.count
    if repair.method is Method.MERGE:
        return text(
            "p29.repair.after_merging", changed=repair.records_changed, lost=n_lost, classes=n_classes, before=n_before
        )
    remaining, suppressed = aggregates.anonymized.rows - n_lost, aggregates.classes.suppressed
    if not suppressed:
        return text("p29.repair.after_deleting", lost=n_lost, left=remaining, classes=n_classes, before=n_before)
    return text(
        "p29.repair.after_deleting_with_suppressed",
        lost=n_lost,
        left=remaining,
        suppressed=suppressed,
        classes=n_classes,
        before=n_before,
    )


show_score()
with st.expander("The definition"):
    st.latex(P_29.formula)
    st.markdown(f"{P_29.meaning} {P_29.good}")
