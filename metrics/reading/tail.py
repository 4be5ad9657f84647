"""Where a delimited file's records end: totals, sources and counts below them are no records."""

from __future__ import annotations

import re
from collections import deque
from itertools import islice

import numpy as np

from metrics.errors import InputError
from metrics.reading.dialect import Dialect
from metrics.reading.faults import Opener
from metrics.reading.headers import are_figures, contrast, is_comment, is_footer, is_rule, is_title, trimmed
from metrics.reading.lexer import text_lines
from metrics.table import Column
from metrics.values import parse_number

_MOST_LINES = 40
_STATISTIC = re.compile(
    r"(mean|median|mode|min|max|minimum|maximum|average|avg|sd|std|stdev|std\.? ?dev\.?|variance|n)\W*", re.I
)
_LABEL = re.compile(r"(grand )?(sub)?(total|sum|summe|gesamt|somme|suma|totale|average|mean)s?\W*|合計|總計|总计", re.I)


def is_tail(opened: Opener, encoding: str, dialect: Dialect, line: int, width: int, commented: bool) -> bool:
    """Whether a file's lines from `line` on are all footers, few of them, and none like a record cut short.

    `commented`: records begin as comments do.
    """
    with opened() as stream, text_lines(stream, encoding, "replace") as lines:
        rest = islice(lines, line - 1, line + _MOST_LINES)
        below = [text.replace("\0", "") for text in rest]
    if len(below) > _MOST_LINES:
        return False
    for record in dialect.records(below):
        cells = record.cells
        if record.blank:
            continue
        if (
            not record.closed
            or not is_footer(cells)
            or (commented and is_comment(cells))
            or (not any(trimmed(cells)) and record.line == 1)
        ):
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
    """Bytes (as UTF-8, without NUL) that the file's lines up to and with `line` take."""
    with opened() as stream, text_lines(stream, encoding, "replace") as lines:
        return sum(len(text.replace("\0", "").encode()) for text in islice(lines, line))


def totals(columns: list[Column]) -> bool | None:
    """Whether the last record is a line of totals or a note, as what stands first in it says.

    True if it holds nothing else but figures that the records above sum up to, or number; None if it is in doubt.
    """
    if len(columns[0].codes) < 2:
        return False
    last = [column.values[int(column.codes[-1])].as_py() or "" for column in columns]
    first = next((place for place, cell in enumerate(last) if cell), None)
    if first is None:
        return False if len(columns) == 1 else _empty_above(columns)
    text, column = last[first], columns[first]
    if is_rule(last) and all(one.counts()[one.codes[-1]] == 1 for one, cell in zip(columns, last, strict=True) if cell):
        return True
    others = [label for label in column.values[: _MOST_LINES + 1].to_pylist() if label and label != text]
    if len(columns) == 1 and contrast([text], [[label] for label in others]) >= 1:
        return None
    plain = [label for label in others if not is_summary(label)]
    total = _LABEL.fullmatch(text) is not None or (_STATISTIC.fullmatch(text) is not None and are_figures(plain))
    note = first == 0 and _is_note(text)
    if not (total or note) or column.counts()[column.codes[-1]] > 1:
        return False
    # Where others are like it, it is a value of the column; but words are none among numbers, dates or codes.
    alike = is_summary if total else _is_note
    if (is_comment([text]) or not are_figures(plain)) and any(alike(label) for label in others):
        return False
    figures = [(columns[place], cell) for place, cell in enumerate(last) if cell and place != first]
    if len(columns) == 1:
        return None
    return True if all(_is_sum(beside, cell) for beside, cell in figures) else None


def _empty_above(columns: list[Column]) -> bool | None:
    """For empty last records: False if there are others above, and so they are records; None if in doubt."""
    empty = np.logical_and.reduce([column.codes == column.codes[-1] for column in columns])
    last_filled = np.flatnonzero(~empty)
    return False if not len(last_filled) or empty[: last_filled[-1]].any() else None


def is_summary(text: str) -> bool:
    """Whether a text is what totals, means and the like are called by."""
    return bool(_LABEL.fullmatch(text) or _STATISTIC.fullmatch(text))


def _is_note(text: str) -> bool:
    return is_footer([text]) and (is_comment([text]) or bool(re.search(r"[\s:]", text)))


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
        "the last line may be a total, a note or nothing rather than a record",
        remedy="choose how many lines follow the last record, 0 if this is one",
        file=file,
        row=line,
    )
