"""Parquet and CSV files counted by DuckDB where they lie: scanned lazily, in bounded memory, nothing written."""

from __future__ import annotations

import atexit
import os
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import pyarrow as pa

from metrics.engines.asking import failed
from metrics.engines.files import Files, found_files
from metrics.engines.lazy import LazyTable
from metrics.errors import InputError
from metrics.reading.layout import Choices

if TYPE_CHECKING:
    import narwhals as nw

MEMORY_LIMIT = "1GB"
"""Memory that DuckDB may take unless told otherwise; counts that are fetched come on top."""
_BATCH = 2**16
_NO_SPACE = ("No space left", "Could not write", "max_temp_directory_size")
_NO_MEMORY = ("OutOfMemoryException", "MemoryError")

Progress = Callable[[int], None]
"""Told the number of counts asked for so far, whenever one begins."""


class DuckDB:
    """One connection for both tables; to be closed, as by `with`."""

    kind = "duckdb"

    def __init__(
        self,
        memory_limit: str = MEMORY_LIMIT,
        temporary: str | Path | None = None,
        progress: Progress | None = None,
    ) -> None:
        """`temporary`: a folder that parts of the data may be written to, for sorting and grouping beyond memory.

        Without it nothing is written, and what does not fit into memory fails. Raises InputError where a setting is
        wrong.
        """
        import duckdb

        self._connection = duckdb.connect()
        self._memory_limit = memory_limit
        self._temporary = None if temporary is None else Path(temporary) / f"quasi-{secrets.token_hex(4)}"
        self._progress = progress
        self._asked = 0
        settings = {
            "memory_limit": memory_limit,
            "temp_directory": "" if self._temporary is None else str(self._temporary),
            "TimeZone": "UTC",
            "enable_progress_bar": True,
            "enable_progress_bar_print": False,
            "autoinstall_known_extensions": False,
            "enable_external_file_cache": False,
        }
        for setting, value in settings.items():
            self._set(setting, value)

    def _set(self, setting: str, value: object) -> None:
        import duckdb

        refused = False
        try:
            self._connection.execute(f"SET {setting} = {_literal(value)}")
        except duckdb.Error:
            refused = setting != "TimeZone"  # known to an extension only, which files with time zones need, too
        if refused:
            raise InputError(
                f"DuckDB does not take this {setting.replace('_', ' ')}", remedy="write it as 800MB, 4GB or a folder"
            )

    def table(
        self,
        path: str | Path,
        choices: Choices | None = None,
        *,
        name: str | None = None,
    ) -> LazyTable:
        """The table in a Parquet or CSV file, or in all such files of a folder or a pattern, in the order of names.

        Raises InputError where there is none, its files differ in their columns, or they cannot be read.
        """
        chosen = choices or Choices()
        files = found_files(path, chosen)
        view = f"quasi_{secrets.token_hex(4)}"
        columns = ", ".join(f"c{place}" for place in range(len(files.names)))
        self._run(f"CREATE TEMP VIEW {view} AS SELECT {self._kept(files)} FROM {_scan(files)} AS t({columns})")
        import narwhals

        frame = narwhals.from_native(self._connection.table(view))
        kept = [files.names[place] for place in files.kept]
        return LazyTable(name or files.name, kept, frame, self, decimal=chosen.decimal, missing=tuple(chosen.missing))

    def batches(self, frame: nw.LazyFrame[Any]) -> Iterator[pa.RecordBatch]:
        """The rows of a counted frame as they come. Raises InputError where DuckDB fails."""
        import duckdb

        self._asked += 1
        if self._progress is not None:
            self._progress(self._asked)
        problem: BaseException | None = None
        try:
            yield from frame.to_native().to_arrow_reader(_BATCH)
        except (duckdb.Error, pa.ArrowException, OSError, MemoryError, RuntimeError) as error:
            # DuckDB has several errors for Ctrl-C, depending on what it was doing.
            interrupted = "interrupt" in str(error).lower()
            problem = KeyboardInterrupt() if interrupted else self._told(error)
        if problem is not None:
            raise problem

    def beside(self, original: nw.LazyFrame[Any], anonymized: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
        """Both tables' columns, record by record: files are scanned in their order."""
        import narwhals

        names = []
        for frame in (anonymized, original):
            names.append(f"quasi_{secrets.token_hex(4)}")
            frame.to_native().create_view(names[-1], replace=True)
        return narwhals.from_native(self._connection.sql(f"SELECT * FROM {names[0]} POSITIONAL JOIN {names[1]}"))

    @property
    def share(self) -> float:
        """How far the count under way is, 0 to 1, as DuckDB guesses it; may be asked from another thread."""
        done: float = self._connection.query_progress()
        return min(max(done / 100, 0.0), 1.0)

    def interrupt(self) -> None:
        """From another thread: end the count under way, if there is one, with KeyboardInterrupt."""
        self._connection.interrupt()

    def close(self) -> None:
        """End the connection, and remove what it wrote."""
        self._connection.close()
        if self._temporary is not None and self._temporary.is_dir():
            for left in self._temporary.iterdir():
                left.unlink()
            self._temporary.rmdir()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(self, statement: str) -> None:
        import duckdb

        problem: InputError | None = None
        try:
            self._connection.execute(statement)
        except duckdb.Error as error:
            problem = self._told(error)
        if problem is not None:
            raise problem

    def _kept(self, files: Files) -> str:
        return ", ".join(f"c{place} AS c{position}" for position, place in enumerate(files.kept))

    def _told(self, error: BaseException) -> InputError:
        """What went wrong, without DuckDB's own words: they may hold cells."""
        text = str(error)
        if self._temporary is not None and any(sign in text for sign in _NO_SPACE):
            return InputError(
                "the folder for temporary files has no space left",
                remedy="free some, or name another folder with --temp-directory",
            )
        if type(error).__name__ in _NO_MEMORY or "Out of Memory" in text:
            more = (
                "" if self._temporary is not None else ", or allow it to write parts of the data with --temp-directory"
            )
            return InputError(
                f"DuckDB needs more than the {self._memory_limit} of memory it may take",
                remedy=f"allow more with --memory-limit{more}",
            )
        if "Invalid Input" in text or "Conversion" in text or type(error).__name__ in ("InvalidInputException",):
            return InputError(
                "DuckDB cannot read the files: records differ in their fields, or the files are damaged",
                remedy="check them with the engine memory, which names the line, or export them as Parquet",
            )
        return failed(self.kind, type(error).__name__)


def end_quietly() -> None:
    """For programs of one's own: DuckDB's binding counts its leftovers on standard error when all has been said.

    That is once the interpreter is gone; what comes so late is said to nobody from here on.
    """
    atexit.unregister(_silence)
    atexit.register(_silence)


def _silence() -> None:
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)


def _scan(files: Files) -> str:
    """The table function that reads the files, every cell of CSV as the text it is."""
    paths = _literal([str(path) for path in files.paths])
    if files.layout is None:
        return f"read_parquet({paths}, hive_partitioning=false)"
    dialect = files.layout.dialect
    columns = "{" + ", ".join(f"'c{place}': 'VARCHAR'" for place in range(len(files.names))) + "}"
    options = {
        "auto_detect": False,
        "header": False,
        "skip": files.layout.start + files.layout.rows,
        "delim": dialect.separator,
        "quote": dialect.quote,
        "escape": dialect.quote,
        "encoding": files.encoding,
        "hive_partitioning": False,
        "max_line_size": 2**20,
        "buffer_size": 2**23,
        "nullstr": "\x00",
        "force_not_null": [f"c{place}" for place in range(len(files.names))],
    }
    written = ", ".join(f"{option}={_literal(value)}" for option, value in options.items())
    return f"read_csv({paths}, columns={columns}, {written})"


def _literal(value: object) -> str:
    if isinstance(value, bool | int):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    return "'" + str(value).replace("'", "''") + "'"
