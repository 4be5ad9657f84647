"""The table of classes, and one class in full."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.components.candidate_picker import chosen_candidate
from dashboard.components.data_table import data_table
from dashboard.components.figure import draw
from dashboard.session import workspace
from dashboard.text import plain
from metrics.export import to_csv
from metrics.figures.classes import class_distribution
from metrics.scorecard import Scorecard
from metrics.table import Integers
from metrics.wording import visible

_AT_ONCE = 1_000


def class_browser(card: Scorecard, limit: int) -> int | None:
    """Filter, sort and page through all classes; the class that was clicked, or None."""
    table = card.classes
    which, order = st.columns([2, 1])
    kind = which.segmented_control(
        "Show",
        ["all", "smaller than k", "violating P_29"],
        key="class_filter",
        default="all",
        required=True,
        persist_state="session",
    )
    measures = ["size", *(f"{name}.{m}" for name in table.distinct for m in ("distinct", "normalized_entropy", "t"))]
    by = order.selectbox(
        "Sort by", ["quasi-identifiers", *measures], key="class_order", format_func=visible, persist_state="session"
    )
    descending = order.toggle("Largest first", key="class_descending", persist_state="session")
    index = _sorted(card, _filtered(card, str(kind), limit), str(by), descending)
    if not len(index):
        st.info("No class is left by this filter.", icon=":material/info:")
        return None
    pages = -(-len(index) // _AT_ONCE)
    page = 1
    if pages > 1:
        page = int(st.number_input(f"Page (1 to {pages:,})", 1, pages, key="class_page"))
    shown = index[(page - 1) * _AT_ONCE : page * _AT_ONCE]
    st.caption(f"{len(index):,} classes; click the box at the left of a row to see the class in full.")
    frame: pd.DataFrame = table.to_arrow(shown).to_pandas()
    candidate = chosen_candidate(workspace())
    state = data_table(
        frame,
        "Equivalence classes with size, diversity and distance",
        on_select="rerun",
        selection_mode="single-row",
        # All that decides which class stands in a row: a click must not pass on to another class.
        key=f"class_table_{candidate}_{kind}_{limit if kind == 'smaller than k' else ''}_{by}_{descending}_{page}",
        column_config=_formats(frame),
    )
    st.download_button(
        "Download these classes as CSV",
        lambda: to_csv(table.to_arrow(index)),
        file_name="classes.csv",
        mime="text/csv",
    )
    rows = state.selection.rows
    return int(shown[rows[0]]) if rows and rows[0] < len(shown) else None


def _filtered(card: Scorecard, kind: str, limit: int) -> Integers:
    if kind == "smaller than k":
        return np.flatnonzero(card.evidence.classes.sizes < limit)
    if kind == "violating P_29":
        return np.flatnonzero(card.classes.violating)
    return np.arange(card.evidence.classes.count)


def _sorted(card: Scorecard, index: Integers, by: str, descending: bool) -> Integers:
    """Classes by one measure, ties in the order of their quasi-identifiers."""
    table = card.classes
    if by == "quasi-identifiers":
        return index[::-1] if descending else index
    if by == "size":
        values = card.evidence.classes.sizes[index].astype(np.float64)
    else:
        name, _, measure = by.rpartition(".")
        held: dict[str, Any] = {
            "distinct": table.distinct,
            "normalized_entropy": table.normalized_entropy,
            "t": table.t,
        }
        if name not in held[measure]:
            return index
        values = held[measure][name][index].astype(np.float64)
    order = np.argsort(-values if descending else values, kind="stable")
    return index[order]


def _formats(frame: pd.DataFrame) -> dict[str, Any]:
    return {
        name: st.column_config.NumberColumn(format="%.4f")
        for name in frame.columns
        if str(name).endswith((".normalized_entropy", ".t"))
    }


def class_detail(card: Scorecard, index: int) -> None:
    """One class: who is in it, why it fails, and each sensitive attribute beside the whole table's."""
    classes, table = card.evidence.classes, card.classes
    st.subheader("The chosen class")
    labels = ", ".join(f"{plain(name)} = **{plain(label)}**" for name, label in classes.labels(index).items())
    st.markdown(f"{labels}: {classes.sizes[index]:,} records")
    if table.joint is not None and table.violating[index]:
        reasons = table.joint.reason_texts(np.array([index]))[0].as_py()
        st.warning(f"It violates P\\_29: {plain(reasons)}.", icon=":material/warning:")
    if not table.distinct:
        st.caption("No column is tagged sensitive, so there is nothing more to learn about its records.")
    for name in table.distinct:
        figures = st.columns(3)
        figures[0].metric(f"{plain(name)}: distinct values", f"{table.distinct[name][index]:,}")
        figures[1].metric("normalized entropy l", f"{table.normalized_entropy[name][index]:.4f}")
        if name in table.t:
            figures[2].metric("distance t", f"{table.t[name][index]:.4f}")
        figure = class_distribution(
            card.evidence.histogram(name),
            index,
            t=table.t[name][index] if name in table.t else None,
            entropy=table.normalized_entropy[name][index],
        )
        draw(figure, f"distribution_of_{name}")
