"""Data: the start, and once tables are loaded their columns, roles and hierarchies."""

from collections.abc import Iterator, Sequence
from functools import partial

import pandas as pd
import streamlit as st

from dashboard.components.chart import data_table
from dashboard.components.hierarchy_faults import hierarchy_faults
from dashboard.components.uploader import settings_uploader
from dashboard.loading import LoadedTable
from dashboard.navigation import EXPLORE, ROOT, VERDICT
from dashboard.sample import sample_button
from dashboard.server_tables import ServerTable, TablesFolder
from dashboard.session import bound, forget, workspace
from dashboard.text import plain
from dashboard.workspace import LOADING, Slot
from metrics.errors import InputError
from metrics.formatting import pluralize, visible
from metrics.tables.matching_rule import MatchingRule
from pages.data.columns import (
    absent_columns_notice,
    column_table,
    identifier_notice,
    key_set_editor,
    person_choice,
    weight_choice,
)
from pages.data.hierarchies import hierarchy_list
from pages.data.hierarchy_maker import hierarchy_maker
from pages.data.matching import problems, record_matching
from pages.data.reading import pending_imports
from pages.data.uploads import holdout_uploader, population_uploader, table_uploaders

_STEPS = (
    ("Load", "The original, the anonymized table, or both: CSV, Parquet, Excel, SPSS, Stata or SAS."),
    ("Confirm the roles", "Which columns others may know about a person, and which must stay secret."),
    ("Read the verdict", "Whether the table meets your policy, who is exposed, and what to change."),
)
_PICTURE = ROOT / "dashboard" / "start.svg"
_PICTURED = (
    "Equivalence classes of an anonymized table: small classes are marked as exposed, large ones meet the limits."
)
_MESSAGES = "server"
# A browser opens its dialog for files only on a click in the page: the server cannot ask for it.
_CHECK = st.components.v2.component(
    "check_my_table",
    html='<button type="button" class="start-link">Check my table</button>',
    js="""export default function ({ parentElement }) {
        parentElement.querySelector('button').onclick = () =>
            document.querySelector('.st-key-upload_anonymized input[type=file]').click();
    }""",
    isolate_styles=False,
)
_PREVIEW = 10

state = workspace()


def show_data() -> None:
    """The way in, or all that is loaded; parts that come and go have a container.

    Else all below would move, and what the user opened there would close.
    """
    with st.container():
        if state.tables.empty and not state.tables.imports and not state.hierarchies:
            welcome()
        else:
            with st.container(horizontal=True, vertical_alignment="top"):
                st.title("Data", anchor=False)
                sample_button(state, "Load the sample", "tertiary")
                st.button(
                    "Forget my data",
                    key="forget_data",
                    on_click=forget,
                    icon=":material/delete_forever:",
                    type="tertiary",
                    help="Deletes every table, setting and uploaded byte of this session.",
                )
    st.html(ROOT / "dashboard" / "uploaders.css")
    table_uploaders(state)
    server_choice()
    with st.container():
        pending_imports(state)
    with st.container():
        for sentence in state.tables.messages.get(LOADING, []):
            st.info(plain(sentence), icon=":material/info:")
        absent_columns_notice(state)
        for sentence in problems(state):
            st.warning(plain(sentence), icon=":material/warning:")
        hierarchy_faults(state)
    with st.container(gap="xsmall"):
        server_cards()
    if not state.tables.empty:
        columns_and_records()
    with st.expander("Restore a session", key="section_settings"):
        settings_uploader(state)
    if not state.tables.empty:
        next_step()


def columns_and_records() -> None:
    """What the columns are, how records match, and what else is known of both."""
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
    with st.expander("Survey weights, people, households, items", key="section_roles"):
        weight_choice(state)
        person_choice(state)
    with st.expander(f"Attacker knowledge (key sets): {len(state.key_sets) or 'none'}", key="section_key_sets"):
        key_set_editor(state)
    with st.expander(_with_name("Population table", state.tables.population), key="section_population"):
        st.caption("Optional: all people whom the records could be about, if they are known.")
        population_uploader(state)
    with st.expander(_with_name("Hold-out table", state.tables.holdout), key="section_holdout"):
        st.caption(
            "Optional: people of the same population who are not in the original, as a control group for the attacks."
        )
        holdout_uploader(state)


def _with_name(title: str, loaded: LoadedTable | None) -> str:
    """What can be loaded, with the table that is."""
    return f"{title}: {'none' if loaded is None else plain(loaded.name)}"


