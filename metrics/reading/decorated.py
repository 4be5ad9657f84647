"""Signs that programs put around every line of a table, or draw it with: they are no part of its cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise, takewhile

from metrics.errors import InputError
from metrics.reading.headers import trimmed
from metrics.reading.layout import Layout, trimmed_end

_SAMPLE = 60
_FEW = 5
_NEARLY_ALL = 0.8
_QUOTES = "'\"`\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb"
_UNITS = frozenset("%€£¥°?!.…*+-#" + _QUOTES)
"""Signs that end words and figures of a column and its name as well."""
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_MARK = re.compile(r"<[^<>]+>|\^M|\\[nrt]")
"""What programs write for the end of a line."""
_TO_LAST_SIGN = re.compile(r".*\W", re.DOTALL)
_FROM_FIRST_SIGN = re.compile(r"[^\w\s].*", re.DOTALL)
_ENDS_BEFORE = re.compile(r"[^\s\d_A-Z]$")
_CAPITALS = re.compile(r"[A-Z]{3,}$")
"""What is no end of a name in small letters."""
_WORD = re.compile(r"[^\W_]")
_ENDS_LABEL = re.compile(r"[:>|)\]]\s*$")
_COUNT = re.compile(r"([\[(]?)(\d+)([\])][.:>|]?[ \t]*|[.:>|)][ \t]*|[ \t]+)(?=\S)")
_CLOCK = r"\d\d?:\d\d(:\d\d([.,]\d+)?)?"
_TIME = re.compile(
    rf"[\[(]?(\d{{4}}([-/.])\d\d?\2\d\d?|\d\d?([-/.])\d\d?\3\d{{2,4}}|[A-Z][a-z]{{2}} +\d\d? {_CLOCK}|{_CLOCK})(?!\w)|"
    r"[\[(]?\d{4}-\d\d-\d\dT\d"
)
_DRAWN = re.compile("[\u2502-\u254f\u2551-\u257f]")
"""Signs that draw tables, but for lines that may stand for no value."""
_OF_PROGRAM = re.compile(r".*\x1b\[|@@ -\d")
"""Colours of a terminal, and the lines between differences of files."""
_WRAPPED = re.compile(r"=\r?\n")
_BYTES = re.compile(r"(?:=[0-9A-F]{2})+")


def refuse_decorated(file: str, found: Layout) -> None:
    """Raise InputError where signs stand before or behind every line, the header among them, or around all records."""
    header, *records = found.records[: _SAMPLE + 1]
    width = len(trimmed_end(header.cells))
    if not records or not width:
        return
    lines = [trimmed(record.cells) for record in (header, *records)]
    cells = [cell for line in lines for cell in line]
    below = frozenset[int]().union(*(record.quoted for record in records))
    quoted = header.quoted | below
    first = [line[0] for line in lines]
    last = [line[width - 1] for line in lines if len(line) >= width]
    what = None
    if 0 not in quoted:
        what = (
            "the same signs stand at the beginning of every line"
            if _nearly_all(first, str.startswith, lambda cells: _begin(cells, width))
            else _counted(first)
        )
    if what is None and width - 1 not in quoted and _nearly_all(last, str.endswith, _end):
        what = "the same signs stand at the end of every line"
    ends = {0, width - 1}
    if what is None and width > 1:
        enclosed = not ends & below and _are_enclosed(first[1:], last[1:])
        enclosed = enclosed or (not ends & header.quoted and _are_enclosed(first[:1], last[:1]))
        what = "brackets stand around the lines" if enclosed else None
    if what is None and width > 1 and len(records) > 1 and _MARK.fullmatch(last[-1]) and len(set(last)) == 1:
        what = "the same signs stand at the end of every line"
    if what is None and (_DRAWN.search("".join(header.cells)) or any(map(_OF_PROGRAM.match, cells))):
        what = "signs that draw, colour or compare tables stand in the lines"
    if what is not None:
        raise InputError(
            f"{what}, as if they were no part of the cells",
            remedy="remove them, or choose the delimiter if they are",
            file=file,
            row=header.line,
        )
    if _hold_bytes([cell for record in (header, *records) for cell in record.cells]):
        raise InputError(
            "cells hold bytes written as signs (=C3=A9), as in mails",
            remedy="decode the file from quoted-printable, or choose the delimiter if they are text",
            file=file,
            row=header.line,
        )


def _nearly_all(
    cells: Sequence[str], holds: Callable[[str, str], bool], shared: Callable[[Sequence[str]], str]
) -> bool:
    """Whether the header's cell and nearly all below it share a sign; notes and the like among them need not."""
    if shared(cells):
        return True
    header, *below = cells
    found = (shared([header, cell]) for cell in below[:_FEW])
    return any(sign and sum(holds(cell, sign) for cell in below) >= _NEARLY_ALL * len(below) for sign in found)


