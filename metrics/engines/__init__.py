"""Tables whose records stay where they are: DuckDB, Spark, Polars' lazy frames, warehouses, through narwhals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from metrics.counts import EngineTable
from metrics.table import Table

if TYPE_CHECKING:
    from metrics.reading import TableLike

_LIBRARIES = ("dask", "duckdb", "_duckdb", "ibis", "narwhals", "polars", "pyspark", "sqlframe")


def table_of(source: Any, name: str) -> Table | EngineTable:
    """A table to be scored: lazy frames stay in their engine, what is in memory is read as `read_table` does.

    Lazy are frames of DuckDB, PySpark, Ibis, Dask and Polars, and narwhals' of any of them. Raises InputError.
    """
    from metrics.reading import as_table

    if isinstance(source, Table):
        return source
    library = type(source).__module__.partition(".")[0]
    if library == "metrics":
        table: EngineTable = source
        return table
    if library not in _LIBRARIES:
        return as_table(source, name)
    import narwhals as nw

    from metrics.engines.frames import lazy_table

    frame = nw.from_native(source, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        return lazy_table(frame, name)
    eager: TableLike = frame.to_native() if isinstance(frame, nw.DataFrame) else source
    return as_table(eager, name)


__all__ = ["table_of"]
