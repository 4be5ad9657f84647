"""What `score` does where an engine counts: its options, its tables, its progress, the classes it writes."""

from __future__ import annotations

import argparse
import atexit
import os
import secrets
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import fields
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from metrics.class_table import ClassTable
from metrics.errors import InputError
from metrics.reading.layout import Choices
from metrics.roles import Roles
from metrics.settings import ReadOptions

if TYPE_CHECKING:
    from metrics.engines.lazy import LazyTable

MEMORY = "memory"
_CLASSES_AT_ONCE = 2**20


class Session(Protocol):
    """An engine that is running."""

    def table(self, path: str | Path, choices: Choices | None = None, *, name: str | None = None) -> LazyTable:
        """The table in a file, a folder or a pattern. Raises InputError."""


@contextmanager
def running(options: argparse.Namespace) -> Iterator[Session]:
    """The engine that the options name, ended afterwards. Raises InputError where it cannot be had."""
    progress = _Progress()
    # DuckDB's binding counts its leftovers on standard error once the interpreter is gone, when all has been said.
    atexit.register(_silence)
    before = signal.signal(signal.SIGINT, progress.stop)
    try:
        with _started(options, progress) as session:
            yield session
    finally:
        signal.signal(signal.SIGINT, before)
        progress.end()


def _silence() -> None:
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)


def _started(options: argparse.Namespace, progress: _Progress) -> AbstractContextManager[Session]:
    if options.engine == "duckdb":
        from metrics.engines.duckdb_files import MEMORY_LIMIT, DuckDB

        return DuckDB(options.memory_limit or MEMORY_LIMIT, options.temp_directory, progress)
    from metrics.engines.spark import Spark

    return Spark(options.master, memory=options.memory_limit, progress=progress)


def table(session: Session, path: str, options: argparse.Namespace, kept: ReadOptions) -> LazyTable:
    """One of the tables that the options name; how it is read they say, else what was kept in the settings."""
    chosen: dict[str, Any] = {}
    for name in (field.name for field in fields(Choices)):
        given = getattr(options, name, None)
        chosen[name] = getattr(kept, name, None) if given in (None, []) else given
    return session.table(path, Choices(**chosen | {"missing": tuple(chosen["missing"] or ())}))


def write_classes(classes: ClassTable, folder: str | Path) -> None:
    """One row per equivalence class, in Parquet files of a new folder: written whole or not at all.

    Raises InputError where the folder exists, or cannot be written.
    """
    import pyarrow.parquet as pq  # which no other command needs at its start

    place = Path(folder)
    if place.exists():
        raise InputError("it exists already", remedy="name a new folder", file=str(place))
    beside = place.with_name(f".{place.name}.{secrets.token_hex(4)}")
    written = False
    try:
        beside.mkdir()
        for part, first in enumerate(range(0, max(len(classes), 1), _CLASSES_AT_ONCE)):
            chosen = np.arange(first, min(first + _CLASSES_AT_ONCE, len(classes)))
            pq.write_table(classes.to_arrow(chosen), beside / f"classes-{part:05}.parquet")
        beside.rename(place)
        written = True
    except OSError:
        written = False
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    if not written:
        raise InputError(
            "the folder cannot be written", remedy="check the path, free space and permissions", file=str(place)
        )


class _Progress:
    """A line on the terminal that says how many counts were asked for, and since when; nowhere else."""

    def __init__(self) -> None:
        self._since = monotonic()
        self._stopped = False
        self._shown = sys.stderr.isatty()

    def __call__(self, asked: int) -> None:
        if self._stopped:
            raise KeyboardInterrupt
        if self._shown:
            print(f"\rcount {asked}, {monotonic() - self._since:.0f} s ", end="", file=sys.stderr, flush=True)

    def stop(self, number: int, frame: FrameType | None) -> None:
        """Ctrl-C: remembered, too, for an engine in the middle of its work may lose the exception."""
        self._stopped = True
        raise KeyboardInterrupt

    def end(self) -> None:
        """Clear the line."""
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `score` that choose an engine."""
    group = parser.add_argument_group(
        "engines", "where the records are counted; files may be folders or patterns there"
    )
    group.add_argument("--engine", choices=[MEMORY, "duckdb", "spark"], default=MEMORY, help="memory by default")
    group.add_argument("--master", metavar="URL", help="of the Spark cluster, as spark://host:7077")
    group.add_argument("--memory-limit", metavar="SIZE", help="what the engine may take, as 800MB or 4GB")
    group.add_argument(
        "--temp-directory",
        metavar="DIR",
        help="let DuckDB write parts of the data there, unencrypted, where memory does not suffice; removed afterwards",
    )
    group.add_argument("--classes-out", metavar="DIR", help="also write one row per class, as Parquet in a new folder")


def check(options: argparse.Namespace, roles: Roles) -> None:
    """Raise InputError where options do not go together, or with the roles."""
    if options.engine != "spark" and options.master is not None:
        raise InputError("--master is for the engine spark", remedy="add --engine spark or leave --master out")
    if options.engine == "spark" and options.master is None:
        raise InputError("the engine spark needs a cluster", remedy="name it with --master spark://host:7077")
    if options.engine == "spark" and options.original is not None and roles.key is None:
        raise InputError(
            "Spark keeps no order of records, so the original is matched by a key column, and the roles name none",
            remedy="add key: COLUMN to the roles, or leave the original out",
            file=roles.name,
        )
    if options.engine != "duckdb" and options.temp_directory is not None:
        raise InputError("--temp-directory is for the engine duckdb", remedy="leave it out")
    if options.engine == MEMORY and options.memory_limit is not None:
        raise InputError("--memory-limit is for an engine", remedy="add --engine duckdb or leave it out")
    if options.engine != MEMORY and options.population is not None:
        raise InputError("a population table is read in memory only", remedy="leave --engine or --population out")
    if options.classes_out is not None and Path(options.classes_out).exists():
        raise InputError("it exists already", remedy="name a new folder", file=str(options.classes_out))
