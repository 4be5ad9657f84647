"""Where a delimited file's records end: what follows them is left out where it is no record beyond doubt."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import islice

from metrics.encoding import BLANKS
from metrics.errors import InputError
from metrics.reading.dialect import Dialect
from metrics.reading.faults import Opener
from metrics.reading.footers import is_footer
from metrics.reading.headers import is_title
from metrics.reading.lexer import text_lines

_MOST_LINES = 40


def is_tail(
    opened: Opener, encoding: str, dialect: Dialect, line: int, width: int, above: Sequence[Sequence[str]]
) -> bool | None:
    """Whether a file's lines from `line` on are all footers beyond doubt; None if they may be: no record follows.

    `above`: records to tell them from.
    """
    with opened() as stream, text_lines(stream, encoding, "replace") as lines:
        rest = islice(lines, line - 1, line + _MOST_LINES)
        below = [text.replace("\0", "") for text in rest]
    if len(below) > _MOST_LINES:
        return False
    sure = True
    for record in dialect.records(below):
        cells = record.cells
        if record.blank:
            continue
        if not record.closed or (len(cells) == width and not is_title(cells)):
            return False
        if record.line == 1 and not any(cell.strip(BLANKS) for cell in cells):
            return False
        if not is_footer(cells, above):
            # What is shorter than a record may be one cut short.
            if len(cells) > width:
                return False
            sure = False
    return sure or None


def ends_apart(opened: Opener, encoding: str, last: int | None) -> bool:
    """Whether the last line that is not blank has a blank one before it; `last` is the last line read."""
    apart = blank = False
    with opened() as stream, text_lines(stream, encoding, "replace") as lines:
        for line in islice(lines, last):
            if line.isspace():
                blank = True
            else:
                apart, blank = blank, False
    return apart


def refuse_short(fault: InputError) -> InputError:
    """The error where a faulty line at the end may be a footer."""
    return InputError(
        fault.problem,
        remedy="correct the line, or choose how many lines follow the last record",
        file=fault.file,
        row=fault.row,
    )


def end_of_records(opened: Opener, encoding: str, footers: int) -> int:
    """The last line before `footers` lines that are not blank."""
    ends: deque[int] = deque(maxlen=footers + 1)
    with opened() as stream, text_lines(stream, encoding, "replace") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip(BLANKS + "\0"):
                ends.append(number)
    return ends[0] if len(ends) > footers else 0


def bytes_before(opened: Opener, encoding: str, line: int) -> int:
    """Bytes (as UTF-8, without NUL) that the file's lines up to and with `line` take."""
    with opened() as stream, text_lines(stream, encoding, "replace") as lines:
        return sum(len(text.replace("\0", "").encode()) for text in islice(lines, line))
