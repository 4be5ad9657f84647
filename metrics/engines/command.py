"""What `score` does where an engine counts: its options, its tables, its progress, the classes it writes."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import fields
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from metrics.class_table import ClassTable
from metrics.errors import InputError
from metrics.evidence import MOST_CLASSES
from metrics.reading.layout import Choices
from metrics.roles import Roles
from metrics.settings import ReadOptions
from metrics.whole_files import write_folder

if TYPE_CHECKING:
    from metrics.engines.lazy import LazyTable

MEMORY = "memory"
_CLASSES_AT_ONCE = 2**20


class Session(Protocol):
    """An engine that is running."""

    def table(self, path: str | Path, choices: Choices | None = None, *, name: str | None = None) -> LazyTable:
        """The table in a file, a folder or a pattern. Raises InputError."""


@contextmanager
def running(options: argparse.Namespace) -> Iterator[tuple[Session, Progress]]:
    """The engine that the options name, ended afterwards, and its progress. Raises InputError where there is none."""
    progress = Progress()
    before = signal.signal(signal.SIGINT, progress.stop)
    try:
        with _started(options, progress) as session:
            yield session, progress
    finally:
        signal.signal(signal.SIGINT, before)
        progress.end()


def _started(options: argparse.Namespace, progress: Progress) -> AbstractContextManager[Session]:
    if options.engine == "duckdb":
        from metrics.engines.duckdb_files import MEMORY_LIMIT, DuckDB, end_quietly

        end_quietly()
        return DuckDB(options.memory_limit or MEMORY_LIMIT, options.temp_directory, progress)
    from metrics.engines.spark import Spark

    return Spark(options.master, memory=options.memory_limit, progress=progress)


def table(session: Session, path: str, options: argparse.Namespace, kept: ReadOptions) -> LazyTable:
    """One of the tables that the options name; how it is read they say, else what was kept in the settings."""
    chosen: dict[str, Any] = {}
    for name in {field.name for field in fields(Choices)} & {field.name for field in fields(ReadOptions)}:
        given = getattr(options, name)
        chosen[name] = getattr(kept, name) if given in (None, []) else given
    return session.table(path, Choices(**chosen | {"missing": tuple(chosen["missing"])}))


def write_classes(tables: Iterable[ClassTable], folder: str | Path) -> None:
    """One row per equivalence class of each table, in Parquet files of a new folder: written whole or not at all.

    Raises InputError where the folder exists, or cannot be written.
    """
    import pyarrow.parquet as pq  # which no other command needs at its start

    def write(beside: Path) -> None:
        number = 0
        for classes in tables:
            for first in range(0, max(len(classes), 1), _CLASSES_AT_ONCE):
                chosen = np.arange(first, min(first + _CLASSES_AT_ONCE, len(classes)))
                pq.write_table(classes.to_arrow(chosen), beside / f"classes-{number:05}.parquet")
                number += 1

    write_folder(write, folder)


class Progress:
    """A line on the terminal that says what was done, and since when; nowhere else."""

    def __init__(self) -> None:
        self._since = monotonic()
        self._stopped = False
        self._shown = sys.stderr.isatty()
        self._part = ""

    def __call__(self, asked: int) -> None:
        """How many counts were asked for."""
        self._tell(f"{self._part}count {asked}")

    def scored(self, done: int, parts: int) -> None:
        """How many parts of the classes were looked at."""
        self._at("classes looked at", done, parts)

    def written(self, done: int, parts: int) -> None:
        """How many parts of the classes were written."""
        self._at("classes written", done, parts)

    def _at(self, what: str, done: int, parts: int) -> None:
        self._part = f"{what}: {done} of {parts} parts, " if done < parts else ""
        self._tell(f"{what}: {done} of {parts} parts")

    def _tell(self, line: str) -> None:
        if self._stopped:
            raise KeyboardInterrupt
        if self._shown:
            since = f"{monotonic() - self._since:.0f} s"
            print(f"\r\x1b[K{line}, {since} ", end="", file=sys.stderr, flush=True)

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
    group.add_argument(
        "--most-classes",
        type=int,
        metavar="N",
        help=f"equivalence classes held at once (default {MOST_CLASSES:,}); of more, some are looked at at a time",
    )
    group.add_argument("--classes-out", metavar="DIR", help="also write one row per class, as Parquet in a new folder")


def check(options: argparse.Namespace, roles: Roles) -> None:
    """Raise InputError where options do not go together, or with the roles."""
    if options.engine != "spark" and options.master is not None:
        raise InputError("--master is for the engine spark", remedy="add --engine spark or leave --master out")
    if options.engine == "spark" and options.master is None:
        raise InputError("the engine spark needs a cluster", remedy="name it with --master spark://host:7077")
    if options.engine != MEMORY and options.original is not None and roles.matching.remedies:
        raise InputError(
            f"records are left out of the comparison ({' and '.join(roles.matching.remedies)}) in memory only",
            remedy="leave that choice out of the roles, or --engine",
            file=roles.name,
        )
    if options.engine == "spark" and options.original is not None and not roles.matching.key:
        raise InputError(
            "Spark keeps no order of records, so the original is matched by a key column, and the roles name none",
            remedy="add key: COLUMN to the roles, or leave the original out",
            file=roles.name,
        )
    if options.engine != "duckdb" and options.temp_directory is not None:
        raise InputError("--temp-directory is for the engine duckdb", remedy="leave it out")
    if options.engine == MEMORY and options.memory_limit is not None:
        raise InputError("--memory-limit is for an engine", remedy="add --engine duckdb or leave it out")
    if options.engine == MEMORY and options.most_classes is not None:
        raise InputError("--most-classes is for an engine", remedy="add --engine duckdb or leave it out")
    if options.most_classes is not None and options.most_classes < 1:
        raise InputError("--most-classes is not above 0", remedy="name a number such as 1000000")
    if options.engine != MEMORY and options.population is not None:
        raise InputError("a population table is read in memory only", remedy="leave --engine or --population out")
    if options.classes_out is not None and Path(options.classes_out).exists():
        raise InputError("it exists already", remedy="name a new folder", file=str(options.classes_out))
