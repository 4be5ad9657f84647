"""One reading of a delimited file: by pyarrow wherever it can, and only where no record can be lost or shifted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from metrics.encoding import BLANKS, text_array
from metrics.errors import InputError
from metrics.reading.assembly import assemble, check_names, refuse_no_records
from metrics.reading.charset import common_name, encoding_of
from metrics.reading.dialect import EDGE
from metrics.reading.faults import Fault, Opener, find_fault, longest_record
from metrics.reading.layout import Choices, Layout, trimmed_end
from metrics.reading.lexer import records, text_lines
from metrics.reading.opening import Opening, decode, known_codec, open_file, telling_doubt
from metrics.reading.origin import read_up_to
from metrics.reading.slow import read_slowly
from metrics.reading.tail import bytes_before, end_of_records, is_tail, refuse_totals, totals
from metrics.reading.utf8 import Utf8Stream
from metrics.table import Column, Source, Table
from metrics.wording import counted

_BLOCK = 1 << 21
"""Bytes parsed at a time: larger than pyarrow's default, for every block brings dictionaries to be unified."""
_LARGEST_BLOCK = (1 << 31) - 1
_FOREIGN = 1 << 16
_ESCAPED = re.compile(r"\\(.|\Z)", re.DOTALL)
_APOSTROPHES = r"^'([^']|'')*''([^']|'')*'$"
_WITHIN_APOSTROPHES = re.compile(rf"(?:^|{EDGE})'", re.MULTILINE)
_DIVIDES = re.compile(r"[\t;|]|,(?!\s)")
_NUMBER = re.compile(r"[+-]?[\d.,]*\d", re.ASCII)
_NEAR_HEADER = 5
_FEW = 4


class _UnexpectedBytes(Exception):
    """Bytes that are not UTF-8, in a file whose sample was plain ASCII."""


