"""The metrics without a value: why, and what to do about it."""

from __future__ import annotations

import streamlit as st

from dashboard.components.on_demand import Work, computing, on_demand
from dashboard.navigation import DATA
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.formatting import join_names, pluralize
from metrics.scoring.scorecard import Score, Scorecard
from metrics.texts import text


def not_measured(state: Workspace, card: Scorecard) -> Work | None:
    """One collapsed row with every reason once; returns the work that the reader has asked for, see `on_demand`."""
    missing = [score for score in card if score.result is None]
    if not missing:
        return None
    work = None
    on_demand_scores = [score for score in missing if score.unavailable == text("unavailable.on_demand")]
    unavailable = [score for score in missing if score not in on_demand_scores]
    title = f"{pluralize(len(missing), 'metric')} not measured"
    if on_demand_scores:
        title += f", {len(on_demand_scores)} of them computed on request"
    with st.expander(title, expanded=computing(), key="not_measured"):
        for reason, titles in _by_reason(unavailable).items():
            st.markdown(f"**{plain(join_names(titles))}**: {plain(reason)}.")
        if unavailable:
            st.page_link(DATA.page(), label="Add tables, roles or hierarchies", icon=":material/upload_file:")
        for score in on_demand_scores:
            left, right = st.columns([4, 1], vertical_alignment="center")
            left.markdown(f"**{plain(score.metric.title)}**: {plain(score.metric.meaning)}")
            with right:
                work = on_demand(state, score) or work
    return work


def _by_reason(scores: list[Score]) -> dict[str, list[str]]:
    titles: dict[str, list[str]] = {}
    for score in scores:
        titles.setdefault(score.unavailable or "", []).append(score.metric.title)
    return titles
