"""CSV and its relatives, read by pyarrow straight into dictionary-encoded columns."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import IO

import pyarrow as pa
import pyarrow.csv

from metrics.encoding import BLANKS
from metrics.errors import InputError
from metrics.reading.assembly import assemble, check_names, refuse_no_records
from metrics.reading.charset import Charset, codec_of, common_name, detect, encoding_of, with_byte_order
from metrics.reading.dialect import Layout, find_delimiter, find_quote, layout
from metrics.reading.faults import find_fault, find_undecodable, longest_record
from metrics.reading.lexer import ONE_COLUMN, records, sample_lines
from metrics.reading.origin import Origin, read_up_to
from metrics.reading.utf8 import Utf8Stream
from metrics.table import Column, Source, Table

_SAMPLE = 1 << 16
_BLOCK = 1 << 21
"""Bytes parsed at a time: larger than pyarrow's default, for every block brings dictionaries to be unified."""
_LARGEST_BLOCK = (1 << 31) - 1

Opener = Callable[[], AbstractContextManager[IO[bytes]]]


@dataclass(frozen=True)
class Choices:
    """What the caller overrides; None leaves it to detection."""

    delimiter: str | None = None
    quote: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    missing: Sequence[str] = ()


@dataclass(frozen=True)
class Rows:
    """A small table without a header: trimmed cells, and the line of the file that each row starts on."""

    name: str
    cells: list[list[str]] = field(repr=False)
    lines: list[int] = field(repr=False)


@dataclass(frozen=True)
class _Opening:
    """The beginning of a file: its text, whether that is all of it, and its encoding."""

    text: str
    complete: bool
    charset: Charset


def read_delimited(origin: Origin, choices: Choices, compression: str | None) -> Table:
    """The table of a delimited text file. Raises InputError naming the first line that cannot be read."""
    opened = partial(origin.text_bytes, compression)
    encoding = None if choices.encoding is None else _known(choices.encoding, origin.name)
    opening, found = _open(origin.name, opened, choices, encoding)
    with suppress(_UnexpectedBytes):
        return _read(origin.name, opened, choices, compression, opening, found)
    # The sample was plain ASCII; the foreign bytes further on tell the encoding.
    encoding = encoding_of(_foreign_lines(opened))
    opening, found = _open(origin.name, opened, choices, encoding)
    return _read(origin.name, opened, choices, compression, opening, found)


def read_delimited_rows(origin: Origin, compression: str | None) -> Rows:
    """All rows of a small file without a header; blank lines are left out. Raises InputError."""
    with origin.text_bytes(compression) as stream:
        content = stream.read()
    opening = _decode(origin.name, content, True, None)
    text = opening.text
    if "\ufffd" in text:
        error = find_undecodable(origin.name, partial(origin.text_bytes, compression), opening.charset.encoding)
        if error is not None:
            raise error
    quote = find_quote(text)
    delimiter = find_delimiter(text, True, quote, header=False)
    cells, lines = [], []
    for record in records(sample_lines(text), delimiter or ONE_COLUMN, quote):
        if not record.closed:
            raise InputError(
                f"a quote ({quote}) opens in this row and is never closed",
                remedy="close it",
                file=origin.name,
                row=record.line,
            )
        trimmed = [cell.strip(BLANKS) for cell in record.cells]
        if trimmed != [""]:
            cells.append(trimmed)
            lines.append(record.line)
    if not cells:
        raise _empty(origin.name)
    return Rows(origin.name, cells, lines)


class _UnexpectedBytes(Exception):
    """Bytes that are not UTF-8, in a file whose sample was plain ASCII."""


def _open(name: str, opened: Opener, choices: Choices, encoding: str | None) -> tuple[_Opening, Layout]:
    """The beginning of the file, as much of it as holds the whole header, and the layout seen there."""
    _check_dialect(name, choices.delimiter, choices.quote)
    size = _SAMPLE
    while True:
        with opened() as stream:
            head = read_up_to(stream, size)
        opening = _decode(name, head, len(head) < size, encoding)
        found = layout(opening.text, opening.complete, choices.delimiter, choices.quote)
        if found is not None:
            break
        if opening.complete:
            raise _empty(name)
        size *= 4
    if not found.header.closed:
        raise InputError(
            f"a quote ({found.dialect.quote}) opens in the header and is never closed",
            remedy="close it, or choose another quote character or none",
            file=name,
            row=found.header.line,
        )
    _check_dialect(name, found.dialect.delimiter, found.dialect.quote)
    return opening, found


def _decode(name: str, head: bytes, complete: bool, encoding: str | None) -> _Opening:
    if complete and not head:
        raise _empty(name)
    charset = detect(head, complete) if encoding is None else Charset(with_byte_order(encoding, head), True)
    if charset is None:
        raise InputError(
            "the file holds binary data, not text",
            remedy="export the table as CSV, Parquet or .xlsx",
            file=name,
        )
    decoder = codecs.getincrementaldecoder(charset.encoding)(errors="replace")
    return _Opening(decoder.decode(head, final=complete), complete, charset)


