"""Reading delimited text by its plan: every record becomes one record, or the first line that does not is named."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from metrics.errors import InputError
from metrics.formatting import pluralize
from metrics.reading.checks import assemble, header_names, names_by_plan, refuse_no_records
from metrics.reading.dialect import SEPARATOR, csv_rows, quote_fault
from metrics.reading.encoding import decoding_error, utf8
from metrics.reading.limits import check_columns, check_distinct
from metrics.reading.proposal import Row
from metrics.reading.source import Content, ContentStream, InputSource, QuoteFound
from metrics.tables.dictionary_codes import BLANKS
from metrics.tables.read_plan import ReadPlan
from metrics.tables.table import Column, Table

_BLOCK = 1 << 21
"""Bytes parsed at a time: larger than pyarrow's default, for every block brings dictionaries to be unified."""
_SCANNED = 1 << 18
"""Bytes counted at a time: few enough to stay in the processor's cache."""
HEAD, _LONGEST_LINE = 1 << 21, 1 << 21
"""Bytes that contain the header and the first record, and characters of a line that is divided cell by cell."""
_LF, _CR = 10, 13
_LINE_END = re.compile(rb"\r\n|\r|\n")


@dataclass(frozen=True)
class RecordRange:
    """Position of the records in a text file."""

    header: list[str]
    """One name per column, as it stands."""
    width: int
    start: int
    """Bytes (as UTF-8) before the first record."""
    first: int
    """Line of the first record, from 1."""


@dataclass(frozen=True)
class PlannedFile:
    """A text file and the plan that it is read by."""

    source: InputSource
    plan: ReadPlan

    def decoding_error(self) -> InputError:
        """The error for bytes that are not text in the encoding of the plan."""
        return decoding_error(
            self.source.name, partial(self.source.chunks, self.plan.compression), self.plan.encoding or "utf-8"
        )

    @property
    def separator(self) -> str:
        """The single character that represents the delimiter."""
        delimiter = self.plan.delimiter or ""
        return delimiter if len(delimiter.encode()) == 1 else SEPARATOR

    def ignores_blank_lines(self, width: int) -> bool:
        """Whether a blank line is no record."""
        return width > 1 or self.plan.blank_lines == "nothing"

    def content(self) -> Content:
        """The whole file as `chunks` gives it, NUL included. Raises InputError."""
        is_unchanged = self.separator == self.plan.delimiter or not self.plan.delimiter
        if self.plan.compression is None and self.plan.encoding == "utf-8" and is_unchanged:
            content = self.source.content()
            if content[: len(codecs.BOM_UTF8)] != codecs.BOM_UTF8:
                return content
        buffer = io.BytesIO()  # Unlike a joined list of chunks, it holds them once.
        buffer.writelines(self.chunks())
        return buffer.getvalue()

    def chunks(self) -> Iterator[bytes]:
        """The file as UTF-8, divided by the separator; distinct values are checked later if it is kept in memory.

        Raises InputError where the file is not text in its encoding.
        """
        encoding, delimiter = self.plan.encoding or "utf-8", (self.plan.delimiter or "").encode()
        overlap, pending = len(delimiter) - 1, b""  # The end of a chunk may cut through a delimiter.
        decoder = codecs.getincrementaldecoder("utf-8")()
        try:
            for chunk in utf8(self.source.chunks(self.plan.compression), encoding):
                if not self.source.in_memory:
                    decoder.decode(chunk)
                if overlap > 0:
                    chunk = (pending + chunk).replace(delimiter, SEPARATOR.encode())
                    chunk, pending = chunk[:-overlap], chunk[-overlap:]
                yield chunk
            decoder.decode(b"", final=True)
            yield pending
        except UnicodeDecodeError:
            raise self.decoding_error() from None

    def rows(self, text: Iterable[str]) -> Any:
        """The strict reader of a text."""
        return csv_rows(text, self.separator, self.plan.quote, self.plan.escape)


