"""Counts files with a Spark cluster: it receives group-by queries and returns no record."""

from __future__ import annotations

import os
import shutil
import socket
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

import narwhals as nw
import pyarrow as pa

from metrics.engines.backend import failed
from metrics.engines.files import Files, PlanSource, find_files, require_record_count
from metrics.engines.lazy import LazyTable
from metrics.errors import InputError, missing_extra
from metrics.tables.read_plan import PARQUET, ReadPlan

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_SETTINGS = {
    # Spark underestimates the size of Parquet tables, and a broadcast join then exhausts the memory.
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    "spark.sql.caseSensitive": "true",
    # A record with too few cells must be refused whichever columns are counted.
    "spark.sql.csv.parser.columnPruning.enabled": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.sources.partitionColumnTypeInference.enabled": "false",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
}
T = TypeVar("T")

_STANDALONE = "spark://"
_EXECUTOR_TIMEOUT_SECONDS = 60.0
"""Time for the cluster to start the first executor."""


class Spark:
    """One session of a Spark cluster; close it, or use it in a `with` statement."""

    kind = "spark"

    def __init__(
        self, master: str, *, memory: str | None = None, progress: Callable[[int], None] | None = None
    ) -> None:
        """`memory`: of the driver, such as "2g". Raises InputError if Spark, Java or the cluster is not available."""
        self._progress = progress
        self._queries = 0
        self._session = _session(master, memory)
        if master.startswith(_STANDALONE):
            self._await_executor()

    def table(self, path: str | Path, plan: PlanSource = None, *, name: str | None = None, **choices: Any) -> LazyTable:
        """The table in Parquet or CSV files that all workers can read: a path, folder or pattern, or a URL of Parquet.

        `plan` and `choices` are those of `read_table`; `plan` may also be a function of a file's path. Raises
        InputError if there is no file, its plan is ambiguous, the files differ in their columns, or they cannot be
        read by the plan.
        """
        files = None if "://" in str(path) else find_files(path, plan, choices)
        if files is None:
            read_plan = replace(plan if isinstance(plan, ReadPlan) else ReadPlan(PARQUET), **choices)
            frame = self._remote(str(path))
            names: Sequence[str] = frame.columns
            title = str(path).rstrip("/").rpartition("/")[2]
            notes: tuple[str, ...] = ()
            decimal = read_plan.decimal if plan is not None or "decimal" in choices else None
        else:
            frame, names, title, notes, read_plan = self._local(files), files.names, files.name, files.notes, files.plan
            decimal = read_plan.decimal
        renamed_frame = nw.from_native(frame.toDF(*(f"c{position}" for position in range(len(names)))))
        table = LazyTable(
            name or title,
            names,
            renamed_frame,
            self,
            decimal=decimal,
            missing=read_plan.missing,
            plan=read_plan,
            notes=notes,
        )
        if files is not None:
            require_record_count(files, table.rows)
        return table

    def batches(self, frame: nw.LazyFrame[Any]) -> Iterator[pa.RecordBatch]:
        """The rows of a frame of counts. Raises InputError if Spark fails."""
        self._queries += 1
        if self._progress is not None:
            self._progress(self._queries)
        yield from self._run_query(lambda: frame.to_native().toArrow()).to_batches()

    def join_by_position(self, original: nw.LazyFrame[Any], anonymized: nw.LazyFrame[Any]) -> None:
        """None: a cluster does not keep the order of records."""

    def close(self) -> None:
        """End the session, and free what the cluster holds."""
        self._session.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _local(self, files: Files) -> DataFrame:
        paths = [str(path.resolve()) for path in files.paths]
        if files.plan.kind == PARQUET:
            frame = self._run_query(lambda: self._session.read.parquet(*paths))
            columns = frame.columns
            return frame.select(
                *(frame[f"`{columns[position].replace('`', '``')}`"] for position in files.column_positions)
            )
        has_header = bool(files.plan.header_lines)
        if files.first_record_line != 1 + has_header:
            raise InputError(
                "Spark cannot skip lines before the header of a CSV file",
                remedy="remove those lines, or save the table as Parquet",
                file=files.name,
            )
        schema = ", ".join(f"c{position} STRING" for position in range(files.width))
        reader = self._session.read.options(
            sep=files.separator,
            quote=files.plan.quote,
            escape=files.plan.quote,
            header=has_header,
            enforceSchema=True,
            multiLine=files.lines_in_cells,
            encoding=files.encoding.replace("latin-1", "ISO-8859-1"),
            unescapedQuoteHandling="RAISE_ERROR",
            mode="FAILFAST",
        ).schema(schema)
        frame = self._run_query(lambda: reader.csv(paths)).fillna("")  # an empty cell is a text here
        return frame.select(*(f"c{position}" for position in files.column_positions))

    def _remote(self, url: str) -> DataFrame:
        """Parquet files that only the cluster can read."""
        reader = self._session.read
        if url.lower().removesuffix(".gz").endswith((".csv", ".tsv", ".txt")):
            raise InputError(
                "CSV files at a URL cannot be checked before Spark reads them",
                remedy="save them as Parquet, or use a path that this computer can also read",
                file=url,
            )
        frame = self._run_query(lambda: reader.parquet(url))
        merged = self._run_query(lambda: reader.option("mergeSchema", True).parquet(url))
        if frame.schema != merged.schema:
            raise InputError(
                "the files differ in their columns", remedy="keep only the files of one table in the folder", file=url
            )
        return frame

    def _await_executor(self) -> None:
        context = self._session.sparkContext._jsc.sc()
        since = time.monotonic()
        while context.getExecutorMemoryStatus().size() < 2:  # the driver itself is one
            if time.monotonic() - since > _EXECUTOR_TIMEOUT_SECONDS:
                self.close()
                raise InputError(
                    "no worker of the Spark cluster started in time", remedy="check that it has workers with free cores"
                )
            time.sleep(0.1)

    def _run_query(self, query: Callable[[], T]) -> T:
        problem: InputError | None = None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", FutureWarning)  # from pandas
                return query()
        except (KeyboardInterrupt, MemoryError):
            self._session.sparkContext.cancelAllJobs()
            raise
        except Exception as error:  # Spark has many types of errors, whose texts may hold cells
            problem = _input_error(error)
        raise problem


