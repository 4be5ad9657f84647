"""Counts Parquet and CSV files with DuckDB: scanned lazily, in limited memory, without writing anything."""

from __future__ import annotations

import atexit
import os
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import pyarrow as pa

from metrics.engines.backend import failed
from metrics.engines.files import Files, PlanSource, find_files, require_record_count
from metrics.engines.lazy import LazyTable
from metrics.errors import InputError
from metrics.tables.read_plan import PARQUET

if TYPE_CHECKING:
    import narwhals as nw

MEMORY_LIMIT = "1GB"
"""Memory that DuckDB may use by default; fetched counts take additional memory."""
_BATCH = 2**16
_NO_SPACE = ("No space left", "Could not write", "max_temp_directory_size")
_NO_MEMORY = ("OutOfMemoryException", "MemoryError")

Progress = Callable[[int], None]
"""Called with the number of queries so far whenever one begins."""


class DuckDB:
    """One DuckDB connection for both tables; close it, or use it in a `with` statement."""

    kind = "duckdb"

    def __init__(
        self, memory_limit: str = MEMORY_LIMIT, temporary: str | Path | None = None, progress: Progress | None = None
    ) -> None:
        """`temporary`: a folder where parts of the data may be written if sorting and grouping exceed the memory.

        Without it nothing is written, and a query that exceeds the memory fails. Raises InputError if a setting is
        wrong.
        """
        import duckdb

        self._connection = duckdb.connect()
        self._memory_limit = memory_limit
        self._temporary = None if temporary is None else Path(temporary) / f"quasi-{secrets.token_hex(4)}"
        self._progress = progress
        self._queries = 0
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
            self._apply_setting(setting, value)

    def _apply_setting(self, setting: str, value: object) -> None:
        import duckdb

        refused = False
        try:
            self._connection.execute(f"SET {setting} = {_literal(value)}")
        except duckdb.Error:
            refused = setting != "TimeZone"  # only an extension knows it, which files with time zones need as well
        if refused:
            raise InputError(
                f"DuckDB does not accept this {setting.replace('_', ' ')}",
                remedy="write a size such as 4GB, or a folder",
            )

    def table(self, path: str | Path, plan: PlanSource = None, *, name: str | None = None, **choices: Any) -> LazyTable:
        """The table in a Parquet or CSV file, or in all such files of a folder or a pattern, sorted by name.

        `plan` and `choices` are those of `read_table`; `plan` may also be a function of a file's path. Raises
        InputError if there is no file, its plan is ambiguous, the files differ in their columns, or they cannot be
        read by the plan.
        """
        files = find_files(path, plan, choices)
        view_name = f"quasi_{secrets.token_hex(4)}"
        columns = ", ".join(f"c{position}" for position in range(files.width))
        selection = ", ".join(f"c{position} AS c{index}" for index, position in enumerate(files.column_positions))
        self._run(f"CREATE TEMP VIEW {view_name} AS SELECT {selection} FROM {_scan(files)} AS t({columns})")
        import narwhals

        frame = narwhals.from_native(self._connection.table(view_name))
        read_plan = files.plan
        table = LazyTable(
            name or files.name,
            files.names,
            frame,
            self,
            decimal=read_plan.decimal,
            missing=read_plan.missing,
            plan=read_plan,
            notes=files.notes,
        )
        require_record_count(files, table.rows)
        return table

    def batches(self, frame: nw.LazyFrame[Any]) -> Iterator[pa.RecordBatch]:
        """The rows of a frame of counts, batch by batch. Raises InputError if DuckDB fails."""
        import duckdb

        self._queries += 1
        if self._progress is not None:
            self._progress(self._queries)
        problem: BaseException | None = None
        try:
            yield from frame.to_native().to_arrow_reader(_BATCH)
        except (duckdb.Error, pa.ArrowException, OSError, MemoryError, RuntimeError) as error:
            # DuckDB raises different errors on Ctrl-C.
            interrupted = "interrupt" in str(error).lower()
            problem = KeyboardInterrupt() if interrupted else self._input_error(error)
        if problem is not None:
            raise problem

    def join_by_position(self, original: nw.LazyFrame[Any], anonymized: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
        """Both tables' columns, joined by position: files are scanned in order."""
        import narwhals

        names = []
        for frame in (anonymized, original):
            names.append(f"quasi_{secrets.token_hex(4)}")
            frame.to_native().create_view(names[-1], replace=True)
        return narwhals.from_native(self._connection.sql(f"SELECT * FROM {names[0]} POSITIONAL JOIN {names[1]}"))

    @property
    def share(self) -> float:
        """Progress of the running query as DuckDB estimates it, 0 to 1; may be called from another thread."""
        percentage: float = self._connection.query_progress()
        return min(max(percentage / 100, 0.0), 1.0)

    def interrupt(self) -> None:
        """End the running query, if any, with KeyboardInterrupt; may be called from another thread."""
        self._connection.interrupt()

    def close(self) -> None:
        """Close the connection, and remove temporary files."""
        self._connection.close()
        if self._temporary is not None and self._temporary.is_dir():
            for file in self._temporary.iterdir():
                file.unlink()
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
            problem = self._input_error(error)
        if problem is not None:
            raise problem

    def _input_error(self, error: BaseException) -> InputError:
        """The error without DuckDB's own text, which may hold cells."""
        text = str(error)
        if self._temporary is not None and any(phrase in text for phrase in _NO_SPACE):
            return InputError(
                "the folder for temporary files has no space left",
                remedy="free some space, or choose another folder with --temp-directory",
            )
        if type(error).__name__ in _NO_MEMORY or "Out of Memory" in text:
            advice = "" if self._temporary is not None else ", or let it write parts of the data with --temp-directory"
            return InputError(
                f"DuckDB needs more memory than its limit of {self._memory_limit}",
                remedy=f"raise it with --memory-limit{advice}",
            )
        if "Invalid Input" in text or "Conversion" in text or type(error).__name__ in ("InvalidInputException",):
            return InputError(
                "DuckDB cannot read the files: records differ in the number of cells, or the files are damaged",
                remedy="use the engine memory, which names the line, or export the files as Parquet",
            )
        return failed(self.kind, type(error).__name__)


def suppress_exit_message() -> None:
    """Suppress what DuckDB's binding prints on standard error after the interpreter has ended.

    For programs only, not for libraries: nothing printed that late is shown.
    """
    atexit.unregister(_silence)
    atexit.register(_silence)


def _silence() -> None:
    with open(os.devnull, "wb") as devnull:
        os.dup2(devnull.fileno(), 2)


def _scan(files: Files) -> str:
    """The table function that reads the files; every CSV cell is read as text."""
    paths = _literal([str(path) for path in files.paths])
    if files.plan.kind == PARQUET:
        return f"read_parquet({paths}, hive_partitioning=false)"
    names = [f"c{position}" for position in range(files.width)]
    columns = "{" + ", ".join(f"'{name}': 'VARCHAR'" for name in names) + "}"
    options = {
        "auto_detect": False,
        "header": False,
        "skip": files.first_record_line - 1,
        "delim": files.separator,
        "quote": files.plan.quote,
        "escape": files.plan.quote,
        "strict_mode": True,
        "null_padding": False,
        "encoding": files.encoding,
        "hive_partitioning": False,
        "max_line_size": 2**20,
        "buffer_size": 2**23,
        "nullstr": "\x00",
        "force_not_null": names,
    }
    arguments = ", ".join(f"{option}={_literal(value)}" for option, value in options.items())
    return f"read_csv({paths}, columns={columns}, {arguments})"


def _literal(value: object) -> str:
    if isinstance(value, bool | int):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    return "'" + str(value).replace("'", "''") + "'"
