"""Learn: the measures by small examples that change under the reader's hands."""

import streamlit as st

from dashboard.components.more.example_page import example_section
from metrics.explanations.examples import EXAMPLES

_BY_ID = {example.id: example for example in EXAMPLES}

st.title("Learn")
st.markdown("Change a cell and see how the measure reacts. Each table is small enough to check by hand.")
chosen = st.segmented_control(
    "Example",
    list(_BY_ID),
    format_func=lambda name: _BY_ID[name].title,
    default=EXAMPLES[0].id,
    required=True,
    key="example",
    bind="query-params",
    persist_state="session",
)
example_section(_BY_ID[chosen])
