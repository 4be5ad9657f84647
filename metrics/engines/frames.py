"""Lazy frames of any library as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import narwhals as nw

from metrics.engines.backend import GenericBackend
from metrics.engines.lazy import LazyTable
from metrics.errors import InputError


def lazy_table(frame: nw.LazyFrame[Any], name: str) -> LazyTable:
    """The table of a lazy frame, counted by its engine. Raises InputError if column names are ambiguous."""
    native = frame.to_native()
    if frame.implementation.is_pyspark() or frame.implementation.is_pyspark_connect():
        # By position, because Spark treats "N" and "n" as one name.
        names = list(native.columns)
        renamed_frame = nw.from_native(native.toDF(*(f"c{position}" for position in range(len(names)))))
    elif frame.implementation.is_duckdb():
        names = list(native.columns)
        _refuse_alike(names, name)
        columns = ", ".join(f"c{position}" for position in range(len(names)))
        renamed_frame = nw.from_native(native.query("records", f"SELECT * FROM records AS t({columns})"))
    else:
        names = frame.collect_schema().names()
        renamed_frame = frame.select(*(nw.col(column).alias(f"c{position}") for position, column in enumerate(names)))
    return LazyTable(name, names, renamed_frame, GenericBackend(frame.implementation.value))


def _refuse_alike(names: Sequence[str], file: str) -> None:
    """Refuse column names that differ in case only: DuckDB confuses them without a warning."""
    twice = [column for column, times in Counter(name.lower() for name in names).items() if times > 1]
    if twice:
        raise InputError(
            "another column has the same name in different case, and DuckDB ignores case",
            remedy="rename one of them",
            file=file,
            column=next(name for name in names if name.lower() == twice[0]),
        )
