"""Interface of an engine: the rows of a lazy frame as Arrow batches, and two tables joined by position."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

import pyarrow as pa

from metrics.errors import InputError

if TYPE_CHECKING:
    import narwhals as nw


NO_RIGHTS = "InsufficientPrivilege"
"""PostgreSQL's error where a login may not do what it asks for."""


class Backend(Protocol):
    """An engine that holds and counts records."""

    @property
    def kind(self) -> str:
        """The engine's name, for messages."""

    def batches(self, frame: nw.LazyFrame[Any]) -> Iterator[pa.RecordBatch]:
        """The rows of a frame of counts. Raises InputError if the engine fails."""

    def join_by_position(self, original: nw.LazyFrame[Any], anonymized: nw.LazyFrame[Any]) -> nw.LazyFrame[Any] | None:
        """Both tables' columns, joined record by record; None if the engine does not keep the order of records."""


class GenericBackend:
    """Any engine that narwhals supports."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def batches(self, frame: nw.LazyFrame[Any]) -> Iterator[pa.RecordBatch]:
        """The rows, all at once. Raises InputError if the engine fails."""
        failure = None
        try:
            with warnings.catch_warnings():
                for category in (FutureWarning, DeprecationWarning):  # from libraries older than their dependencies
                    warnings.simplefilter("ignore", category)
                table = frame.collect("pyarrow").to_native()
        except (KeyboardInterrupt, MemoryError):
            raise
        except Exception as error:  # each engine has its own type, and its text may hold cells
            failure = _failure(self.kind, error)
        if failure is not None:
            raise failure
        yield from table.to_batches()

    def join_by_position(self, original: nw.LazyFrame[Any], anonymized: nw.LazyFrame[Any]) -> nw.LazyFrame[Any] | None:
        """Both tables joined by position in Polars; None elsewhere, because only Polars is known to keep the order."""
        if self.kind != "polars":
            return None
        import narwhals
        import polars

        joined_frame: nw.LazyFrame[Any] = narwhals.from_native(
            polars.concat([anonymized.to_native(), original.to_native()], how="horizontal")
        )
        return joined_frame


def _failure(kind: str, error: Exception) -> BaseException:
    """What an engine's own error means; a count that was canceled ends as by Ctrl-C."""
    name = type(error).__name__
    if str(error) == "interrupted" or (name == "QueryCanceled" and "timeout" not in str(error)):
        return KeyboardInterrupt()
    if name == NO_RIGHTS:
        problem, remedy = "this login may not read the table", "ask the database's owner to GRANT it SELECT"
        return InputError(problem, remedy=remedy)
    return failed(kind, name)


def failed(kind: str, error: str) -> InputError:
    """The error for an engine that failed, with the type of its own error."""
    return InputError(
        f"the engine {kind} could not count the records ({error})",
        remedy="see the log of the engine for the reason, and check its memory and its connection",
    )
