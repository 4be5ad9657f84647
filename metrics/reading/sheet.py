"""The cells of a sheet, row by row, as the text that a spreadsheet shows or that stands for their values."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from metrics.encoding import BLANKS
from metrics.errors import InputError
from metrics.reading.headers import are_figures, is_missing
from metrics.reading.letters import WORD
from metrics.reading.lexer import ONE_COLUMN
from metrics.reading.typed import python_text

_FORMAT = re.compile(r'(?P<digit>0)|\\(.)|"([^"]*)"|([-/() ])|\[\$[^\]]*\]|[_*].')
"""What a format that pads with zeros is made of: digits, signs shown as they are, and what is shown as nothing."""
_DIGIT = "\0"
_SAMPLE = 60
_MOST_ROWS = 1 << 20
LINE_ENDS = {"\n": "\ufdd0", "\r": "\ufdd1"}
"""Line ends within cells, and the characters, of those that no text holds, that stand for them while lines are read."""
_OUT_OF_ORDER = "the rows of the sheet are stored out of order"

Stored = dict[str, Any]
"""A cell as openpyxl's parser gives it: row, column, value, data_type, style_id."""


def stored_rows(name: str, page: Any) -> Iterator[tuple[int, list[Stored]]]:
    """The rows that a sheet stores, each with its number, and their cells by column. Raises InputError.

    openpyxl's own rows lose cells that do not stand in order, and those outside dimensions wrongly stated.
    """
    from openpyxl.worksheet._reader import WorkSheetParser

    book, last = page.parent, 0
    with page._get_source() as part:
        parser = WorkSheetParser(
            part,
            page._shared_strings,
            data_only=book.data_only,
            epoch=book.epoch,
            date_formats=book._date_formats,
            timedelta_formats=book._timedelta_formats,
        )
        for number, cells in parser.parse():
            if number <= last:
                raise InputError(
                    _OUT_OF_ORDER, remedy="open it in a spreadsheet program and save it", file=name, row=number
                )
            if number > _MOST_ROWS:
                raise InputError(
                    f"the sheet has more than the {_MOST_ROWS:,} rows that a sheet can have",
                    remedy="save it as CSV or Parquet",
                    file=name,
                )
            last = number
            yield number, sorted(cells, key=lambda cell: int(cell["column"]))


def text_rows(name: str, page: Any) -> Iterator[tuple[int, dict[int, str]]]:
    """The rows of a sheet with a cell that is not empty: their numbers, and the trimmed text of each such cell."""
    shown = _formats(page.parent)
    for number, cells in stored_rows(name, page):
        if filled := _texts(cells, shown):
            yield number, filled


class Rows:
    """The rows of a sheet, read once.

    `places`: columns with a cell that is not empty. `uncomputed`: whether formulas may never have been computed.
    `second`: the row that may be the header of a second table.
    """

    def __init__(self, name: str, page: Any) -> None:
        """Raise InputError where they are not stored in order."""
        self.places: set[int] = set()
        self.uncomputed = False
        self.second: int | None = None
        self._rows: list[tuple[int, str]] = []
        shown = _formats(page.parent)
        above: list[dict[int, str]] = []
        blocks: list[_Block] = []
        last, suspect = 0, None
        for number, cells in stored_rows(name, page):
            self.uncomputed = self.uncomputed or any(map(is_uncomputed, cells))
            texts = _texts(cells, shown)
            if not texts:
                continue
            if suspect == last == number - 1 and len(texts) > 1:
                self.second = self.second or suspect
            if number > last + 1 and _may_head(texts, above):
                suspect = number
            if not blocks or number > last + 1:
                blocks.append(_Block(number, set(texts), set(texts)))
            blocks[-1].add(set(texts))
            if len(above) < _SAMPLE:
                above.append(texts)
            last = number
            self.places.update(texts)
            line = ONE_COLUMN.join([texts.get(place, "") for place in range(1, max(texts) + 1)])
            for end, sign in LINE_ENDS.items():
                line = line.replace(end, sign)
            self._rows.append((number, line))
        narrower = (block.row for above_it, block in pairwise(blocks) if block.is_narrower(above_it))
        self.second = self.second or next(narrower, None)

    def lines(self) -> Iterator[str]:
        """The rows as lines of their numbers; what stands alone in a row above the others divides into no cells."""
        places = sorted(self.places)
        gapless = places == list(range(1, len(places) + 1))
        last, begun = 0, False
        for number, stored in self._rows:
            cells = stored.split(ONE_COLUMN)
            begun = begun or sum(map(bool, cells)) > 1
            if not begun:
                line = "".join(cells)
            elif gapless:
                line = stored + ONE_COLUMN * (len(places) - len(cells))
            else:
                line = ONE_COLUMN.join([cells[place - 1] if place <= len(cells) else "" for place in places])
            yield "\n" * (number - last - 1) + line + "\n"
            last = number


