"""What stands around every page: the policy and its limits, the choice of the version, what was changed, the menu."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dashboard.components.limits import current_key, keep_key, limit_field, limits_in_short
from dashboard.session import VERSION_KEY, bound
from dashboard.session_file import SESSION_FILE, session_file
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.explanations.changed_settings import all_changes
from metrics.formatting import visible
from metrics.policy.built_in_policies import DEFAULT_POLICY, source_of
from metrics.policy.limitable_measures import DIRECT_IDENTIFIERS, LIMITABLE_MEASURES
from metrics.texts import text

_MAX_NAME = 60
_OFFERED = (
    "k_anonymity",
    "distinct_l_diversity",
    "t_closeness",
    "reidentification_risk",
    "p29",
    "suppression",
    "no_attack",
)

# A link to the page that is shown already draws nothing anew, so its click closes the menu, too.
_FOLDING = """
const MENU = '[data-testid="stSidebarCollapseButton"] button';
const fold = () => window.matchMedia('(max-width: 768px)').matches && document.querySelector(MENU)?.click();
let shown;
export default function ({ data }) {
    if (shown === undefined) document.addEventListener('click', (event) => {
        const link = event.target.closest('[data-testid="stSidebarNavLink"]');
        if (link && new URL(link.href).pathname === window.location.pathname) fold();
    });
    else if (shown !== data.page) fold();
    shown = data.page;
}
"""
_MENU = st.components.v2.component("folded_menu", html="<span></span>", js=_FOLDING)
_WARNING_SCRIPT = """
const warn = (event) => { event.preventDefault(); event.returnValue = true; };
export default function ({ data }) {
    if (data.armed) window.addEventListener('beforeunload', warn);
    else window.removeEventListener('beforeunload', warn);
}
"""
_WARNING = st.components.v2.component("unload_warning", html="<span></span>", js=_WARNING_SCRIPT)


def policy_panel(state: Workspace) -> None:
    """The choice of the policy, its limits in one line, a popover to edit them, and the file of the session."""

    @st.fragment(key="policy_panel")
    def panel() -> None:
        st.selectbox(
            "Policy",
            list(state.policy.by_name),
            format_func=visible,
            **bound("policy", state.policy.current.name, partial(_choose, state)),
            help="The limits that all pages, figures, searches, repairs and reports are assessed against.",
        )
        with st.container(horizontal=True, gap="xsmall", key="policy_actions"):
            with st.popover("Edit limits", key="policy_edit", width="stretch"):
                key = current_key("policy_name", state.policy.current.name)
                st.text_input(
                    "Name of the policy",
                    value=state.policy.current.name,
                    max_chars=_MAX_NAME,
                    **bound(key, state.policy.current.name, partial(_name, state)),
                )
                with st.container(gap="xsmall"):
                    for identifier in dict.fromkeys((*_OFFERED, *state.policy.limits)):
                        limit_field(state, identifier, f"limit_{identifier}")
                    _another_limit(state)
            st.download_button(
                "Save session",
                partial(session_file, state, str(st.session_state.get(VERSION_KEY, ""))),
                file_name=SESSION_FILE,
                mime="application/zip",
                key="save_session",
                on_click="ignore",
                width="stretch",
                disabled=state.tables.empty,
                help="**Confidential**: policy, roles, parameters, hierarchies with values of the original, and the "
                "versions made here in the original's order with their recipes. Tables from files are not in it. "
                "Restore it on the Data page.",
            )
        st.caption(plain(limits_in_short(state)))
        if state.policy.current == DEFAULT_POLICY:
            st.caption("Default: a common starting point, not a legal standard.")
        source = source_of(state.policy.current)
        if source is not None:
            with st.popover("Source of the limits", key="policy_source", type="tertiary"):
                st.markdown(f"{source.basis}, {source.date}: [{plain(source.title)}]({source.url})")
                st.caption(plain(source.note))

    panel()


def _another_limit(state: Workspace) -> None:
    """Choose a metric that is not offered above, and set its limit."""
    names = [name for name in LIMITABLE_MEASURES if name not in _OFFERED and name != DIRECT_IDENTIFIERS]
    chosen = st.selectbox(
        "Another limit",
        names,
        index=None,
        format_func=lambda name: LIMITABLE_MEASURES[name].title,
        key="another_limit",
        placeholder="Choose a metric",
    )
    if chosen is not None and chosen not in state.policy.limits:
        limit_field(state, chosen, f"limit_{chosen}")


def _choose(state: Workspace, name: str) -> None:
    state.policy.choose(state.policy.by_name[name])
    st.rerun()


def _name(state: Workspace, name: str) -> None:
    state.policy.rename(name.strip())
    keep_key("policy_name", state.policy.current.name)
    st.rerun()


def version_picker(state: Workspace) -> None:
    """A choice among the anonymized tables; nothing while there is none."""
    labels = state.tables.labels
    if not labels:
        return
    if state.restored_version in labels:
        st.session_state[VERSION_KEY], state.restored_version = state.restored_version, ""
    if st.session_state.get(VERSION_KEY) not in labels:
        st.session_state[VERSION_KEY] = labels[0]
    st.selectbox("Anonymized table", labels, key=VERSION_KEY, format_func=visible, persist_state="session")


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


def folded_menu(page: str) -> None:
    """Close the menu on a small screen once another page is shown."""
    _MENU(key="folded_menu", data={"page": page})


def unload_warning(state: Workspace) -> None:
    """Ask before tables are lost: a reload begins a new session. The sidebar saves all but tables from files."""
    _WARNING(key="unload_warning", data={"armed": not state.tables.empty})
