"""Records that a quote may have swallowed: one that opens by mistake closes at the next, and all between is a cell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from metrics.errors import InputError
from metrics.reading.body import Body
from metrics.reading.headers import are_figures, is_missing
from metrics.table import Column

_SAMPLE = 60
_LINE_END = re.compile(r"\r\n|\r|\n")


def refuse_swallowed(columns: Sequence[Column], body: Body) -> None:
    """Raise InputError where the lines of a cell would be whole records if its quotes were text."""
    delimiter, width = body.found.dialect.separator, len(columns)
    if width == 1 or not body.found.dialect.quote:
        return
    held = pa.chunked_array([column.values for column in columns])
    if not pc.any(pc.match_substring_regex(held, r"[\r\n]")).as_py():
        return
    blanks = any(cell[:1] == " " for record in body.found.records[:_SAMPLE] for cell in record.cells[1:])
    for place, column in enumerate(columns):
        for label in _of_many_lines(column.values, delimiter, width):
            # Text has blanks behind its commas.
            if delimiter + " " in label and not blanks:
                continue
            if _are_records(_LINE_END.split(label), place, columns, delimiter):
                raise InputError(
                    "a cell of several lines holds what may be records, as if a quote were missing or too many",
                    remedy="correct the quotes, or choose the quote character to have it as one cell",
                    file=body.name,
                    row=body.line_of(int((column.codes == column.code_of[label]).argmax())),
                )


def _of_many_lines(values: pa.StringArray, delimiter: str, width: int) -> Iterator[str]:
    """Values with as many delimiters as so many lines of records have."""
    ends = pc.count_substring_regex(values, r"\r\n|\r|\n")
    expected = pc.multiply(ends, width - 1)
    chosen = pc.and_(pc.greater(ends, 0), pc.equal(pc.count_substring(values, delimiter), expected))
    yield from values.filter(chosen).to_pylist()


def _are_records(lines: list[str], place: int, columns: Sequence[Column], delimiter: str) -> bool:
    """Whether lines go on with the record from the column at `place`, are records, and end with one up to there."""
    cells = [line.split(delimiter) for line in lines]
    widths = [len(columns) - place, *(len(columns) for _ in lines[2:]), place + 1]
    if [len(line) for line in cells] != widths:
        return False
    fitting = strange = 0
    for number, line in enumerate(cells):
        for column, cell in zip(columns[place if number == 0 else 0 :], line, strict=False):
            text = cell.strip()
            if is_missing(text):
                continue
            if are_figures(sample := [label for label in column.values[:_SAMPLE].to_pylist() if label]):
                fits = are_figures([*sample[:2], text])
                fitting, strange = fitting + fits, strange + (not fits)
            else:
                fitting += text in column.code_of
    # A cell that the quote was put before may be strange. Several whole lines of three cells or more are no chance.
    return fitting >= 3 * strange if fitting or strange else len(columns) > 2 and len(lines) > 2
