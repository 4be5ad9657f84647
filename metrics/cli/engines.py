"""Scoring with an engine: its options, tables and progress, and the classes it writes."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from metrics.aggregates import MAX_CLASSES
from metrics.cli import reading
from metrics.cli.options import TABLE_OUTPUT
from metrics.config.roles import Roles
from metrics.errors import InputError
from metrics.policy.settings import ReadOptions
from metrics.scoring.class_table import ClassTable
from metrics.tables.atomic_write import write_folder
from metrics.tables.export import write_table

if TYPE_CHECKING:
    from metrics.engines.files import PlanSource
    from metrics.engines.lazy import LazyTable

MEMORY, DATABASE = "memory", "database"
SCHEMES = ("postgresql://", "postgres://", "sqlite://")
_CLASSES_PER_FILE = 2**20


class Session(Protocol):
    """A running engine."""

    def table(self, path: str | Path, plan: PlanSource = None, *, name: str | None = None, **choices: Any) -> LazyTable:
        """The table in a file, a folder, or files that match a pattern. Raises InputError."""


@contextmanager
def running(options: argparse.Namespace) -> Iterator[tuple[Session, ProgressLine]]:
    """Run the engine named by the options, and stop it afterwards. Raises InputError if it is not installed."""
    progress = ProgressLine()
    previous_handler = signal.signal(signal.SIGINT, progress.stop)
    try:
        with _start(options, progress) as session:
            yield session, progress
    finally:
        signal.signal(signal.SIGINT, previous_handler)
        progress.end()


def _start(options: argparse.Namespace, progress: ProgressLine) -> AbstractContextManager[Session]:
    if options.engine == DATABASE:
        from metrics.engines.databases import Databases

        return Databases()
    if options.engine == "duckdb":
        from metrics.engines.duckdb_files import MEMORY_LIMIT, DuckDB, suppress_exit_message

        suppress_exit_message()
        return DuckDB(options.memory_limit or MEMORY_LIMIT, options.temp_directory, progress)
    from metrics.engines.spark import Spark

    return Spark(options.master, memory=options.memory_limit, progress=progress)


def table(session: Session, path: str, options: argparse.Namespace, saved: ReadOptions) -> LazyTable:
    """One table in the engine, read by its plan. Raises InputError if the plan is ambiguous."""
    if "://" in path:
        return session.table(path, saved.plan, **reading.plan_fields(options, saved))
    engine_table = session.table(path, lambda file: reading.plan_for(file, options, saved, in_memory=False))
    reading.print_left_out(engine_table.name, engine_table.source.plan)
    return engine_table


def _is_file(path: str | Path) -> bool:
    """Whether classes go to one file, by its suffix; else to a folder, a part at a time."""
    return Path(path).suffix.lower() in (".csv", ".parquet")


def write_classes(tables: Iterable[ClassTable], path: str | Path, inputs: Sequence[str | Path] = ()) -> None:
    """Write one row per equivalence class to a file, or as Parquet files to a new folder, completely or not at all.

    Raises InputError if the file is one of the `inputs`, the folder exists, or the path cannot be written.
    """
    import pyarrow as pa  # no other command needs them at its start
    import pyarrow.parquet as pq

    if _is_file(path):
        write_table(pa.concat_tables([classes.to_arrow() for classes in tables]), path, inputs)
        return

    def write(new_folder: Path) -> None:
        n_files = 0
        for classes in tables:
            for start in range(0, max(len(classes), 1), _CLASSES_PER_FILE):
                indices = np.arange(start, min(start + _CLASSES_PER_FILE, len(classes)))
                pq.write_table(classes.to_arrow(indices), new_folder / f"classes-{n_files:05}.parquet")
                n_files += 1

    write_folder(write, path)


class ProgressLine:
    """One line on the terminal with the progress and the time elapsed; nothing if the output is not a terminal."""

    def __init__(self) -> None:
        self._start = monotonic()
        self._stopped = False
        self._is_terminal = sys.stderr.isatty()
        self._phase = ""

    def __call__(self, queries: int) -> None:
        """Show the number of queries sent to the engine."""
        self._print(f"{self._phase}query {queries}")

    def scored(self, done: int, partitions: int) -> None:
        """Show how many partitions of the classes are scored."""
        self._show_phase("classes scored", done, partitions)

    def written(self, done: int, partitions: int) -> None:
        """Show how many partitions of the classes are written."""
        self._show_phase("classes written", done, partitions)

    def _show_phase(self, phase: str, n_done: int, partitions: int) -> None:
        self._phase = f"{phase}: {n_done} of {partitions} partitions, " if n_done < partitions else ""
        self._print(f"{phase}: {n_done} of {partitions} partitions")

    def _print(self, line: str) -> None:
        if self._stopped:
            raise KeyboardInterrupt
        if self._is_terminal:
            elapsed = f"{monotonic() - self._start:.0f} s"
            print(f"\r\x1b[K{line}, {elapsed} ", end="", file=sys.stderr, flush=True)

    def stop(self, number: int, frame: FrameType | None) -> None:
        """Handle Ctrl-C. It is also remembered, because a busy engine may swallow the exception."""
        self._stopped = True
        raise KeyboardInterrupt

    def end(self) -> None:
        """Clear the line."""
        if self._is_terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose and configure an engine."""
    group = parser.add_argument_group(
        "engines", "where records are counted; with an engine, tables may be folders or file patterns"
    )
    group.add_argument("--engine", choices=[MEMORY, "duckdb", "spark"], default=MEMORY, help="default: memory")
    group.add_argument("--master", metavar="URL", help="address of the Spark cluster, such as spark://host:7077")
    group.add_argument("--memory-limit", metavar="SIZE", help="memory that the engine may use, such as 800MB or 4GB")
    group.add_argument(
        "--temp-directory",
        metavar="DIR",
        help="folder where DuckDB may write parts of the data, unencrypted, if memory is short; removed afterwards",
    )
    group.add_argument(
        "--max-classes",
        type=int,
        metavar="N",
        help=f"largest number of classes held in memory (default {MAX_CLASSES:,}); more are processed in partitions",
    )
    group.add_argument(
        "--classes-out",
        metavar="FILE|DIR",
        help=f"also write one row per equivalence class: {TABLE_OUTPUT}, or Parquet files in this new folder",
    )


