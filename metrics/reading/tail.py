"""Where a delimited file's records end: totals, sources and counts below them are no records."""

from __future__ import annotations

import re
from collections import deque
from itertools import islice

from metrics.errors import InputError
from metrics.reading.dialect import Dialect
from metrics.reading.faults import Opener
from metrics.reading.headers import contrast, is_comment, is_footer, is_title, trimmed
from metrics.reading.lexer import records, text_lines
from metrics.table import Column
from metrics.values import parse_number

_MOST_LINES = 40
_LABEL = re.compile(r"(grand )?(sub)?(total|sum|summe|gesamt|somme|suma|totale|average|mean)s?\W*|合計|總計|总计", re.I)


def is_tail(opened: Opener, encoding: str, dialect: Dialect, line: int, width: int) -> bool:
    """Whether a file's lines from `line` on are all footers, few of them, and none like a record cut short."""
    with opened() as stream, text_lines(stream, encoding, "replace") as lines:
        rest = islice(lines, line - 1, line + _MOST_LINES)
        below = [text.replace("\0", "") for text in rest]
    if len(below) > _MOST_LINES:
        return False
    for record in records(below, dialect.separator, dialect.quote, escape=dialect.escape):
        cells = record.cells
        if record.blank:
            continue
        if not record.closed or not is_footer(cells) or (not any(trimmed(cells)) and record.line == 1):
            return False
        if not (is_title(cells) or is_comment(cells)) and len(cells) == width:
            return False
    return True


def end_of_records(opened: Opener, encoding: str, footers: int) -> int:
    """The last line before `footers` lines that are not blank."""
    ends: deque[int] = deque(maxlen=footers + 1)
    with opened() as stream, text_lines(stream, encoding, "replace") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                ends.append(number)
    return ends[0] if len(ends) > footers else 0


def bytes_before(opened: Opener, encoding: str, line: int) -> int:
    """Bytes (as UTF-8, without NUL) that the file's lines up to and with `line` take, and its byte-order mark."""
    with opened() as stream, text_lines(stream, encoding, "replace") as lines:
        held = sum(len(text.replace("\0", "").encode()) for text in islice(lines, line))
    with opened() as stream, text_lines(stream, encoding, "replace") as lines:
        first = next(lines, "")
    with opened() as stream:
        marked = stream.read(4).decode(encoding if encoding != "utf-8-sig" else "utf-8", "ignore").startswith("\ufeff")
    return held + 3 * (marked and not first.startswith("\ufeff"))


def totals(columns: list[Column]) -> bool | None:
    """Whether the last record is a line of totals or a note, as what stands first in it says.

    True if it holds nothing else but figures that the records above sum up to, or number; None if it is in doubt.
    """
    if len(columns[0].codes) < 2:
        return False
    last = [column.labels[column.codes[-1]] or "" for column in columns]
    first = next((place for place, cell in enumerate(last) if cell), None)
    if first is None:
        return False
    text, column = last[first], columns[first]
    if len(columns) == 1 and contrast([text], [[label] for label in column.labels if label and label != text]) >= 1:
        return None
    total = _LABEL.fullmatch(text) is not None
    note = first == 0 and is_footer([text]) and (is_comment([text]) or bool(re.search(r"[\s:]", text)))
    if not (total or note) or column.counts()[column.codes[-1]] > 1:
        return False
    others = [label for label in column.labels if label and label != text]
    if any(is_comment([label]) or _LABEL.fullmatch(label) for label in others[:_MOST_LINES]):
        return False
    figures = [(columns[place], cell) for place, cell in enumerate(last) if cell and place != first]
    if len(columns) == 1:
        return None
    return True if all(_is_sum(beside, cell) for beside, cell in figures) else None


def _is_sum(column: Column, cell: str) -> bool:
    figure = parse_number(cell, column.decimal)
    if figure is None:
        return False
    numbers = [parse_number(label, column.decimal) or 0.0 for label in column.labels]
    total = sum(numbers[code] for code in column.codes[:-1].tolist())
    return abs(total - figure) <= 1e-9 * max(1.0, abs(total)) or figure == len(column.codes) - 1


def refuse_totals(file: str, line: int) -> InputError:
    """The error where the last line may be a record or a total."""
    return InputError(
        "the last line may be a total or a note rather than a record",
        remedy="choose how many lines follow the last record, 0 if this is one",
        file=file,
        row=line,
    )
