"""Workbooks: one sheet of an .xlsx file, read by openpyxl row by row."""

from __future__ import annotations

import datetime
import re
import warnings
import zipfile
from array import array
from collections.abc import Iterator, Sequence
from typing import IO, Any

import numpy as np
import pyarrow as pa

from metrics.encoding import BLANKS
from metrics.errors import InputError
from metrics.reading.assembly import assemble, check_names, refuse_no_records
from metrics.reading.limits import check_workbook
from metrics.reading.origin import Origin
from metrics.reading.typed import python_text
from metrics.table import Column, Source, Table, quoted

_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_CHUNK = 1 << 20
_MERGED = re.compile(rb'<mergeCell ref="([A-Z]+)([0-9]+)[:"]')


def refuse_ole2(origin: Origin) -> InputError:
    """The error for an OLE2 container: a workbook with a password, or one of the format before 2007."""
    with origin.raw() as stream:
        tail = b""
        while chunk := stream.read(_CHUNK):
            if _ENCRYPTED in tail + chunk:
                return InputError(
                    "the workbook is protected by a password",
                    remedy="save it without one and upload it again",
                    file=origin.name,
                )
            tail = chunk[-len(_ENCRYPTED) :]
    return InputError("the workbook is in the old .xls format", remedy="save it as .xlsx or CSV", file=origin.name)


def read_excel(origin: Origin, sheet: str | None, decimal: str | None, missing: Sequence[str]) -> Table:
    """The table of one sheet: by default the first visible one with a cell in it.

    The header is the first row that is not empty. Empty rows at the end are no records; one in between is a record of
    empty cells. Columns without any cell are left out. Raises InputError.
    """
    with origin.raw() as stream:
        _check_archive(origin.name, stream)
        try:
            with warnings.catch_warnings():
                # openpyxl warns of styles and validations that it leaves out; no cell is concerned.
                warnings.simplefilter("ignore")
                columns, chosen, sheets = _read(origin.name, stream, sheet)
        except InputError:
            raise
        except Exception:
            # What openpyxl raises on damaged parts is not documented and names no file.
            raise _broken(origin.name) from None
    return assemble(origin.name, columns, Source("excel", sheet=chosen, sheets=sheets), decimal, missing)


