"""Key sets: which quasi-identifiers each of several attackers knows, and how far each succeeds."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard.components.figure import data_table
from dashboard.session import synced_key
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.attacks.key_sets import KeySets
from metrics.config.roles import Role
from metrics.formatting import join_names, visible
from metrics.scoring.scorecard import Score
from metrics.texts import text

_MAX_NAME = 60


def key_set_editor(state: Workspace) -> None:
    """Every key set with its columns, and a new one."""
    st.caption(text("key_set_k_anonymity.key_sets"))
    options = [name for name in state.columns if state.roles[name] is Role.QUASI_IDENTIFIER]
    known = set(options)
    for index, (name, columns) in enumerate(state.key_sets.items()):
        _columns_of(state, index, name, [column for column in columns if column in known], options)
    with st.form("new_key_set", clear_on_submit=True, border=False):
        left, middle, right = st.columns([2, 4, 1], vertical_alignment="bottom")
        name = left.text_input("New key set", max_chars=_MAX_NAME, placeholder="neighbour")
        chosen = middle.multiselect("Known columns", options, format_func=visible)
        if right.form_submit_button("Add", icon=":material/add:"):
            if not name.strip() or not chosen:
                st.warning("A key set needs a name and at least one column.", icon=":material/warning:")
            else:
                state.key_sets[name.strip()] = tuple(chosen)
                st.rerun()


def _columns_of(state: Workspace, index: int, name: str, columns: list[str], options: list[str]) -> None:
    key = f"key_set_{index}_{name}"

    def choose() -> None:
        """Keep the columns; without any the key set is removed."""
        chosen = tuple(st.session_state[key])
        if chosen:
            state.key_sets[name] = chosen
        else:
            del state.key_sets[name]

    st.multiselect(
        plain(name),
        options,
        default=columns,
        key=synced_key(key, columns),
        format_func=visible,
        on_change=choose,
        help="The columns that this attacker knows. Remove every column to remove the key set.",
    )


def key_set_table(score: Score) -> None:
    """Show how far each attacker succeeds, the weakest key set first."""
    if not isinstance(score.result, KeySets):
        return
    st.header("By key set")
    st.markdown(plain(score.summary()))
    rows = [
        {
            "key set": visible(risk.name),
            "knows": join_names([visible(column) for column in risk.columns]),
            "k": risk.k,
            "unique records": risk.unique,
            "highest risk": 1 / risk.k,
            "average risk": risk.average_risk,
            "record linkage": risk.linkage,
        }
        for risk in score.result.risks
    ]
    shares = ("highest risk", "average risk", "record linkage")
    data_table(pd.DataFrame(rows), "Risk by key set", shares=shares, key="key_sets", height="content")
    st.caption(text("key_set_k_anonymity.linkage"))
