"""What ARX made of a table: the records of its research sample, and the anonymized table that a project holds."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from metrics.arx.java_objects import UNEXPECTED, WRITTEN, UnreadableObjectsError, read_objects
from metrics.tables.dictionary_codes import text_array
from metrics.tables.table import SUPPRESSED, Codes, Column, Integers, Table

_REMOVED = np.int32(-(2**31))
"""The bit of a record's first cell that says that the record is suppressed."""


@dataclass(frozen=True)
class Result:
    """The anonymized table, and the columns that were aggregated in it rather than generalized."""

    table: Table
    aggregated: tuple[str, ...]


def research_sample(configuration: bytes, rows: int) -> Integers | None:
    """The positions of the records that ARX anonymizes, None for all. Raises UnreadableObjectsError."""
    [found] = read_objects(configuration, 1)
    try:
        criteria = found["config"]["criteria"][WRITTEN]
        subsets = [criterion["subset"]["array"] for criterion in criteria if criterion.get("subset")]
        records = np.unique(np.asarray(subsets[0], dtype=np.int64)) if subsets else None
    except UNEXPECTED:
        raise UnreadableObjectsError from None
    if records is None:
        return None
    if not len(records) or records[0] < 0 or records[-1] >= rows:
        raise UnreadableObjectsError
    return None if len(records) == rows else records


def result_of(content: bytes, original: Table, kept: Set[str], suppressed: Set[str], name: str) -> Result:
    """The anonymized table in the objects of a result.

    `kept`: columns that ARX leaves as they are; `suppressed`: those that it suppresses in suppressed records. Columns
    that are neither kept nor transformed are identifiers, of which ARX releases nothing. Raises
    UnreadableObjectsError.
    """
    generalized, aggregated = read_objects(content, 2)
    try:
        cells = _cells_of(generalized, original.rows)
        removed = (cells[:, 0] & _REMOVED) != 0
        columns = {**_columns_of(generalized, original.rows), **_columns_of(aggregated, original.rows)}
        columns |= {column: original[column] for column in kept}
        made = [columns.get(column) or _constant(column, original.rows) for column in original.names]
        table = Table(
            name,
            tuple(_without(column, removed) if column.name in suppressed else column for column in made),
            original.rows,
            original.source,
        )
        return Result(table, tuple(aggregated["header"]))
    except UNEXPECTED:
        raise UnreadableObjectsError from None


def _cells_of(block: Mapping[str, Any], rows: int) -> Codes:
    """The cells of a block of columns, a row for each record."""
    matrix = block["data"]
    return np.asarray(matrix["array"], dtype=np.int32).reshape(rows, matrix["columns"])


def _columns_of(block: Mapping[str, Any], rows: int) -> dict[str, Column]:
    """The columns of a block by name; a block without columns has no cells."""
    if not block["header"]:
        return {}
    cells = _cells_of(block, rows) & ~_REMOVED
    labels = block["dictionary"]["mapping"]
    columns = {}
    for place, name in enumerate(block["header"]):
        codes, values = cells[:, place], text_array([label.strip() for label in labels[place]])
        if len(codes) and not 0 <= int(codes.min()) <= int(codes.max()) < len(values):
            raise UnreadableObjectsError
        columns[name] = Column.from_codes(name, codes, values)
    return columns


def _constant(name: str, rows: int) -> Column:
    return Column(name, np.zeros(rows, dtype=np.int32), text_array([SUPPRESSED]))


def _without(column: Column, removed: Any) -> Column:
    """The column with suppressed cells in the records that are removed."""
    values = pa.concat_arrays([column.values, text_array([SUPPRESSED])])
    codes = np.where(removed, np.int32(len(column.values)), column.codes)
    return replace(Column.from_codes(column.name, codes, values), decimal=column.decimal)
