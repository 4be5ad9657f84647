"""P_29: the terms of the score, the classes that fail a condition, and repairs."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.components.chart import chart_data, data_table, draw_with_data, first_rows
from dashboard.components.fragments import WHOLE, draw_whole, show_view
from dashboard.components.guard import require_card, stays_on_server, unavailable
from dashboard.components.limits import what_if_buttons, what_if_title
from dashboard.components.live_values import field_of, live_field, live_slider, live_values
from dashboard.components.release_file import release_button
from dashboard.components.working import show_working
from dashboard.links import write_link
from dashboard.navigation import REPAIR
from dashboard.session import chosen_version, workspace
from dashboard.text import metric_help, plain
from metrics.aggregates.agreement import is_drawn
from metrics.candidates.repair.by_policy import computed_repair
from metrics.candidates.repair.summary import p29_after
from metrics.candidates.repair.to_limits import LimitedRepair, Method
from metrics.config.parameters import P29Parameters, Parameters
from metrics.config.setting_values import rescale_weights
from metrics.errors import Unavailable
from metrics.formatting import class_in_short, format_number, percent, pluralize
from metrics.metric import ABOVE_ZERO
from metrics.privacy.p29.chart import largest_shortfall, p29_attributes, p29_breakdown
from metrics.privacy.p29.measure import P29, P_29, p29
from metrics.privacy.p29.triangle_chart import p29_triangle, weights_at
from metrics.tables.table import Flags, Integers
from metrics.texts import text

_BEGIN = "p29_begin"
"""Session key of the weight that was moved last, and of the weights before."""
_CONDITION = "p29_condition"
"""Session key of the condition whose failing classes are shown; empty for all."""
_CLASS_PX, _FIELD_PX = 420, 84
_AT_ONCE = 3_000

card = require_card()
base = card["p29"]
state = workspace()
aggregates = card.aggregates
if not isinstance(base.result, P29):
    what_if_title(state, "P_29", P_29.id)
    unavailable(base.unavailable or "")
components = base.result.components


@st.fragment(key=WHOLE)
def show_score() -> None:
    """All that the weights and the condition move; what moves while they are dragged comes first."""
    what_if_title(state, "P_29", P_29.id)
    parameters = state.policy.what_if(P_29.id).parameters
    result = p29(components, parameters.p29)
    show_answer()
    write_link(parameters)
    parts: dict[str, Callable[[], None]] = {
        "Failing classes": lambda: failing_classes(result),
        "Attributes": lambda: draw_with_data(p29_attributes(result), "p29_attributes"),
    }
    if not stays_on_server(state, chosen_version(state)):
        parts["Repair options"] = lambda: p29_repairs(parameters.p29, result)
    show_view("p29", parts)
    show_working(card, P_29.id, parameters)
    _live(whole=True)


def _live(*, whole: bool) -> None:
    stores = {_key(control.name): partial(_try, control.name) for control in P_29.controls}
    charts = {"p29_triangle": _try_weights_at}
    live_values(f"p29_live_{whole}", stores, charts, [*map(field_of, stores)], whole=whole)


@st.fragment
def show_answer() -> None:
    """The score, the conditions and the terms; below, the weights to drag or set, and the chart of what they do."""
    result = p29(components, state.policy.what_if(P_29.id).parameters.p29)
    st.container(key="finding").markdown(" ".join([result.summary(), *_against_policy(result)]))
    if drawn := [name for name in aggregates.roles.sensitive if is_drawn(aggregates, name)]:
        st.caption(plain(f"{text('verdict.randomized', columns=drawn)} {text('comparison.different_epsilon')}"))
    show_conditions(result)
    tiles = st.columns(4)
    without = format_number(sum(result.terms.values()))
    with tiles[0]:
        note = text("p29.without_conditions", score=without) if result.violating.any() else text("p29.of_one")
        _tile(P_29.title, result.value, note, metric_help(P_29))
    helps = {
        "k": text("p29.k_help", size=result.components.totals.k_min),
        "l": text("p29.l_help"),
        "t": text("p29.t_help"),
    }
    for (name, term), weight, tile in zip(result.terms.items(), _weights().values(), tiles[1:], strict=True):
        with tile:
            _tile(f"{name} term", term, text("p29.of_weight", weight=weight), helps[name])
    triangle, sliders, chart = st.container(key="weights").columns([5, 4, 7], gap="medium")
    with triangle:
        draw_with_data(p29_triangle(result), "p29_triangle")
        st.caption(text("p29.drag"))
    with sliders:
        show_sliders()
    with chart:
        drawn = p29_breakdown(result, limit=state.policy.limits.get(P_29.id))
        # Where a class fails, the sentence above has said so.
        draw_with_data(drawn, "p29_breakdown", [P_29.id], heading=largest_shortfall(result))
    _live(whole=False)


def _tile(title: str, value: float, note: str, help_text: str) -> None:
    st.metric(title, format_number(value), note, delta_color="off", delta_arrow="off", help=help_text)


def _against_policy(result: P29) -> Iterator[str]:
    """Whether the score meets the policy's limit."""
    limit = state.policy.limits.get(P_29.id)
    if limit is not None:
        meets = result.value >= limit
        yield text("p29.meets_policy", limit=limit) if meets else text("p29.fails_policy", limit=limit)


