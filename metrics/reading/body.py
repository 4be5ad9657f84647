"""A delimited file whose layout is known, for the second looks that tell lines and settle doubts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice

from metrics.errors import InputError
from metrics.reading.dialect import Dialect
from metrics.reading.faults import Fault, Opener, find_fault, longest_record
from metrics.reading.layout import Layout
from metrics.reading.lexer import Record, text_lines
from metrics.reading.tail import bytes_before


@dataclass(frozen=True)
class Body:
    """The records of a file: how it divides, the last line that is read, None for all, and which are left out."""

    name: str
    opened: Opener
    encoding: str
    found: Layout
    last: int | None = None
    without: frozenset[int] = frozenset()
    """Records, counted from 0, that are none."""

    def __post_init__(self) -> None:
        """Raise InputError where the header is the last that is read."""
        if self.last is not None and self.last <= self.found.start + self.found.rows:
            raise InputError(
                "no record is left before the lines that are left out at the end",
                remedy="choose fewer",
                file=self.name,
            )

    @property
    def header_bytes(self) -> int:
        """Bytes (as UTF-8, without NUL) up to the first record; none where a name holds a line end."""
        if any("\n" in name or "\r" in name for name in self.found.names):
            return 0
        return bytes_before(self.opened, self.encoding, self.found.start + self.found.rows)

    @property
    def limit(self) -> int | None:
        """Bytes (as UTF-8, without NUL) up to the end of the last line read; None for all of them."""
        return None if self.last is None else bytes_before(self.opened, self.encoding, self.last)

    def fault(self, dialect: Dialect | None = None) -> Fault | None:
        """The first fault, in this dialect or another."""
        found = self.found
        return find_fault(
            self.name,
            self.opened,
            self.encoding,
            dialect or found.dialect,
            found.width,
            found.start,
            self.last,
            found.rows,
        )

    def longest_record(self) -> int:
        """Bytes that a reader must hold at once to see any record whole."""
        return longest_record(self.opened, self.encoding, self.found.dialect)

    @contextmanager
    def lines(self) -> Iterator[Iterator[str]]:
        """All lines of the file, with their ends."""
        with self.opened() as stream, text_lines(stream, self.encoding, "replace") as lines:
            yield lines

    @contextmanager
    def records(self, *, keep: bool = True) -> Iterator[Iterator[tuple[int, Record]]]:
        """The records below the header, each with its line; without cells of quoted ones unless `keep`."""
        found = self.found
        with self.lines() as lines:
            below = islice(lines, found.start, None)
            every = found.dialect.records(below, keep=keep)
            yield ((record.line + found.start, record) for record in islice(every, found.rows, None))

    @contextmanager
    def kept(self) -> Iterator[Iterator[tuple[int, Record]]]:
        """The records that are read, each with its line, without cells of quoted ones; counting begins at 0."""
        with self.records(keep=False) as every:
            filled = (found for found in every if self.found.width == 1 or not found[1].blank)
            yield (found for number, found in enumerate(filled) if number not in self.without)

    def line_of(self, number: int) -> int:
        """The line that a record, counted from 0, starts on."""
        with self.kept() as every:
            return next(islice(every, number, None))[0]

    def blank_before(self, line: int) -> bool:
        """Whether the line above one is blank."""
        with self.lines() as lines:
            return next(islice(lines, line - 2, None), "x").isspace()

    def line_with(self, text: str) -> int | None:
        """The first line that holds a text; None where none does."""
        with self.lines() as lines:
            return next((number for number, line in enumerate(lines, 1) if text in line), None)