def read(source: InputSource, plan: ReadPlan) -> Table:
    """The table of a text file by its plan. Raises InputError naming the first line that does not fit."""
    file = PlannedFile(source, plan)
    content = file.content()
    body = locate_records(file, content, complete=True)
    if "\0" in content[: body.start].decode(errors="replace").replace("\ufffd", "\0"):
        raise file.decoding_error()
    names, notes = names_by_plan(plan, body.header, source.name)
    end = _end(content, plan.footer_lines)
    if end <= body.start:
        raise refuse_no_records(source.name)
    records = partial(ContentStream, content, body.start, end)
    del content
    cells = _cells(file, body, records)
    del records
    _check_omitted(source.name, plan, body.header, cells)
    kept_columns = [cells[index] for index in range(body.width) if index + 1 not in plan.omitted_columns]
    del cells
    check_distinct(source.name, kept_columns)
    # One column at a time is held twice, no more.
    columns = [Column.from_arrow(name, kept_columns.pop(0), dense=True) for name in names]
    # No text contains NUL; distinct values are fewer to look through than bytes.
    if any(pc.any(pc.match_substring(column.values, "\0")).as_py() for column in columns):
        raise file.decoding_error()
    # Arrow keeps what reading took for what is read next; it may never be needed again.
    pa.default_memory_pool().release_unused()
    return assemble(source.name, columns, plan, notes)


def locate_records(file: PlannedFile, content: Content, *, complete: bool) -> RecordRange:
    """Find where the records begin, and the header. Raises InputError."""
    plan, name = file.plan, file.source.name
    start, n_skipped = _after_lines(content, 0, plan.skip_lines)
    header, width, header_height = _first_rows(file, content[start : start + HEAD], n_skipped + 1)
    if len(header) < plan.header_lines or n_skipped < plan.skip_lines:
        problem = f"the file has fewer lines than the {plan.header_lines:,} of its header"
        remedy = "change the number of lines before or in the header"
        raise InputError(problem if complete and start else "the file is empty", remedy=remedy, file=name)
    if not width:
        raise refuse_no_records(name)
    check_columns(name, width, header[0].line if header else None)
    for row in header if plan.names is None or len(plan.names) != width else ():
        n_fields = len(row.cells)
        if n_fields < width or any(cell.strip(BLANKS) for cell in row.cells[width:]):
            remedy = "correct the header, or choose how many lines it has and which delimiter divides them"
            problem = f"the header has {pluralize(n_fields, 'field')}, the first record {width:,}"
            raise InputError(problem, remedy=remedy, file=name, row=row.line)
    return RecordRange(
        header_names(header, width),
        width,
        _after_lines(content, start, header_height)[0],
        n_skipped + 1 + header_height,
    )


def _after_lines(content: Content, start: int, lines: int) -> tuple[int, int]:
    """The offset after some lines, and how many of them there are."""
    ends = [match.end() for _, match in zip(range(lines), _LINE_END.finditer(content, start), strict=False)]
    return (ends[-1] if ends else start), len(ends)