@dataclass(frozen=True)
class _Escapes:
    """What backslashes stand before: signs that need one, other backslashes, or other text."""

    signs: int = 0
    doubled: int = 0
    others: int = 0

    @property
    def consistent(self) -> bool:
        """Whether each backslash may be an escape."""
        return bool(self.signs or self.doubled) and not self.others


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
    _seen: Opening | None = None
    _last: int | None = None

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
        if choices.escape is None and self._escapes(quote).consistent:
            yield replace(choices, escape="\\")
        if choices.quote is None and self._within_apostrophes():
            yield replace(choices, quote="'")
            if choices.escape is None and self._escapes("'").consistent:
                yield replace(choices, quote="'", escape="\\")

    def _read(self, encoding: str | None) -> Table:
        self._notes = []
        self._encoding = encoding
        opening, found = open_file(self.name, self.opened, self.choices, encoding)
        self._seen, self._encoding = opening, opening.charset.encoding
        names = found.names
        if "\ufffd" in "".join(names):
            # pyarrow skips the header unseen.
            self._raise_fault(found, None)
        check_names(trimmed_end(names) or names, self.name, found.header.line)
        if found.titles:
            self._notes.append(f"{counted(found.titles, 'line')} before the header left out")
        last = None
        if self.choices.footer_lines:
            last = end_of_records(self.opened, self._encoding, self.choices.footer_lines)
            self._notes.append(f"{counted(self.choices.footer_lines, 'line')} after the records left out")
        self._last = last
        cells = self._cells(found, last)
        if not len(cells[0]):
            raise refuse_no_records(self.name)
        columns = []
        for column in names:
            # One column at a time is held twice, no more.
            columns.append(Column.from_arrow(column, cells.pop(0), dense=True))
        self._refuse_ambiguous(columns, found, self._last)
        columns = self._checked(columns, found)
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

    def _cells(self, found: Layout, last: int | None) -> list[pa.ChunkedArray]:
        """The cells of every column, once it is sure that no record was lost. Raises InputError."""
        try:
            cells = self._parsed(found, last) if found.dialect.plain else self._slowly(found, last)
        except _Tail as tail:
            self._notes.append(f"lines from {tail.line} on, after the records, left out")
            last = self._last = tail.line - 1
            cells = self._parsed(found, last) if found.dialect.plain else self._slowly(found, last)
        return cells

    def _slowly(self, found: Layout, last: int | None) -> list[pa.ChunkedArray]:
        self._raise_fault(found, last)
        cells = read_slowly(self.opened, self._codec, found, last)
        if cells is None:
            raise self._indivisible()
        return cells

    @property
    def _codec(self) -> str:
        assert self._encoding is not None
        return self._encoding

    def _parsed(self, found: Layout, last: int | None) -> list[pa.ChunkedArray]:
        assert self._seen is not None
        dialect = found.dialect
        limit = None if last is None else bytes_before(self.opened, self._codec, last)
        only_header = self._seen.complete and len(found.records) == 1
        multiline = bool(dialect.quote) and dialect.quote in self._seen.text
        ignore = found.width > 1 or self.choices.blank_lines == "nothing"
        block = _BLOCK
        while True:
            cells = None
            with self.opened() as raw:
                stream = Utf8Stream(raw, self._codec, dialect, limit)
                with suppress(pa.ArrowInvalid, UnicodeDecodeError):
                    cells = _arrow(stream, found, multiline, block, ignore)
            if stream.quoted and not multiline:
                # A quote after the sample: line ends may be quoted too.
                multiline = True
                continue
            if cells is not None and not self._doubtful(cells, stream, dialect.quote, multiline):
                break
            self._raise_fault(found, last)
            if cells is not None:
                break
            if only_header:
                raise refuse_no_records(self.name)
            needed = min(longest_record(self.opened, self._codec, dialect) + 1, _LARGEST_BLOCK)
            if needed <= block:
                raise self._indivisible()
            block = needed
        if stream.nul:
            self._notes.append("NUL characters left out")
        if found.width == 1 and self.choices.delimiter is None:
            self._check_one_column(cells[0], found)
        if found.width == 1 and not ignore and self._has_blank_lines(cells[0], found):
            return self._parsed_without_blank(found, last)
        return cells

    def _doubtful(self, cells: list[pa.ChunkedArray], stream: Utf8Stream, quote: str, multiline: bool) -> bool:
        """Whether a record may have been lost or a quote misread: a second look tells."""
        return stream.loose or (multiline and _left_open(cells, stream, quote))

    def _refuse_ambiguous(self, columns: list[Column], found: Layout, last: int | None) -> None:
        """Raise InputError where a reading without fault is not the only one."""
        quote = found.dialect.quote
        held = pa.chunked_array([text_array([column.name for column in columns]), *(one.values for one in columns)])
        escapes = ("\\\\", "\\" + quote) if quote else ("\\\\",)
        if (
            self.choices.escape is None
            and any(_holds(held, signs) for signs in escapes)
            and self._escapes(quote).consistent
        ):
            self._refuse_escapes(found, last)
        if self.choices.quote is not None or quote == "'":
            return
        if _holds(held, "''") and pc.any(pc.match_substring_regex(held, _APOSTROPHES)).as_py():
            # Where double quotes open cells too, either may be the quote; else the other reading is tried.
            self.settled = self._some_line_has(quote)
            raise InputError(
                "cells between apostrophes hold doubled ones, as if they were quoted so",
                remedy="choose the quote character",
                file=self.name,
                row=self._line_with("''"),
            )

    def _some_line_has(self, text: str) -> bool:
        with self.opened() as stream, text_lines(stream, self._codec, "replace") as lines:
            return any(text in line for line in lines)

    def _refuse_escapes(self, found: Layout, last: int | None) -> None:
        other = replace(found.dialect, escape="\\")
        if find_fault(self.name, self.opened, self._codec, other, found.width, found.start, last, found.rows):
            return
        # A file all of whose quotes have a backslash before them, and whose backslashes have signs behind: escapes.
        self.settled = not self._every_quote_escaped(found.dialect.quote)
        raise InputError(
            "each backslash in the file may be text, or make the sign after it text",
            remedy="choose whether the backslash is an escape sign",
            file=self.name,
            row=self._line_with("\\"),
        )

    def _every_quote_escaped(self, quote: str) -> bool:
        sign = re.escape(quote)
        bare, escaped = re.compile(rf"(?<!\\){sign}"), re.compile(rf"\\{sign}")
        some = False
        with self.opened() as stream, text_lines(stream, self._codec, "replace") as lines:
            for line in lines:
                if quote and bare.search(line):
                    return False
                some = some or bool(escaped.search(line))
        return some and bool(quote)

    def _raise_fault(self, found: Layout, last: int | None) -> None:
        assert self._seen is not None
        fault = find_fault(
            self.name, self.opened, self._codec, found.dialect, found.width, found.start, last, found.rows
        )
        if fault is None:
            return
        if fault.undecodable and not self._seen.charset.certain and self.choices.encoding is None:
            raise _UnexpectedBytes
        if last is None and self.choices.footer_lines is None and self._ends_at(fault, found):
            raise _Tail(fault.error.row or 0)
        raise fault.error

    def _ends_at(self, fault: Fault, found: Layout) -> bool:
        line = fault.error.row
        if fault.undecodable or line is None or found.width == 1 or line <= found.start + found.rows:
            return False
        return is_tail(self.opened, self._codec, found.dialect, line, found.width)

    def _checked(self, columns: list[Column], found: Layout) -> list[Column]:
        """The columns without those that only delimiters at the ends of lines make. Raises InputError."""
        kept = len(trimmed_end(found.names))
        if 0 < kept < len(columns):
            if any(any(column.labels) for column in columns[kept:]):
                check_names(found.names, self.name, found.header.line)
            self._notes.append("delimiters at the ends of the lines left out")
            columns = columns[:kept]
        if self.choices.header_lines is None:
            self._refuse_header_again(columns, found)
        names = check_names([column.name for column in columns], self.name, found.header.line)
        columns = [replace(column, name=name) for column, name in zip(columns, names, strict=True)]
        while self.choices.footer_lines is None and (total := totals(columns)) is not False:
            if total is None:
                raise refuse_totals(self.name, self._line_of(found, len(columns[0].codes) - 1))
            self._notes.append("a line of totals or notes after the records left out")
            above = np.arange(len(columns[0].codes) - 1)
            columns = [column.take(above) for column in columns]
        return columns

    def _refuse_header_again(self, columns: list[Column], found: Layout) -> None:
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
            row=self._line_of(found, int(same.argmax())),
        )

    def _line_of(self, found: Layout, record: int) -> int:
        dialect = found.dialect
        with self.opened() as stream, text_lines(stream, self._codec, "replace") as lines:
            below = islice(lines, found.start, None)
            every = records(below, dialect.separator, dialect.quote, escape=dialect.escape, keep=False)
            body = (one for one in islice(every, found.rows, None) if found.width == 1 or not one.blank)
            return next(islice(body, record, None)).line + found.start

    def _line_with(self, text: str) -> int:
        with self.opened() as stream, text_lines(stream, self._codec, "replace") as lines:
            return next(number for number, line in enumerate(lines, 1) if text in line)

    def _escapes(self, quote: str) -> _Escapes:
        """What backslashes stand before in the whole file."""
        signs = doubled = others = 0
        with self.opened() as stream, text_lines(stream, self._codec, "replace") as lines:
            for line in lines:
                if "\\" not in line:
                    continue
                for after in _ESCAPED.findall(line):
                    if after == "\\":
                        doubled += 1
                    elif after in (quote, "\r", "\n") or (after and not after.isalnum() and after not in " ._-"):
                        signs += 1
                    else:
                        others += 1
        return _Escapes(signs, doubled, others)

    def _within_apostrophes(self) -> bool:
        """Whether an apostrophe begins a cell somewhere."""
        with self.opened() as stream, text_lines(stream, self._codec, "replace") as lines:
            return any(_WITHIN_APOSTROPHES.search(line) for line in lines)

    def _has_blank_lines(self, cells: pa.ChunkedArray, found: Layout) -> bool:
        """Whether blank lines of one column are nothing; False if there are none. Raises InputError if in doubt."""
        if self.choices.blank_lines == "cells" or not any(
            pc.index(chunk.dictionary, text_array([""])[0]).as_py() >= 0 for chunk in cells.chunks
        ):
            return False
        dialect = found.dialect
        blank, quoted = None, False
        with self.opened() as stream, text_lines(stream, self._codec, "replace") as lines:
            below = islice(lines, found.start, None)
            every = records(below, dialect.separator, dialect.quote, escape=dialect.escape)
            for record in islice(every, found.rows, None):
                if record.blank:
                    blank = blank or record.line + found.start
                else:
                    quoted |= record.cells == [""]
        if blank is None:
            return False
        if quoted and blank > found.start + _NEAR_HEADER:
            return True
        raise InputError(
            "the line is empty, which in a table of one column may be an empty cell or nothing",
            remedy="choose what empty lines are",
            file=self.name,
            row=blank,
        )

    def _check_one_column(self, cells: pa.ChunkedArray, found: Layout) -> None:
        """Raise InputError where a line of a table taken for one column may have several cells."""
        if not any(
            pc.any(pc.match_substring_regex(chunk.dictionary, r"[\t;|]|,\S|,$")).as_py() for chunk in cells.chunks
        ):
            return
        dialect = found.dialect
        labels = {label.strip() for chunk in cells.chunks for label in chunk.dictionary.to_pylist()}
        commas = sum("," in label and bool(_NUMBER.fullmatch(label)) for label in labels)
        # One number with a comma among many without may be two cells.
        exempt = commas > 1 or len(labels) < _FEW
        with self.opened() as stream, text_lines(stream, self._codec, "replace") as lines:
            every = records(islice(lines, found.start, None), dialect.separator, dialect.quote)
            for record in islice(every, found.rows, None):
                cell = record.cells[0]
                if record.plain and _DIVIDES.search(cell) and not (exempt and _NUMBER.fullmatch(cell.strip())):
                    raise InputError(
                        "the line may hold several cells though the table seems to have one column",
                        remedy="choose the delimiter, or that there is none",
                        file=self.name,
                        row=record.line + found.start,
                    )

    def _parsed_without_blank(self, found: Layout, last: int | None) -> list[pa.ChunkedArray]:
        self._notes.append("empty lines left out")
        reader = replace(self, choices=replace(self.choices, blank_lines="nothing"), _notes=[])
        return reader._parsed(found, last)

    def _indivisible(self) -> InputError:
        return InputError(
            "the file cannot be divided into records",
            remedy="choose the delimiter, quote character and encoding that it uses",
            file=self.name,
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


class _Tail(Exception):
    """The records end before this line, and footers follow."""

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line


def _arrow(stream: Utf8Stream, found: Layout, multiline: bool, block: int, ignore: bool) -> list[pa.ChunkedArray]:
    places = [str(place) for place in range(found.width)]
    text = pa.dictionary(pa.int32(), pa.string())
    table = pa.csv.read_csv(
        pa.PythonFile(stream, mode="r"),
        read_options=pa.csv.ReadOptions(
            block_size=block,
            column_names=places,
            skip_rows=found.start,
            skip_rows_after_names=found.rows,
        ),
        parse_options=pa.csv.ParseOptions(
            delimiter=found.dialect.separator,
            quote_char=found.dialect.quote or False,
            newlines_in_values=multiline,
            # In a table of one column an empty line may be an empty cell; elsewhere it cannot be a record.
            ignore_empty_lines=ignore,
        ),
        convert_options=pa.csv.ConvertOptions(
            column_types=dict.fromkeys(places, text),
            null_values=[],
            strings_can_be_null=False,
            # Whether the bytes are UTF-8 is asked below of the distinct values instead of every cell.
            check_utf8=False,
        ),
    )
    columns: list[pa.ChunkedArray] = table.columns
    for column in columns:
        for chunk in column.chunks:
            chunk.dictionary.validate(full=True)
    return columns


def _holds(values: pa.ChunkedArray, text: str) -> bool:
    return bool(pc.any(pc.match_substring(values, text)).as_py())


def _left_open(cells: list[pa.ChunkedArray], stream: Utf8Stream, quote: str) -> bool:
    """Whether the last quote may never have been closed: pyarrow silently takes the rest of the file for a cell.

    Then the file ends with a quote and exactly what the last cell holds.
    """
    if not len(cells[-1]):
        return True
    last = cells[-1][-1].as_py()
    rest = (quote + last.replace(quote, 2 * quote)).encode()
    tail = stream.tail
    return bool(tail.endswith(rest) if len(rest) <= len(tail) else rest.endswith(tail))
