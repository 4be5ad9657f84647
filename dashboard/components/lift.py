"""What would lift P_29: the table without its violating classes, or with them merged into their neighbours."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pyarrow as pa
import streamlit as st

from dashboard.navigation import CLASSES
from dashboard.text import plain
from metrics.candidates.repair import Repair, repair_by_deletion, repair_by_merging, repaired_table
from metrics.evidence import Evidence
from metrics.export import to_csv, to_parquet
from metrics.parameters import P29Parameters
from metrics.privacy.p29 import p29
from metrics.specification import Unavailable
from metrics.wording import counted

_AT_ONCE = 3_000
_FORMS = (("CSV", "text/csv", to_csv), ("Parquet", "application/vnd.apache.parquet", to_parquet))


def lift(evidence: Evidence, parameters: P29Parameters) -> None:
    """Both repairs side by side: the score after each, what it costs, how it went, and the table to download."""
    st.header("What would lift it")
    st.markdown("Both go on until no class shuts a gate: changing classes changes the table they are compared with.")
    st.page_link(CLASSES.page(), label="With limits of your own, or by single cells: on Equivalence classes")
    if evidence.classes.count > _AT_ONCE and not st.toggle(
        f"Work it out for {evidence.classes.count:,} classes, which can take a while", key="lift_large"
    ):
        return
    left, right = st.columns(2)
    with left, st.container(border=True):
        st.subheader("Delete the violating records")
        _worked_out(evidence, parameters, "delete", repair_by_deletion)
    with right, st.container(border=True):
        st.subheader("Merge each into its nearest neighbour")
        _worked_out(evidence, parameters, "merge", repair_by_merging)


def _worked_out(
    evidence: Evidence,
    parameters: P29Parameters,
    method: str,
    repair: Callable[[Evidence, P29Parameters], Repair],
) -> None:
    """Which classes change depends on the limit on t alone, so a press on a weight repeats nothing."""
    limit = P29Parameters(t_max=parameters.t_max)
    try:
        with st.spinner("Working it out…", show_time=True):
            done = evidence.once(f"{method} {limit.t_max}", lambda: repair(evidence, limit))
    except Unavailable as reason:
        st.info(plain(f"{reason}."), icon=":material/info:")
        return
    _shown(evidence, done, 0.0 if done.result is None else p29(done.result.components, parameters).value)


def _shown(evidence: Evidence, repair: Repair, score: float) -> None:
    sizes = evidence.classes.sizes
    kept = 0 if repair.result is None else len(repair.result.components.sizes)
    merging = repair.method == "merge"
    st.metric("P_29 after merging" if merging else "P_29 after deleting", f"{score:.4f}", help=f"Full figure: {score}")
    changed = int(sizes[repair.changed_classes].sum()) - repair.lost_records
    lost = counted(repair.lost_records, "record")
    st.markdown(
        (
            f"{counted(changed, 'record')} with more general values, {lost} suppressed"
            if merging
            else f"{lost} fewer, {evidence.anonymized.rows - repair.lost_records:,} left"
        )
        + f"; {counted(kept, 'class', 'classes')} instead of {evidence.classes.count:,}."
    )
    for number, one in enumerate(repair.rounds, 1):
        classes, records = counted(one.classes, "class", "classes"), counted(one.records, "record")
        st.caption(f"Round {number}: {classes} with {records} shut a gate.")
    name = evidence.anonymized.name.split(".")[0]
    for place, (suffix, mime, written) in zip(st.columns(2), _FORMS, strict=True):
        place.download_button(
            f"Table as {suffix}",
            partial(_file_of, evidence, repair, written),
            file_name=f"{name}_{repair.method}.{suffix.lower()}",
            mime=mime,
            key=f"repaired_{suffix}_{repair.method}",
            on_click="ignore",
        )


def _file_of(evidence: Evidence, repair: Repair, written: Callable[[pa.Table], bytes]) -> bytes:
    """The repaired table as a file, made when it is asked for."""
    return written(repaired_table(evidence, repair).to_arrow())
