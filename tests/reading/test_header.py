"""Where a table begins: titles, the lines of the header, and columns without a name."""

import pytest

from metrics import propose
from metrics.reading.header import ask_blank_lines, header_likeness, propose_layout, without_titles
from metrics.reading.proposal import Draft, Row
from metrics.tables.read_plan import ReadPlan


def rows_of(*lines: str) -> list[Row]:
    return [Row(number, line.split(",")) for number, line in enumerate(lines, 1)]


def draft(*chosen_fields: str) -> Draft:
    return Draft(ReadPlan("csv"), frozenset(chosen_fields))


def laid_out(*lines: str, chosen_fields: tuple[str, ...] = ()) -> Draft:
    """What is proposed for complete lines of as many cells as the longest has."""
    rows, found = rows_of(*lines), draft(*chosen_fields)
    propose_layout(rows, max(len(row.cells) for row in rows), found, complete=True)
    return found


@pytest.mark.parametrize(
    ("content", "proposed"),
    [
        (b",0,1,2\n0,5,3.2,7\n1,4,3.1,8\n2,6,2.2,9\n", 1),  # the names that pandas gives
        (b"0,1\n1,0\n1,1\n0,0\n", 0),
    ],
)
def test_numbers_in_the_first_line_are_asked_about(content: bytes, proposed: int) -> None:
    (question,) = propose(content).questions
    assert (question.id, question.answers[0].changes["header_lines"]) == ("header", proposed)


@pytest.mark.parametrize(
    ("first", "body", "expected"),
    [
        ("age,sex", ["31,f", "42,m"], (True, False)),  # a word above numbers
        ("31,f", ["42,m", "35,f"], (False, True)),  # a number above numbers
        ("sex,job", ["f,cook", "m,nurse"], (False, False)),  # only words prove nothing
        ("f,cook", ["f,nurse", "m,cook"], (False, True)),  # a word that occurs again
        ("2019,2020", ["1,2", "3,4"], (False, False)),  # years in their order
        ("0,1,2", ["5,6,7", "8,9,7"], (True, True)),  # counted from 0, as unnamed columns are
    ],
)
def test_a_first_row_is_like_names_or_like_records(first: str, body: list[str], expected: tuple[bool, bool]) -> None:
    top, *below = rows_of(first, *body)
    assert header_likeness(top, below) == expected


def test_titles_above_the_header_become_a_question() -> None:
    rows, found = rows_of("Report", "age,sex,job", "31,f,cook", "42,m,nurse"), draft()
    assert [row.line for row in without_titles(rows, 3, found)] == [2, 3, 4]
    assert (found.plan.skip_lines, [one.id for one in found.questions]) == (1, ["titles"])
    chosen_fields = draft("skip_lines")
    assert without_titles(rows, 3, chosen_fields) == rows
    assert chosen_fields.questions == []


def test_a_first_row_of_the_full_width_is_no_title() -> None:
    found = draft()
    assert len(without_titles(rows_of("age,sex,job", "31,f,cook", "42,m,nurse"), 3, found)) == 3
    assert found.questions == []


def test_blank_lines_above_the_header_are_skipped_without_a_question() -> None:
    found = draft()
    without_titles([Row(3, ["age", "sex"]), Row(4, ["31", "f"])], 2, found)
    assert (found.plan.skip_lines, found.questions) == (2, [])


def test_a_first_row_without_names_is_asked_about_unless_it_is_settled() -> None:
    (question,) = laid_out("31,f", "42,m", "35,f").questions
    assert [answer.changes["header_lines"] for answer in question.answers] == [0, 1]
    assert laid_out("31,f", "42,m", "35,f", chosen_fields=("header_lines",)).questions == []
    assert laid_out("age,sex", "31,f", "42,m").questions == []


def test_lines_of_units_belong_to_the_header() -> None:
    found = laid_out("age,weight", "years,kg", "31,60", "42,71", "35,80")
    assert found.plan.header_lines == 2
    assert [one.id for one in found.questions] == ["header"]


def test_columns_at_the_end_without_name_and_cells_are_left_out() -> None:
    found = laid_out("age,sex,,", "31,f,,", "42,m,,")
    assert found.plan.omitted_columns == (3, 4)
    assert found.questions == []
    assert len(found.notes) == 1
    assert laid_out("age,sex,,", "31,f,,", "42,m,,x").plan.omitted_columns == ()


def test_a_header_one_cell_short_is_asked_about() -> None:
    found = laid_out("age,sex", "1,31,f", "2,42,m")
    question = found.questions[-1]
    assert question.id == "names"
    assert [answer.changes.get("names") for answer in question.answers] == [
        ("column 1", "age", "sex"),
        ("age", "sex", "column 3"),
        None,
    ]
    trailing = laid_out("age,sex", "31,f,", "42,m,").questions[-1]
    assert trailing.answers[0].changes == {"names": ("age", "sex", "column 3"), "omitted_columns": (3,)}


@pytest.mark.parametrize(("lines", "first"), [("lines", "nothing"), ("rows", "cells")])
def test_blank_lines_of_one_column_are_asked_about(lines: str, first: str) -> None:
    found = draft()
    ask_blank_lines(found, lines)
    (question,) = found.questions
    assert found.plan.blank_lines == first
    assert {answer.changes["blank_lines"] for answer in question.answers} == {"nothing", "cells"}
