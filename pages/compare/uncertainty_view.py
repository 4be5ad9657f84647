"""Which versions differ beyond the chance of who is in the table: computed in the background, one chart per metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from dashboard.components.chart import draw_with_data
from dashboard.components.measures_table import Cell, Row, measures_table
from dashboard.state.uncertainty_state import Scoring
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.candidates.compare.comparison import compare
from metrics.candidates.compare.summary import better_shares
from metrics.candidates.compare.trade_off_chart import trade_off
from metrics.candidates.compare.uncertainty import CLEAR, HALVES
from metrics.candidates.compare.uncertainty_chart import uncertainty_chart
from metrics.drawing.version_styles import Styles
from metrics.errors import Unavailable
from metrics.scoring.scorecard import Scorecard
from metrics.texts import text

_LOOK_S = 0.5


def uncertainty_view(
    state: Workspace, cards: Mapping[str, Scorecard], metrics: Sequence[str], plane: tuple[str, str], styles: Styles
) -> None:
    """What it is, a button that begins it; then its progress, and at last the front, the pairs and a chart per metric.

    `plane`: the two metrics of the front.
    """
    st.caption(text("uncertainty.what", halves=HALVES, share=CLEAR))
    scoring = state.uncertainty.scoring(cards, metrics)
    if scoring is None:
        begin = state.uncertainty.begin
        st.button(
            "Compute", key="uncertainty_compute", on_click=begin, args=(cards, metrics), icon=":material/play_arrow:"
        )
        return
    if not scoring.job.ended(0):
        _progress(state, scoring)
        return
    try:
        found = scoring.job.result()
    except Unavailable as reason:
        st.info(plain(f"Unavailable: {reason}."), icon=":material/info:")
        return
    if set(plane) <= set(found.metrics):
        front = trade_off(compare(cards), *plane, styles=styles, found=found)
        draw_with_data(front, "uncertainty_front", plane)
    (title, *pairs), *shares = better_shares(found)
    rows = [Row(metric, "", None, list(map(Cell, cells))) for metric, *cells in shares]
    measures_table(pairs, rows, title, "uncertainty_pairs", first=title)
    for metric in metrics:
        draw_with_data(uncertainty_chart(found, metric, styles), f"uncertainty_{metric}", [metric])


@st.fragment(run_every=_LOOK_S)
def _progress(state: Workspace, scoring: Scoring) -> None:
    """How far it is; other pages can be read meanwhile."""
    if scoring.job.ended(0):
        st.rerun()
    st.progress(scoring.share, text=f"Scoring halves of the people: {scoring.share:.0%}")
    if st.button("Cancel", key="uncertainty_cancel", icon=":material/close:"):
        state.uncertainty.stop()
        st.rerun()