def _input_error(error: Exception) -> InputError:
    text = str(error)
    if "maxResultSize" in text or "OutOfMemoryError" in text:
        return InputError(
            "the distinct combinations of values exceed the memory of the driver",
            remedy="hold fewer classes with --max-classes, or give the driver more memory with --memory-limit",
        )
    if "No space left" in text:
        return InputError("the disk of a worker has no space left", remedy="free some space, or add workers")
    if "MALFORMED" in text or "CANNOT_READ_FILE" in text or "FAILED_READ_FILE" in text:
        return InputError(
            "Spark cannot read the files: records differ in the number of cells, or the files are damaged",
            remedy="use the engine memory, which names the line, or export the files as Parquet",
        )
    return failed("spark", type(error).__name__)


def _session(master: str, memory: str | None) -> SparkSession:
    try:
        from pyspark.sql import SparkSession
    except ModuleNotFoundError:
        raise missing_extra("the engine Spark", "spark") from None
    if "JAVA_HOME" not in os.environ and shutil.which("java") is None:
        raise InputError("Java, which Spark needs, is not installed", remedy="install Java 17, or set JAVA_HOME")
    _require_reachable(master)
    builder = SparkSession.builder.appName("quasi").master(master)
    for setting, value in _SETTINGS.items():
        builder = builder.config(setting, value)
    if memory is not None:
        builder = builder.config("spark.driver.memory", memory).config("spark.driver.maxResultSize", memory)
    problem = None
    try:
        with _quiet():
            return builder.getOrCreate()
    except (KeyboardInterrupt, MemoryError):
        raise
    except Exception as error:
        problem = type(error).__name__
    raise InputError(
        f"the Spark cluster cannot be reached ({problem})", remedy="check --master and that the cluster runs"
    )


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep messages of Java off standard error, at its start and afterwards: errors are printed in one line."""
    stderr_copy = os.dup(2)
    with open(os.devnull, "wb") as devnull:
        os.dup2(devnull.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(stderr_copy, 2)
        os.close(stderr_copy)


def _require_reachable(master: str) -> None:
    """Check that a standalone master accepts connections: Spark itself takes minutes to fail."""
    if not master.startswith(_STANDALONE):
        return
    for address in master.removeprefix(_STANDALONE).split(","):
        host, _, port = address.rpartition(":")
        try:
            with socket.create_connection((host.strip("[]"), int(port)), timeout=5):
                return
        except (OSError, ValueError):
            continue
    raise InputError("the Spark cluster cannot be reached", remedy="check --master, and that the cluster runs")
