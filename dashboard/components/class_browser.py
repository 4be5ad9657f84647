"""The table of classes, and one class in full."""

from __future__ import annotations

import hashlib
from dataclasses import asdict

import pandas as pd
import streamlit as st

from dashboard.components.candidate_picker import chosen_candidate
from dashboard.components.class_filters import class_filters
from dashboard.components.data_table import data_table
from dashboard.components.figure import draw_with_data
from dashboard.session import workspace
from dashboard.text import plain
from metrics.class_filter import QUASI_IDENTIFIERS, matching, measures, ordered
from metrics.class_profile import class_profile
from metrics.export import to_csv
from metrics.figures.classes import class_distribution
from metrics.scorecard import Scorecard
from metrics.wording import counted, visible

_AT_ONCE = 1_000


def class_browser(card: Scorecard) -> int | None:
    """Filter, sort and page through all classes; the class that was clicked, or None."""
    table, state = card.classes, workspace()
    candidate = chosen_candidate(state)
    wanted = class_filters(state, table, candidate)
    order, turn = st.columns([2, 1], vertical_alignment="bottom")
    by = order.selectbox(
        "Sort by",
        [QUASI_IDENTIFIERS, *measures(table)],
        key="class_order",
        format_func=visible,
        persist_state="session",
    )
    descending = turn.toggle("Largest first", key="class_descending", persist_state="session")
    index = ordered(table, matching(table, wanted), str(by), descending)
    if not len(index):
        st.info("No class is left by this filter.", icon=":material/info:")
        return None
    pages = -(-len(index) // _AT_ONCE)
    page = 1
    if pages > 1:
        page = int(st.number_input(f"Page (1 to {pages:,})", 1, pages, key="class_page"))
    shown = index[(page - 1) * _AT_ONCE : page * _AT_ONCE]
    records = counted(int(table.classes.sizes[index].sum()), "record")
    st.caption(
        f"{counted(len(index), 'class', 'classes')} with {records}; tick the box at the left of a row to see the class "
        "in full."
    )
    frame: pd.DataFrame = table.to_arrow(shown).to_pandas()
    # All that decides which class stands in a row: a click must not pass on to another class.
    shown_digest = hashlib.sha256(shown.tobytes()).hexdigest()[:16]
    event = data_table(
        frame,
        "Equivalence classes with size, diversity and distance",
        on_select="rerun",
        selection_mode="single-row",
        key=f"class_table_{candidate}_{shown_digest}",
    )
    st.download_button(
        "Download these classes as CSV",
        lambda: to_csv(table.to_arrow(index)),
        file_name="classes.csv",
        mime="text/csv",
        on_click="ignore",
    )
    rows = event.selection.rows
    return int(shown[rows[0]]) if rows and rows[0] < len(shown) else None


def class_detail(card: Scorecard, index: int) -> None:
    """One class: who is in it, why it fails, and each sensitive attribute beside the whole table's."""
    classes, table = card.evidence.classes, card.classes
    st.subheader("The chosen class")
    labels = ", ".join(f"{plain(name)} = **{plain(label)}**" for name, label in classes.labels(index).items())
    st.markdown(f"{labels}: {classes.sizes[index]:,} records")
    if not table.distinct:
        st.caption("No column is tagged sensitive, so there is nothing more to learn about its records.")
    profile = class_profile(card, index, workspace().k_limit, workspace().thresholds)
    failures = [row for row in profile if row.failure]
    for row in failures:
        of = f" of {plain(row.attribute)}" if row.attribute else ""
        st.markdown(f"- **{plain(row.measure)}**{of}: {plain(row.failure)}")
    if not failures:
        st.markdown("It fails nowhere.")
    for name in table.distinct:
        figure = class_distribution(
            card.evidence.histogram(name),
            index,
            t=table.t[name][index] if name in table.t else None,
            entropy=table.normalized_entropy[name][index],
        )
        draw_with_data(figure, f"distribution_of_{name}")
    data_table(pd.DataFrame([asdict(row) for row in profile]), "Every figure of the chosen class", key="class_profile")
