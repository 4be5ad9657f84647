"""A metric's figure with what a reader needs to judge it."""

from __future__ import annotations

import streamlit as st

from dashboard.components.on_demand import Work, on_demand
from dashboard.components.threshold_editor import limit_badge, limit_editor
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.scorecard import Score, shown


def metric_card(state: Workspace, score: Score) -> Work | None:
    """Title, figure, limit, finding, range and direction; the full figure, meaning and source are in the help.

    Returns the work that the reader has asked for, see `on_demand`.
    """
    spec = score.metric
    full = "" if score.value is None else f"\n\nFull figure: {score.value}"
    doi = "" if spec.doi is None else f", doi {spec.doi}"
    about = f"{spec.meaning}\n\n{spec.good}{full}\n\n{plain(spec.reference + doi)}"
    with st.container(border=True, height="stretch"):
        st.metric(spec.title, shown(score.value), help=about)
        limit_badge(state, score)
        st.markdown(plain(score.in_words()))
        st.caption(f"{spec.meaning} Range: {spec.range} {spec.unit}; {spec.direction}.")
        work = on_demand(state, score)
        limit_editor(state, spec)
    return work
