"""Parquet files, their columns turned to text."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pyarrow as pa

from metrics.errors import InputError
from metrics.reading.assembly import assemble, check_names, refuse_no_records
from metrics.reading.limits import check_cells, check_columns
from metrics.reading.origin import Origin
from metrics.reading.typed import arrow_text
from metrics.table import Column, Source, Table

UNNAMED_INDEX = re.compile(r"__index_level_\d+__")
"""What pandas calls the row numbers that it stores beside a filtered table; they are no column of it."""


def read_parquet(origin: Origin, decimal: str | None, missing: Sequence[str]) -> Table:
    """The table of a Parquet file. Raises InputError if it is damaged, encrypted, or has columns without a text."""
    cells: dict[str, pa.ChunkedArray] = {}
    broken = False
    with origin.raw() as stream:
        if stream.read(4) == b"PARE":
            raise InputError("the Parquet file is encrypted", remedy="save it decrypted", file=origin.name)
        stream.seek(0)
        try:
            names, columns = _columns(origin.name, stream)
        except (pa.ArrowException, OSError, EOFError):
            broken = True
    if broken:
        raise InputError(
            "the Parquet file is damaged or incomplete",
            remedy="export or download it again",
            file=origin.name,
        )
    kept = [place for place, name in enumerate(names) if not UNNAMED_INDEX.fullmatch(name)]
    trimmed = check_names([names[place] for place in kept], origin.name, None)
    if not kept or not len(columns[kept[0]]):
        raise refuse_no_records(origin.name, "columns" if kept else "")
    cells = {name: columns[place] for name, place in zip(trimmed, kept, strict=True)}
    del columns
    encoded = [Column.from_arrow(name, arrow_text(cells.pop(name), origin.name, name)) for name in trimmed]
    return assemble(origin.name, encoded, Source("parquet"), decimal, missing)


def _columns(name: str, stream: object) -> tuple[list[str], list[pa.ChunkedArray]]:
    import pyarrow.parquet as pq

    stored = pq.ParquetFile(stream).metadata
    check_columns(name, stored.num_columns)
    groups = range(stored.num_row_groups)
    unpacked = sum(stored.row_group(group).total_byte_size for group in groups)
    check_cells(name, stored.num_rows, stored.num_columns, unpacked)
    schema = pq.read_schema(stream)
    text = [field.name for field in schema if pa.types.is_string(field.type) or pa.types.is_large_string(field.type)]
    table = pq.ParquetFile(stream, read_dictionary=text).read()
    return list(table.column_names), list(table.columns)
