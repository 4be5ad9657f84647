"""CSV and its relatives: detected, read, and read in another way where a first reading does not hold."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from metrics.encoding import BLANKS
from metrics.errors import InputError
from metrics.reading.dialect import find_delimiter, find_quote
from metrics.reading.faults import find_undecodable
from metrics.reading.layout import Choices
from metrics.reading.lexer import ONE_COLUMN, records, sample_lines
from metrics.reading.opening import decode
from metrics.reading.origin import Origin
from metrics.reading.reader import Reader
from metrics.table import Table

_PLAIN = "save it as CSV in UTF-8, one row per value, the value first and its most general form last"


@dataclass(frozen=True)
class Rows:
    """A small table without a header: trimmed cells, and the line of the file that each row starts on."""

    name: str
    cells: list[list[str]] = field(repr=False)
    lines: list[int] = field(repr=False)


def read_delimited(origin: Origin, choices: Choices, compression: str | None) -> Table:
    """The table of a delimited text file. Raises InputError naming the first line that cannot be read."""
    if compression is not None:
        origin.refuse_bomb()
    opened = partial(origin.text_bytes, compression)
    reader = Reader(origin.name, opened, choices, compression)
    try:
        return reader.table()
    except InputError as error:
        refused = error
    for other in reader.others():
        with suppress(InputError):
            return Reader(origin.name, opened, other, compression, tried=True).table()
    raise refused from None


def read_delimited_rows(origin: Origin, compression: str | None) -> Rows:
    """All rows of a small file without a header; blank lines are left out. Raises InputError."""
    if compression is not None:
        origin.refuse_bomb()
    with origin.text_bytes(compression) as stream:
        content = stream.read()
    try:
        opening = decode(origin.name, content, True, None)
    except InputError as refused:
        raise InputError(refused.problem, remedy=_PLAIN, file=origin.name) from None
    text = opening.text
    if "\ufffd" in text:
        error = find_undecodable(origin.name, partial(origin.text_bytes, compression), opening.charset.encoding)
        if error is not None:
            raise error
    quote = find_quote(text)
    delimiter = find_delimiter(text, True, quote)
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
        raise InputError("the file is empty", remedy=_PLAIN, file=origin.name)
    return Rows(origin.name, cells, lines)
