"""Repairs that raise P_29 above 0: without the failing classes, or with each merged into its nearest neighbour."""

from __future__ import annotations

import streamlit as st

from dashboard.components.release_file import release_button
from dashboard.navigation import REPAIR
from dashboard.text import plain
from metrics.aggregates import Aggregates
from metrics.candidates.repair.by_policy import computed_repair
from metrics.candidates.repair.summary import p29_after
from metrics.candidates.repair.to_limits import LimitedRepair, Method
from metrics.config.parameters import P29Parameters, Parameters
from metrics.errors import Unavailable
from metrics.formatting import format_number, percent
from metrics.metric import ABOVE_ZERO
from metrics.privacy.p29 import P29, P_29
from metrics.texts import text

_AT_ONCE = 3_000


def p29_repairs(aggregates: Aggregates, parameters: P29Parameters, result: P29, max_suppression: float | None) -> None:
    """Both repairs side by side: what each costs, the score after it, how it went, and the table to download.

    `max_suppression` is the policy's limit on suppressed and removed records.
    """
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
        _repair_section(aggregates, parameters, Method.FAILING, max_suppression)
    with right, st.container(border=True):
        st.header("Merge each failing class with the nearest class")
        _repair_section(aggregates, parameters, Method.MERGE, max_suppression)


def _repair_section(
    aggregates: Aggregates, parameters: P29Parameters, method: Method, max_suppression: float | None
) -> None:
    """Which classes change depends on the limit on t alone, so a press on a weight repeats nothing."""
    limit = Parameters(p29=P29Parameters(t_max=parameters.t_max))
    try:
        with st.spinner("Computing…", show_time=True):
            repair = computed_repair(aggregates, {P_29.id: ABOVE_ZERO}, method, limit)
    except Unavailable as reason:
        st.info(plain(f"{reason}."), icon=":material/info:")
        return
    _draw_result(aggregates, repair, p29_after(repair, parameters), max_suppression)


def _draw_result(aggregates: Aggregates, repair: LimitedRepair, score: float, max_suppression: float | None) -> None:
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
    if max_suppression is not None and share_lost > max_suppression:
        st.warning(text("p29.repair.fails_policy", share=share_lost, limit=max_suppression))
    st.markdown(_change(aggregates, repair))
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


def _change(aggregates: Aggregates, repair: LimitedRepair) -> str:
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
