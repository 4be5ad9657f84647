"""What would make a table pass: limits, a way to repair it, what that costs, and the table to take away or keep."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pandas as pd
import pyarrow as pa
import streamlit as st

from dashboard.components.candidate_picker import chosen_candidate
from dashboard.components.data_table import data_table
from dashboard.components.server_count import stays_on_server
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.candidates.constraints import ABOVE_ZERO, Constraints
from metrics.candidates.repair_to import LimitedRepair, Method, repair_to
from metrics.candidates.told import in_short
from metrics.errors import InputError
from metrics.evidence import Evidence
from metrics.export import to_csv, to_parquet
from metrics.parameters import Parameters
from metrics.specification import Unavailable
from metrics.wording import counted, visible

_AT_ONCE = 3_000
_MOST_KEPT = 3
_FORMS = (("CSV", "text/csv", to_csv), ("Parquet", "application/vnd.apache.parquet", to_parquet))
_METHODS = {
    Method.RECORDS: "Suppress whole records",
    Method.CELLS: "Suppress single cells",
    Method.MERGE: "Merge classes",
}
_ABOUT = {
    Method.RECORDS: "The fewest records of whole classes become rows of *.",
    Method.CELLS: "Single cells of quasi-identifiers become *, so that records join larger classes.",
    Method.MERGE: "Classes join their nearest neighbours under the labels that cover both.",
}


def repair_panel(state: Workspace, evidence: Evidence) -> None:
    """Limits on controls, the chosen way, and what it comes to. The limit on k is the page's own."""
    st.header("What would make it pass")
    if stays_on_server(state, chosen_candidate(state)):
        return
    constraints = _limits(state, evidence)
    method = st.radio(
        "By",
        list(Method),
        key="repair_method",
        format_func=lambda one: _METHODS[one],
        captions=[_ABOUT[one] for one in Method],
        horizontal=True,
        persist_state="session",
    )
    chosen = Method(method or Method.RECORDS)
    importance: list[str] = _importance(evidence) if chosen is Method.CELLS else []
    if evidence.classes.count > _AT_ONCE and not st.toggle(
        f"Work it out for {evidence.classes.count:,} classes, which can take a while", key="repair_large"
    ):
        return
    try:
        repair = _worked_out(evidence, constraints, chosen, state.parameters_for(evidence), importance)
    except (Unavailable, InputError) as reason:
        st.info(plain(f"{str(reason).rstrip('.')}."), icon=":material/info:")
        return
    if not len(repair.violating) and not repair.unmet:
        st.success("Every class meets the limits; there is nothing to repair.", icon=":material/check:")
        return
    _shown(state, repair)


def _limits(state: Workspace, evidence: Evidence) -> Constraints:
    columns = st.columns(4)
    columns[0].metric("k at least", f"{state.k_limit}", help="Set with the slider at the top of this page.")
    share = columns[1].slider(
        "Records suppressed at most (share)",
        0.0,
        1.0,
        1.0,
        step=0.01,
        key="repair_suppression",
        persist_state="session",
    )
    suppressed = None if share == 1 else float(share)
    if not evidence.roles.sensitive:
        columns[2].caption("Tag a sensitive column for limits on l, t and P_29.")
        return Constraints(k=state.k_limit, max_suppression=suppressed)
    diversity = columns[2].slider(
        "Different sensitive values at least (l)", 1, 20, 1, key="repair_l", persist_state="session"
    )
    closeness = columns[3].slider("t at most", 0.0, 1.0, 1.0, step=0.01, key="repair_t", persist_state="session")
    with columns[2]:
        joint = st.toggle("P_29 above 0", key="repair_p29", persist_state="session")
    with columns[3]:
        attacks = st.toggle("No attack pays", key="repair_no_attack", persist_state="session")
    return Constraints(
        k=state.k_limit,
        max_suppression=suppressed,
        l=None if diversity == 1 else int(diversity),
        t=None if closeness == 1 else float(closeness),
        p29=ABOVE_ZERO if joint else None,
        no_attack=bool(attacks),
    )


def _importance(evidence: Evidence) -> list[str]:
    chosen = st.multiselect(
        "Keep cells of these first, the most important one first",
        list(evidence.classes.quasi_identifiers),
        key="repair_importance",
        format_func=visible,
        help="Where not every choice can be tried. The others follow, those with fewer different values first.",
        persist_state="session",
    )
    return [name for name in chosen if name in evidence.classes.quasi_identifiers]


def _worked_out(
    evidence: Evidence, constraints: Constraints, method: Method, parameters: Parameters, importance: list[str]
) -> LimitedRepair:
    """The repair; the last few are kept with the candidate's aggregates."""
    name = f"{method} {constraints} {importance} {parameters}"
    kept: dict[str, LimitedRepair] = evidence.once("repairs to limits", dict)
    if name not in kept:
        with st.spinner("Working it out…", show_time=True):
            repair = repair_to(evidence, constraints, method, parameters=parameters, importance=importance)
        while len(kept) >= _MOST_KEPT:
            kept.pop(next(iter(kept)))
        kept[name] = repair
    return kept[name]


def _shown(state: Workspace, repair: LimitedRepair) -> None:
    places = st.columns(4)
    places[0].metric("Records changed", f"{repair.records_changed:,}")
    places[1].metric("Cells changed", f"{repair.cells_changed:,}", help="Cells of quasi-identifiers.")
    places[2].metric("Records suppressed by it", f"{repair.suppressed_now:,}")
    places[3].metric("Found by", "exact" if repair.exact else "heuristic")
    st.caption(plain(f"{in_short(repair)}. {counted(repair.evidence.classes.count, 'class', 'classes')} afterwards."))
    if repair.unmet:
        found = "; ".join(repair.unmet)
        st.warning(plain(f"This way does not meet the limits: {found}."), icon=":material/warning:")
    known = [cost for cost in repair.costs if cost.before.value is not None]
    if known:
        frame = pd.DataFrame(
            {
                "Utility metric": [cost.before.metric.title for cost in known],
                "Before": [_number(cost.before.value) for cost in known],
                "After": [_number(cost.after.value) for cost in known],
                "Direction": [str(cost.before.metric.direction) for cost in known],
            }
        )
        data_table(frame, "Utility metrics before and after the repair", key="repair_costs")
    if len(known) < len(repair.costs):
        more = counted(len(repair.costs) - len(known), "further utility metric")
        st.caption(f"{more} cannot be computed here: the scorecard says why.")
    if not repair.unmet:
        _take_away(state, repair)


def _number(value: float | bool | None) -> float | None:
    return None if value is None else float(value)


def _take_away(state: Workspace, repair: LimitedRepair) -> None:
    stem = f"{repair.table.name.split('.')[0]}_{repair.method}_k{state.k_limit}"
    keep, *places = st.columns(3)
    if keep.button("Keep as candidate", key="keep_repair", icon=":material/bookmark_add:"):
        label = state.keep(stem, repair.table, repair.evidence.roles.matching)
        st.toast(f"Kept as {plain(label)}; choose it at the left.", icon=":material/check:")
        st.rerun()
    for place, (suffix, mime, written) in zip(places, _FORMS, strict=True):
        place.download_button(
            f"Table as {suffix}",
            partial(_file_of, repair, written),
            file_name=f"{stem}.{suffix.lower()}",
            mime=mime,
            key=f"repair_{suffix.lower()}",
            on_click="ignore",
            icon=":material/download:",
        )


def _file_of(repair: LimitedRepair, written: Callable[[pa.Table], bytes]) -> bytes:
    """The repaired table as a file, made when it is asked for."""
    return written(repair.table.to_arrow())
