"""Workbooks: one sheet of an .xlsx file, its cells as the text that a spreadsheet shows or that represents them.

Whole numbers have no decimals, dates are ISO dates, booleans are TRUE and FALSE, and numbers whose format is made of
zeros are padded with them. Cells are read by openpyxl, row by row. python-calamine would be faster, but a file of 5 kB
with one cell in each of two opposite corners makes it end the whole process, and it hides number formats and errors.
"""

from __future__ import annotations

import re
import shlex
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from typing import IO, Any

import pyarrow as pa

from metrics.errors import InputError
from metrics.reading.arrow import preview_of
from metrics.reading.checks import assemble, header_names, names_by_plan, refuse_no_records
from metrics.reading.footer import second_table
from metrics.reading.header import ask_blank_lines, propose_layout, without_titles
from metrics.reading.limits import check_workbook
from metrics.reading.proposal import Answer, Draft, Proposal, Row, lines_answer
from metrics.reading.source import OLE2, InputSource
from metrics.tables.read_plan import ReadPlan
from metrics.tables.table import Column, Table, quoted
from metrics.tables.typed_text import workbook_text

_OTHER_FIELDS = frozenset(["encoding", "delimiter", "quote", "escape", "value_labels"])
"""Fields of a plan that workbooks do not have."""
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell [^<>]*?\bref="([A-Z]{1,3}\d+:[A-Z]{1,3}\d+)"')
_MAX_ROWS, _MIN_CELLS = 1 << 20, 1 << 24
_LINES = 20
_Texts = tuple[int, dict[int, str]]
"""The number of a row and the text of its cells by column, both from 1."""


@dataclass(frozen=True)
class _Sheet:
    """A sheet, with each row that is not empty."""

    file: str
    name: str
    sheets: tuple[str, ...]
    rivals: Mapping[str, tuple[str, ...]]
    """Visible sheets that may hold a table, this one first, each with its first rows."""
    rows: Sequence[_Texts] = field(repr=False)
    merged: Sequence[tuple[int, int, int, int]]
    """First column and row, last column and row of merged cells."""

    def below(self, skip_lines: int) -> tuple[list[int], list[_Texts]]:
        """The columns that hold a cell after the skipped rows, and these rows."""
        rows = [row for row in self.rows if row[0] > skip_lines]
        return sorted({column for _, texts in rows for column in texts}), rows


def propose(file: InputSource, kind: str, chosen_fields: Mapping[str, Any]) -> Proposal:
    """How a workbook would be read; fields of the plan in `chosen_fields` are not in question. Raises InputError."""
    sheet = _read_sheet(file, chosen_fields.get("sheet"))
    plan_fields = {name: value for name, value in chosen_fields.items() if name not in _OTHER_FIELDS}
    draft = Draft(ReadPlan(kind, **{**plan_fields, "sheet": sheet.name}), frozenset(chosen_fields))
    if "sheet" not in chosen_fields and len(sheet.rivals) > 1:
        answers = [
            Answer(f'The sheet "{name}"', {"sheet": name}, f"--sheet {shlex.quote(name)}", lines)
            for name, lines in sheet.rivals.items()
        ]
        draft.add_question("sheet", "Which sheet holds the table?", *answers)
    _ask_layout(sheet, draft)
    table = _table(sheet, draft.plan, decimal_known="decimal" in chosen_fields)
    rows = ([texts.get(column, "") for column in range(1, max(texts) + 1)] for _, texts in sheet.rows[:_LINES])
    return preview_of(table, rows, draft.questions)


def read(file: InputSource, plan: ReadPlan) -> Table:
    """The table of one sheet. Empty rows, and columns without any cell, are not part of it. Raises InputError."""
    return _table(_read_sheet(file, plan.sheet), plan)


def _ask_layout(sheet: _Sheet, draft: Draft) -> None:
    """Ask about lines and columns."""
    columns, rows = sheet.below(draft.plan.skip_lines)
    without_titles(_lines(columns, rows), len(columns), draft)
    # Columns that only titles fill are not part of the table.
    columns, rows = sheet.below(draft.plan.skip_lines)
    lines = _lines(columns, rows)
    end = None if "footer_lines" in draft.chosen_fields else second_table(lines)
    propose_layout(lines[:end], len(columns), draft, complete=True)
    if end is not None:
        footer = draft.plan.footer_lines + len(lines) - end
        draft.questions[:] = [question for question in draft.questions if question.id != "footer"]
        draft.add_question(
            "footer",
            f"Does another table begin in line {lines[end].line}?",
            lines_answer(f"Yes, the last {footer:,} rows are left out", "footer_lines", footer, lines[end : end + 1]),
            lines_answer("No, every row is a record", "footer_lines", 0),
        )
    if (
        len(columns) == 1
        and "blank_lines" not in draft.chosen_fields
        and any(next_row[0] - row[0] > 1 for row, next_row in pairwise(rows))
    ):
        ask_blank_lines(draft, "rows")


