"""Scorecard: every metric of one candidate."""

import json

import pandas as pd
import streamlit as st

from dashboard.components.assumptions import assumptions
from dashboard.components.data_table import data_table
from dashboard.components.guard import require_card
from dashboard.components.metric_card import metric_card
from dashboard.components.threshold_editor import drop_limits
from dashboard.components.working import show_working
from dashboard.session import workspace
from dashboard.text import plain
from metrics.specification import Family
from metrics.verdict import verdict
from metrics.wording import counted

_CARDS_A_ROW = 3
_HEADINGS = {
    Family.PRIVACY: "Privacy: what it still gives away",
    Family.UTILITY: "Utility: what it has lost",
    Family.ECONOMICS: "Economics: whether it pays",
}

card = require_card()
state = workspace()
classes = card.evidence.class_sizes
st.title("Scorecard")
st.markdown(f"**{plain(card.evidence.anonymized.name)}**: {plain(' '.join(verdict(card, state.thresholds)))}")
figures = st.columns(4)
figures[0].metric("Records", f"{card.evidence.anonymized.rows:,}")
figures[1].metric("Suppressed records", f"{classes.suppressed:,}")
figures[2].metric("Equivalence classes", f"{classes.count:,}")
figures[3].metric("Mean class size", f"{classes.kept / classes.count:,.1f}" if classes.count else "—")

assumptions(state, card)

work = None
for family, heading in _HEADINGS.items():
    scores = [score for score in card if score.metric.family is family]
    st.header(heading)
    for start in range(0, len(scores), _CARDS_A_ROW):
        places = st.columns(_CARDS_A_ROW)
        for place, score in zip(places, scores[start:], strict=False):
            with place:
                work = metric_card(state, score) or work

judged = state.thresholds.judge(card)
if judged:
    kept = sum(one is True for one in judged.values())
    st.markdown(f"**{kept} of {counted(len(judged), 'limit')} kept.**")
    st.button("Drop all limits", key="drop_limits", on_click=drop_limits, args=(state,))

st.header("Show the working")
titles = {score.metric.id: score.metric.title for score in card}
chosen = st.selectbox(
    "Metric", list(titles), format_func=titles.__getitem__, key="working_metric", persist_state="session"
)
show_working(card, str(chosen))

with st.expander("All figures in full"):
    data_table(
        pd.DataFrame(
            {
                "metric": [score.metric.title for score in card],
                "value": ["" if score.value is None else str(score.value) for score in card],
                "range": [score.metric.range for score in card],
                "direction": [str(score.metric.direction) for score in card],
                "unavailable because": [score.unavailable or "" for score in card],
                "reference": [score.metric.reference for score in card],
                "doi": [score.metric.doi or "" for score in card],
            }
        ),
        "Every metric with its full figure",
    )
    st.download_button(
        "Download as JSON",
        lambda: json.dumps(card.to_dict(), ensure_ascii=False, indent=1),
        file_name="scorecard.json",
        mime="application/json",
        on_click="ignore",
    )

if work is not None:
    work()
