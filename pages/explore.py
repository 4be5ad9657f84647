"""Explore: make a better table by hand or by search, from the original and its hierarchies."""

import streamlit as st

from dashboard.components.explore_sections import BY_HAND, FOUND, by_hand, found_section, search_section
from dashboard.components.fragments import fragment
from dashboard.components.guard import require_original
from dashboard.session import workspace
from dashboard.text import plain
from metrics.errors import InputError

state = workspace()
inputs = require_original()
st.title("Explore")
try:
    state.search.evaluation(inputs)
except InputError as error:
    st.error(plain(str(error)), icon=":material/error:")
    st.stop()
st.markdown(
    "Raise a quasi-identifier to a more general level of its hierarchy, and see at once what that gives and costs. "
    "Or let the search find the best levels within your limits."
)


def hand() -> None:
    """Levels by hand."""
    by_hand(state, inputs)


fragment(hand, busy=state.search.searching, key=BY_HAND)()
st.header("Search")
search_section(state, inputs)
found = state.search.found(inputs)
if found is not None:

    @st.fragment(key=FOUND)
    def results() -> None:
        """What the search found."""
        found_section(state, inputs, found)

    st.header("What was found")
    results()
