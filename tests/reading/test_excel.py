"""Workbooks."""

import datetime as dt
import io
import re
import zipfile
from typing import Any

import openpyxl
import pytest

from metrics.reading import propose, read_table
from tests.reading.expectations import SECRET, columns, refusal


def written(book: openpyxl.Workbook) -> bytes:
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def workbook(*rows: list[Any], title: str = "Sheet") -> openpyxl.Workbook:
    book = openpyxl.Workbook()
    book.active.title = title
    for row in rows:
        book.active.append(row)
    return book


def changed(content: bytes, member: str, change: Any) -> bytes:
    """The workbook with one part of its archive passed through `change`."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            part = old.read(name)
            new.writestr(name, change(part) if name == member else part)
    return target.getvalue()


SHEET = "xl/worksheets/sheet1.xml"


def test_excel_numbers_dates_and_flags_become_text() -> None:
    book = workbook(
        ["text", " number ", "float", "date", "time", "flag", "empty"],
        [" 00123 ", 3.0, 2.5, dt.date(2024, 1, 31), dt.time(9, 30), True, None],
        ["None", 4, 1e20, dt.datetime(2024, 1, 31, 9, 30), dt.timedelta(hours=26, minutes=5), False, ""],
    )
    table = read_table(written(book), name="book.xlsx")
    assert columns(table) == {
        "text": ["00123", "None"],
        "number": ["3", "4"],
        "float": ["2.5", "1e+20"],
        "date": ["2024-01-31", "2024-01-31 09:30:00"],
        "time": ["09:30:00", "26:05:00"],
        "flag": ["TRUE", "FALSE"],
        "empty": ["", ""],
    }
    assert table.source.plan.kind == "excel"


def test_first_visible_sheet_that_is_not_empty() -> None:
    book = openpyxl.Workbook()
    book.create_sheet("hidden").append(["h"])
    book["hidden"].append(["1"])
    book["hidden"].sheet_state = "hidden"
    for title in ("data", "more"):
        book.create_sheet(title).append([title])
        book[title].append(["1"])
    content = written(book)
    table = read_table(content)
    assert table.source.plan.sheet == "data"
    assert table.source.sheets == ("Sheet", "hidden", "data", "more")
    assert read_table(content, sheet="more").names == ("more",)
    assert read_table(content, sheet="hidden").names == ("h",)


def test_unknown_sheet_names_the_sheets() -> None:
    error = refusal(written(workbook(["a"], [1], title="Data")), name="book.xlsx", sheet="Dat")
    assert str(error) == 'book.xlsx: the workbook has no sheet of that name; choose one of its sheets "Data".'


def test_a_table_that_does_not_start_in_cell_a1_is_read() -> None:
    book = openpyxl.Workbook()
    for place, value in {"C4": "a", "D4": "b", "C5": 1, "D5": 2, "C7": 3}.items():
        book.active[place] = value
    book.active["D12"] = " "
    assert columns(read_table(written(book))) == {"a": ["1", "3"], "b": ["2", ""]}


def test_wrong_dimensions_lose_no_cell() -> None:
    content = written(workbook(["a", "b"], [1, 2], [3, 4]))
    content = changed(content, SHEET, lambda part: re.sub(rb'<dimension ref="[^"]*"', b'<dimension ref="A1:A1"', part))
    assert columns(read_table(content)) == {"a": ["1", "3"], "b": ["2", "4"]}


def test_missing_and_repeated_column_names_are_replaced_by_unique_ones() -> None:
    table = read_table(written(workbook(["a", None, "a "], [1, None, 3], [1, 2, 3])))
    assert table.names == ("a", "column 2", "a (2)")
    assert read_table(written(workbook([None, "a", "b"], [None, 1, 2, 3]))).names == ("a", "b", "column 3")


def test_a_formula_without_a_stored_result_is_refused_by_its_cell() -> None:
    book = workbook(["a", "b"], [1, "x"], [2, "y"])
    book.active["A3"] = f'="{SECRET}"'
    error = refusal(written(book), name="book.xlsx")
    assert str(error).startswith("book.xlsx, line 3: cell A3 contains a formula that was never computed;")


def test_a_date_cell_with_an_impossible_number_is_refused_by_its_cell() -> None:
    book = workbook(["id", "when"], [1, 1234567890123456])
    book.active["B2"].number_format = "yyyy-mm-dd"
    error = refusal(written(book), name="book.xlsx")
    assert str(error).startswith(
        "book.xlsx, line 2: cell B2 is formatted as a date but holds a number outside the range of"
    )
    assert "1234567890123456" not in str(error)


def test_a_formula_with_a_stored_result_is_read_as_that_result() -> None:
    book = workbook(["a", "b"], [1, 2])
    book.active["A2"] = "=1+2"
    book.active["B2"] = '=""'

    def computed(part: bytes) -> bytes:
        part = re.sub(rb"<f>1\+2</f><v ?/>|<f>1\+2</f><v></v>", b"<f>1+2</f><v>3</v>", part)
        return re.sub(rb'<c r="B2">', b'<c r="B2" t="str">', part)

    assert columns(read_table(changed(written(book), SHEET, computed))) == {"a": ["3"], "b": [""]}


def test_styled_empty_cells_are_empty() -> None:
    book = workbook(["a", "b"], [1, None])
    book.active["B2"].font = openpyxl.styles.Font(bold=True)
    book.active["D9"].font = openpyxl.styles.Font(bold=True)
    assert columns(read_table(written(book))) == {"a": ["1"], "b": [""]}


def test_missing_markers_and_decimal_sign_apply_to_a_workbook() -> None:
    table = read_table(written(workbook(["a"], ["?"], ["1,5"])), missing=["?"])
    assert columns(table) == {"a": [None, "1,5"]}
    assert table.source.plan.decimal == ","


def test_a_workbook_that_is_empty_or_has_only_a_header_is_refused() -> None:
    assert "all visible sheets of the workbook are empty" in str(refusal(written(openpyxl.Workbook())))
    assert "the sheet is empty" in str(refusal(written(openpyxl.Workbook()), sheet="Sheet"))
    assert "has a header but no records" in str(refusal(written(workbook(["a", "b"]))))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "EncryptedPackage".encode("utf-16-le"),
            "protected by a password",
        ),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "Workbook".encode("utf-16-le"), "the old .xls format"),
        (b"PK\x03\x04" + bytes(50), "the workbook is damaged"),
    ],
)
def test_files_that_are_no_workbook_are_refused_with_the_reason(content: bytes, sentence: str) -> None:
    assert sentence in str(refusal(content, name="book.xlsx"))


def test_a_truncated_workbook_is_refused_as_damaged() -> None:
    content = written(workbook(["a"], [SECRET]))
    assert "book.xlsx: the workbook is damaged" in str(refusal(content[:-100], name="book.xlsx"))


@pytest.mark.parametrize("member", [SHEET, "xl/workbook.xml", "xl/styles.xml"])
def test_a_workbook_with_a_damaged_part_is_refused_as_damaged(member: str) -> None:
    content = written(workbook(["a"], [SECRET]))
    assert "is damaged" in str(refusal(changed(content, member, lambda part: part[: len(part) // 2])))


def test_zip_archives_and_xlsb_files_are_refused_as_no_workbook() -> None:
    for member, sentence in (("table.csv", "a zip archive, not a workbook"), ("xl/workbook.bin", ".xlsb")):
        target = io.BytesIO()
        with zipfile.ZipFile(target, "w") as archive:
            archive.writestr(member, SECRET)
        assert sentence in str(refusal(target.getvalue(), name="x.zip"))


def test_merged_cells_of_records_are_refused() -> None:
    book = workbook(["a", "b"], [1, "x"], [2, None])
    book.active.merge_cells("B2:B3")
    error = refusal(written(book), name="book.xlsx")
    assert str(error).startswith('book.xlsx, sheet "Sheet", line 2: cells of records are merged')


def test_workbook_with_macros_is_read_without_them() -> None:
    content = written(workbook(["a"], [1]))
    target = io.BytesIO(content)
    with zipfile.ZipFile(target, "a") as archive:
        archive.writestr("xl/vbaProject.bin", b"macro")
    assert columns(read_table(target.getvalue(), name="book.xlsm")) == {"a": ["1"]}


HEADER = ["id", "name", "n"]
ROWS = [[1, "anna", 5], [2, "bert", 7], [3, "cleo", 9], [4, "dana", 2], [5, "emil", 8]]
CELLS = {name: [str(row[place]) for row in ROWS] for place, name in enumerate(HEADER)}


@pytest.mark.parametrize(
    ("rows", "questions"),
    [
        ([HEADER, *ROWS], []),
        ([HEADER, ROWS[0], [], *ROWS[1:3], [], [], *ROWS[3:]], []),
        ([[], [], HEADER, *ROWS, [], [None, " "]], []),
        ([["Report 2024"], [], HEADER, *ROWS], ["titles"]),
        ([["Report 2024"], ["of the clinic"], [], HEADER, *ROWS], ["titles"]),
        ([[None, None, None, "Report 2024"], HEADER, *ROWS], ["titles"]),
        ([HEADER, *ROWS, ["Total", None, 31]], ["footer"]),
        ([HEADER, *ROWS, HEADER, *ROWS], ["footer"]),
        ([HEADER, *ROWS, [], ["x", "y", "z"], *ROWS], ["footer"]),
        ([HEADER, *ROWS, [], ["k", "v"], ["a", 1], ["b", 2]], ["footer"]),
        ([HEADER, *ROWS, [], ["k", "v"], ["a", 1], [], ["Total", None, 31]], ["footer"]),
    ],
)
def test_the_proposal_for_a_sheet_finds_the_table_in_it(rows: list[list[Any]], questions: list[str]) -> None:
    content = written(workbook(*rows))
    proposal = propose(content)
    assert [question.id for question in proposal.questions] == questions
    assert columns(read_table(content, plan=proposal.plan)) == CELLS
    assert proposal.names == tuple(HEADER)
    assert list(proposal.preview) == [tuple(map(str, row)) for row in ROWS]


def test_a_second_table_below_the_first_raises_a_question() -> None:
    rows = [["key", "n"], ["x", 1], ["y", 2], [], ["code", "city"], ["u", "Rome"], ["v", "Oslo"]]
    question = propose(written(workbook(*rows))).questions[0]
    assert "line 5" in question.text
    assert [answer.changes for answer in question.answers] == [{"footer_lines": 3}, {"footer_lines": 0}]


@pytest.mark.parametrize(
    "rows",
    [
        [["name", "n"], ["anna", 1], [], ["bert", 2], ["cleo", "unknown"]],
        [["a", "b"], ["x", "y"], ["u", "v"], [], ["s", "t"], ["p", "q"]],
    ],
)
def test_records_after_a_blank_row_are_not_dropped(rows: list[list[Any]]) -> None:
    assert read_table(written(workbook(*rows))).rows == sum(map(bool, rows)) - 1


def test_only_sheets_that_may_hold_a_table_are_a_question() -> None:
    book = workbook(HEADER, *ROWS, title="May")
    book.create_sheet("Notes").append(["made in May"])
    assert propose(written(book)).questions == ()
    book.create_sheet("June 1").append(["a", "b"])
    book["June 1"].append([1, 2])
    (question,) = propose(written(book)).questions
    assert [answer.options for answer in question.answers] == ["--sheet May", "--sheet 'June 1'"]
    assert columns(read_table(written(book), sheet="June 1")) == {"a": ["1"], "b": ["2"]}


def test_choices_of_lines_hold_for_rows() -> None:
    content = written(workbook(["x", "y", "z"], HEADER, ["number", "text", "years"], *ROWS, ["checked", "by", "me"]))
    table = read_table(content, skip_lines=1, header_lines=2, footer_lines=1)
    assert list(columns(table).values()) == list(CELLS.values())
    assert table.names == ("id number", "name text", "n years")
    assert table.source.plan.left_out == ("1 line before the header", "1 line after the records")
    assert read_table(written(workbook(*ROWS)), header_lines=0).names == ("column 1", "column 2", "column 3")


def test_groups_of_names_in_merged_cells_name_each_column() -> None:
    book = workbook(["size", None, "cost", None], ["a", "b", "c", "d"], [1, 2, 3, 4], [5, 6, 7, 8], [9, 9, 9, 9])
    book.active.merge_cells("A1:B1")
    book.active.merge_cells("C1:D1")
    assert propose(written(book)).names == ("size a", "size b", "cost c", "cost d")


def test_line_ends_stay_in_their_cells() -> None:
    table = read_table(written(workbook(["a\nb", "c"], ["x\ny", 1], ["z", 2], ["u\n\nv", 7], [" w\n", 4])))
    assert columns(table) == {"a\nb": ["x\ny", "z", "u\n\nv", "w"], "c": ["1", "2", "7", "4"]}


@pytest.mark.parametrize(
    ("number_format", "value", "text"),
    [
        ("00000", 1067, "01067"),
        ("00000", 1234567, "1234567"),
        ("00000;-00000;0;@", 7, "00007"),
        ("[$-407]00000", 1067, "01067"),
        ("000", 5.0, "005"),
        ("00000", 1.5, "1.5"),
        ("00000", "17", "17"),
        ("0.00", 5, "5"),
        ("0%", 0.125, "0.125"),
        ("#,##0", 1067, "1067"),
        ("General", 1067, "1067"),
    ],
)
def test_numbers_have_the_zeros_that_their_format_shows(number_format: str, value: object, text: str) -> None:
    book = workbook(["a", "b"], [value, "x"])
    book.active["A2"].number_format = number_format
    assert columns(read_table(written(book)))["a"] == [text]


def test_a_blank_row_in_one_column_is_a_question() -> None:
    content = written(workbook(["a"], ["x"], [" "], ["y"]))
    proposal = propose(content)
    assert [question.id for question in proposal.questions] == ["blank_lines"]
    assert columns(read_table(content, plan=proposal.plan)) == {"a": ["x", "", "y"]}
    assert columns(read_table(content, blank_lines="nothing")) == {"a": ["x", "y"]}


def test_cells_scattered_over_a_sheet_take_neither_memory_nor_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrics.reading.excel._MAX_ROWS", 1 << 14)
    monkeypatch.setattr("metrics.reading.excel._MIN_CELLS", 1 << 20)
    book = workbook(["a", "b"], [1, 2])
    book.active["XFD16384"] = 3
    assert read_table(written(book)).rows == 2
    book = workbook(["a", "b"], [1, 2])
    for row in range(3, 80):
        book.active[f"XFD{row}"] = 3
    assert "scattered over too many columns" in str(refusal(written(book), name="book.xlsx"))
