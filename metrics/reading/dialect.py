"""The delimiter and quote of a delimited text, told by a sample of it, and its header."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import islice

from metrics.reading.lexer import ONE_COLUMN, Record, records, sample_lines

DELIMITERS = ("\t", ";", "|", ",")
"""Candidates; of two that divide a sample equally well the first wins, for commas and bars also stand in prose."""

_SAMPLE_RECORDS = 200
_HINT = re.compile(r'"?sep=(.)"?[\r\n]*', re.IGNORECASE)
_DOUBLE_QUOTED = re.compile(r'(?:^|[\t;|,])"', re.MULTILINE)
_FIRST_QUOTED = re.compile(r'\ufeff?"(?:[^"]|"")*"([\t;|,])')
_SINGLE_QUOTED = re.compile(r"(?:^|[\t;|,])'(?:[^'\r\n]|'')*'(?=[\t;|,\r\n]|$)", re.MULTILINE)


@dataclass(frozen=True)
class Dialect:
    """How the lines of a file divide into cells.

    `delimiter` is None for a table of one column; `quote` is empty if the file quotes nothing.
    """

    delimiter: str | None
    quote: str

    @property
    def separator(self) -> str:
        """The delimiter that readers are given."""
        return ONE_COLUMN if self.delimiter is None else self.delimiter


@dataclass(frozen=True)
class Layout:
    """A dialect, the header record, and how many lines precede it; `records` are the sample's, the header first."""

    dialect: Dialect
    header: Record
    records: list[Record]


def layout(text: str, complete: bool, delimiter: str | None, quote: str | None) -> Layout | None:
    """The layout of a text that begins with `text` (`complete`: all of it); None if no record ends within it.

    A first line `sep=;`, which spreadsheets understand, names the delimiter and is no record.
    """
    hint = _HINT.fullmatch(next(sample_lines(text), ""))
    skipped = 1 if hint else 0
    if delimiter is None and hint:
        delimiter = hint[1]
    chosen_quote = find_quote(text) if quote is None else quote
    if delimiter is None:
        delimiter = find_delimiter(text, complete, chosen_quote, skipped=skipped, header=True)
    dialect = Dialect(delimiter, chosen_quote)
    found = _sample(text, complete, dialect.separator, chosen_quote, skipped)
    return Layout(dialect, found[0], found) if found else None


def find_quote(text: str) -> str:
    """The quote character: the apostrophe only where most lines hold a cell between two of them."""
    if _DOUBLE_QUOTED.search(text):
        return '"'
    lines = [line for line in sample_lines(text) if line.strip()]
    quoted = sum(_SINGLE_QUOTED.search(line) is not None for line in lines)
    return "'" if lines and 2 * quoted > len(lines) else '"'


def find_delimiter(text: str, complete: bool, quote: str, *, skipped: int = 0, header: bool) -> str | None:
    """The delimiter that gives most records as many fields, more than one, as the header; None for one column.

    Without a header the commonest number of fields is what the others must agree with, and where the first cell is
    quoted the sign after it settles the matter.
    """
    if not header and quote == '"' and (first := _FIRST_QUOTED.match(text)):
        return first[1]
    best: tuple[float, float, int] = (0.0, 0.0, 1)
    chosen: str | None = None
    of_header: str | None = None
    for candidate in DELIMITERS:
        widths = [len(record.cells) for record in _sample(text, complete, candidate, quote, skipped)]
        if not widths:
            return None
        expected = widths[0] if header else Counter(widths).most_common(1)[0][0]
        body = (widths[1:] if header else widths) or [expected]
        if header and expected > 1 and of_header is None:
            of_header = candidate
        agreeing = sum(width == expected for width in body) / len(body)
        divided = sum(width > 1 for width in body) / len(body)
        score = (round(agreeing, 2), round(divided, 2), expected)
        if expected > 1 and divided >= 0.5 and score > best:
            best, chosen = score, candidate
    # A header that is divided over records that are not: a ragged table rather than a column with a comma in its name.
    return chosen or of_header


def _sample(text: str, complete: bool, delimiter: str, quote: str, skipped: int) -> list[Record]:
    """The first whole records of a sample, without blank lines."""
    found = [
        record
        for record in islice(records(sample_lines(text), delimiter, quote), 2 * _SAMPLE_RECORDS)
        if record.line > skipped and not record.blank
    ]
    if not complete and len(found) <= _SAMPLE_RECORDS:
        found = found[:-1]
    return found[:_SAMPLE_RECORDS]
