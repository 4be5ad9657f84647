"""Scale: what scoring a table like this one would take on a cluster, at a billion records."""

import streamlit as st

from dashboard.components.candidate_picker import page_title
from dashboard.components.guard import require_card, unavailable
from dashboard.components.more.cluster_sections import cost_assumptions, cost_section
from metrics.engines.cost import measured_counts
from metrics.errors import Unavailable

aggregates = require_card().aggregates
page_title("Scale")
try:
    measured = aggregates.memoize("cluster cost", lambda: measured_counts(aggregates))
except Unavailable as reason:
    unavailable(str(reason))


@st.fragment
def show_cost() -> None:
    """Show what a billion records take, by the size of a partition."""
    cost_section(measured)


show_cost()
st.header("Assumptions")
cost_assumptions(aggregates, measured)
