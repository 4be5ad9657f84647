"""An ARX project in place of what a session holds. No Streamlit."""

from __future__ import annotations

import os
from pathlib import Path

from dashboard.environment import PROJECT
from dashboard.loading import Bytes, LoadedTable
from dashboard.serving.reading_process import READING
from dashboard.settings import restore
from dashboard.workspace import LOADING, Slot, Workspace
from metrics.arx.project import read_arx_project
from metrics.errors import InputError
from metrics.policy.settings import ReadOptions
from metrics.reading import read_table
from metrics.tables.export import to_parquet
from metrics.tables.table import Table

SUFFIX = ".deid"


def open_project(state: Workspace, name: str, content: bytes) -> None:
    """Put the tables and settings of a project in place of the session's. Raises InputError."""
    project = READING.call(read_arx_project, content, name=name).research_sample()
    generation = state.tables.uploader_generation
    seen = state.tables.seen_uploads
    state.clear()
    state.tables.uploader_generation, state.tables.seen_uploads = generation, seen
    tables = ((Slot.ORIGINAL, project.original), (Slot.ANONYMIZED, project.anonymized))
    for slot, table in (*tables, (Slot.POPULATION, project.population)):
        if table is not None:
            state.tables.take(slot, _loaded(table))
    restore(state, project.settings)
    state.restored = None  # there is no other file to load again
    state.project, state.search.measure = name, project.measure
    state.tables.messages[LOADING] = project.notes()


def open_project_of_server(state: Workspace) -> None:
    """Open the project that the server was started with, if there is one; a message where it cannot be read."""
    path = os.environ.get(PROJECT)
    if not path:
        return
    try:
        open_project(state, Path(path).name, Path(path).read_bytes())
    except (InputError, OSError) as error:
        state.tables.messages[LOADING] = [str(error)]


def _loaded(table: Table) -> LoadedTable:
    """A table of the project as if it had been loaded from a file of its own."""
    content = to_parquet(table.to_arrow())
    read = read_table(content, name=table.name)
    return LoadedTable(table.name, Bytes.from_content(content), ReadOptions(plan=read.source.plan), read)
