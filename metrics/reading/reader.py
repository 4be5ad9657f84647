"""One reading of a delimited file: by pyarrow wherever it can, and only where no record can be lost or shifted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from metrics.encoding import BLANKS, text_array
from metrics.errors import InputError
from metrics.reading.assembly import assemble, check_names, refuse_no_records
from metrics.reading.body import Body
from metrics.reading.charset import common_name, encoding_of
from metrics.reading.escapes import find_doubt, find_escapes, within_apostrophes
from metrics.reading.faults import Fault, Opener
from metrics.reading.layout import Choices, trimmed_end
from metrics.reading.one_column import check_one_column, holds_blank_lines
from metrics.reading.opening import Opening, decode, known_codec, open_file, telling_doubt
from metrics.reading.origin import read_up_to
from metrics.reading.parsing import indivisible, parse
from metrics.reading.slow import read_slowly
from metrics.reading.tail import end_of_records, is_tail, refuse_totals, totals
from metrics.table import Column, Source, Table
from metrics.wording import counted

_FOREIGN = 1 << 16


class _UnexpectedBytes(Exception):
    """Bytes that are not UTF-8, in a file whose sample was plain ASCII."""


class _Tail(Exception):
    """The records end before this line, and footers follow."""

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line


@dataclass
class Reader:
    """Reads a file by given choices, and knows in which other ways it may be read."""

    name: str
    opened: Opener
    choices: Choices
    compression: str | None
    settled: bool = False
    """Whether the file was refused because two readings hold."""
    _notes: list[str] = field(default_factory=list)
    _encoding: str | None = None

    def table(self) -> Table:
        """The table. Raises InputError naming the first line that cannot be read."""
        encoding = None if self.choices.encoding is None else known_codec(self.choices.encoding, self.name)
        with suppress(_UnexpectedBytes):
            return self._read(encoding)
        # The sample was plain ASCII; the foreign bytes further on tell the encoding.
        with telling_doubt(self.name):
            encoding = encoding_of(self._foreign_lines())
        return self._read(encoding)

    def others(self) -> Iterator[Choices]:
        """Other choices that signs in the file speak for, where the caller left them open."""
        if self.settled:
            return
        if self._encoding is None:
            with suppress(InputError), self.opened() as stream:
                head = read_up_to(stream, _FOREIGN)
                self._encoding = decode(self.name, head, len(head) < _FOREIGN, None).charset.encoding
        if self._encoding is None:
            return
        choices, quote = self.choices, '"' if self.choices.quote is None else self.choices.quote
        if choices.escape is None and find_escapes(self.opened, self._encoding, quote).consistent:
            yield replace(choices, escape="\\")
        if choices.quote is None and within_apostrophes(self.opened, self._encoding):
            yield replace(choices, quote="'")
            if choices.escape is None and find_escapes(self.opened, self._encoding, "'").consistent:
                yield replace(choices, quote="'", escape="\\")

    def _read(self, encoding: str | None) -> Table:
        self._notes = []
        self._encoding = encoding
        opening, found = open_file(self.name, self.opened, self.choices, encoding)
        self._encoding = opening.charset.encoding
        body = Body(self.name, self.opened, self._encoding, found)
        names = found.names
        if "\ufffd" in "".join(names):
            # pyarrow skips the header unseen.
            self._raise_fault(body, opening)
        check_names(trimmed_end(names) or names, self.name, found.header.line)
        if found.titles:
            self._notes.append(f"{counted(found.titles, 'line')} before the header left out")
        if self.choices.footer_lines:
            body = replace(body, last=end_of_records(self.opened, self._encoding, self.choices.footer_lines))
            self._notes.append(f"{counted(self.choices.footer_lines, 'line')} after the records left out")
        try:
            cells = self._cells(body, opening)
        except _Tail as tail:
            self._notes.append(f"lines from {tail.line} on, after the records, left out")
            body = replace(body, last=tail.line - 1)
            cells = self._cells(body, opening)
        if not len(cells[0]):
            raise refuse_no_records(self.name)
        columns = []
        for column in names:
            # One column at a time is held twice, no more.
            columns.append(Column.from_arrow(column, cells.pop(0), dense=True))
        doubt = find_doubt(body, columns, self.choices)
        if doubt is not None:
            self.settled = doubt.settled
            raise doubt.error
        columns = self._checked(columns, body)
        dialect = found.dialect
        source = Source(
            "csv",
            delimiter=dialect.delimiter,
            quote=dialect.quote,
            encoding=common_name(self._encoding),
            compression=self.compression,
            escape=dialect.escape,
            notes=tuple(self._notes),
        )
        return assemble(self.name, columns, source, self.choices.decimal, self.choices.missing)

    def _cells(self, body: Body, seen: Opening) -> list[pa.ChunkedArray]:
        """The cells of every column, once it is sure that no record was lost. Raises InputError."""
        found = body.found
        if not found.dialect.plain:
            self._raise_fault(body, seen)
            slowly = read_slowly(self.opened, body.encoding, found, body.last)
            if slowly is None:
                raise indivisible(self.name)
            return slowly
        # In a table of one column an empty line may be an empty cell; elsewhere it cannot be a record.
        ignore = found.width > 1 or self.choices.blank_lines == "nothing"
        parsed = parse(body, seen, lambda: self._raise_fault(body, seen), ignore_blank=ignore)
        if found.width == 1 and self.choices.delimiter is None:
            check_one_column(body, parsed.cells[0])
        if not ignore and self.choices.blank_lines != "cells" and holds_blank_lines(body, parsed.cells[0]):
            self._notes.append("empty lines left out")
            parsed = parse(body, seen, lambda: self._raise_fault(body, seen), ignore_blank=True)
        if parsed.nul:
            self._notes.append("NUL characters left out")
        return parsed.cells

    def _raise_fault(self, body: Body, seen: Opening) -> None:
        fault = body.fault()
        if fault is None:
            return
        if fault.undecodable and not seen.charset.certain and self.choices.encoding is None:
            raise _UnexpectedBytes
        if body.last is None and self.choices.footer_lines is None and self._ends_at(fault, body):
            raise _Tail(fault.error.row or 0)
        raise fault.error

    def _ends_at(self, fault: Fault, body: Body) -> bool:
        line, found = fault.error.row, body.found
        if fault.undecodable or line is None or found.width == 1 or line <= found.start + found.rows:
            return False
        return is_tail(self.opened, body.encoding, found.dialect, line, found.width)

    def _checked(self, columns: list[Column], body: Body) -> list[Column]:
        """The columns without those that only delimiters at the ends of lines make. Raises InputError."""
        found = body.found
        kept = len(trimmed_end(found.names))
        if 0 < kept < len(columns):
            if any(any(column.labels) for column in columns[kept:]):
                check_names(found.names, self.name, found.header.line)
            self._notes.append("delimiters at the ends of the lines left out")
            columns = columns[:kept]
        if self.choices.header_lines is None:
            self._refuse_header_again(columns, body)
        names = check_names([column.name for column in columns], self.name, found.header.line)
        columns = [replace(column, name=name) for column, name in zip(columns, names, strict=True)]
        while self.choices.footer_lines is None and (total := totals(columns)) is not False:
            if total is None:
                raise refuse_totals(self.name, body.line_of(len(columns[0].codes) - 1))
            self._notes.append("a line of totals or notes after the records left out")
            above = np.arange(len(columns[0].codes) - 1)
            columns = [column.take(above) for column in columns]
        return columns

    def _refuse_header_again(self, columns: list[Column], body: Body) -> None:
        """Raise InputError where a record repeats the header, as in files put behind one another."""
        if len(columns) < 2:
            return
        same: np.ndarray[tuple[int], np.dtype[np.bool_]] | None = None
        for column in columns:
            code = pc.index(column.values, text_array([column.name.strip(BLANKS)])[0]).as_py()
            if code < 0:
                return
            here = column.codes == code
            same = here if same is None else same & here
            if not same.any():
                return
        assert same is not None
        raise InputError(
            "the record repeats the header",
            remedy="remove the line, or choose 1 header line if it is a record",
            file=self.name,
            row=body.line_of(int(same.argmax())),
        )

    def _foreign_lines(self) -> list[bytes]:
        """Lines with bytes above ASCII, as many as a sample holds."""
        found: list[bytes] = []
        held, rest = 0, b""
        with self.opened() as stream:
            while held < _FOREIGN and (chunk := stream.read(1 << 20)):
                *lines, rest = (rest + chunk).split(b"\n")
                foreign = [line for line in lines if not line.isascii()]
                found += foreign
                held += sum(map(len, foreign))
        return found if rest.isascii() else [*found, rest]
