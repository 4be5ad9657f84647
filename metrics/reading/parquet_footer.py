"""What the footer of a Parquet file says of its columns: how they are packed, and the memory that reading takes."""

from __future__ import annotations

from typing import Any

from metrics.reading.limits import CODES

_WIDTHS = {"BOOLEAN": 1, "INT32": 4, "INT64": 8, "INT96": 12, "FLOAT": 4, "DOUBLE": 8}
"""Bytes of a value by its physical type; texts have a length of four bytes before them."""
_LENGTH = 4
_NUMBER_TEXT = 24
"""Bytes of the text of a number."""
_PER_NUMBER, _PER_TEXT, _PER_TEXT_BYTE = 260, 130, 5
"""Bytes for each distinct value while a column is turned into numbered texts, and for each byte of a text."""


def parquet_memory(metadata: Any) -> int:
    """Bytes that a file takes at most: its columns as they are read, and what the largest takes while it is encoded."""
    groups = [metadata.row_group(index) for index in range(metadata.num_row_groups)]
    held: int = CODES * metadata.num_rows * metadata.num_columns
    encoding = 0
    for index in range(metadata.num_columns):
        chunks = [group.column(index) for group in groups]
        distinct = sum(map(_most_distinct, chunks))
        unpacked = sum(chunk.total_uncompressed_size for chunk in chunks)
        width = _WIDTHS.get(metadata.schema.column(index).physical_type)
        if width is None:
            held += unpacked
            encoding = max(encoding, _PER_TEXT * distinct + _PER_TEXT_BYTE * unpacked)
        else:
            held += width * metadata.num_rows + _NUMBER_TEXT * distinct
            encoding = max(encoding, _PER_NUMBER * distinct)
    return held + encoding


def columns_as_differences(metadata: Any) -> set[str]:
    """The columns of which some values are packed as differences from those before them."""
    return {
        metadata.schema.column(index).path
        for index in range(metadata.num_columns)
        if any(_as_differences(metadata.row_group(group).column(index)) for group in range(metadata.num_row_groups))
    }


def _as_differences(chunk: Any) -> bool:
    return any("DELTA" in encoding for encoding in chunk.encodings)


def _most_distinct(chunk: Any) -> int:
    """How many distinct values a part of a column can hold by its size; packed as differences, any number."""
    n_values: int = chunk.num_values
    if not chunk.has_dictionary_page or _as_differences(chunk):
        return n_values
    n_bytes: int = chunk.total_uncompressed_size
    return min(n_values, n_bytes // _WIDTHS.get(chunk.physical_type, _LENGTH))
