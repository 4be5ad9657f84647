"""The columns of tables in memory: pandas, Polars, Arrow."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Protocol, TypeAlias

import pyarrow as pa

from metrics.errors import InputError
from metrics.tables.table import Table
from metrics.tables.typed_text import object_text


class Frame(Protocol):
    """A table in memory that Arrow can read, as pandas, Polars and Arrow have it."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The Arrow C stream interface."""


TableLike: TypeAlias = Table | Frame

_WITH_TEXT_OF_THEIR_OWN = ("interval", "period")


def is_frame(source: Any) -> bool:
    """Whether an object is a table in memory."""
    return hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__")


def frame_columns(source: Any, name: str) -> tuple[list[str], list[pa.ChunkedArray]]:
    """Names and columns of a data frame; a pandas index is not a column. Raises InputError."""
    if type(source).__module__.partition(".")[0] == "pandas" and hasattr(source, "iloc"):
        # Column by column: Arrow refuses whole frames that repeat a name or mix types, with messages that hold cells.
        if getattr(source, "ndim", 0) == 2:
            names = [str(label) for label in source.columns]
            return names, [_series(source.iloc[:, index], name, column) for index, column in enumerate(names)]
    else:
        with suppress(pa.ArrowException, TypeError, ValueError):
            table = pa.table(source)
            return list(table.column_names), list(table.columns)
    raise InputError("the object in memory is not a table", remedy="pass a data frame with named columns", file=name)


def _series(series: Any, name: str, column: str) -> pa.ChunkedArray:
    if str(series.dtype).startswith(_WITH_TEXT_OF_THEIR_OWN):
        series = series.astype("category")
    if str(series.dtype) == "category" and str(series.cat.categories.dtype).startswith(_WITH_TEXT_OF_THEIR_OWN):
        # As `pandas.cut` makes them: Arrow has no such cells, and pandas writes "(0, 3]".
        series = series.cat.rename_categories([str(category) for category in series.cat.categories])
    with suppress(pa.ArrowException, TypeError, ValueError, OverflowError):
        cells = pa.array(series, from_pandas=True)
        return cells if isinstance(cells, pa.ChunkedArray) else pa.chunked_array([cells])
    return object_text(series, name, column)
