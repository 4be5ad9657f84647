"""The sample that the dashboard brings: its tables, roles and hierarchies beside or in place of what is loaded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

import streamlit as st

from dashboard.loading import LoadedTable, load_own_table
from dashboard.navigation import ROOT, VERDICT
from dashboard.workspace import LOADING, Slot, Workspace
from metrics.config.roles import Roles
from metrics.config.roles_file import read_roles
from metrics.hierarchies.files import column_of_file, read_hierarchy
from metrics.hierarchies.hierarchy import Hierarchy

_SAMPLE = ROOT / "sample_data"
_SAMPLE_ORIGINAL = "hospital.csv"
_SAMPLE_HOLDOUT = "hospital_holdout.csv"
_SAMPLE_VERSIONS = ("candidate_light.csv", "candidate_balanced.csv", "candidate_strict.csv")


@dataclass(frozen=True)
class _Sample:
    """The sample's files as they are read."""

    original: LoadedTable
    versions: tuple[LoadedTable, ...]
    holdout: LoadedTable
    hierarchies: Mapping[str, Hierarchy]
    roles: Roles


@lru_cache(maxsize=1)
def _sample(folder: Path) -> _Sample:
    """Read the sample once for all sessions, in this process: these files are this program's own."""
    original, holdout, *versions = (
        load_own_table(name, (folder / name).read_bytes())
        for name in (_SAMPLE_ORIGINAL, _SAMPLE_HOLDOUT, *_SAMPLE_VERSIONS)
    )
    columns = original.table.names
    hierarchies = {
        column_of_file(path.name, columns): read_hierarchy(path.read_bytes(), name=path.name)
        for path in sorted((folder / "hierarchies").glob("*.csv"))
    }
    return _Sample(original, tuple(versions), holdout, hierarchies, read_roles(folder / "roles.yaml").roles)


def load_sample(state: Workspace) -> bool:
    """Put the sample's tables, roles and hierarchies beside what is loaded, or in its place where it has an original.

    Returns False, with a message, while the sample would replace another original and the user was not asked.
    """
    sample = _sample(_SAMPLE)
    if state.tables.original is not None and state.tables.original.sha256 != sample.original.sha256:
        replaced = f"{state.tables.original.name}, its versions and roles"
        question = f"The sample would replace {replaced}. Load the sample again to replace them."
        if question not in state.tables.messages.get(LOADING, []):
            state.tables.messages[LOADING] = [question]
            return False
        # Versions and roles of another original do not fit this one.
        generation = state.tables.uploader_generation + 1
        state.clear()
        state.tables.uploader_generation = generation
    state.tables.messages[LOADING] = []
    state.tables.take(Slot.ORIGINAL, sample.original)
    for version in sample.versions:
        state.tables.take(Slot.ANONYMIZED, version)
    if state.tables.holdout is None:
        state.tables.take(Slot.HOLDOUT, sample.holdout)
    state.assign_roles({column: sample.roles.of(column) for column in sample.original.table.names})
    state.hierarchies |= sample.hierarchies
    return True


def sample_button(state: Workspace, label: str, kind: Literal["primary", "tertiary"]) -> None:
    """Load the sample, and go to its verdict; if it would replace a table, the page asks first."""
    if st.button(label, key="load_sample", type=kind, icon=":material/science:"):
        if load_sample(state):
            st.switch_page(VERDICT.page())
        st.rerun()
