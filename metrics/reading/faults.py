"""Where a delimited file goes wrong: a streaming second look, taken only after the fast reader has failed.

pyarrow's own messages quote cells and count records, not lines; they are never passed on.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import islice
from typing import IO

from metrics.errors import InputError
from metrics.reading.charset import common_name
from metrics.reading.dialect import Dialect
from metrics.reading.lexer import text_lines

_CHUNK = 1 << 20

Opener = Callable[[], AbstractContextManager[IO[bytes]]]


@dataclass(frozen=True)
class Fault:
    """The error to raise for a faulty file, and whether the fault is that bytes do not fit the encoding."""

    error: InputError
    undecodable: bool = False


def find_fault(
    file: str,
    opened: Opener,
    encoding: str,
    dialect: Dialect,
    fields: int,
    skipped: int,
    last: int | None = None,
    head: int = 1,
) -> Fault | None:
    """The first fault of a file, by its line, or None if every record is sound.

    `fields` is what the header has; `skipped` counts lines before it, `head` its own; `last` is the last line read.
    NUL characters count as nothing.
    """
    undecodable = find_undecodable(file, opened, encoding)
    error = _malformed(file, opened, encoding, dialect, fields, skipped, last, head)
    if undecodable is None:
        return None if error is None else Fault(error)
    if error is not None and (error.row or 0) < (undecodable.row or 0):
        return Fault(error)
    return Fault(undecodable, undecodable=True)


def find_undecodable(file: str, opened: Opener, encoding: str) -> InputError | None:
    """The error for the first line with bytes that the encoding does not have, or None."""
    line = _undecodable_line(opened, encoding)
    if line is None:
        return None
    return InputError(
        f"the line holds bytes that are not {common_name(encoding)}",
        remedy="save the file as UTF-8, or name the encoding it is in",
        file=file,
        row=line,
    )


def longest_record(opened: Opener, encoding: str, dialect: Dialect) -> int:
    """Bytes (as UTF-8) that a reader must hold at once to see any record whole."""
    longest = held = 0
    inside = False
    with opened() as stream, text_lines(stream, encoding, "replace") as lines:
        for line in lines:
            held = held + len(line.encode()) if inside else len(line.encode())
            longest = max(longest, held)
            # Upper bound: an odd number of quotes may leave the record open.
            inside ^= bool(dialect.quote) and line.count(dialect.quote) % 2 == 1
    return longest


def _undecodable_line(opened: Opener, encoding: str) -> int | None:
    decoder = codecs.getincrementaldecoder(encoding)()
    line, last = 1, ""
    with opened() as stream:
        while True:
            held = decoder.getstate()[0]
            chunk = stream.read(_CHUNK)
            try:
                text, bad = decoder.decode(chunk, final=not chunk), False
            except UnicodeDecodeError as error:
                text, bad = (held + chunk)[: error.start].decode(encoding, errors="ignore"), True
            # A CR LF that two chunks share is one line's end.
            line += text.count("\n") + text.count("\r") - text.count("\r\n")
            line -= last == "\r" and text.startswith("\n")
            last = text[-1:] or last
            if bad:
                return line
            if not chunk:
                return None


def _malformed(
    file: str, opened: Opener, encoding: str, dialect: Dialect, fields: int, skipped: int, last: int | None, head: int
) -> InputError | None:
    with opened() as stream, text_lines(stream, encoding, "replace") as lines:
        clean = (line.replace("\0", "") for line in islice(lines, last))
        # What comes before the header need not divide as the records do.
        below = islice(clean, skipped, None)
        every = dialect.records(below, keep=False)
        for number, record in enumerate(every):
            line = record.line + skipped
            if record.blank and fields > 1:
                continue
            if not record.closed:
                return InputError(
                    f"a quote ({dialect.quote}) opens in this record and is never closed",
                    remedy="close it, or choose another quote character or none",
                    file=file,
                    row=line,
                )
            found = len(record.cells)
            # Delimiters at the ends of lines may be missing from the header, or stand in it alone.
            if found != fields and number >= head:
                return InputError(
                    f"the record has {found} field{'s' * (found != 1)}, the header {fields}",
                    remedy="correct the line, or choose the delimiter and quote character that the file uses",
                    file=file,
                    row=line,
                )
            if record.loose:
                return InputError(
                    f"text follows a closing quote ({dialect.quote}) in this record",
                    remedy="double the quotes within the cell, or choose another quote or escape sign, or none",
                    file=file,
                    row=line,
                )
            if record.astray:
                return InputError(
                    f"a quote ({dialect.quote}) within a cell is closed in another one, as if a sign were missing",
                    remedy="correct the quotes, or choose another quote character or none",
                    file=file,
                    row=line,
                )
    return None
