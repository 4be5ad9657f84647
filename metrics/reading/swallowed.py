"""Records that a quote may have swallowed: one that opens by mistake closes at the next, and all between is a cell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from metrics.encoding import BLANKS
from metrics.errors import InputError
from metrics.reading.body import Body
from metrics.reading.dialect import Dialect
from metrics.reading.headers import are_figures, is_missing
from metrics.table import Column

_SAMPLE = 60
_LINE_ENDS = re.compile(r"[\r\n]+")
"""Blank lines between records are none."""


@dataclass(frozen=True)
class Suspect:
    """A cell, untrimmed, whose lines may be records, and the place of its column."""

    place: int
    cell: str = field(repr=False)
    prose: bool = False
    """Whether blanks stand behind most of its delimiters, as in text."""


def find_suspects(cells: Sequence[pa.ChunkedArray], body: Body) -> list[Suspect]:
    """Cells whose lines divide as records do, the first line being the rest of one and the last the beginning."""
    dialect, width = body.found.dialect, len(cells)
    if not dialect.quote:
        return []
    _refuse_swallowed_header(body)
    blanks = any(cell[:1] == " " for record in body.found.records[:_SAMPLE] for cell in record.cells[1:])
    found = []
    for place, column in enumerate(cells):
        for chunk in column.chunks:
            for cell in _of_many_lines(chunk.dictionary, dialect.separator, width, bool(dialect.escape)):
                prose = 2 * cell.count(dialect.separator + " ") >= cell.count(dialect.separator)
                if (blanks or width == 1 or not prose) and _divides(cell, place, width, dialect):
                    found.append(Suspect(place, cell, prose))
    return found


def _divides(cell: str, place: int, width: int, dialect: Dialect) -> bool:
    """Whether the lines of a cell are as wide as the rest of a record, whole ones and the beginning of another."""
    widths = [line.count(dialect.separator) + 1 for line in _LINE_ENDS.split(cell)]
    expected = [width - place, *(width for _ in widths[2:]), place + 1]
    # Delimiters that are escaped make lines seem wider.
    wider = dialect.escape and all(one >= other for one, other in zip(widths, expected, strict=False))
    return widths == expected or (bool(wider) and len(widths) > 1)


def _refuse_swallowed_header(body: Body) -> None:
    found = body.found
    for place, name in enumerate(found.names):
        if found.width > 1 and _LINE_ENDS.search(name) and _divides(name, place, found.width, found.dialect):
            raise InputError(
                "a name of several lines holds what may be a record, as if a quote were missing or too many",
                remedy="correct the quotes, or choose the quote character to have it as one name",
                file=body.name,
                row=found.header.line,
            )


def refuse_swallowed(suspects: Sequence[Suspect], columns: Sequence[Column], body: Body) -> None:
    """Raise InputError where the lines of a cell would be records like the others if its quotes were text."""
    for suspect in suspects:
        if _fit(suspect, columns, body.found.dialect.separator):
            column = columns[suspect.place]
            code = column.code_of[suspect.cell.strip(BLANKS)]
            raise InputError(
                "a cell of several lines holds what may be records, as if a quote were missing or too many",
                remedy="correct the quotes, or choose the quote character to have it as one cell",
                file=body.name,
                row=body.line_of(int((column.codes == code).argmax())),
            )


def _of_many_lines(values: pa.StringArray, delimiter: str, width: int, escaped: bool) -> Iterator[str]:
    """Values with as many delimiters as so many lines of records have, or more where some may be escaped."""
    if not pc.any(pc.match_substring_regex(values, r"[\r\n]")).as_py():
        return
    ends = pc.count_substring_regex(values, r"[\r\n]+")
    expected, held = pc.multiply(ends, width - 1), pc.count_substring(values, delimiter)
    enough = pc.greater_equal(held, expected) if escaped else pc.equal(held, expected)
    yield from values.filter(pc.and_(pc.greater(ends, 0), enough)).to_pylist()


def _fit(suspect: Suspect, columns: Sequence[Column], delimiter: str) -> bool:
    """Whether the cells of a suspect's lines are like those of the columns that they would stand in."""
    lines = [line.split(delimiter) for line in _LINE_ENDS.split(suspect.cell)]
    # Its own text is no sample, nor is another's of several lines.
    own = suspect.cell.strip(BLANKS)
    samples = [
        [
            label
            for label in column.values[:_SAMPLE].to_pylist()
            if label and label != own and len(label.splitlines()) == 1
        ]
        for column in columns
    ]
    fitting = strange = 0
    for number, line in enumerate(lines):
        first = suspect.place if number == 0 else 0
        for column, sample, cell in zip(columns[first:], samples[first:], line, strict=False):
            text = cell.strip(BLANKS)
            if is_missing(text):
                continue
            if are_figures(sample):
                fits = are_figures([*sample[:2], text])
                fitting, strange = fitting + fits, strange + (not fits)
            else:
                fitting += text in column.code_of
    if fitting or strange:
        # A cell that the quote was put before may be strange.
        return fitting >= (1 if len(columns) > 2 and len(lines) > 3 else 3) * strange
    # Several whole lines of three cells or more are no chance, nor are delimiters that do not stand as in text.
    return (len(columns) > 2 and len(lines) > 2) or (len(columns) > 1 and not suspect.prose)