def welcome() -> None:
    """Headline, two buttons, a picture and three steps, above the uploaders."""
    left, right = st.columns([3, 2], gap="large", vertical_alignment="center")
    with left:
        st.html('<h1 class="start-title">What does your anonymized table still reveal?</h1>')
        st.markdown(
            "See in a minute who can be re-identified, what can be learned about them, and how much information the "
            "table keeps. Your tables stay in this session's memory: nothing is written to disk or sent elsewhere."
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            sample_button(state, "Try the sample", "primary")
            _CHECK(key="check_my_table", width="content")
    with right:
        st.image(_PICTURE, alt=_PICTURED)
    steps = "".join(
        f"<li><b>{number}. {title}</b><span>{text}</span></li>" for number, (title, text) in enumerate(_STEPS, 1)
    )
    st.html(f'<ol class="start-steps">{steps}</ol>')
    st.header("Your tables", anchor=False)


def server_choice() -> None:
    """A choice for the original and one for anonymized tables; nothing where no folder is offered."""
    folder = TablesFolder.offered()
    if folder is None:
        return
    names = folder.names()
    with st.container(border=True):
        st.caption(
            "Or use files and folders of files on the server, of any size. They are counted there and compared with "
            "each other only, not with uploads."
        )
        left, right = st.columns(2)
        original = None if state.tables.server.original is None else state.tables.server.original.name
        left.selectbox(
            "Original on the server",
            _with_missing(names, [original] if original else []),
            index=None,
            format_func=visible,
            placeholder="none",
            **bound("server_original", original, partial(_choose_original, folder)),
        )
        anonymized = [table.name for table in state.tables.server.versions.values()]
        right.multiselect(
            "Anonymized on the server",
            _with_missing(names, anonymized),
            format_func=visible,
            placeholder="none",
            **bound("server_anonymized", anonymized, partial(_choose_anonymized, folder)),
        )
        for sentence in state.tables.messages.get(_MESSAGES, []):
            st.error(plain(sentence), icon=":material/error:")
        _choose_key()


def server_cards() -> None:
    """A card for each table that was chosen there."""
    if state.tables.server.original is not None:
        _card(Slot.ORIGINAL, state.tables.server.original.name, state.tables.server.original)
    for label, table in list(state.tables.server.versions.items()):
        _card(Slot.ANONYMIZED, label, table)


def _with_missing(names: Sequence[str], chosen: Sequence[str]) -> list[str]:
    """The names that exist, and chosen ones that have disappeared since."""
    return [*names, *(name for name in chosen if name not in names)]


def _choose_original(folder: TablesFolder, name: str | None) -> None:
    state.tables.messages[_MESSAGES] = []
    if name is None:
        state.drop(None)
    else:
        _open_table(Slot.ORIGINAL, folder, name)


def _choose_anonymized(folder: TablesFolder, names: Sequence[str]) -> None:
    state.tables.messages[_MESSAGES] = []
    labels = {table.name: label for label, table in state.tables.server.versions.items()}
    for name, label in labels.items():
        if name not in names:
            state.drop(label)
    for name in names:
        if name not in labels:
            _open_table(Slot.ANONYMIZED, folder, name)


def _open_table(slot: Slot, folder: TablesFolder, name: str) -> None:
    try:
        state.tables.adopt(slot, state.tables.server.open(folder, name))
    except InputError as error:
        state.tables.messages[_MESSAGES].append(str(error))


def _choose_key() -> None:
    """Which columns match the records of these tables; none is by position."""
    if state.tables.server.original is None or not state.tables.server.versions:
        return
    labels = list(state.tables.server.versions)
    shared_columns = [
        name
        for name in state.tables.server.original.sample.names
        if all(name in table.sample for table in state.tables.server.versions.values())
    ]

    def choose(columns: Sequence[str]) -> None:
        """Match the records of each of these tables by the columns."""
        for label in labels:
            state.matching.choose(label, MatchingRule(tuple(columns)))

    current = [name for name in state.matching.rule_for(labels[0]).key if name in shared_columns]
    st.multiselect(
        "Columns that together identify a record of these tables",
        shared_columns,
        format_func=visible,
        placeholder="none: by position",
        **bound("server_match_by", current, choose),
    )


def _card(slot: Slot, label: str, server_table: ServerTable) -> None:
    with st.container(border=True):
        left, right = st.columns([4, 1], vertical_alignment="center")
        left.markdown(f"**{plain(label)}** · {slot.value}")
        left.caption(
            f"On the server: {pluralize(len(server_table.table.names), 'column')}; records are counted when it is "
            "scored."
        )
        right.button(
            "Remove",
            key=f"remove_server_{slot.value}_{label}",
            on_click=state.drop,
            args=(None if slot is Slot.ORIGINAL else label,),
            icon=":material/delete:",
            width="stretch",
        )
        with st.expander("Some records"):
            preview = pd.DataFrame(server_table.sample.head(_PREVIEW), columns=pd.Index(server_table.sample.names))
            data_table(preview, f"Some records of {visible(label)}")


def next_step() -> None:
    """At the bottom of the window: the way to the verdict, or what is missing for it."""
    with st.bottom, st.container(horizontal=True, vertical_alignment="center", key="next_step"):
        if state.ready:
            if st.button("See the verdict", key="see_verdict", type="primary", icon=":material/fact_check:"):
                st.switch_page(VERDICT.page())
            st.caption(plain(" ".join([f"Policy: {state.policy.current.name}.", *_proposed_roles()])))
        elif not state.chosen_roles().quasi_identifiers:
            st.markdown("Choose **quasi-identifier** for at least one column to see the verdict.")
        elif state.tables.original is not None:
            if st.button("See the verdict of the original", key="see_verdict", type="primary"):
                state.tables.add_original()
                st.switch_page(VERDICT.page())
            if st.button("Make anonymized versions", key="see_explore"):
                st.switch_page(EXPLORE.page())
            st.caption(" ".join(["There is no anonymized table yet.", *_proposed_roles()]))


def _proposed_roles() -> Iterator[str]:
    if state.unconfirmed_roles:
        proposed = pluralize(len(state.unconfirmed_roles), "role is proposed", "roles are proposed")
        yield f"{proposed} by the columns' names and values: check them."


show_data()
