"""Delimited text cut into records exactly as pyarrow's CSV reader cuts it, with the line each record starts on.

A quote counts at the start of a field alone; doubled it is a quote, and what follows the closing one up to the
delimiter belongs to the cell. Lines end with LF, CR LF or CR. Beyond pyarrow, delimiters may have several characters,
and a backslash may stand before a character that is text.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Final

ONE_COLUMN = "\x1f"
"""Delimiter for tables of one column: the ASCII unit separator, which text does not hold."""


@dataclass(frozen=True)
class Record:
    """One record: the line it starts on (from 1) and its cells, untrimmed."""

    line: int
    cells: list[str]
    closed: bool = True
    """Whether its last quote was closed."""
    blank: bool = False
    """Whether it is an empty line: no cell, not even a pair of quotes."""
    plain: bool = False
    """Whether it is one line without any quote."""
    loose: bool = False
    """Whether text follows a closing quote or blanks precede an opening one, which no writer means so."""
    quoted: frozenset[int] = frozenset()
    """Places of the cells between quotes."""
    astray: bool = False
    """Whether a quote within a cell is closed at the end of a later one, as if a delimiter before it were missing."""


@contextmanager
def text_lines(stream: IO[bytes], encoding: str, errors: str = "strict") -> Iterator[Iterator[str]]:
    """Lines with their ends, decoded as they are read; without byte-order marks. The stream stays open."""
    wrapper = io.TextIOWrapper(stream, encoding=encoding, errors=errors, newline="")
    try:
        yield (line.lstrip("\ufeff") if number == 0 else line for number, line in enumerate(wrapper))
    finally:
        wrapper.detach()


def sample_lines(text: str) -> Iterator[str]:
    """Lines of a text already decoded."""
    yield from io.StringIO(text.lstrip("\ufeff"), newline="")


MEANT: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "N": "\\N"}
"""What letters behind a backslash stand for where it is an escape sign."""


def records(
    lines: Iterable[str], delimiter: str, quote: str, *, escape: str = "", spaced: bool = False, keep: bool = True
) -> Iterator[Record]:
    """The records of a text, empty lines among them. `quote` may be empty: then nothing is quoted.

    After `escape` any character is text, but for the letters that programs write for control characters behind a
    backslash; `\\N`, no value to databases, stays as it is. `spaced`: blanks may stand before an opening quote. With
    `keep` false the cells of quoted records come empty, so that memory stays small on any input.
    """
    cutter = _Cutter(delimiter, quote, escape, spaced, keep)
    start = end = 0
    for number, line in enumerate(lines, 1):
        if not cutter.inside:
            if not (quote and quote in line) and not (escape and escape in line):
                body = line.rstrip("\r\n")
                yield Record(number, body.split(delimiter), blank=not body, plain=True)
                continue
            cutter.begin(next_line=number == end + 1)
            start = number
        cutter.cut(line)
        if not cutter.inside:
            end = number
            yield Record(start, cutter.cells, loose=cutter.loose, quoted=frozenset(cutter.quoted), astray=cutter.astray)
    if cutter.inside:
        cutter.end_cell()
        yield Record(start, cutter.cells, closed=False, loose=cutter.loose)


class _Cutter:
    """Cuts one record, line by line; `inside` says that a quote or an escaped line end leaves it open."""

    def __init__(self, delimiter: str, quote: str, escape: str, spaced: bool, keep: bool) -> None:
        self._delimiter, self._quote, self._escape, self._keep = delimiter, quote, escape, keep
        self._opening = re.compile(" *" * spaced + re.escape(quote))
        sign = re.escape(quote or '"')
        self._before_text = re.compile(rf"{sign}\S")
        self._doubled = re.compile(rf"[^{sign}]*{sign}{sign}[^\s{sign}][^{sign}]*")
        self.inside = False
        self._quoted = False
        self._stray: int | None = None
        """The cell within which a quote opens, -1 if the last one of the line above."""
        self.begin(next_line=False)

    def begin(self, *, next_line: bool) -> None:
        """Begin a record; `next_line`: the one before ends on the line above it."""
        open_above = next_line and self._stray == len(self.cells) - 1
        self._stray = -1 if open_above else None
        self.cells: list[str] = []
        self._parts: list[str] = []
        self.quoted: list[int] = []
        self.loose = self.astray = False

    def end_cell(self) -> None:
        self.cells.append("".join(self._parts))
        self._parts.clear()

    def cut(self, line: str) -> None:
        body = line.rstrip("\r\n")
        position = 0
        # A line that an escape joined to the one before goes on in its cell.
        fresh, after = not self.inside, False
        self._quoted &= self.inside
        self.inside = False
        while True:
            if self._quoted:
                position, closed = self._quoted_part(line, position)
                if not closed:
                    self.inside = True
                    return
                self._quoted, after = False, True
                continue
            if fresh and self._quote and (opening := self._opening.match(body, position)):
                self._quoted, fresh = True, False
                self.quoted.append(len(self.cells))
                position = opening.end()
                continue
            end = self._plain_part(line, body, position)
            if self.inside:
                return
            text = body[position : len(body) if end < 0 else end].strip()
            if fresh and self._quote and self._quote in text:
                self._follow(text)
            self.loose |= bool(text) and (after or (fresh and bool(self._quote) and text.startswith(self._quote)))
            self.end_cell()
            after = False
            if end < 0:
                return
            position, fresh = end + len(self._delimiter), True

    def _follow(self, text: str) -> None:
        """Note where a quote opens within a cell, before text, and whether it is the end of a later one that closes."""
        bare = text if not self._escape else re.sub(re.escape(self._escape) + ".", "", text)
        odd = bare.count(self._quote) % 2 == 1
        above = self._stray == -1
        if odd and self._stray is not None and bare.endswith(self._quote) and not (above and self.cells):
            self.astray = True
        elif self._before_text.search(bare) if odd else self._doubled.fullmatch(bare):
            # One of two quotes alone may stand for a delimiter.
            self._stray = len(self.cells)

    def _quoted_part(self, line: str, position: int) -> tuple[int, bool]:
        """Move up to behind the closing quote; where, and whether there is one in the line."""
        end = line.find(self._quote, position)
        while True:
            if 0 <= end < position:
                end = line.find(self._quote, position)
            escaped = line.find(self._escape, position, end if end >= 0 else len(line)) if self._escape else -1
            if escaped >= 0:
                self._take(line[position:escaped] + self._meant(line[escaped + 1 : escaped + 2]))
                position = escaped + 2
                # A CR LF that is escaped is one line end.
                continue
            if end < 0:
                self._take(line[position:])
                return len(line), False
            doubled = line.startswith(self._quote, end + 1)
            self._take(line[position : end + doubled])
            position = end + 1 + doubled
            if not doubled:
                return position, True

    def _plain_part(self, line: str, body: str, position: int) -> int:
        """Take the text up to the next delimiter; where that is, or -1."""
        # Looked for anew only where an escape made it text: a cell of escapes alone may be of any length.
        end = body.find(self._delimiter, position)
        while True:
            if 0 <= end < position:
                end = body.find(self._delimiter, position)
            escaped = body.find(self._escape, position, end if end >= 0 else len(body)) if self._escape else -1
            if escaped < 0:
                self._take(body[position : len(body) if end < 0 else end])
                return end
            if escaped + 1 >= len(body):
                self._take(body[position:escaped] + line[len(body) :])
                self.inside = len(line) > len(body)
                return -1
            self._take(body[position:escaped] + self._meant(body[escaped + 1]))
            position = escaped + 2

    def _meant(self, sign: str) -> str:
        return MEANT.get(sign, sign) if self._escape == "\\" else sign

    def _take(self, text: str) -> None:
        if self._keep:
            self._parts.append(text)
