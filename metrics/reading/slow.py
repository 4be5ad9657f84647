"""The reader for what pyarrow cannot divide: delimiters of several characters, escapes; record by record."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pyarrow as pa

from metrics.reading.faults import Opener
from metrics.reading.layout import Layout
from metrics.reading.lexer import Record, text_lines

_CELLS = 1 << 20
"""Cells held as Python text at a time."""


def read_slowly(
    opened: Opener, encoding: str, found: Layout, last: int | None, ignore_blank: bool
) -> list[pa.ChunkedArray] | None:
    """The cells of every column, dictionary-encoded; None if a record has another width or a quote stays open.

    `last` is the last line read, None for all of them; `ignore_blank`: empty lines are no records. Raises
    UnicodeDecodeError.
    """
    kind = pa.dictionary(pa.int32(), pa.string())
    chunks: list[list[pa.Array]] = [[] for _ in found.names]
    dialect = found.dialect
    with opened() as stream, text_lines(stream, encoding) as lines:
        below = (line.replace("\0", "") for line in islice(lines, found.start, last))
        every = dialect.records(below)
        body = (record for record in islice(every, found.rows, None) if not (ignore_blank and record.blank))
        while piece := _piece(body, found.width):
            if any(len(record.cells) != found.width or not record.closed for record in piece):
                return None
            for place, held in enumerate(chunks):
                held.append(pa.array([record.cells[place] for record in piece], pa.string()).dictionary_encode())
    return [pa.chunked_array(held, kind) for held in chunks]


def _piece(body: Iterator[Record], width: int) -> list[Record]:
    return list(islice(body, max(_CELLS // width, 1)))