def show_conditions(result: P29) -> None:
    """The three conditions that come before the sum; one that classes fail shows these below when it is pressed."""
    conditions = _conditions(result)
    with st.container(horizontal=True, key="conditions"):
        for name, failing in result.totals.violating_by_condition.items():
            found = text("p29.conditions.fails", classes=failing) if failing else text("p29.conditions.met")
            st.button(
                f"{'✗' if failing else '✓'} **{conditions[name]}** {found}",
                key=f"condition_{name}",
                disabled=not failing,
                on_click=_show_failing,
                args=(name,),
            )


def _conditions(result: P29) -> dict[str, str]:
    limit = result.parameters.t_max
    return {"k": text("p29.conditions.k"), "l": text("p29.conditions.l"), "t": text("p29.conditions.t", limit=limit)}


def _show_failing(name: str) -> None:
    """Show the classes that fail one condition, or all failing ones again."""
    st.session_state["p29_view"] = "Failing classes"
    st.session_state[_CONDITION] = "" if st.session_state.get(_CONDITION) == name else name
    draw_whole()


def show_sliders() -> None:
    """Three weights that keep their sum at 1, and the condition on t, apart from the policy's limit."""
    current = state.policy.what_if(P_29.id).parameters.p29
    for control in P_29.controls:
        key, value, maximum = _key(control.name), getattr(current, control.name), control.maximum or 1.0
        store = partial(_try, control.name)
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small", wrap=False):
            # Shares of the rest lie between the steps; cut to two digits they would not seem to add up.
            shown = {"format": "%.4g", "help": f"{control.help} Range: 0 to {maximum:g}."}
            live_slider(control.label, maximum, control.step, key, value, store, **shown)
            live_field(control.label, maximum, control.step, key, value, store, "%.4g", width=_FIELD_PX)
    what_if_buttons(state, P_29.id, nested=True)


def _key(name: str) -> str:
    return name if name.startswith("w_") else f"p29_{name}"


def _weights() -> dict[str, float]:
    current = state.policy.what_if(P_29.id).parameters.p29
    return {control.name: getattr(current, control.name) for control in P_29.controls if control.is_weight}


def _try(name: str, value: float) -> None:
    """Try a weight, which the others then share the rest of, or the condition on t."""
    current, value = state.policy.what_if(P_29.id).parameters.p29, min(max(value, 0.0), 1.0)
    weights = _weights()
    if name not in weights:
        state.policy.try_settings(P_29.id, replace(current, **{name: value}))
        return
    # Where a drag began: the other two keep their ratio, although the weight in hand comes by 1.
    moved, begin = st.session_state.get(_BEGIN, ("", weights))
    if moved != name or rescale_weights(begin, name, weights[name]) != weights:
        begin = weights
    st.session_state[_BEGIN] = name, begin
    state.policy.try_settings(P_29.id, replace(current, **rescale_weights(begin, name, value)))


def _try_weights_at(x: float, y: float) -> None:
    """Try the weights at a point of the triangle."""
    current = state.policy.what_if(P_29.id).parameters.p29
    weights = dict(zip(_weights(), weights_at(x, y), strict=True))
    state.policy.try_settings(P_29.id, replace(current, **weights))


def failing_classes(result: P29) -> None:
    """Each failing class with the conditions it fails, the most serious first; all to download."""
    if not result.violating.any():
        st.markdown(text("p29.conditions_met"))
        return
    by_condition: dict[str, Mapping[str, Flags]] = {
        "k": {"": result.singled_out},
        "l": result.homogeneous,
        "t": result.distant,
    }
    index = result.most_serious_first()
    condition = st.session_state.get(_CONDITION, "")
    fails = np.any(list(by_condition[condition].values()), axis=0)[index] if condition else np.ones(len(index), bool)
    if fails.any():
        index = index[fails]
    if condition:
        found = pluralize(len(index), "class fails", "classes fail")
        st.header(f"{found} {_conditions(result)[condition]}", anchor=False)
    table = replace(card.classes, violations=result)
    shown = first_rows(index)
    frame = pd.DataFrame(
        {
            "size": table.classes.sizes[shown],
            "class": [class_in_short(table.classes.labels(class_index).values()) for class_index in shown.tolist()],
            **{name: _marks(flags, shown) for name, flags in by_condition.items()},
        }
    )
    data_table(frame, "Failing classes with the conditions they fail", key="violations", widths={"class": _CLASS_PX})
    chart_data(lambda: table.to_arrow(index), "violating_classes", "Download classes (CSV)", confidential=True)


def _marks(flags: Mapping[str, Flags], index: Integers) -> list[str]:
    """A mark for each class that fails a condition, with the attributes where there are several."""
    failing = [(name, fails[index].tolist()) for name, fails in flags.items()]
    names = [", ".join(name for name, fails in failing if fails[at]) for at in range(len(index))]
    fails = np.any(list(flags.values()), axis=0)[index].tolist()
    return [
        f"✗ {name if len(flags) > 1 else ''}".rstrip() if failed else ""
        for name, failed in zip(names, fails, strict=True)
    ]


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