def _first_rows(file: PlannedFile, content: bytes, line: int) -> tuple[list[Row], int, int]:
    """The rows of the header, the cells of the first record, and the lines of the header. Raises InputError."""
    n_rows = file.plan.header_lines
    reader = file.rows(io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", errors="replace", newline=""))
    header: list[Row] = []
    n_lines = 0
    try:
        while len(header) < n_rows and (cells := next(reader, None)) is not None:
            if cells:
                header.append(Row(line + n_lines, cells))
            n_lines = reader.line_num
        width = next((len(cells) for cells in reader if cells), 0)
    except csv.Error as error:
        if not header or len(header) < n_rows or len(content) < HEAD:
            raise InputError(
                quote_fault(error, file.plan.quote),
                remedy="correct the quotes, or choose another quote or escape character, or none",
                file=file.source.name,
                row=line + n_lines,
            ) from None
        width = len(header[0].cells)
    return header, width, n_lines


def _end(content: Content, footer_lines: int) -> int:
    """Bytes before the last lines that are not blank."""
    end = len(content)
    while end and footer_lines:
        footer_lines -= 1
        while end and content[end - 1] in (_LF, _CR):
            end -= 1
        end = max(content.rfind(b"\n", 0, end), content.rfind(b"\r", 0, end)) + 1
    return end


class Scan:
    """Counts the records of a file from its bytes, chunk by chunk.

    `records`: lines that end outside quotes and are not blank, exact if `sound`. `quotes`: how many have passed.
    """

    def __init__(self, file: PlannedFile, width: int) -> None:
        self._quote = ord(file.plan.quote or "\0")
        self._inside = np.ones(256, dtype=bool)
        """Bytes that cannot precede a quote that opens a cell, nor follow one that closes it or is doubled."""
        self._inside[list((file.separator + file.plan.quote + "\r\n").encode())] = False
        self._ignores_blank = file.ignores_blank_lines(width)
        self._before = b"\n\n"
        self._regular = not file.plan.escape
        self._line_end_inside = False
        self.has_returns = False
        self.records = self.quotes = 0

    @property
    def sound(self) -> bool:
        """Whether every quote opens or closes a cell or is doubled, the last one is closed, and no CR stands alone."""
        return self._regular and self.quotes % 2 == 0

    @property
    def lines_in_cells(self) -> bool:
        """Whether line ends may occur within quotes."""
        return self._line_end_inside or not self.sound

    def finish(self) -> None:
        """Count the record that ends with the file."""
        self.records += self._before[-1] not in (_LF, _CR)
        self._regular &= self._before[-1] != _CR

    def add(self, content: bytes | memoryview) -> None:
        """Count further bytes."""
        for offset in range(0, len(content), _SCANNED):
            self._add(bytes(content[offset : offset + _SCANNED]))

    def _add(self, chunk: bytes) -> None:
        data = np.frombuffer(self._before + chunk, dtype=np.uint8)
        offset = len(self._before)
        quotes = np.flatnonzero(data[offset:] == self._quote) + offset
        line_ends = np.flatnonzero(data[offset:] == _LF) + offset
        opening, closing = quotes[self.quotes % 2 :: 2], quotes[1 - self.quotes % 2 :: 2]
        if data[offset - 1] == self._quote and self.quotes % 2 == 0:
            closing = np.append(offset - 1, closing)  # The bytes after it come with this chunk.
        after_closing = closing[closing + 1 < len(data)] + 1
        self._regular &= not (self._inside[data[opening - 1]].any() or self._inside[data[after_closing]].any())
        if b"\r" in chunk or data[offset - 1] == _CR:
            self.has_returns = True
            self._regular &= bool((data[np.flatnonzero(data[offset - 1 : -1] == _CR) + offset] == _LF).all())
        is_outside = (np.searchsorted(quotes, line_ends) + self.quotes) % 2 == 0
        self._line_end_inside |= not is_outside.all()
        line_ends = line_ends[is_outside]
        if self._ignores_blank:
            line_ends = line_ends[np.where(data[line_ends - 1] == _CR, data[line_ends - 2], data[line_ends - 1]) != _LF]
        self.quotes += len(quotes)
        self.records += len(line_ends)
        self._before = bytes(data[-2:])


def _cells(file: PlannedFile, body: RecordRange, records: Callable[..., ContentStream]) -> list[pa.ChunkedArray]:
    """The cells of every column, dictionary-encoded, once it is certain that no record was lost. Raises InputError."""
    if not file.plan.escape:
        # Nearly every file: no quotes, so that every line is a record and pyarrow refuses one with other fields.
        with suppress(QuoteFound, pa.ArrowInvalid):
            return _arrow(file, body, records(file.plan.quote.encode()), False, _BLOCK)
    scan = Scan(file, body.width)
    for chunk in iter(partial(records().read, _SCANNED), b""):
        scan.add(chunk)
    scan.finish()
    blocks = [_BLOCK, records().size + 1]
    if scan.lines_in_cells and scan.has_returns:
        # Between blocks, pyarrow takes a CR and LF within a cell for one completed line end.
        del blocks[0]
    cells, n_records = None, scan.records
    for block in blocks:
        try:
            cells = _arrow(file, body, records(), scan.lines_in_cells, block)
            break
        except pa.ArrowInvalid as error:
            if "straddling" not in str(error):
                break
    if cells is None or not scan.sound or len(cells[0]) != n_records:
        n_records = count_cell_by_cell(file, body, records().read())
    if cells is None or len(cells[0]) != n_records:
        remedy = "choose the delimiter, quote and encoding that it uses"
        raise InputError("the file cannot be divided into records", remedy=remedy, file=file.source.name)
    return cells


def _arrow(
    file: PlannedFile, body: RecordRange, records: ContentStream, lines_in_cells: bool, block: int
) -> list[pa.ChunkedArray]:
    column_names = [str(index) for index in range(body.width)]
    plan = file.plan
    table = pa.csv.read_csv(
        pa.PythonFile(records, mode="r"),
        read_options=pa.csv.ReadOptions(
            block_size=block,
            column_names=column_names,
            # A small file needs no threads; one that had just begun could abort an interpreter that ends at once
            # (https://github.com/apache/arrow/issues/34314).
            use_threads=records.size > _BLOCK,
        ),
        parse_options=pa.csv.ParseOptions(
            delimiter=file.separator,
            quote_char=plan.quote or False,
            escape_char=plan.escape or False,
            # The end of a record is then found by a state machine that precedes all threads: only where needed.
            newlines_in_values=lines_in_cells,
            ignore_empty_lines=file.ignores_blank_lines(body.width),
        ),
        convert_options=pa.csv.ConvertOptions(
            column_types=dict.fromkeys(column_names, pa.dictionary(pa.int32(), pa.string())),
            null_values=[],
            strings_can_be_null=False,
            # Whether the bytes are UTF-8 is checked below for the distinct values instead of every cell.
            check_utf8=False,
        ),
    )
    columns: list[pa.ChunkedArray] = table.columns
    try:
        for chunk in chain.from_iterable(column.chunks for column in columns):
            chunk.dictionary.validate(full=True)
    except pa.ArrowInvalid:
        raise file.decoding_error() from None
    delimiter = plan.delimiter or ""

    def restored(chunk: pa.DictionaryArray) -> pa.DictionaryArray:
        """The cells with their delimiters of several characters."""
        texts = pc.replace_substring(chunk.dictionary, SEPARATOR, delimiter)
        return pa.DictionaryArray.from_arrays(chunk.indices, texts)

    if file.separator != delimiter != "":
        columns = [pa.chunked_array([restored(chunk) for chunk in column.chunks], column.type) for column in columns]
    return columns


def count_cell_by_cell(file: PlannedFile, body: RecordRange, records: bytes) -> int:
    """Records of a file whose quotes are not regular, cell by cell. Raises InputError with the first line at fault."""
    ignores_blank = file.ignores_blank_lines(body.width)
    text = io.TextIOWrapper(pa.BufferReader(records), encoding="utf-8", newline="")
    n_records, line = 0, 0

    def fault(problem: str) -> InputError:
        remedy = "correct the line, leave it out as one before or after the records, or change how the file is read"
        return InputError(problem, remedy=remedy, file=file.source.name, row=body.first + line)

    def lines() -> Iterator[str]:
        for text_line in text:
            if len(text_line) > _LONGEST_LINE:
                raise fault(f"the line has more than {_LONGEST_LINE:,} characters")
            yield text_line

    reader = file.rows(lines())
    try:
        for cells in reader:
            if len(cells) != body.width and (cells or not ignores_blank) and (cells or body.width > 1):
                raise fault(f"the record has {pluralize(len(cells), 'field')}, the others {body.width:,}")
            n_records += bool(cells) or not ignores_blank
            line = reader.line_num
    except csv.Error as error:
        raise fault(quote_fault(error, file.plan.quote)) from None
    except UnicodeError:
        raise file.decoding_error() from None
    return n_records


def _check_omitted(name: str, plan: ReadPlan, header: list[str], cells: list[pa.ChunkedArray]) -> None:
    """Raise InputError where a column that is left out because it has no name contains a cell."""
    for position in plan.omitted_columns if plan.header_lines else ():
        texts = chain.from_iterable(chunk.dictionary.to_pylist() for chunk in cells[position - 1].chunks)
        if not header[position - 1] and any(text.strip(BLANKS) for text in texts):
            raise omitted_cells(name, position)


def omitted_cells(name: str, place: int) -> InputError:
    """The error for a column without a name that is left out although it contains a cell."""
    problem = f"column {place}, which has no name and is left out, contains cells"
    return InputError(problem, remedy="name it in the header, or keep it", file=name)