def _lines(columns: Sequence[int], rows: Sequence[_Texts]) -> list[Row]:
    """The rows; a cell that is alone in a row above the others is not divided into columns."""
    first_wide_row = next((number for number, texts in rows if len(texts) > 1), 0)
    return [
        Row(number, list(texts.values()) if number < first_wide_row else [texts.get(column, "") for column in columns])
        for number, texts in rows
    ]


def _table(sheet: _Sheet, plan: ReadPlan, *, decimal_known: bool = True) -> Table:
    sheet_columns, rows = sheet.below(plan.skip_lines)
    header_rows, records = (
        rows[: plan.header_lines],
        dict(rows[plan.header_lines : max(len(rows) - plan.footer_lines, 0)]),
    )
    if not records:
        raise refuse_no_records(sheet.file)
    lines = [
        Row(number, [texts.get(column, "") for column in sheet_columns])
        for number, texts in _fill_merged_header_cells(sheet, header_rows, records)
    ]
    header = header_names(lines, len(sheet_columns))
    names, notes = names_by_plan(plan, header, sheet.file)
    kept_columns = [column for position, column in enumerate(sheet_columns, 1) if position not in plan.omitted_columns]
    row_numbers: Iterable[int] = records
    if len(sheet_columns) == 1 and plan.blank_lines == "cells":
        row_numbers = range(min(records), max(records) + 1)
    cells = [records.get(number, {}) for number in row_numbers]
    columns = [
        Column.from_arrow(name, pa.array([texts.get(column, "") for texts in cells], pa.string()))
        for name, column in zip(names, kept_columns, strict=True)
    ]
    return assemble(sheet.file, columns, plan, notes, sheet.sheets, decimal_known=decimal_known)


def _fill_merged_header_cells(sheet: _Sheet, header_rows: Sequence[_Texts], records: Mapping[int, Any]) -> list[_Texts]:
    """The rows of the header with merged cells filled. Raises InputError where cells of records are merged."""
    filled_rows = [(number, dict(texts)) for number, texts in header_rows]
    for first_column, first_row, last_column, last_row in sheet.merged:
        if first_row <= max(records) and min(records) <= last_row:
            raise InputError(
                "cells of records are merged, so all but the first are empty",
                remedy="unmerge them and fill each one",
                file=sheet.file,
                sheet=sheet.name,
                row=first_row,
            )
        for number, texts in filled_rows:
            if first_row == number == last_row and first_column in texts:
                texts.update(dict.fromkeys(range(first_column, last_column + 1), texts[first_column]))
    return filled_rows


def _read_sheet(file: InputSource, sheet: str | None) -> _Sheet:
    """A sheet, by default the first visible one that may hold a table. Raises InputError."""
    from openpyxl import load_workbook
    from openpyxl.utils import range_boundaries

    with _refusing_damage(file) as (stream, size):
        workbook = load_workbook(stream, read_only=True, data_only=True)
        sheets = tuple(worksheet.title for worksheet in workbook.worksheets)
        if sheet is not None and sheet not in sheets:
            remedy = f"choose one of its sheets {quoted(sheets)}"
            raise InputError("the workbook has no sheet of that name", remedy=remedy, file=file.name)
        rivals = {} if sheet is not None else _rivals(file.name, workbook, size)
        name = next(iter(rivals), None) if sheet is None else sheet
        if name is None:
            remedy = "choose a hidden sheet or fill one"
            raise InputError("all visible sheets of the workbook are empty", remedy=remedy, file=file.name)
        worksheet: Any = workbook[name]
        rows, uncomputed = [], False
        for number, cells in _stored_rows(file.name, worksheet, size):
            uncomputed = uncomputed or any(map(_may_be_uncomputed, cells))
            if texts := {column: text for column, cell in enumerate(cells, 1) if (text := workbook_text(cell))}:
                rows.append((number, texts))
        if uncomputed:
            _refuse_uncomputed(file.name, worksheet, load_workbook(stream, read_only=True)[name], size)
        if not rows:
            raise InputError("the sheet is empty", remedy="choose another sheet", file=file.name, sheet=name)
        with zipfile.ZipFile(stream) as archive:
            sheet_xml = archive.read(worksheet._worksheet_path)
        # Merged cells are listed after the rows.
        merged_ranges = _MERGED.findall(sheet_xml, sheet_xml.rfind(b"sheetData>"))
        merged: list[Any] = [range_boundaries(cell_range.decode()) for cell_range in merged_ranges]
        return _Sheet(file.name, name, sheets, rivals, rows, merged)
    raise AssertionError  # the context raises instead of leaving


