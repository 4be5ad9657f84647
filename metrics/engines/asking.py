"""What an engine is asked for: a lazy frame's rows as Arrow batches, and two tables' records side by side."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

import pyarrow as pa

from metrics.errors import InputError

if TYPE_CHECKING:
    import narwhals as nw


class Engine(Protocol):
    """Where records are held and counted."""

    @property
    def kind(self) -> str:
        """The engine's name, for messages."""

    def batches(self, frame: nw.LazyFrame[Any]) -> Iterator[pa.RecordBatch]:
        """The rows of a counted frame, no records among them. Raises InputError where the engine fails."""

    def beside(self, original: nw.LazyFrame[Any], anonymized: nw.LazyFrame[Any]) -> nw.LazyFrame[Any] | None:
        """Both tables' columns, record by record in their order; None where records have no order here."""


class AnyEngine:
    """Whatever narwhals speaks to."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def batches(self, frame: nw.LazyFrame[Any]) -> Iterator[pa.RecordBatch]:
        """The rows, all at once. Raises InputError where the engine fails."""
        failure = None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", FutureWarning)  # libraries that are older than others
                table = frame.collect("pyarrow").to_native()
        except (KeyboardInterrupt, MemoryError):
            raise
        except Exception as error:  # each engine has its own, and their texts may hold cells
            failure = type(error).__name__
        if failure is not None:
            raise failed(self.kind, failure)
        yield from table.to_batches()

    def beside(self, original: nw.LazyFrame[Any], anonymized: nw.LazyFrame[Any]) -> nw.LazyFrame[Any] | None:
        """Polars keeps the order of records; of others it is not known."""
        if self.kind != "polars":
            return None
        import narwhals
        import polars

        both: nw.LazyFrame[Any] = narwhals.from_native(
            polars.concat([anonymized.to_native(), original.to_native()], how="horizontal")
        )
        return both


def failed(kind: str, error: str) -> InputError:
    """The error for an engine that gave up, told by the name of its own error."""
    return InputError(
        f"the engine {kind} could not count the records ({error})",
        remedy="see its own log for the reason, and check its memory and its connection",
    )