class _Growing:
    """A column while its cells come in: their codes, and the code of each text."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._codes = array("i")
        self._code_of: dict[str, int] = {}

    def append(self, text: str) -> None:
        self._codes.append(self._code_of.setdefault(text, len(self._code_of)))

    def column(self) -> Column:
        codes = pa.array(np.frombuffer(self._codes, dtype=np.int32))
        return Column.from_arrow(
            self.name, pa.DictionaryArray.from_arrays(codes, pa.array(list(self._code_of), pa.string()))
        )


def _read(name: str, stream: IO[bytes], sheet: str | None) -> tuple[list[Column], str, tuple[str, ...]]:
    from openpyxl import load_workbook

    book = load_workbook(stream, read_only=True, data_only=True)
    sheets = tuple(page.title for page in book.worksheets)
    if sheet is not None and sheet not in sheets:
        raise InputError(
            "the workbook has no sheet of the name chosen",
            remedy=f"its sheets are {quoted(sheets)}",
            file=name,
        )
    if sheet is None:
        visible = [page.title for page in book.worksheets if page.sheet_state == "visible"]
        sheet = next((title for title in visible if any(map(any, _texts(book[title])))), None)
    if sheet is None:
        raise InputError(
            "no visible sheet of the workbook holds a cell",
            remedy="choose a hidden sheet or fill one",
            file=name,
        )
    if any(_doubtful(cell) for row in _cells(book[sheet]) for cell in row):
        _refuse_uncomputed(name, book[sheet], load_workbook(stream, read_only=True)[sheet])
    columns, header = _columns(name, _texts(book[sheet]))
    _refuse_merged(name, stream, book[sheet], header)
    return columns, sheet, sheets


def _refuse_merged(name: str, stream: IO[bytes], page: Any, header: int) -> None:
    """Raise InputError where cells of the table are merged: only the first of them holds the value of all."""
    with zipfile.ZipFile(stream) as archive, archive.open(page._worksheet_path) as part:
        tail = b""
        while chunk := part.read(_CHUNK):
            for found in _MERGED.finditer(tail + chunk):
                row = int(found[2])
                if row >= header:
                    place = found[1].decode() + found[2].decode()
                    raise InputError(
                        f"the cells from {place} on are merged, so that all but the first are empty",
                        remedy="unmerge them and fill each one",
                        file=name,
                        row=row,
                    )
            tail = chunk[-100:]


def _cells(page: Any) -> Iterator[tuple[Any, ...]]:
    # Some programs store wrong dimensions, and cells outside them would be lost.
    page.reset_dimensions()
    yield from page.iter_rows()


def _texts(page: Any) -> Iterator[list[str]]:
    """The rows of a sheet from row 1, as trimmed text, "" for an empty cell."""
    for row in _cells(page):
        yield [_text(cell.value) for cell in row]


def _text(value: Any) -> str:
    if isinstance(value, datetime.timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    return (python_text(value) or "").strip(BLANKS)


def _doubtful(cell: Any) -> bool:
    """Whether a cell may hold a formula never computed: one is stored, without value (a computed "" has type str)."""
    return cell.value is None and cell.data_type == "n" and hasattr(cell, "row")


def _refuse_uncomputed(name: str, values: Any, formulas: Any) -> None:
    from openpyxl.utils import get_column_letter

    for number, (row, written) in enumerate(zip(_cells(values), _cells(formulas), strict=True), 1):
        for place, (cell, formula) in enumerate(zip(row, written, strict=True), 1):
            if formula.data_type == "f" and _doubtful(cell):
                raise InputError(
                    f"cell {get_column_letter(place)}{number} holds a formula that was never computed",
                    remedy="open the workbook in a spreadsheet program and save it",
                    file=name,
                    row=number,
                )


def _columns(name: str, rows: Iterator[list[str]]) -> tuple[list[Column], int]:
    """The columns, and the row of the header."""
    from openpyxl.utils import get_column_letter

    numbered = enumerate(rows, 1)
    header_row, header = next(((number, row) for number, row in numbered if any(row)), (0, []))
    if not header_row:
        raise InputError("the sheet is empty", remedy="choose another sheet", file=name)
    places = [place for place, title in enumerate(header) if title]
    letters = [get_column_letter(place + 1) for place in places]
    names = check_names(
        [header[place] for place in places],
        name,
        header_row,
        lambda position: f"column {letters[position - 1]}",
    )
    columns = {place: _Growing(title) for place, title in zip(places, names, strict=True)}
    empty = 0
    filled = False
    for number, row in numbered:
        if not any(row):
            empty += 1
            continue
        for place, text in enumerate(row):
            if text and place not in columns:
                raise InputError(
                    f"column {get_column_letter(place + 1)} holds a cell here but has no name in row {header_row}",
                    remedy="name the column there or empty it",
                    file=name,
                    row=number,
                )
        for place, column in columns.items():
            for _ in range(empty):
                column.append("")
            column.append(row[place] if place < len(row) else "")
        empty, filled = 0, True
    if not filled:
        raise refuse_no_records(name)
    return [column.column() for column in columns.values()], header_row


def _check_archive(name: str, stream: IO[bytes]) -> None:
    members: list[str] | None
    parts: list[zipfile.ZipInfo] = []
    try:
        with zipfile.ZipFile(stream) as archive:
            members = archive.namelist()
            parts = archive.infolist()
    except Exception:
        # zipfile has a class of its own for each kind of damage.
        members = None
    if members is None:
        raise _broken(name)
    check_workbook(name, parts)
    if "xl/workbook.bin" in members:
        raise InputError("the workbook is in the binary .xlsb format", remedy="save it as .xlsx or CSV", file=name)
    if not any(member.endswith("workbook.xml") for member in members):
        raise InputError(
            "the file is a zip archive, not a workbook",
            remedy="unpack it and upload the table in it",
            file=name,
        )


def _broken(name: str) -> InputError:
    return InputError("the workbook is damaged", remedy="open it and save it again as .xlsx or CSV", file=name)
