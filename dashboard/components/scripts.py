"""Show what the session did as a script in Python and as commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import streamlit as st

from dashboard.settings import original_order_file, settings_of
from dashboard.state.analyses_state import analyses_of
from dashboard.state.search_state import Inputs
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.formatting import join_names, visible
from metrics.policy.settings import Settings
from metrics.recipes.scripts import Script, Search, Version
from metrics.texts import text

_MAX_SHOWN = 500_000
"""Characters of a script that are shown; a longer one is only downloaded."""


_GENERALIZED = "generalized.csv"


def version_script(state: Workspace, label: str, compared: Iterable[str] | None = None) -> None:
    """The script that scores a version of this session; there is none of a table that stays on the server.

    It also writes the report of `compared` versions, if they are given.
    """
    if label not in state.tables.versions:
        return
    others = None if compared is None else tuple(_version(state, other) for other in compared if other != label)

    def script() -> Script:
        version, settings = _version(state, label), _with_analyses(state, label)
        made = (version.file, version.recipe, version.source)
        return Script(settings, *made, project=state.project, others=others, label=label)

    _show(script)


def _version(state: Workspace, label: str) -> Version:
    recipe, source = state.recipe_of(label), state.source_of(label)
    name = state.tables.versions[label].name if recipe is None else original_order_file(label)
    return Version(label, name, recipe, None if source is None else state.tables.versions[source].name)


def _with_analyses(state: Workspace, label: str) -> Settings:
    """The session's settings with the analyses that its pages show, those that the columns suggest if none is saved."""
    settings = settings_of(state)
    analyses = analyses_of(state.aggregates(label), settings.parameters.analyses)
    return replace(settings, parameters=replace(settings.parameters, analyses=analyses))


def search_script(state: Workspace, inputs: Inputs) -> None:
    """The script that searches as the page does, and scores the original at the levels tried now."""
    search = state.search
    limits, rule = search.limits, search.rule(inputs)

    def script() -> Script:
        sought = Search(search.measure, limits, rule)
        return Script(settings_of(state), _GENERALIZED, search.recipe(inputs), search=sought, project=state.project)

    _show(script)


def _show(make: Callable[[], Script]) -> None:
    """The script, made when it is asked for."""
    expander = st.expander(
        "Show as Python or commands", key="section_script", on_change="rerun", icon=":material/code:"
    )
    if not expander.open:
        return
    with expander:
        script = make()
        st.caption(plain(text("script.about", files=join_names([visible(name) for name in script.files()]))))
        forms = (("Python", "python", "py", script.python()), ("Commands", "bash", "sh", script.commands()))
        for tab, (title, language, suffix, content) in zip(st.tabs([form[0] for form in forms]), forms, strict=True):
            with tab:
                if len(content) <= _MAX_SHOWN:
                    st.code(content, language=language, height=400)
                st.download_button(
                    f"Download {title} (confidential)",
                    content,
                    file_name=f"confidential-session.{suffix}",
                    mime="text/plain",
                    key=f"download_script_{suffix}",
                    on_click="ignore",
                    icon=":material/download:",
                )