@contextmanager
def _refusing_damage(file: InputSource) -> Iterator[tuple[IO[bytes], int]]:
    """The bytes of a workbook and the size of its parts; what openpyxl raises becomes an InputError."""
    with file.raw() as stream:
        try:
            size = _check_archive(file.name, stream)
            with warnings.catch_warnings():
                # openpyxl warns of styles and validations that it leaves out; they do not change a cell.
                warnings.simplefilter("ignore")
                warnings.filterwarnings("error", message="Cell .* is marked as a date")
                yield stream, size
                return
        except InputError:
            raise
        except UserWarning as warning:
            cell = str(warning).split()[1]  # the warning quotes the value, too
            problem = f"cell {cell} is formatted as a date but holds a number outside the range of dates"
            remedy, row = "format it as a number in a spreadsheet program and save it", int(re.sub(r"\D", "", cell))
        except Exception:
            # What zipfile and openpyxl raise on damaged files is not documented and names no file.
            problem, remedy, row = "the workbook is damaged", "open it and save it again as .xlsx or CSV", None
    raise InputError(problem, remedy=remedy, file=file.name, row=row)


def _check_archive(name: str, stream: IO[bytes]) -> int:
    """The unpacked size of a workbook's parts. Raises InputError without one, or if it is too large."""
    problem, remedy = "the file is a zip archive, not a workbook", "unpack it and load the table inside"
    if stream.read(len(OLE2)) == OLE2:
        problem = "the workbook is in the old .xls format or protected by a password"
        remedy = "save it as .xlsx without one"
    else:
        with zipfile.ZipFile(stream) as archive:
            size = check_workbook(name, archive.infolist())
            members = archive.namelist()
        if "xl/workbook.bin" in members:
            problem, remedy = "the workbook is in the binary .xlsb format", "save it as .xlsx or CSV"
        elif any(member.endswith("workbook.xml") for member in members):
            return size
    raise InputError(problem, remedy=remedy, file=name)


def _rivals(name: str, workbook: Any, size: int) -> dict[str, tuple[str, ...]]:
    """Visible sheets with two rows of two cells each, else the first one with a cell; each with its first rows."""
    rows_by_sheet: dict[str, list[Row]] = {}
    for worksheet in workbook.worksheets:
        for number, cells in _stored_rows(name, worksheet, size) if worksheet.sheet_state == "visible" else ():
            if texts := [text for cell in cells if (text := workbook_text(cell))]:
                rows_by_sheet.setdefault(worksheet.title, []).append(Row(number, texts))
            if len(rows_by_sheet.get(worksheet.title, ())) >= _LINES:
                break
    titles = [title for title, rows in rows_by_sheet.items() if sum(len(row.cells) > 1 for row in rows) > 1]
    return {title: tuple(map(str, rows_by_sheet[title][:5])) for title in titles or list(rows_by_sheet)[:1]}


def _stored_rows(name: str, worksheet: Any, size: int) -> Iterator[tuple[int, Sequence[Any]]]:
    """The rows of a sheet, by number; cells up to the last one stored. Raises InputError where that is too many."""
    worksheet.reset_dimensions()
    n_cells = 0
    for number, cells in enumerate(worksheet.iter_rows(), 1):
        n_cells += len(cells)
        if number > _MAX_ROWS or n_cells > max(_MIN_CELLS, size):
            raise InputError(
                f"the sheet has more than {_MAX_ROWS:,} rows, or its cells are scattered over too many columns",
                remedy="save it as CSV or Parquet",
                file=name,
                sheet=worksheet.title,
            )
        if cells:
            yield number, cells


def _refuse_uncomputed(name: str, values: Any, formulas: Any, size: int) -> None:
    for (number, row), (_, formula_row) in zip(
        _stored_rows(name, values, size), _stored_rows(name, formulas, size), strict=True
    ):
        for cell, formula in zip(row, formula_row, strict=True):
            if _may_be_uncomputed(cell) and formula.data_type == "f":
                raise InputError(
                    f"cell {formula.coordinate} contains a formula that was never computed",
                    remedy="open the workbook in a spreadsheet program and save it",
                    file=name,
                    row=number,
                )


def _may_be_uncomputed(cell: Any) -> bool:
    """Whether a cell is empty but stored: one with a format, or a formula that was never computed."""
    return cell.value is None and hasattr(cell, "row") and cell.data_type == "n"