def _read(
    name: str,
    opened: Opener,
    choices: Choices,
    compression: str | None,
    opening: _Opening,
    found: Layout,
) -> Table:
    names = check_names(found.header.cells, name, found.header.line)
    if "\ufffd" in "".join(names):
        # pyarrow skips the header unseen.
        _raise_fault(name, opened, opening, found)
    cells = _parse(name, opened, opening, found)
    if not len(cells[0]):
        raise refuse_no_records(name)
    columns = []
    for column in names:
        # One column at a time is held twice, no more.
        columns.append(Column.from_arrow(column, cells.pop(0), dense=True))
    dialect = found.dialect
    source = Source(
        "csv",
        delimiter=dialect.delimiter,
        quote=dialect.quote,
        encoding=common_name(opening.charset.encoding),
        compression=compression,
    )
    return assemble(name, columns, source, choices.decimal, choices.missing)


def _parse(name: str, opened: Opener, opening: _Opening, found: Layout) -> list[pa.ChunkedArray]:
    """The cells as pyarrow reads them, once it is sure that no record was lost."""
    encoding, dialect = opening.charset.encoding, found.dialect
    only_header = opening.complete and len(found.records) == 1
    multiline = bool(dialect.quote) and dialect.quote in opening.text
    block = _BLOCK
    while True:
        cells = None
        with opened() as raw:
            stream = Utf8Stream(raw, encoding, dialect.quote)
            with suppress(pa.ArrowInvalid, UnicodeDecodeError):
                cells = _arrow(stream, found, multiline, block)
        if stream.quoted and not multiline:
            # A quote after the sample: line ends may be quoted too.
            multiline = True
            continue
        doubtful = stream.nul or (multiline and cells is not None and _left_open(cells, stream, dialect.quote))
        if cells is not None and not doubtful:
            return cells
        _raise_fault(name, opened, opening, found)
        if cells is not None:
            return cells
        if only_header:
            raise refuse_no_records(name)
        needed = min(longest_record(opened, encoding, dialect) + 1, _LARGEST_BLOCK)
        if needed <= block:
            raise InputError(
                "the file cannot be divided into records",
                remedy="choose the delimiter, quote character and encoding that it uses",
                file=name,
            )
        block = needed


def _arrow(stream: Utf8Stream, found: Layout, multiline: bool, block: int) -> list[pa.ChunkedArray]:
    width = len(found.header.cells)
    places = [str(place) for place in range(width)]
    text = pa.dictionary(pa.int32(), pa.string())
    table = pa.csv.read_csv(
        pa.PythonFile(stream, mode="r"),
        read_options=pa.csv.ReadOptions(
            block_size=block,
            column_names=places,
            skip_rows=found.header.line - 1,
            skip_rows_after_names=1,
        ),
        parse_options=pa.csv.ParseOptions(
            delimiter=found.dialect.separator,
            quote_char=found.dialect.quote or False,
            newlines_in_values=multiline,
            # In a table of one column an empty line is an empty cell; elsewhere it cannot be a record.
            ignore_empty_lines=width > 1,
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


def _raise_fault(name: str, opened: Opener, opening: _Opening, found: Layout) -> None:
    encoding = opening.charset.encoding
    width, skipped = len(found.header.cells), found.header.line - 1
    fault = find_fault(name, opened, encoding, found.dialect, width, skipped)
    if fault is None:
        return
    if fault.undecodable and not opening.charset.certain:
        raise _UnexpectedBytes
    raise fault.error


def _foreign_lines(opened: Opener) -> list[bytes]:
    """Lines with bytes above ASCII, as many as a sample holds."""
    found: list[bytes] = []
    held, rest = 0, b""
    with opened() as stream:
        while held < _SAMPLE and (chunk := stream.read(1 << 20)):
            *lines, rest = (rest + chunk).split(b"\n")
            foreign = [line for line in lines if not line.isascii()]
            found += foreign
            held += sum(map(len, foreign))
    return found if rest.isascii() else [*found, rest]


def _known(name: str, file: str) -> str:
    codec = codec_of(name)
    if codec is None:
        raise InputError(
            "the encoding chosen is not known", remedy="choose one such as utf-8, big5 or cp1252", file=file
        )
    return codec


def _check_dialect(file: str, delimiter: str | None, quote: str | None) -> None:
    for part, what in ((delimiter, "delimiter"), (quote or None, "quote character")):
        if part is not None and not (len(part) == 1 and part.isascii() and part not in "\r\n\0"):
            raise InputError(f"the {what} must be one ASCII character", remedy=f"choose another {what}", file=file)
    if delimiter is not None and delimiter == quote:
        raise InputError("delimiter and quote character are the same", remedy="choose another for either", file=file)


def _empty(file: str) -> InputError:
    return InputError("the file is empty", remedy="export the table again with its header and records", file=file)
