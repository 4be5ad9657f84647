"""Sheets pass the checks that text files pass: what is no record is left out or refused by its row."""

import re
from typing import Any

import pytest

from metrics.reading import read_table
from tests.reading.expectations import columns, refusal
from tests.reading.test_excel import SHEET, changed, workbook, written

HEADER = ["id", "name", "n"]
ROWS = [[1, "anna", 5], [2, "bert", 7], [3, "cleo", 9], [4, "dana", 2], [5, "emil", 8]]
CELLS = {name: [str(row[place]) for row in ROWS] for place, name in enumerate(HEADER)}


@pytest.mark.parametrize(
    ("rows", "note"),
    [
        ([HEADER, *ROWS], None),
        ([HEADER, ROWS[0], [], *ROWS[1:3], [], [], *ROWS[3:]], None),
        ([[], [], HEADER, *ROWS, [], [None, " "]], None),
        ([["Report 2024"], [], HEADER, *ROWS], "1 line before the header left out"),
        ([["Report 2024"], ["of the clinic"], [], HEADER, *ROWS], "2 lines before the header left out"),
        ([[None, "Report 2024"], HEADER, *ROWS], "1 line before the header left out"),
        ([HEADER, *ROWS, ["Total", None, 31]], "a line of totals or notes after the records left out"),
    ],
)
def test_rows_beside_the_table_are_left_out(rows: list[list[Any]], note: str | None) -> None:
    table = read_table(written(workbook(*rows)))
    assert columns(table) == CELLS
    assert table.source.notes == (() if note is None else (note,))


@pytest.mark.parametrize(
    ("rows", "row", "problem"),
    [
        ([HEADER, *ROWS, HEADER, *ROWS], 7, "repeats the header"),
        ([HEADER, *ROWS, ["Name", "ID", "N"], *ROWS], 7, "repeats the header"),
        ([HEADER, ["number", "text", "years"], *ROWS], 2, "may be a part of it"),
        ([["id", "n"], [1, 1], ["Subtotal", 1], [2, 2], ["Subtotal", 2]], 3, "total"),
        ([[1, 2], [3, 4]], 1, "is like the records"),
        ([HEADER, *ROWS, [], ["x", "y", "z"], *ROWS], 8, "may be the header"),
        ([["key", "n"], ["x", 1], ["y", 2], [], ["code", "city"], ["u", "Rome"], ["v", "Oslo"]], 5, "another table"),
        ([["a", "b"], [1, 2], [3, 4], [], ["c", "d"], ["x", "y"]], 5, "another table"),
        ([HEADER, *ROWS, [], ["k", "v"], ["a", 1], ["b", 2]], 8, "another table"),
        ([["size", "pressure"], ["64x78", "151 mm"], ["70x24", "5 mm"], ["4x1", "28 mm"], [None, 1234.5]], 5, "total"),
        ([["code"], [1], ["A98y"], ["B76z"], ["C98x"], ["A98y"]], 2, "may be a part of it"),
        ([["names"], ["anna"], [], ["bert"]], 3, "may be an empty cell or nothing"),
    ],
)
def test_what_is_no_record_is_refused_by_its_row(rows: list[list[Any]], row: int, problem: str) -> None:
    error = refusal(written(workbook(*rows)), name="book.xlsx")
    assert str(error).startswith(f"book.xlsx, line {row}: ")
    assert problem in error.problem
    assert "delimiter" not in error.remedy


@pytest.mark.parametrize(
    "rows",
    [
        [[], [], ["n"], [1], [2], [3]],
        [["n"], [1], [2], [3]],
        [["name", "n"], ["anna", 1], [], ["bert", 2], ["cleo", "unknown"]],
        [["name", "n"], ["anna", 1], ["bert", 2], [], ["cleo", "unknown"], ["dana", 9]],
        [["a", "b"], ["x", "y"], ["u", "v"], [], ["s", "t"], ["p", "q"]],
    ],
)
def test_records_stay(rows: list[list[Any]]) -> None:
    assert read_table(written(workbook(*rows))).rows == sum(map(bool, rows)) - 1


def test_the_sheet_is_named_where_there_are_several() -> None:
    book = workbook(HEADER, *ROWS, HEADER, title="May")
    book.create_sheet("June")
    assert str(refusal(written(book), name="book.xlsx")).startswith(
        'book.xlsx, sheet "May", line 7: the record repeats'
    )


def test_choices_of_lines_hold_for_rows() -> None:
    content = written(workbook(["x", "y", "z"], HEADER, ["number", "text", "years"], *ROWS, ["checked", "by", "me"]))
    table = read_table(content, skip_lines=1, header_lines=2, footer_lines=1)
    assert list(columns(table).values()) == list(CELLS.values())
    assert table.names == ("id number", "name text", "n years")
    assert read_table(written(workbook(*ROWS)), header_lines=0).rows == 5
    assert columns(read_table(written(workbook(["n"], [1], [], [2])), blank_lines="cells")) == {"n": ["1", "", "2"]}


def test_line_ends_stay_in_their_cells() -> None:
    table = read_table(written(workbook(["a\nb", "c"], ["x\ny", 1], ["z", 2], ["u\n\nv", 3], [" w\n", 4])))
    assert columns(table) == {"a\nb": ["x\ny", "z", "u\n\nv", "w"], "c": ["1", "2", "3", "4"]}


@pytest.mark.parametrize(
    ("number_format", "value", "text"),
    [
        ("00000", 1067, "01067"),
        ("00000", 12345, "12345"),
        ("00000", 1234567, "1234567"),
        ("00000;-00000;0;@", 7, "00007"),
        ("[$-407]00000", 1067, "01067"),
        ('"D-"00000', 1067, "D-01067"),
        ("000-00-0000", 1234567, "001-23-4567"),
        ("00000\\-0000", 10670001, "01067-0001"),
        ("000", 5.0, "005"),
        ("00000", 1.5, "1.5"),
        ("00000", "17", "17"),
        ("0", 5, "5"),
        ("0.00", 5, "5"),
        ("#,##0", 1067, "1067"),
        ("General", 1067, "1067"),
    ],
)
def test_numbers_have_the_zeros_that_their_format_shows(number_format: str, value: object, text: str) -> None:
    book = workbook(["a", "b"], [value, "x"])
    book.active["A2"].number_format = number_format
    assert columns(read_table(written(book)))["a"] == [text]


def test_cells_stored_out_of_order_are_put_in_order() -> None:
    content = written(workbook(["id", "name"], [1, "A"], [2, "B"]))
    swap = re.compile(rb'(<c r="A2".*?</c>)(<c r="B2".*?</c>)')
    swapped = changed(content, SHEET, lambda part: swap.sub(rb"\2\1", part))
    assert swapped != content
    assert columns(read_table(swapped)) == {"id": ["1", "2"], "name": ["A", "B"]}


def test_rows_stored_out_of_order_are_refused() -> None:
    content = written(workbook(["id", "name"], [1, "A"], [2, "B"]))
    swap = re.compile(rb'(<row r="2".*?</row>)(<row r="3".*?</row>)')
    error = refusal(changed(content, SHEET, lambda part: swap.sub(rb"\2\1", part)), name="book.xlsx")
    assert str(error).startswith("book.xlsx, line 2: the rows of the sheet are stored out of order;")
