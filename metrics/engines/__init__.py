"""Engines that count records where they are stored: DuckDB, Spark, Polars, warehouses, through narwhals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from metrics.counting.counts import EngineTable
from metrics.tables.table import Table

if TYPE_CHECKING:
    from metrics.tables.frames import TableLike

_LIBRARIES = ("dask", "duckdb", "_duckdb", "ibis", "narwhals", "polars", "pyspark", "sqlframe")


def table_of(source: Any, name: str) -> Table | EngineTable:
    """A table that can be scored: lazy frames stay in their engine, data in memory is read as by `read_table`.

    Raises InputError if the source cannot be read as a table.
    """
    from metrics.reading import as_table

    if isinstance(source, Table):
        return source
    library = type(source).__module__.partition(".")[0]
    if library == __name__.partition(".")[0]:
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
