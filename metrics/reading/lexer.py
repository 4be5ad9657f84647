"""Delimited text cut into records exactly as pyarrow's CSV reader cuts it, with the line each record starts on.

A quote counts at the start of a field alone; doubled it is a quote, and what follows the closing one up to the
delimiter belongs to the cell. Lines end with LF, CR LF or CR.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

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


@contextmanager
def text_lines(stream: IO[bytes], encoding: str, errors: str = "strict") -> Iterator[Iterator[str]]:
    """Lines with their ends, decoded as they are read; without a byte-order mark. The stream stays open."""
    wrapper = io.TextIOWrapper(stream, encoding=encoding, errors=errors, newline="")
    try:
        yield (line.removeprefix("\ufeff") if number == 0 else line for number, line in enumerate(wrapper))
    finally:
        wrapper.detach()


def sample_lines(text: str) -> Iterator[str]:
    """Lines of a text already decoded."""
    yield from io.StringIO(text.removeprefix("\ufeff"), newline="")


def records(lines: Iterable[str], delimiter: str, quote: str, *, keep: bool = True) -> Iterator[Record]:
    """The records of a text, empty lines among them. `quote` may be empty: then nothing is quoted.

    With `keep` false the cells of quoted records come empty, so that memory stays small on any input.
    """
    start, inside = 0, False
    cells: list[str] = []
    parts: list[str] = []
    for number, line in enumerate(lines, 1):
        if not inside:
            if not quote or quote not in line:
                body = line.rstrip("\r\n")
                yield Record(number, body.split(delimiter), blank=not body)
                continue
            start, cells, parts = number, [], []
        inside = _scan(line, delimiter, quote, cells, parts, inside, keep)
        if not inside:
            yield Record(start, cells)
    if inside:
        cells.append("".join(parts))
        yield Record(start, cells, closed=False)


def _scan(line: str, delimiter: str, quote: str, cells: list[str], parts: list[str], inside: bool, keep: bool) -> bool:
    """Move over one line, filling `cells` and the `parts` of the open cell; whether a quote stays open."""
    body = line.rstrip("\r\n")
    position = 0
    fresh = not inside
    while True:
        if inside:
            end = line.find(quote, position)
            if end < 0:
                if keep:
                    parts.append(line[position:])
                return True
            doubled = line.startswith(quote, end + 1)
            if keep:
                parts.append(line[position : end + doubled])
            position = end + 1 + doubled
            inside = doubled
            continue
        if fresh and body.startswith(quote, position):
            inside, fresh = True, False
            position += 1
            continue
        end = body.find(delimiter, position)
        if keep:
            parts.append(body[position : len(body) if end < 0 else end])
        cells.append("".join(parts))
        parts.clear()
        if end < 0:
            return False
        position, fresh = end + 1, True
