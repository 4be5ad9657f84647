"""Tables in a folder of the server, where its owner offers one: counted by DuckDB where they lie. No Streamlit.

Pages and messages hold names within the folder, never the folder's own path.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from dashboard.environment import TABLES_FOLDER
from metrics.engines.files import SUFFIXES
from metrics.errors import InputError
from metrics.tables.table import Table

if TYPE_CHECKING:
    from metrics.engines.databases import Databases
    from metrics.engines.duckdb_files import DuckDB
    from metrics.engines.lazy import LazyTable

SAMPLE = 1_000
"""Records that are examined before any are counted."""
MAX_NAMES = 5_000
DATABASE = ".database"
"""Ending of a file in which the server's owner lists a table of a database, by its address."""
_ENDINGS = (*(suffix for of_kind in SUFFIXES for suffix in of_kind), DATABASE)


@dataclass(frozen=True)
class TablesFolder:
    """The folder that the server's owner offers; nothing outside it is ever opened."""

    root: Path
    """Without links and `..`."""

    @staticmethod
    def offered() -> TablesFolder | None:
        """The folder that the environment names; None where it names none."""
        folder = os.environ.get(TABLES_FOLDER)
        return TablesFolder(Path(folder).resolve()) if folder else None

    def names(self) -> list[str]:
        """Files that can be tables, and with a `/` at their end folders that hold some, by their way from the root.

        At most `MAX_NAMES` files. Links that lead out of the folder, hidden files, FIFOs and devices, and what an
        engine would take for a pattern are left out.
        """
        files: list[str] = []
        for name in self._files(self.root):
            files.append(name)
            if len(files) == MAX_NAMES:
                break
        folders = {f"{parent.as_posix()}/" for name in files for parent in PurePath(name).parents if parent.name}
        return sorted((*files, *folders), key=str.lower)

    def path(self, name: str) -> Path:
        """Find the table of that name. Raises InputError if there is none, or it holds links that lead out."""
        if name not in self.names():
            raise InputError("the server's folder contains no such table", remedy="choose another", file=name)
        path = self.root / name
        if path.is_dir() and any(not self._inside(file) for file in path.rglob("*")):
            raise InputError("the folder contains a link that leads out of it", remedy="choose another", file=name)
        return path

    def _files(self, folder: Path) -> Iterator[str]:
        for parent, subfolders, files in os.walk(folder):  # follows no link to a folder
            subfolders[:] = sorted(name for name in subfolders if _is_visible(name))
            for name in sorted(files):
                file = Path(parent, name)
                if _is_visible(name) and name.lower().endswith(_ENDINGS) and file.is_file() and self._inside(file):
                    yield file.relative_to(self.root).as_posix()

    def _inside(self, file: Path) -> bool:
        return file.resolve().is_relative_to(self.root)


def _is_visible(name: str) -> bool:
    return not name.startswith((".", "_")) and not glob.has_magic(name)


@dataclass(frozen=True, eq=False)
class ServerTable:
    """A table of that folder, and some of its records."""

    name: str
    table: LazyTable
    sample: Table


@dataclass(eq=False)
class ServerTables:
    """The server's tables of one session, and the one connection that counts them: closed when they go."""

    original: ServerTable | None = None
    versions: dict[str, ServerTable] = field(default_factory=dict)
    queries: int = 0
    """Number of queries sent to the engine."""
    stopped: bool = False
    """Whether the user stopped counting, and has not asked for it again."""
    _engine: DuckDB | Databases | None = None
    _interrupted: bool = False

    def open(self, folder: TablesFolder, name: str) -> ServerTable:
        """The table of that name in the folder. Raises InputError."""
        from metrics.engines.databases import Databases, is_database  # not needed where no folder is offered
        from metrics.engines.duckdb_files import DuckDB, suppress_exit_message

        path = folder.path(name)
        is_listed = path.name.endswith(DATABASE)
        place = path.read_text(encoding="utf-8", errors="replace").strip() if is_listed else path
        if is_listed and not is_database(place):
            problem = "the file does not hold the address of a table in a database"
            raise InputError(problem, remedy="the server's owner writes it: sqlite:///study.db#release", file=name)
        if self._engine is None:
            suppress_exit_message()
            self._engine = Databases() if is_listed else DuckDB(progress=self._count)
        if is_listed != isinstance(self._engine, Databases):
            problem = "a table in a database is compared with others of this database only"
            raise InputError(problem, remedy="remove the other tables of the server first", file=name)
        table = self._engine.table(place, name=name)
        return ServerTable(name, table, table.sample(SAMPLE))

    @property
    def share(self) -> float:
        """How far the count under way is, 0 to 1."""
        return 0.0 if self._engine is None else self._engine.share

    def samples(self) -> Iterator[Table]:
        """Some records of each table, the original's first."""
        if self.original is not None:
            yield self.original.sample
        for version in self.versions.values():
            yield version.sample

    def begin(self) -> None:
        """Be ready to count."""
        self.stopped = self._interrupted = False
        self.queries = 0

    def interrupt(self) -> None:
        """End the count under way and let no further one begin, from another thread."""
        self._interrupted = True
        if self._engine is not None:
            self._engine.interrupt()

    def stop(self) -> None:
        """Count no more until the user asks for it."""
        self.stopped = True

    def drop(self, label: str | None) -> None:
        """Let go of a version, of the original where there is no label; of the connection with the last."""
        if label is None:
            self.original = None
        else:
            self.versions.pop(label, None)
        if not self:
            self.close()

    def close(self) -> None:
        """Let go of everything, and end the connection."""
        self.original = None
        self.versions.clear()
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def __bool__(self) -> bool:
        return self.original is not None or bool(self.versions)

    def _count(self, number: int) -> None:
        if self._interrupted:
            raise KeyboardInterrupt
        self.queries += 1