@dataclass
class _Block:
    """Rows without an empty one between: the first one's number, and which columns all of them and any of them fill."""

    row: int
    always: set[int]
    ever: set[int]
    rows: int = 0

    def add(self, places: set[int]) -> None:
        """Count a row in that fills columns."""
        self.always &= places
        self.ever |= places
        self.rows += 1

    def is_narrower(self, above: _Block) -> bool:
        """Whether two rows or more leave a column empty that all of those above fill, as another table may."""
        several = min(self.rows, above.rows) > 1 and len(self.ever) > 1
        return several and bool(above.always - self.ever) and len(above.always) > 1


def _may_head(texts: dict[int, str], above: list[dict[int, str]]) -> bool:
    """Whether a row below empty ones holds words alone, some of them below figures, as names of columns do."""
    words = texts.values()
    if len(words) < 2 or len(set(words)) < len(words) or not all(WORD.fullmatch(text) for text in words):
        return False
    if any(map(is_missing, words)):
        return False
    below = ([row[place] for row in above[1:] if place in row] for place in texts)
    return any(are_figures(known) for known in below)


def _texts(cells: list[Stored], shown: Callable[[int], str]) -> dict[int, str]:
    texts = ((cell["column"], _text(cell, shown)) for cell in cells if cell["value"] is not None)
    return {column: text for column, text in texts if text}


def is_uncomputed(cell: Stored) -> bool:
    """Whether a cell may hold a formula never computed: one is stored, without value (a computed "" has type str)."""
    return cell["value"] is None and cell["data_type"] == "n"


def _formats(book: Any) -> Callable[[int], str]:
    """What a style shows, with a sign for each digit, where its number format pads with zeros; else nothing."""
    from openpyxl.styles.numbers import BUILTIN_FORMATS, BUILTIN_FORMATS_MAX_SIZE

    known: dict[int, str] = {}

    def of_style(style: int) -> str:
        if style not in known:
            code = book._cell_styles[style].numFmtId
            own = code >= BUILTIN_FORMATS_MAX_SIZE
            written = book._number_formats[code - BUILTIN_FORMATS_MAX_SIZE] if own else BUILTIN_FORMATS.get(code, "")
            known[style] = _mask(written.partition(";")[0])
        return known[style]

    return of_style


def _mask(number_format: str) -> str:
    parts = list(_FORMAT.finditer(number_format))
    shown = "".join(_DIGIT if part["digit"] else part[2] or part[3] or part[4] or "" for part in parts)
    whole = sum(len(part[0]) for part in parts) == len(number_format)
    return shown if whole and shown.count(_DIGIT) > 1 else ""


def _text(cell: Stored, shown: Callable[[int], str]) -> str:
    value = cell["value"]
    if isinstance(value, datetime.timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    text = (python_text(value) or "").strip(BLANKS)
    if cell["style_id"] and cell["data_type"] == "n" and text.isdecimal() and (mask := shown(cell["style_id"])):
        return _padded(text, mask)
    return text


def _padded(digits: str, mask: str) -> str:
    """Digits put into a format from the right, as spreadsheets show them: more than it has places for stand first."""
    places = mask.count(_DIGIT)
    digits = digits.zfill(places)
    first, rest = digits[: len(digits) - places + 1], iter(digits[len(digits) - places + 1 :])
    before, _, behind = mask.partition(_DIGIT)
    return before + first + "".join(next(rest) if sign == _DIGIT else sign for sign in behind)
