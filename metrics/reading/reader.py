"""One reading of a delimited file: by pyarrow wherever it can, and only where no record can be lost or shifted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa

from metrics.errors import InputError
from metrics.reading.assembly import assemble, check_names, refuse_no_records
from metrics.reading.body import Body
from metrics.reading.charset import common_name, encoding_of
from metrics.reading.decorated import refuse_decorated
from metrics.reading.doubts import refuse_gaps
from metrics.reading.escapes import (
    beside_blanks,
    find_doubt,
    find_escapes,
    marked_line,
    refuse_marked,
    refuse_other_quotes,
    refuse_quotes_of_two_kinds,
    within_apostrophes,
)
from metrics.reading.faults import Fault, Opener
from metrics.reading.headers import contrast
from metrics.reading.kinds import refuse_other_kinds
from metrics.reading.layout import Choices, Layout, named
from metrics.reading.line_ends import refuse_line_ends
from metrics.reading.one_column import (
    check_one_column,
    holds_blank_lines,
    refuse_lines_in_cells,
    refuse_lines_of_blanks,
)
from metrics.reading.opening import Opening, decode, known_codec, open_file, telling_doubt
from metrics.reading.origin import read_up_to
from metrics.reading.parsing import Parsed, indivisible, parse
from metrics.reading.parted import (
    refuse_group_rows,
    refuse_numbered_names,
    refuse_parted,
    refuse_records_of_two_lines,
)
from metrics.reading.pool import returned_memory
from metrics.reading.slow import read_slowly
from metrics.reading.sparse import refuse_signs, refuse_sparse
from metrics.reading.strangers import (
    of_delimiters_alone,
    refuse_comments_between,
    refuse_delimiters_alone,
    refuse_header_again,
    refuse_other_header,
    refuse_totals_between,
)
from metrics.reading.strays import refuse_strays
from metrics.reading.swallowed import find_suspects, refuse_swallowed
from metrics.reading.tail import end_of_records, is_tail, refuse_short
from metrics.reading.totals import refuse_notes_at_end, refuse_totals, totals
from metrics.table import Column, Source, Table
from metrics.wording import counted

_FOREIGN = 1 << 16
_SAMPLE = 60
_MANY_RECORDS = 1 << 20
"""From here on it is worth the time to give memory back after every column."""


class _UnexpectedBytes(Exception):
    """Bytes that the sample does not explain: it is plain ASCII, or a few words of an older encoding."""


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
    letters: tuple[str, ...] = ()
    """What the columns of a sheet are called; by default they are counted."""
    tried: bool = False
    """Whether the choices are tried for want of another reading."""
    header: int = 0
    """The line of the header, once it is found."""
    settled: bool = False
    """Whether the file was refused though it divides: in doubt, or because two readings hold."""
    _notes: list[str] = field(default_factory=list)
    _encoding: str | None = None
    _quote: str = '"'

    def table(self) -> Table:
        """The table. Raises InputError naming the first line that cannot be read."""
        encoding = None if self.choices.encoding is None else known_codec(self.choices.encoding, self.name)
        with suppress(_UnexpectedBytes):
            return self._read(encoding)
        # The foreign bytes of the whole file tell the encoding.
        with telling_doubt(self.name, self.opened):
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
        choices, quote = self.choices, self._quote if self.choices.quote is None else self.choices.quote
        if quote and beside_blanks(self.opened, self._encoding, quote):
            yield replace(choices, spaced=True)
        if choices.escape is None and find_escapes(self.opened, self._encoding, quote).only:
            yield replace(choices, escape="\\")
        if choices.quote is None and within_apostrophes(self.opened, self._encoding):
            yield replace(choices, quote="'")
            if choices.escape is None and find_escapes(self.opened, self._encoding, "'").only:
                yield replace(choices, quote="'", escape="\\")

    def _read(self, encoding: str | None) -> Table:
        self._notes = []
        self._encoding = encoding
        opening, found = open_file(self.name, self.opened, self.choices, encoding)
        if self.choices.delimiter is None and self.choices.header_lines != 0:
            refuse_decorated(self.name, found)
            refuse_gaps(self.name, found.header, found.records[1:])
        self._encoding = opening.charset.encoding
        if encoding is None and not opening.complete and opening.charset.likely:
            raise _UnexpectedBytes
        self.header = found.header.line
        self._quote = found.dialect.quote
        if found.dialect.spaced and found.dialect.delimiter is None:
            raise indivisible(self.name)
        body = Body(self.name, self.opened, self._encoding, found)
        names = found.names
        if "\ufffd" in "".join(names):
            # pyarrow skips the header unseen.
            self._raise_fault(body, opening)
        self._check_names([names[place] for place in named(names)], found)
        if found.titles:
            self._notes.append(f"{counted(found.titles, 'line')} before the header left out")
        if self.choices.footer_lines:
            body = replace(body, last=end_of_records(self.opened, self._encoding, self.choices.footer_lines))
            self._notes.append(f"{counted(self.choices.footer_lines, 'line')} after the records left out")
        with returned_memory() as give_back:
            try:
                cells = self._cells(body, opening)
            except _Tail as tail:
                self._notes.append(f"lines from {tail.line} on, after the records, left out")
                body = replace(body, last=tail.line - 1)
                cells = self._cells(body, opening)
            if not len(cells[0]):
                raise refuse_no_records(self.name)
            marked = marked_line(body, cells[0])
            asked = self.choices.quote is not None and not self.tried
            suspects = [] if asked else find_suspects(cells, body)
            columns = []
            for column in names:
                # One column at a time is held twice, no more.
                columns.append(Column.from_arrow(column, cells.pop(0), dense=True))
                if len(columns[-1].codes) >= _MANY_RECORDS:
                    give_back()
        doubt = find_doubt(body, columns, self.choices)
        if doubt is not None:
            self.settled = doubt.settled
            raise doubt.error
        refuse_swallowed(suspects, columns, body)
        columns = self._checked(columns, body)
        refuse_marked(self.name, marked)
        refuse_other_quotes(body, columns, self.choices.quote)
        if not asked:
            refuse_quotes_of_two_kinds(body, columns)
        dialect = found.dialect
        if dialect.spaced:
            self._notes.append("blanks beside quotes left out")
        if found.ruled:
            self._notes.append("a rule under the header left out")
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
        # In a table of one column an empty line may be an empty cell; elsewhere it cannot be a record.
        ignore = found.width > 1 or self.choices.blank_lines == "nothing"
        parsed = self._parsed(body, seen, ignore)
        # All lines divide: what is in doubt from here on is no reason to divide them in another way.
        self.settled = True
        if found.width == 1 and self.choices.delimiter is None:
            check_one_column(body, parsed.cells[0])
        if found.width == 1 and self.letters:
            refuse_lines_in_cells(body, parsed.cells[0])
        if found.width == 1 and self.choices.blank_lines != "cells":
            refuse_lines_of_blanks(body, parsed.cells[0])
        if not ignore and self.choices.blank_lines != "cells" and holds_blank_lines(body, parsed.cells[0]):
            self._notes.append("empty lines left out")
            parsed = self._parsed(body, seen, True)
        if parsed.nul:
            self._notes.append("NUL characters left out")
        return parsed.cells

    def _parsed(self, body: Body, seen: Opening, ignore_blank: bool) -> Parsed:
        if body.found.dialect.plain:
            return parse(body, seen, lambda: self._raise_fault(body, seen), ignore_blank=ignore_blank)
        self._raise_fault(body, seen)
        slowly = read_slowly(self.opened, body.encoding, body.found, body.last, ignore_blank)
        if slowly is None:
            raise indivisible(self.name)
        return Parsed(slowly, False)

    def _raise_fault(self, body: Body, seen: Opening) -> None:
        fault = body.fault()
        if fault is None:
            return
        if fault.undecodable and not seen.charset.certain and self.choices.encoding is None:
            raise _UnexpectedBytes
        if body.last is None and self.choices.footer_lines is None:
            ends = self._ends_at(fault, body)
            if ends:
                raise _Tail(fault.error.row or 0)
            if ends is None:
                raise refuse_short(fault.error)
        raise fault.error

    def _ends_at(self, fault: Fault, body: Body) -> bool | None:
        line, found = fault.error.row, body.found
        if fault.undecodable or line is None or found.width == 1 or line <= found.start + found.rows:
            return False
        above = [record.cells for record in found.records[1:] if record.line < line]
        return is_tail(self.opened, body.encoding, found.dialect, line, found.width, above)

    def _checked(self, columns: list[Column], body: Body) -> list[Column]:
        """The columns without those that only delimiters at the ends of lines make. Raises InputError."""
        found = body.found
        kept = named(found.names)
        if len(kept) < len(columns):
            if any(any(column.labels) for place, column in enumerate(columns) if place not in kept):
                self._check_names(found.names, found)
            self._notes.append("delimiters at the ends of the lines left out")
            columns = [columns[place] for place in kept]
        if found.width > 1 and self.choices.blank_lines != "cells":
            columns, body = self._without_empty_records(columns, body)
        if self.choices.header_lines != 0:
            refuse_header_again(columns, body)
        if self.choices.header_lines is None:
            refuse_other_header(columns, body)
            refuse_parted(columns, body)
            refuse_group_rows(columns, body)
            refuse_numbered_names(columns, body)
            refuse_other_kinds(columns, body)
            refuse_records_of_two_lines(columns, body)
        if self.choices.quote is None:
            refuse_line_ends(columns, body)
        names = self._check_names([column.name for column in columns], found)
        columns = [replace(column, name=name) for column, name in zip(columns, names, strict=True)]
        while self.choices.footer_lines is None and (total := totals(columns, body)) is not False:
            if total is None:
                raise refuse_totals(self.name, body.line_of(len(columns[0].codes) - 1))
            self._notes.append("a line of totals or notes after the records left out")
            above = np.arange(len(columns[0].codes) - 1)
            columns = [column.take(above) for column in columns]
        if self.choices.footer_lines is None:
            refuse_totals_between(columns, body)
            refuse_comments_between(columns, body)
            refuse_signs(columns, body)
            refuse_strays(columns, body)
            refuse_sparse(columns, body)
            refuse_notes_at_end(columns, body)
        return columns

    def _without_empty_records(self, columns: list[Column], body: Body) -> tuple[list[Column], Body]:
        empty = of_delimiters_alone(columns, body)
        if not len(empty):
            return columns, body
        if self.choices.blank_lines is None:
            refuse_delimiters_alone(body, int(empty[0]))
        self._notes.append(f"{counted(len(empty), 'line')} of delimiters alone left out")
        kept = np.delete(np.arange(len(columns[0].codes)), empty)
        return [column.take(kept) for column in columns], replace(body, without=frozenset(empty.tolist()))

    def _check_names(self, names: list[str], found: Layout) -> list[str]:
        """The names, trimmed. Raises InputError, which tells a name only where the header is no record by mistake."""
        try:
            return check_names(names, self.name, found.header.line, self._called, divided=not self.letters)
        except InputError as error:
            below = [record.cells for record in found.records[1:_SAMPLE]]
            if error.column is None or contrast(found.header.cells, below) > 0:
                raise
            refused = error
        raise InputError(refused.problem, remedy=refused.remedy, file=refused.file, row=refused.row)

    def _called(self, position: int) -> str:
        return f"column {self.letters[position - 1] if self.letters else position}"

    def _foreign_lines(self) -> list[bytes]:
        """Lines with bytes above ASCII, as many as a sample holds."""
        found: list[bytes] = []
        held, rest = 0, b""
        with self.opened() as stream:
            while held < _FOREIGN and (chunk := stream.read(1 << 20)):
                *lines, rest = (rest + chunk).replace(b"\r", b"\n").split(b"\n")
                foreign = [line for line in lines if not line.isascii()]
                found += foreign
                held += sum(map(len, foreign))
        return found if rest.isascii() else [*found, rest]
