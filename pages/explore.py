"""Explore: find levels of generalization that meet the policy, from the original and its hierarchies."""

import streamlit as st

from dashboard.components.fragments import fragment
from dashboard.components.guard import require_original
from dashboard.components.hierarchies.hierarchy_faults import hierarchy_faults
from dashboard.components.improve.explore_controls import goal_controls, policy_goal
from dashboard.components.improve.explore_sections import levels_section, options_section, risk_limit
from dashboard.components.improve.make_sections import chosen_method, make_by
from dashboard.components.improve.recipe_section import recipe_section
from dashboard.components.improve.running_search import Places, running_search, wait_for_search
from dashboard.session import chosen_candidate, workspace
from dashboard.text import plain
from metrics.errors import InputError

state = workspace()
inputs = require_original()
st.title("Explore")
about, choice, action = st.columns([17, 9, 14], vertical_alignment="bottom")
with choice:
    method = chosen_method()
if method is not None:
    policy_goal(about, state)
    hierarchy_faults(state)
    make_by(state, inputs, method)
    st.stop()
search = state.search
wait_for_search()
label = chosen_candidate(state) if state.labels else ""
try:
    state.start_exploring(label)
except InputError as error:
    st.error(plain(str(error)), icon=":material/error:")
    st.stop()
place = goal_controls(state, inputs, about, action)
exploration = search.found(inputs)


def show_levels() -> Places | None:
    """The map, the levels, and what they give."""
    return levels_section(state, inputs)


places = fragment(show_levels, busy=search.searching)()
if exploration is not None:
    options_section(state, inputs, exploration)
recipe_section(state)
# Last of all: the page stands still, whole and up to date, while the search is at work.
if search.searching and places is not None:
    running_search(search, inputs, place, places, risk_limit(state))
