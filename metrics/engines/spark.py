"""Files counted by a Spark cluster: group-bys travel there, no record comes back."""

from __future__ import annotations

import os
import shutil
import socket
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

import narwhals as nw
import pyarrow as pa

from metrics.engines.asking import failed
from metrics.engines.files import Files, found_files
from metrics.engines.lazy import LazyTable
from metrics.errors import InputError
from metrics.reading.layout import Choices

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_SETTINGS = {
    # Spark joins by broadcast what looks small in Parquet and is not, and dies of it.
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    "spark.sql.caseSensitive": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.sources.partitionColumnTypeInference.enabled": "false",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
}
T = TypeVar("T")

_STANDALONE = "spark://"
_PATIENCE = 60.0
"""Seconds that a cluster has to start the first executor."""


class Spark:
    """One session of a cluster; to be closed, as by `with`."""

    kind = "spark"

    def __init__(
        self, master: str, *, memory: str | None = None, progress: Callable[[int], None] | None = None
    ) -> None:
        """`memory`: of the driver, as "2g". Raises InputError where Spark, Java or the cluster cannot be had."""
        self._progress = progress
        self._asked = 0
        self._session = _session(master, memory)
        if master.startswith(_STANDALONE):
            self._await_executor()

    def table(self, path: str | Path, choices: Choices | None = None, *, name: str | None = None) -> LazyTable:
        """The table in Parquet or CSV files that all workers can read: a path, folder, pattern or URL.

        Raises InputError where there is none, files differ in their columns, or cannot be read.
        """
        chosen = choices or Choices()
        if "://" in str(path):
            frame = self._remote(str(path), chosen)
            names: Sequence[str] = frame.columns
            title = str(path).rstrip("/").rpartition("/")[2]
        else:
            files = found_files(path, chosen)
            frame = self._local(files)
            names = [files.names[place] for place in files.kept]
            title = files.name
        renamed = frame.toDF(*(f"c{place}" for place in range(len(names))))
        return LazyTable(
            name or title, names, nw.from_native(renamed), self, decimal=chosen.decimal, missing=tuple(chosen.missing)
        )

    def batches(self, frame: nw.LazyFrame[Any]) -> Iterator[pa.RecordBatch]:
        """The rows of a counted frame. Raises InputError where Spark fails."""
        self._asked += 1
        if self._progress is not None:
            self._progress(self._asked)
        yield from self._tried(lambda: frame.to_native().toArrow()).to_batches()

    def beside(self, original: nw.LazyFrame[Any], anonymized: nw.LazyFrame[Any]) -> None:
        """Records have no order in a cluster."""

    def close(self) -> None:
        """End the session; the cluster frees what it held."""
        self._session.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _local(self, files: Files) -> DataFrame:
        paths = [str(path.resolve()) for path in files.paths]
        if files.layout is None:
            frame = self._tried(lambda: self._session.read.parquet(*paths))
            return frame.select(*(frame[f"`{files.names[place].replace('`', '``')}`"] for place in files.kept))
        found = files.layout
        if found.start or found.rows != 1:
            raise InputError(
                "Spark reads CSV whose first line is the header",
                remedy="remove the lines before it, or save the table as Parquet",
                file=files.name,
            )
        schema = ", ".join(f"c{place} STRING" for place in range(len(files.names)))
        reader = self._session.read.options(
            sep=found.dialect.separator,
            quote=found.dialect.quote,
            escape=found.dialect.quote,
            header=True,
            enforceSchema=True,
            multiLine=any(found.dialect.quote in cell for record in found.records for cell in record.cells),
            encoding=files.encoding,
            mode="FAILFAST",
        ).schema(schema)
        frame = self._tried(lambda: reader.csv(paths))
        return frame.fillna("")  # an empty cell is a text here

    def _remote(self, url: str, choices: Choices) -> DataFrame:
        """Files that only the cluster reads: told by their suffix, Parquet if there is none."""
        read = self._session.read
        if url.lower().removesuffix(".gz").endswith((".csv", ".tsv", ".txt")):
            quote = choices.quote or '"'
            reader = read.options(sep=choices.delimiter or ",", quote=quote, escape=quote, header=True, mode="FAILFAST")
            return self._tried(lambda: reader.csv(url)).fillna("")
        frame = self._tried(lambda: read.parquet(url))
        merged = self._tried(lambda: read.option("mergeSchema", True).parquet(url))
        if frame.schema != merged.schema:
            raise InputError(
                "its files differ in their columns", remedy="keep only files of one table in the folder", file=url
            )
        return frame

    def _await_executor(self) -> None:
        context = self._session.sparkContext._jsc.sc()
        since = time.monotonic()
        while context.getExecutorMemoryStatus().size() < 2:  # the driver itself is one
            if time.monotonic() - since > _PATIENCE:
                self.close()
                raise InputError(
                    "no worker of the Spark cluster took up the work", remedy="see that it has workers with free cores"
                )
            time.sleep(0.1)

    def _tried(self, ask: Callable[[], T]) -> T:
        problem: InputError | None = None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", FutureWarning)  # of pandas, which is not asked
                return ask()
        except (KeyboardInterrupt, MemoryError):
            self._session.sparkContext.cancelAllJobs()
            raise
        except Exception as error:  # Spark's own, of many kinds, whose texts may hold cells
            problem = _told(error)
        raise problem


def _told(error: Exception) -> InputError:
    text = str(error)
    if "maxResultSize" in text or "OutOfMemoryError" in text:
        return InputError(
            "there are more different combinations of values than the driver may hold",
            remedy="hold fewer classes at once with --most-classes, or allow the driver more with --memory-limit",
        )
    if "No space left" in text:
        return InputError("a worker's disk has no space left", remedy="free some, or add workers")
    if "MALFORMED" in text or "CANNOT_READ_FILE" in text or "FAILED_READ_FILE" in text:
        return InputError(
            "Spark cannot read the files: records differ in their fields, or the files are damaged",
            remedy="check them with the engine memory, which names the line, or export them as Parquet",
        )
    return failed("spark", type(error).__name__)


def _session(master: str, memory: str | None) -> SparkSession:
    try:
        from pyspark.sql import SparkSession
    except ModuleNotFoundError:
        raise InputError("PySpark is not installed", remedy="install it: pip install pyspark") from None
    if "JAVA_HOME" not in os.environ and shutil.which("java") is None:
        raise InputError("there is no Java, which Spark needs", remedy="install Java 17 or set JAVA_HOME")
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
    """Keep what Java says at its start, and from then on, off standard error: errors are told in one line."""
    held = os.dup(2)
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(held, 2)
        os.close(held)


def _require_reachable(master: str) -> None:
    """Ask a standalone master for its port first: Spark itself takes minutes to give up."""
    if not master.startswith(_STANDALONE):
        return
    for place in master.removeprefix(_STANDALONE).split(","):
        host, _, port = place.rpartition(":")
        try:
            with socket.create_connection((host.strip("[]"), int(port)), timeout=5):
                return
        except (OSError, ValueError):
            continue
    raise InputError("the Spark cluster cannot be reached", remedy="check --master, and that the cluster runs")
