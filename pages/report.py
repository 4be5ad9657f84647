"""Report: the verdict, and what can be taken away to show it and to go on from it."""

import pandas as pd
import streamlit as st

from dashboard.components.candidate_picker import chosen_candidate
from dashboard.components.data_table import data_table
from dashboard.components.downloads import downloads
from dashboard.components.guard import require_all_classes
from dashboard.components.settings_file import settings_uploader
from dashboard.navigation import SCORECARD
from dashboard.session import workspace
from dashboard.text import plain
from metrics.report import contents
from metrics.scorecard import shown
from metrics.thresholds import judgement, wanted
from metrics.verdict import verdict

state = workspace()
st.title("Report")
above = st.container()
st.header("Go on from a settings file")
settings_uploader(state)
with above:
    card = require_all_classes()
    first, *others = verdict(card, state.thresholds)
    st.markdown(f"**{plain(first)}** {plain(' '.join(others))}")
    downloads(state, chosen_candidate(state), card)
    left, right = st.columns(2)
    with left:
        st.subheader("What the report holds")
        st.markdown("\n".join(f"- {plain(line)}" for line in contents(card)))
    with right:
        st.subheader("Limits")
        judged = state.thresholds.judge(card)
        if judged:
            data_table(
                pd.DataFrame(
                    {
                        "metric": [card[name].metric.title for name in judged],
                        "wanted": [wanted(card[name].metric, state.thresholds.limits[name]) for name in judged],
                        "value": [shown(card[name].value) for name in judged],
                        "verdict": [judgement(kept) for kept in judged.values()],
                    }
                ),
                "Limits and whether they are kept",
            )
        else:
            st.markdown("No limit is set, so nothing passes or fails.")
            st.page_link(SCORECARD.page(), label="Set limits on the scorecard")
