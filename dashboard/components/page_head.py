"""The head of a page: the choice of the version, the title, and what the page tries or was changed on all pages."""

from __future__ import annotations

import streamlit as st

from dashboard.session import VERSION_KEY, chosen_version, workspace
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.explanations.changed_settings import all_changes
from metrics.formatting import visible
from metrics.texts import text


def version_picker(state: Workspace) -> None:
    """A choice among the anonymized tables; nothing while there is none."""
    labels = state.tables.labels
    if not labels:
        return
    if st.session_state.get(VERSION_KEY) not in labels:
        st.session_state[VERSION_KEY] = labels[0]
    st.selectbox("Anonymized table", labels, key=VERSION_KEY, format_func=visible, persist_state="session")


def page_title(title: str, mark: str = "") -> None:
    """The title of a page that speaks of the chosen version, with a mark if there is one."""
    badge = f" :orange-badge[{mark}]" if mark else ""
    st.title(f"{title} · {plain(chosen_version(workspace()))}{badge}", anchor=False)


def what_if_title(state: Workspace, title: str, metric_id: str) -> None:
    """The title of a metric's page, with a mark while it differs from what is used everywhere.

    It stands in the fragment of the controls, which draw it anew.
    """
    page_title(title, mark=text("changed_settings.what_if") if state.policy.is_tried(metric_id) else "")


def what_if_buttons(state: Workspace, metric_id: str) -> None:
    """Below the controls of a metric's page: use what they say on all pages, or show again what those use."""
    is_tried = state.policy.is_tried(metric_id)
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="what_if"):
        st.button(
            "Use it everywhere",
            key="use_everywhere",
            type="primary" if is_tried else "secondary",
            disabled=not is_tried,
            on_click=_use_everywhere,
            args=(state, metric_id),
        )
        st.button("Undo", key="what_if_undo", disabled=not is_tried, on_click=state.policy.undo, args=(metric_id,))
    st.caption(text("changed_settings.on_this_page"))


def changes_notice(state: Workspace) -> None:
    """What was changed on all pages against the standard settings and the built-in policy, and the way back."""
    parameters = state.policy.parameters_of(state.chosen_roles().sensitive)
    changes = all_changes(parameters, state.policy.current, state.policy.edited_from or state.policy.current)
    if not changes:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="changed_settings"):
        mark = text("changed_settings.mark")
        st.caption(
            f":orange-badge[{mark}] {plain(text('changed_settings.used_everywhere', changes=' '.join(changes)))}"
        )
        st.button("Reset", key="reset_settings", type="tertiary", icon=":material/undo:", on_click=state.policy.reset)


def _use_everywhere(state: Workspace, metric_id: str) -> None:
    state.policy.use_everywhere(metric_id)
    st.rerun()
