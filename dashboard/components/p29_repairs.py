"""Repairs that raise P_29 above 0: without the failing classes, or with each merged into its nearest neighbour."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboard.components.release_file import release_button
from dashboard.navigation import REPAIR
from dashboard.text import plain
from metrics.aggregates import Aggregates
from metrics.candidates.repair.p29_repair import Repair, repair_by_deletion, repair_by_merging, repaired_table
from metrics.config.parameters import P29Parameters
from metrics.errors import Unavailable
from metrics.privacy.p29 import P29, p29
from metrics.wording import percent, pluralize

_AT_ONCE = 3_000


def p29_repairs(aggregates: Aggregates, parameters: P29Parameters, result: P29, max_suppression: float | None) -> None:
    """Both repairs side by side: what each costs, the score after it, how it went, and the table to download.

    `max_suppression` is the policy's limit on suppressed and removed records.
    """
    if not result.violating.any():
        st.markdown("All three P_29 conditions are met, so no repair is needed.")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            "Each method repeats until no class fails, because each change shifts the distribution of the whole table."
        )
        st.page_link(REPAIR.page(), label="Repair to the policy", icon=":material/build:")
    if aggregates.classes.count > _AT_ONCE and not st.toggle(
        f"Compute for {aggregates.classes.count:,} classes (can take a while)", key="lift_large"
    ):
        return
    left, right = st.columns(2)
    with left, st.container(border=True):
        st.header("Delete the records of failing classes")
        _repair_section(aggregates, parameters, "delete", repair_by_deletion, max_suppression)
    with right, st.container(border=True):
        st.header("Merge each failing class with the nearest class")
        _repair_section(aggregates, parameters, "merge", repair_by_merging, max_suppression)


def _repair_section(
    aggregates: Aggregates,
    parameters: P29Parameters,
    method: str,
    repair: Callable[[Aggregates, P29Parameters], Repair],
    max_suppression: float | None,
) -> None:
    """Which classes change depends on the limit on t alone, so a press on a weight repeats nothing."""
    limit = P29Parameters(t_max=parameters.t_max)
    try:
        with st.spinner("Computing…", show_time=True):
            done = aggregates.memoize(f"{method} {limit.t_max}", lambda: repair(aggregates, limit))
    except Unavailable as reason:
        st.info(plain(f"{reason}."), icon=":material/info:")
        return
    score = 0.0 if done.result is None else p29(done.result.components, parameters).value
    _draw_result(aggregates, done, score, max_suppression)


def _draw_result(aggregates: Aggregates, repair: Repair, score: float, max_suppression: float | None) -> None:
    sizes = aggregates.classes.sizes
    kept = 0 if repair.result is None else len(repair.result.components.sizes)
    merging = repair.method == "merge"
    changed = int(sizes[repair.changed_classes].sum()) - repair.lost_records
    removed = aggregates.comparison.removed or 0
    total = aggregates.anonymized.rows + removed
    gone = (repair.lost_records + aggregates.class_sizes.suppressed + removed) / total
    price, after = st.columns(2)
    if merging:
        price.metric("Records changed", f"{changed:,}", help="Records with more general values than before.")
    else:
        deleted = percent(repair.lost_records / aggregates.anonymized.rows)
        price.metric("Records deleted", deleted, help=f"{repair.lost_records:,} records, which nobody can use.")
    title = "P_29 after merging" if merging else "P_29 after deleting"
    after.metric(title, f"{score:.4f}", help=f"P_29 of the repaired table, 0 to 1. Unrounded: {score}")
    if max_suppression is not None and gone > max_suppression:
        st.warning(
            f"Fails the policy: {percent(gone)} of the records would be suppressed or removed, those before included; "
            f"the limit is {percent(max_suppression)}."
        )
    lost = pluralize(repair.lost_records, "record")
    st.markdown(
        (
            f"{pluralize(changed, 'record')} with more general values, {lost} suppressed"
            if merging
            else f"{lost} deleted, {_records_left(aggregates, repair)}"
        )
        + f"; {pluralize(kept, 'class', 'classes')} instead of {aggregates.classes.count:,}."
    )
    rounds = []
    for number, one in enumerate(repair.rounds, 1):
        classes, records = pluralize(one.classes, "class", "classes"), pluralize(one.records, "record")
        rounds.append(f"Round {number}: {classes} with {records} failed.")
    st.caption("  \n".join(rounds))
    name = aggregates.anonymized.name.split(".")[0]
    release_button(lambda: repaired_table(aggregates, repair), f"{name}_{repair.method}", f"repaired_{repair.method}")


def _records_left(aggregates: Aggregates, repair: Repair) -> str:
    """The records left, with those that were suppressed before."""
    left, suppressed = aggregates.anonymized.rows - repair.lost_records, aggregates.classes.suppressed
    return f"{left:,} left" + (f", {suppressed:,} of them suppressed" if suppressed else "")
