"""Workbooks: one sheet of an .xlsx file, taken from openpyxl row by row and read as lines of text are."""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import IO, Any

import pyarrow.compute as pc

from metrics.errors import InputError
from metrics.reading.doubts import other_table
from metrics.reading.layout import Choices
from metrics.reading.lexer import ONE_COLUMN
from metrics.reading.limits import check_workbook
from metrics.reading.origin import Origin
from metrics.reading.reader import Reader
from metrics.reading.sheet import LINE_ENDS, Rows, is_uncomputed, stored_rows, text_rows
from metrics.table import Source, Table, quoted

_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_CHUNK = 1 << 20
_OF_TEXT = re.compile(r",? or (choose )?the delimiter.*")
_NO_DATE = "Cell .* is marked as a date"
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


def read_excel(origin: Origin, sheet: str | None, choices: Choices) -> Table:
    """The table of one sheet, by default the first visible one with a cell in it, read as a delimited file is.

    Columns without any cell are left out, and so are empty rows. Raises InputError.
    """
    with origin.raw() as stream:
        _check_archive(origin.name, stream)
        found, beyond = None, ""
        try:
            with warnings.catch_warnings():
                # openpyxl warns of styles and validations that it leaves out; no cell is concerned.
                warnings.simplefilter("ignore")
                warnings.filterwarnings("error", message=_NO_DATE)
                found = _read(origin.name, stream, sheet)
        except InputError:
            raise
        except UserWarning as warning:
            # It quotes the value.
            beyond = str(warning).split()[1]
        except Exception:
            # What openpyxl raises on damaged parts is not documented and names no file.
            raise _broken(origin.name) from None
        if found is None:
            raise _no_date(origin.name, beyond)
        reader = Reader(
            origin.name,
            partial(io.BytesIO, found.lines),
            replace(choices, delimiter=ONE_COLUMN, quote="", encoding="utf-8", escape=""),
            None,
            letters=found.letters,
        )
        try:
            table = reader.table()
            if choices.header_lines is None and found.second is not None:
                raise other_table(origin.name, found.second)
            _refuse_merged(origin.name, found.merged, reader.header)
        except InputError as error:
            refused = _of_sheet(error, found)
        else:
            return _with_line_ends(table, found)
    raise refused


@dataclass(frozen=True)
class _Sheet:
    """The rows of a sheet as lines, the letters of its columns, and what is merged."""

    name: str
    sheets: tuple[str, ...]
    letters: tuple[str, ...]
    lines: bytes
    merged: tuple[tuple[int, str], ...]
    """Row and name of the first of each group of merged cells."""
    second: int | None
    """The row that may be the header of a second table."""


def _read(name: str, stream: IO[bytes], sheet: str | None) -> _Sheet:
    from openpyxl import load_workbook
    from openpyxl.utils import get_column_letter

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
        sheet = next((title for title in visible if any(text_rows(name, book[title]))), None)
    if sheet is None:
        raise InputError(
            "no visible sheet of the workbook holds a cell",
            remedy="choose a hidden sheet or fill one",
            file=name,
        )
    page: Any = book[sheet]
    rows = Rows(name, page)
    if rows.uncomputed:
        _refuse_uncomputed(name, page, load_workbook(stream, read_only=True)[sheet])
    if not rows.places:
        raise InputError("the sheet is empty", remedy="choose another sheet", file=name)
    letters = tuple(map(get_column_letter, sorted(rows.places)))
    merged = tuple(_merged(stream, page._worksheet_path))
    return _Sheet(sheet, sheets, letters, "".join(rows.lines()).encode(), merged, rows.second)


def _with_line_ends(table: Table, found: _Sheet) -> Table:
    columns = table.columns
    for end, sign in LINE_ENDS.items():
        if sign.encode() in found.lines:
            columns = tuple(
                replace(
                    column,
                    name=column.name.replace(sign, end),
                    values=pc.replace_substring(column.values, pattern=sign, replacement=end),
                )
                for column in columns
            )
    read = table.source
    source = Source(
        "excel", sheet=found.name, sheets=found.sheets, decimal=read.decimal, missing=read.missing, notes=read.notes
    )
    return replace(table, columns=columns, source=source)


def _of_sheet(error: InputError, found: _Sheet) -> InputError:
    """The error as it is told of a sheet, which nothing divides into cells."""
    return InputError(
        error.problem,
        remedy=_OF_TEXT.sub("", error.remedy),
        file=error.file,
        sheet=found.name if len(found.sheets) > 1 else None,
        row=error.row,
        column=error.column,
    )


def _merged(stream: IO[bytes], path: str) -> Iterator[tuple[int, str]]:
    """Row and name of the first of each group of merged cells."""
    with zipfile.ZipFile(stream) as archive, archive.open(path) as part:
        tail = b""
        while chunk := part.read(_CHUNK):
            for found in _MERGED.finditer(tail + chunk):
                yield int(found[2]), (found[1] + found[2]).decode()
            tail = chunk[-100:]


def _refuse_merged(name: str, merged: tuple[tuple[int, str], ...], header: int) -> None:
    """Raise InputError where cells of the table are merged: only the first of them holds the value of all."""
    for row, place in merged:
        if row >= header:
            raise InputError(
                f"the cells from {place} on are merged, so that all but the first are empty",
                remedy="unmerge them and fill each one",
                file=name,
                row=row,
            )


def _refuse_uncomputed(name: str, values: Any, formulas: Any) -> None:
    from openpyxl.utils import get_column_letter

    for (number, row), (_, written) in zip(stored_rows(name, values), stored_rows(name, formulas), strict=True):
        for cell, formula in zip(row, written, strict=True):
            if formula["data_type"] == "f" and is_uncomputed(cell):
                raise InputError(
                    f"cell {get_column_letter(cell['column'])}{number} holds a formula that was never computed",
                    remedy="open the workbook in a spreadsheet program and save it",
                    file=name,
                    row=number,
                )


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


def _no_date(name: str, cell: str) -> InputError:
    return InputError(
        f"cell {cell} is formatted as a date but holds a number beyond all dates",
        remedy="format it as a number in a spreadsheet program and save it",
        file=name,
        row=int(re.sub(r"\D", "", cell)),
    )


def _broken(name: str) -> InputError:
    return InputError("the workbook is damaged", remedy="open it and save it again as .xlsx or CSV", file=name)