def in_database(path: str | None) -> bool:
    """Whether a path is the address of a table in a database: `sqlite:///study.db#release`."""
    return path is not None and path.startswith(SCHEMES)


def check_options(options: argparse.Namespace, roles: Roles) -> None:
    """Count tables in databases there. Raise InputError if options contradict each other or the roles."""
    if any(in_database(path) for path in (options.anonymized, options.original)):
        if options.engine != MEMORY:
            problem = f"the engine {options.engine} does not count tables of a database, which are counted there"
            raise InputError(problem, remedy="remove --engine")
        options.engine = DATABASE
    if options.engine == MEMORY:
        _check_memory(options)
    else:
        _check_engine(options, roles)
    if options.engine != "spark" and options.master is not None:
        raise InputError("--master applies to the engine spark only", remedy="add --engine spark or remove --master")
    if options.engine != "duckdb" and options.temp_directory is not None:
        raise InputError("--temp-directory applies to the engine duckdb only", remedy="remove it")
    if options.max_classes is not None and options.max_classes < 1:
        raise InputError("--max-classes is not positive", remedy="set a number such as 1000000")
    if options.classes_out is not None and not _is_file(options.classes_out) and Path(options.classes_out).exists():
        raise InputError("the folder exists already", remedy="name a new folder", file=str(options.classes_out))


def _check_memory(options: argparse.Namespace) -> None:
    """Raise InputError if options for engines are given without one."""
    if options.memory_limit is not None:
        raise InputError("--memory-limit applies to engines only", remedy="add --engine duckdb or remove it")
    if options.max_classes is not None:
        raise InputError("--max-classes applies to engines only", remedy="add --engine duckdb or remove it")


def _check_engine(options: argparse.Namespace, roles: Roles) -> None:
    """Raise InputError if options or roles ask for what the engine cannot do."""
    if any(path in options.project_tables for path in (options.anonymized, options.original)):
        problem = "the tables of an ARX project are counted in memory only"
        raise InputError(problem, remedy="remove --engine, and name no table of a database")
    if options.engine == "spark" and options.master is None:
        raise InputError("the engine spark needs a cluster", remedy="give its address with --master spark://host:7077")
    if options.original is not None and roles.matching.remedies:
        raise InputError(
            f"an engine cannot exclude records from the comparison ({' and '.join(roles.matching.remedies)})",
            remedy="remove that setting from the roles, or remove --engine",
            file=roles.name,
        )
    if options.engine == "spark" and options.original is not None and not roles.matching.key:
        raise InputError(
            "Spark does not keep the order of records, so matching the original needs a key column",
            remedy="add key: COLUMN to the roles, or remove --original",
            file=roles.name,
        )
    if getattr(options, "randomization", None):
        raise InputError(
            "--randomization needs the records in memory", remedy="remove --engine, or copy the tables to files"
        )
    for name in ("population", "holdout"):
        if getattr(options, name) is not None:
            where, other = (
                ("in a database", "name files only")
                if options.engine == DATABASE
                else ("with an engine", "remove --engine")
            )
            problem = f"--{name} cannot be used {where}"
            raise InputError(problem, remedy=f"{other}, or remove --{name}")
