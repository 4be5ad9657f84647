"""Lines of pages and programs among the records, and tables that are two or stand on their side."""

from typing import Any

import pytest

from metrics.reading import read_table
from tests.reading.expectations import columns, refusal
from tests.reading.test_excel import workbook, written

STRAY = "the record may be the turn of a page or a line of a program"
OTHER = "the record may be the header of another table"
NUMBERS = "weight\n70.5\n82.1\n"


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("id;active\nAB/25;no\nAB/14;no\nMonthly report;Page 2\nAB/85;yes\n", 4),
        ("id\tname\ttown\tnote\n1\tAnn\tUlm\tok\nMonthly report\t\t\tPage 2\n2\tBob\tBonn\tok\n", 3),
        ("town\nUlm\nPage 2 of 7\nBonn\n", 3),
        ("id\n049264\n055185\n- 7 -\n029837\n", 4),
        (NUMBERS + "Connection reset, retrying...\n64.4\n", 4),
        (NUMBERS + "<!DOCTYPE html>\n64.4\n", 4),
        (NUMBERS + "]\n", 4),
        ("town\nUlm\nBonn\n^C\n", 4),
        ("code\nS82\nS20\n\\\nS61\n", 4),
        ("grade,name\nC,Lee\nB,Ann\ncontinued,\nA,Bob\n", 4),
    ],
)
def test_lines_of_pages_and_programs_are_refused(content: str, line: int) -> None:
    error = refusal(content.encode(), name="x.csv")
    assert error.row == line
    chosen = read_table(content.encode(), footer_lines=0, escape="")
    assert chosen.rows == content.count("\n") - 1


@pytest.mark.parametrize(
    "content",
    [
        "id;remark\n1;Note: a\n2;Page 7\n3;b\n",
        "book;place\nA;Page 7\nB;Page 9\n",
        "weight\n70.5\nunknown\n82.1\n",
        "when\n3 March\n4 March\n2021\n",
        "sign\n(\n)\n[\n]\n",
        "treatment\nstopped\ncontinued\nnone\n",
    ],
)
def test_values_like_them_stay(content: str) -> None:
    assert read_table(content.encode()).rows == content.count("\n") - 1


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        (
            "ref,town,kind\n" + 12 * "00449,Ulm,a\n" + "band,zone,n\n1-2,3-4,a\n3-4,5-6,b\n5-6,7-8,a\n",
            14,
            OTHER,
        ),
        ("ref,town\n00449,Ulm\n06992,Bonn\n01702,Kiel\n02,Rom\n1-2,31\n3-4,52\n5-6,73\n", 6, OTHER),
        (
            "weight,183 mm,191 mm,297 mm\nbp,106/81,108/87,90/67\nzip,65979,80183,36308\ndate,1.2.21,3.4.22,5.6.23\n",
            1,
            "each row holds values of one kind and each column of many, as if rows were columns",
        ),
    ],
)
def test_columns_of_several_kinds_are_refused(content: str, line: int, problem: str) -> None:
    error = refusal(content.encode(), name="x.csv")
    assert (error.row, error.problem) == (line, problem)
    assert read_table(content.encode(), header_lines=1).rows == content.count("\n") - 1


@pytest.mark.parametrize(
    "content",
    [
        "id,q1,q2,q3\nS1,1,2,3\nS2,4,5,6\nS3,7,8,9\nS4,1,1,1\n",
        "land,2019,2020,2021\nA,5.5,6.5,7.5\nB,1,2,3\nC,1-2,3-4,5-6\n",
        "day,mon,tue,wed\nrain,5.5,6.5,7.5\nwind,1-2,3-4,5-6\nsun,a5,b6,c7\n",
        "id,n\n1,a\n2,b\n3,c\n4,5\n5,6\n6,7\n",
    ],
)
def test_columns_of_one_kind_stay(content: str) -> None:
    assert read_table(content.encode()).rows == content.count("\n") - 1


@pytest.mark.parametrize(
    ("rows", "row"),
    [
        ([["Report", None, "2021-03-04"], ["change"], [-2.49], [3.5]], 1),
        ([["name", "town", "n"], ["Ann;Ulm;5"], ["Bob;Bonn;6"]], 1),
        ([["sex", "kind", "age"], ["f", "m", 18], ["m", "f", 64], [], ["Source: Office"], ["Note: a"]], 5),
    ],
)
def test_sheets_with_titles_lines_and_notes_are_refused(rows: list[list[Any]], row: int) -> None:
    assert refusal(written(workbook(*rows)), name="book.xlsx").row == row


def test_an_empty_column_stays() -> None:
    assert columns(read_table(b"id,note\n1,\n2,\n")) == {"id": ["1", "2"], "note": ["", ""]}
