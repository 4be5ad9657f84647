"""Data: load tables, tag columns, add hierarchies."""

import streamlit as st

from dashboard.components.hierarchy_list import hierarchy_list
from dashboard.components.hierarchy_maker import hierarchy_maker
from dashboard.components.offers import offers
from dashboard.components.problems import problems
from dashboard.components.record_matching import record_matching
from dashboard.components.role_tagger import role_tagger, roles_uploader
from dashboard.components.server_choice import server_cards, server_choice
from dashboard.components.table_card import failed_card, table_card
from dashboard.components.uploads import hierarchy_uploader, load_sample, population_uploader, table_uploaders
from dashboard.navigation import SCORECARD
from dashboard.session import controlled, forget, workspace
from dashboard.text import plain
from dashboard.workspace import LOADING
from metrics.roles import Role
from metrics.wording import visible

state = workspace()
st.title("Data")
# What comes and goes has a container: else all below would change places, and what the user opened there would close.
with st.container():
    if state.ready:
        st.markdown("The tables can be scored. Check the roles below, then read the figures.")
        st.page_link(SCORECARD.page(), label="Go to the scorecard")
    elif state.labels:
        st.markdown("Tag at least one column as a **quasi-identifier** to see what the table gives away.")
    else:
        st.markdown(
            "Load an original table and one or more anonymized versions of it. Nothing leaves the server, nothing is "
            "written to its disk."
        )

table_uploaders(state)
server_choice(state)
left, right = st.columns(2)
left.button(
    "Load the sample",
    key="load_sample",
    on_click=load_sample,
    args=(state,),
    icon=":material/science:",
)
right.button(
    "Forget my data",
    key="forget_data",
    on_click=forget,
    icon=":material/delete_forever:",
)

left.caption("A synthetic hospital table with hierarchies and three anonymized candidates.")
right.caption("Drops every table, setting and uploaded byte of this session.")

with st.container():
    for failure in list(state.failed):
        failed_card(state, failure)
with st.container():
    for sentence in state.messages.get(LOADING, []):
        st.info(plain(sentence), icon=":material/info:")
    for sentence in problems(state):
        st.warning(plain(sentence), icon=":material/warning:")
    offers(state)
with st.container():
    for slot, label, loaded in list(state.tables()):
        table_card(state, slot, label, loaded)
    server_cards(state)
with st.container():
    record_matching(state)

if not state.empty:
    st.header("Roles")
    role_tagger(state)
    with st.expander("Roles from a file, survey weights"):
        roles_uploader(state)

        def choose_weight() -> None:
            """Keep the choice in the workspace."""
            state.weight = st.session_state["survey_weight"] or None

        st.selectbox(
            "Survey weights",
            # No column has an empty name.
            ["", *(name for name in state.columns if state.roles[name] is Role.INSENSITIVE)],
            key=controlled("survey_weight", state.chosen_roles().weight or ""),
            format_func=lambda column: f"the column “{visible(column)}”" if column else "none",
            on_change=choose_weight,
            help="How many people of the population each record stands for: an insensitive column of numbers above 0.",
        )
    st.header("Generalization hierarchies")
    st.caption("They let the metrics know how general a value is. Without them, some metrics are read off the tables.")
    hierarchy_uploader(state)
    hierarchy_maker(state)
    hierarchy_list(state)
    st.header("Population")
    st.caption("Optional: everybody whom the records could be about, where that is known.")
    population_uploader(state)
