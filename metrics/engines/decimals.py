"""Detects the decimal separator of a table in an engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals as nw
import pyarrow as pa

from metrics.engines.backend import Backend
from metrics.engines.vocabulary import count_by
from metrics.tables.conventions import decimal_mark
from metrics.tables.dictionary_codes import arrow_of
from metrics.tables.table import Column

_SAMPLE = 2**16
_COLUMNS_PER_QUERY = 4
_TEXTS = (nw.String, nw.Categorical, nw.Enum)


def detect_decimal(frame: nw.LazyFrame[Any], places: Sequence[str], engine: Backend) -> str:
    """The decimal separator that some values of the text columns among `places` show, by the rules of reading."""
    schema = frame.collect_schema()
    if any(kind.is_float() or kind.is_decimal() for kind in schema.values()):
        return "."
    text_columns = [column for column in places if schema[column] in _TEXTS]
    samples = []
    for start in range(0, len(text_columns), _COLUMNS_PER_QUERY):
        samples += _sample_values(frame, text_columns[start : start + _COLUMNS_PER_QUERY], engine)
    return decimal_mark([column.values for column in samples])


def _sample_values(frame: nw.LazyFrame[Any], columns: Sequence[str], engine: Backend) -> list[Column]:
    """Values of the first records of a few columns, in one query: some engines take a second for each query."""
    samples = [
        count_by(frame.select(nw.col(column).cast(nw.String).alias("value")).head(_SAMPLE), ["value"])
        for column in columns
    ]
    numbered = [sample.with_columns(nw.lit(index).alias("column")) for index, sample in enumerate(samples)]
    rows = pa.Table.from_batches(engine.batches(nw.concat(numbered).select("column", "value")))
    indices, values = rows.column("column").to_numpy(), rows.column("value")
    return [
        Column.from_arrow(column, values.filter(arrow_of(indices == index))) for index, column in enumerate(columns)
    ]
