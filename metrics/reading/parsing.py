"""A delimited file's cells by pyarrow, and only where it is sure that no record was lost or shifted."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

import pyarrow as pa
import pyarrow.csv

from metrics.errors import InputError
from metrics.reading.assembly import refuse_no_records
from metrics.reading.body import Body
from metrics.reading.lexer import sample_lines
from metrics.reading.opening import Opening
from metrics.reading.utf8 import Utf8Stream

_BLOCK = 1 << 21
"""Bytes parsed at a time: larger than pyarrow's default, for every block brings dictionaries to be unified."""
_LARGEST_BLOCK = (1 << 31) - 1


@dataclass(frozen=True, eq=False)
class Parsed:
    """The cells of every column, dictionary-encoded, and whether NUL characters were left out."""

    cells: list[pa.ChunkedArray]
    nul: bool


def parse(body: Body, seen: Opening, raise_fault: Callable[[], None], *, ignore_blank: bool) -> Parsed:
    """The cells of a file. `raise_fault` raises what a second look finds, if anything. Raises InputError."""
    found = body.found
    quote = found.dialect.quote
    header, limit = body.header_bytes, body.limit
    only_header = seen.complete and len(found.records) == 1
    above = found.start + found.rows if header else 0
    multiline = bool(quote) and any(quote in line for line in islice(sample_lines(seen.text), above, None))
    block = _BLOCK
    while True:
        cells = None
        with body.opened() as raw:
            stream = Utf8Stream(raw, body.encoding, found.dialect, limit, header)
            with suppress(pa.ArrowInvalid, UnicodeDecodeError):
                cells = _arrow(stream, body, multiline, block, ignore_blank)
        if stream.quoted and not multiline:
            # A quote after the sample: line ends may be quoted too.
            multiline = True
            continue
        doubtful = stream.loose or (cells is not None and multiline and _left_open(cells, stream, quote))
        if cells is not None and not doubtful:
            break
        raise_fault()
        if cells is not None:
            break
        if only_header:
            raise refuse_no_records(body.name)
        needed = min(body.longest_record() + 1, _LARGEST_BLOCK)
        if needed <= block:
            raise indivisible(body.name)
        block = needed
    return Parsed(cells, stream.nul)


def indivisible(file: str) -> InputError:
    """The error for a file whose fault cannot be told."""
    return InputError(
        "the file cannot be divided into records",
        remedy="choose the delimiter, quote character and encoding that it uses",
        file=file,
    )


def _arrow(stream: Utf8Stream, body: Body, multiline: bool, block: int, ignore_blank: bool) -> list[pa.ChunkedArray]:
    found = body.found
    places = [str(place) for place in range(found.width)]
    text = pa.dictionary(pa.int32(), pa.string())
    table = pa.csv.read_csv(
        pa.PythonFile(stream, mode="r"),
        read_options=pa.csv.ReadOptions(
            block_size=block,
            column_names=places,
            skip_rows=found.start,
            skip_rows_after_names=found.rows,
        ),
        parse_options=pa.csv.ParseOptions(
            delimiter=found.dialect.separator,
            quote_char=found.dialect.quote or False,
            # What ends a record is then told by a state machine that runs ahead of all threads: only where needed.
            newlines_in_values=multiline,
            ignore_empty_lines=ignore_blank,
        ),
        convert_options=pa.csv.ConvertOptions(
            column_types=dict.fromkeys(places, text),
            null_values=[],
            strings_can_be_null=False,
            # Whether the bytes are UTF-8 is asked below of the distinct values instead of every cell.
            check_utf8=False,
        ),
    )
    columns: list[pa.ChunkedArray] = table.columns
    for column in columns:
        for chunk in column.chunks:
            chunk.dictionary.validate(full=True)
    return columns


def _left_open(cells: list[pa.ChunkedArray], stream: Utf8Stream, quote: str) -> bool:
    """Whether the last quote may never have been closed: pyarrow silently takes the rest of the file for a cell.

    Then the file ends with a quote and exactly what the last cell holds.
    """
    if not len(cells[-1]):
        return True
    last = cells[-1][-1].as_py()
    rest = (quote + last.replace(quote, 2 * quote)).encode()
    tail = stream.tail
    return bool(tail.endswith(rest) if len(rest) <= len(tail) else rest.endswith(tail))
