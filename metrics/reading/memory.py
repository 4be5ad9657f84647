"""Tables that are in memory already: pandas, Polars, Arrow, or whatever offers Arrow's interface."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import pyarrow as pa

from metrics.errors import InputError
from metrics.reading.assembly import assemble, check_names, refuse_no_records
from metrics.reading.typed import arrow_text, object_text
from metrics.table import Column, Source, Table


def read_memory(source: Any, name: str, decimal: str | None, missing: Sequence[str]) -> Table:
    """The table of a data frame; a pandas index is no column of it. Raises InputError."""
    pandas = type(source).__module__.partition(".")[0] == "pandas" and hasattr(source, "iloc")
    names, cells = _pandas(source, name) if pandas else _arrow(source, name)
    if not names or not len(cells[0]):
        raise refuse_no_records(name, "columns" if names else "")
    columns = [
        Column.from_arrow(column, arrow_text(held, name, column)) for column, held in zip(names, cells, strict=True)
    ]
    return assemble(name, columns, Source("memory"), decimal, missing)


def _arrow(source: Any, name: str) -> tuple[list[str], list[pa.ChunkedArray]]:
    table = None
    with suppress(pa.ArrowException, TypeError, ValueError):
        table = pa.table(source)
    if table is None:
        raise _no_table(name)
    return check_names(table.column_names, name, None), list(table.columns)


def _pandas(frame: Any, name: str) -> tuple[list[str], list[pa.ChunkedArray]]:
    # Column by column: Arrow refuses whole frames that repeat a name or mix types, with messages that hold cells.
    if getattr(frame, "ndim", 0) != 2:
        raise _no_table(name)
    names = check_names([str(label) for label in frame.columns], name, None)
    return names, [_series(frame.iloc[:, place], name, column) for place, column in enumerate(names)]


def _series(series: Any, name: str, column: str) -> pa.ChunkedArray:
    held = None
    with suppress(pa.ArrowException, TypeError, ValueError, OverflowError):
        held = pa.array(series, from_pandas=True)
    if held is None:
        return object_text(series, name, column)
    return held if isinstance(held, pa.ChunkedArray) else pa.chunked_array([held])


def _no_table(name: str) -> InputError:
    return InputError("the object in memory is not a table", remedy="pass a data frame with named columns", file=name)
