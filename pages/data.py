"""Data: the start, and once tables are loaded their columns, roles and hierarchies."""

import streamlit as st

from dashboard.components.data.column_table import column_table
from dashboard.components.data.identifier_notice import identifier_notice
from dashboard.components.data.import_dialog import pending_imports
from dashboard.components.data.key_sets import key_set_editor
from dashboard.components.data.problems import problems
from dashboard.components.data.record_matching import record_matching
from dashboard.components.data.role_tagger import person_choice, weight_choice
from dashboard.components.data.server_choice import server_cards, server_choice
from dashboard.components.data.start import forget_button, next_step, welcome_section
from dashboard.components.data.uploads import holdout_uploader, population_uploader, table_uploaders
from dashboard.components.guard import sample_button
from dashboard.components.hierarchies.hierarchy_faults import hierarchy_faults
from dashboard.components.hierarchies.hierarchy_list import hierarchy_list
from dashboard.components.hierarchies.hierarchy_maker import hierarchy_maker
from dashboard.components.uploader import settings_uploader
from dashboard.loading import LoadedTable
from dashboard.session import workspace
from dashboard.text import plain
from dashboard.workspace import LOADING
from metrics.formatting import pluralize

state = workspace()


def _with_name(title: str, loaded: LoadedTable | None) -> str:
    """What can be loaded, with the table that is."""
    return f"{title}: {'none' if loaded is None else plain(loaded.name)}"


begun = not state.empty or bool(state.imports) or bool(state.hierarchies)
# Parts that come and go have a container: else all below would move, and what the user opened there would close.
with st.container():
    if begun:
        with st.container(horizontal=True, vertical_alignment="top"):
            st.title("Data", anchor=False)
            sample_button(state, "Load the sample", "tertiary")
            forget_button()
    else:
        welcome_section(state)
table_uploaders(state)
server_choice(state)
with st.container():
    pending_imports(state)
with st.container():
    for sentence in state.messages.get(LOADING, []):
        st.info(plain(sentence), icon=":material/info:")
    for sentence in problems(state):
        st.warning(plain(sentence), icon=":material/warning:")
    hierarchy_faults(state)
with st.container(gap="xsmall"):
    server_cards(state)
if not state.empty:
    with st.container():
        identifier_notice(state)
    column_table(state)
    with st.container():
        record_matching(state)
    with st.expander(
        f"Generalization hierarchies: {pluralize(len(state.hierarchies), 'column')}", key="section_hierarchies"
    ):
        st.caption(
            "A hierarchy lists the more general forms of each value. Without one, some metrics use the tables alone."
        )
        hierarchy_maker(state)
        hierarchy_list(state)
    with st.expander("Survey weights, people, households", key="section_roles"):
        weight_choice(state)
        person_choice(state)
    with st.expander(f"Attacker knowledge (key sets): {len(state.key_sets) or 'none'}", key="section_key_sets"):
        key_set_editor(state)
    with st.expander(_with_name("Population table", state.population), key="section_population"):
        st.caption("Optional: all people whom the records could be about, if they are known.")
        population_uploader(state)
    with st.expander(_with_name("Hold-out table", state.holdout), key="section_holdout"):
        st.caption(
            "Optional: people of the same population who are not in the original, as a control group for the attacks."
        )
        holdout_uploader(state)
with st.expander("Restore a session", key="section_settings"):
    settings_uploader(state)
if not state.empty:
    next_step(state)