def _common(texts: Sequence[str]) -> str:
    """What all texts begin with."""
    # What the first and the last in order share, all between them do.
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(min(texts), max(texts), strict=False))
    return "".join(sign for sign, _ in alike)


def _begin(first: Sequence[str], width: int) -> str:
    """What all first cells begin with, if it ends in a sign and is no part of a name."""
    found = _TO_LAST_SIGN.match(_common(first))
    # Behind a sign that is none of the cell, a quote that opens it is text.
    begin = found[0].rstrip().rstrip(_QUOTES).rstrip() if found else ""
    if not begin or len(first[0]) == len(begin):
        return ""
    if _WORD.search(begin):
        return begin if _ENDS_LABEL.search(begin) else ""
    # A name in brackets over others is one; over one column they may be around the lines.
    closing = _BRACKETS.get(begin)
    return begin if closing is None or closing not in first[0] or width == 1 else ""


def _end(last: Sequence[str]) -> str:
    """What all last cells end with, if it begins with a sign and is neither a unit nor the end of a bracket."""
    found = _FROM_FIRST_SIGN.search(_common([cell[::-1] for cell in last])[::-1])
    end = found[0] if found else ""
    capitals = _CAPITALS.search(_common([cell[::-1] for cell in last])[::-1])
    if not end and capitals and _ENDS_BEFORE.search(last[0][: -len(capitals[0])]):
        return capitals[0]
    if not end or len(last[0]) == len(end) or set(end) <= _UNITS or " " in end:
        return ""
    if _WORD.search(end):
        return end if _MARK.fullmatch(end) else ""
    return "" if any(close in end and last[0].count(mark) for mark, close in _BRACKETS.items()) else end


def _counted(first: Sequence[str]) -> str | None:
    """What is said of first cells that all begin with a time, or with numbers in a row, the header among them."""
    if all(map(_TIME.match, (first[0].lstrip("#% "), *first[1:]))):
        return "a date or a time stands at the beginning of every line"
    counts = [_COUNT.match(cell) for cell in first]
    alike = {(count[1], count[3]) for count in counts if count}
    if all(counts) and len(alike) == 1:
        numbers = [int(count[2]) for count in counts if count]
    elif all(cell.isdecimal() for cell in first):
        numbers = list(map(int, first))
    else:
        return None
    in_row = all(after - before == 1 for before, after in pairwise(numbers))
    return "numbers in a row stand at the beginning of every line" if in_row else None


def _are_enclosed(first: Sequence[str], last: Sequence[str]) -> bool:
    """Whether a bracket opens in each first cell and closes in the last one."""
    return any(
        all(cell.startswith(begin) and end not in cell for cell in first)
        and all(cell.rstrip(",;").endswith(end) and begin not in cell for cell in last)
        for begin, end in _BRACKETS.items()
    )


def _hold_bytes(cells: Sequence[str]) -> bool:
    """Whether signs stand for bytes: some for such as are UTF-8 and none for others, or each sign "=" for itself.

    Lines that are cut in cells end with one.
    """
    whole = [_WRAPPED.sub("", cell) for cell in cells]
    runs = [bytes.fromhex(run.replace("=", "")) for cell in whole for run in _BYTES.findall(cell)]
    foreign = [run for run in runs if not run.isascii()]
    if any(map(_WRAPPED.search, cells)) and "\n" not in "".join(whole):
        return True
    if not foreign:
        return b"=" in b"".join(runs) and sum(map(len, runs)) == sum(cell.count("=") for cell in whole)
    try:
        return all(run.decode() for run in foreign)
    except UnicodeDecodeError:
        return False
