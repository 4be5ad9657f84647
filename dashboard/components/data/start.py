"""The start: the question, two ways to begin, what happens next; and with data, the way on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import streamlit as st

from dashboard.components.guard import sample_button
from dashboard.navigation import EXPLORE, SCORECARD
from dashboard.session import forget
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.formatting import pluralize

_STEPS = (
    ("Load", "The original, the anonymized table, or both: CSV, Parquet, Excel, SPSS or Stata."),
    ("Confirm the roles", "Which columns others may know about a person, and which must stay secret."),
    ("Read the verdict", "Whether the table meets your policy, who is exposed, and what to change."),
)
_PICTURE = Path(__file__).parents[2] / "start.svg"
_PICTURED = (
    "Equivalence classes of an anonymized table: small classes are marked as exposed, large ones meet the limits."
)


def welcome_section(state: Workspace) -> None:
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
            st.html('<a class="start-link" href="#your-tables" target="_self">Check my table</a>', width="content")
    with right:
        st.image(_PICTURE, alt=_PICTURED)
    steps = "".join(
        f"<li><b>{number}. {title}</b><span>{text}</span></li>" for number, (title, text) in enumerate(_STEPS, 1)
    )
    st.html(f'<ol class="start-steps">{steps}</ol>')
    st.header("Your tables", anchor="your-tables")


def forget_button() -> None:
    """Delete all that the session holds."""
    st.button(
        "Forget my data",
        key="forget_data",
        on_click=forget,
        icon=":material/delete_forever:",
        type="tertiary",
        help="Deletes every table, setting and uploaded byte of this session.",
    )


def next_step(state: Workspace) -> None:
    """At the bottom of the window: the way to the verdict, or what is missing for it."""
    with st.bottom, st.container(horizontal=True, vertical_alignment="center", key="next_step"):
        if state.ready:
            if st.button("See the verdict", key="see_verdict", type="primary", icon=":material/fact_check:"):
                st.switch_page(SCORECARD.page())
            st.caption(plain(" ".join([f"Policy: {state.policy.name}.", *_proposed_roles(state)])))
        elif not state.chosen_roles().quasi_identifiers:
            st.markdown("Choose **quasi-identifier** for at least one column to see the verdict.")
        elif state.original is not None:
            if st.button("See the verdict of the original", key="see_verdict", type="primary"):
                state.judge_original()
                st.switch_page(SCORECARD.page())
            if st.button("Make anonymized versions", key="see_explore"):
                st.switch_page(EXPLORE.page())
            st.caption(" ".join(["There is no anonymized table yet.", *_proposed_roles(state)]))


def _proposed_roles(state: Workspace) -> Iterator[str]:
    if state.unconfirmed_roles:
        proposed = pluralize(len(state.unconfirmed_roles), "role is proposed", "roles are proposed")
        yield f"{proposed} by the columns' names and values: check them."
