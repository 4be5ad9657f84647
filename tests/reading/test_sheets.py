"""Rows of a sheet that are no records, and cells that are stored in odd ways."""

from typing import Any

import pytest

from metrics.reading import propose, read_table
from tests.reading.expectations import columns, refusal
from tests.reading.test_excel import workbook, written

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
    assert question.text == "Does another table begin in line 5?"
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
