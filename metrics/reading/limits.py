"""Limits on what a file may need: it is refused with one sentence before the memory is used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa

from metrics.errors import InputError
from metrics.tables.free_memory import available_memory

TEXT, _WORKBOOK, CODES = 6, 4, 12
"""Bytes of memory for a byte of text, for a byte of a workbook's unpacked parts, and for a cell of a columnar file."""
_PER_VALUE, _PER_TEXT_BYTE = 24, 4
"""Bytes of memory for each distinct text while texts are numbered, and for each of its bytes."""
_MAX_GROWTH = 100
"""Largest ratio of unpacked to packed size; tables of records stay below it."""
_MAX_COLUMNS = 20_000
"""Largest number of columns that is read in seconds; each takes memory, however few the records are."""
_SMALL, _SMALL_WORKBOOK = 1 << 27, 1 << 24
"""Unpacked bytes of text, and of the parts of a workbook, up to which any ratio is accepted."""


def check_memory(name: str, needed: int) -> None:
    """Raise InputError where reading a file needs more memory than is available."""
    memory = available_memory() if needed > _SMALL else None
    if memory is not None and needed > memory:
        raise InputError(
            f"reading it needs about {needed / 1e6:,.0f} MB of memory, and {memory / 1e6:,.0f} MB are free",
            remedy="load fewer columns or records, use a machine with more memory, or score it with an engine",
            file=name,
        )


def check_distinct(name: str, columns: Iterable[pa.ChunkedArray]) -> None:
    """Raise InputError where numbering the distinct texts of a column needs more memory than is available."""
    needs = [
        sum(_PER_VALUE * len(chunk.dictionary) + _PER_TEXT_BYTE * chunk.dictionary.nbytes for chunk in column.chunks)
        for column in columns
    ]
    check_memory(name, max(needs, default=0))


def limited_parts(name: str, packed: int, unpacked: Iterable[bytes], in_memory: bool) -> Iterator[bytes]:
    """The parts of a gzip file, as long as they are in proportion to its size and, `in_memory`, fit into the memory.

    Raises InputError.
    """
    checked_bytes = n_bytes = 0
    for part in unpacked:
        n_bytes += len(part)
        check_growth(name, packed, n_bytes)
        if in_memory and n_bytes > 1.1 * checked_bytes:
            checked_bytes = n_bytes
            check_memory(name, TEXT * n_bytes)
        yield part


def check_growth(name: str, packed: int, unpacked: int) -> None:
    """Raise InputError where the content of a file is out of proportion to its size."""
    if unpacked > largest_content(packed):
        raise _too_large_unpacked(name)


def largest_content(packed: int) -> int:
    """Bytes to which a file of this size may unpack."""
    return max(_SMALL, _MAX_GROWTH * packed)


def check_columns(name: str, columns: int, row: int | None = None) -> None:
    """Raise InputError where a table has more columns than can be read in reasonable time."""
    if columns > _MAX_COLUMNS:
        raise InputError(
            f"the table has {columns:,} columns, more than the {_MAX_COLUMNS:,} that can be read",
            remedy="load fewer columns, or transpose it so that its columns are records",
            file=name,
            row=row,
        )


def check_workbook(name: str, parts: list[Any]) -> int:
    """The unpacked size of the parts of a zip archive. Raises InputError where it is out of proportion or too large."""
    total: int = sum(part.file_size for part in parts)
    if total > max(_SMALL_WORKBOOK, _MAX_GROWTH * sum(part.compress_size for part in parts)):
        raise _too_large_unpacked(name)
    check_memory(name, _WORKBOOK * total)
    return total


def _too_large_unpacked(name: str) -> InputError:
    return InputError(
        f"the file unpacks to more than {_MAX_GROWTH} times its size, which is not plausible for a table",
        remedy="unpack it yourself if you trust it, and load its content",
        file=name,
    )
