"""Blank lines above names of another table, rows that head groups, and records of two lines."""

from typing import Any

import pytest

from metrics.reading import read_table
from tests.reading.expectations import refusal
from tests.reading.test_excel import workbook, written

OTHER = "the record may be the header of another table"
OF_FILE = "the line may tell of the file rather than name the columns"
PART = "the line below the header may be a part of it rather than a record"
ALONE = "the record has its first cell alone, and may head the records below it"
TWO_LINES = "every second record is unlike the ones between, as if each had two lines"
LONG = "".join(f"N{i},Ulm\n" for i in range(3000))


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        ("name,town\nAnn,Ulm\nBob,Bonn\n\nward,nurse\nA,Di\nB,Ed\n", 5, OTHER),
        ("name,town\r\nAnn,Ulm\r\nBob,Bonn\r\n\r\nward,nurse\r\nA,Di\r\n", 5, OTHER),
        ("name;town\nAnn;Ulm\nBob;Bonn\n\n\nCode;Meaning\n1;yes\n2;no\n", 6, OTHER),
        ("name,town\n" + LONG + "\nward,nurse\nA,Di\n", 3003, OTHER),
        ("name,town,n\nAnn,Ulm,a\nBob,Bonn,b\n\nh0,h1,h2\n0,1,2\n", 5, OTHER),
        ("Exported\t2021-03-04\nSeen by\tadmin\n\nname\tremark\nAnn\tok\n", 1, OF_FILE),
        ("Report\tMarch 2021\nname\tremark\nAnn\tok\n", 1, OF_FILE),
        ("Income,by region,2023,persons\n\nregion,2019,2020,2021\nEast,1710,61,96\nNorth,582,49,23\n", 3, PART),
        ("name,town,code\nAnn,Ulm,C57z\nBob,Bonn,B32y\nfield 0,field 1,field 2\nCy,Ulm,A23x\n", 4, OTHER),
        ("no,rate\n4,8.6E-07\n5,3.2E-09\nfield 1,field 2\n6,1.9E-09\n", 4, OTHER),
        ("town,kind,n\nStation A,,\nUlm,x,A\nStation B,,\nKiel,z,C\n", 2, ALONE),
        ("town,kind,n\nUlm,x,A\nHof,y,B\nStation A,,\nBonn,x,A\nStation B,,\nKiel,z,C\n", 4, ALONE),
        ("town,kind\nWard 1,\nUlm,x\nBonn,y\nWard 2,\nKiel,z\n", 2, ALONE),
        ("sku;town\ncity;Region\nC81;Ulm\nhigh;9-10\nC29;Bonn\nlow;1-2\nC30;Kiel\nlow;5-6\n", 2, TWO_LINES),
    ],
)
def test_what_parts_records_is_refused_by_its_line(content: str, line: int, problem: str) -> None:
    error = refusal(content.encode(), name="x.csv")
    assert (error.row, error.problem) == (line, problem)
    chosen = read_table(content.encode(), header_lines=1, footer_lines=0)
    assert chosen.rows == len([text for text in content.splitlines() if text]) - 1


def test_an_encoding_of_two_bytes_hides_no_blank_line() -> None:
    content = "name,town\nAnn,Ulm\nBob,Bonn\n\nward,nurse\nA,Di\nB,Ed\n"
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"):
        assert refusal(content.encode(encoding), name="x.csv").row == 5


@pytest.mark.parametrize(
    ("rows", "row", "problem"),
    [
        ([["town", "kind"], ["Ulm", "x"], ["Bonn", "y"], [], ["ward", "nurse"], ["A", "Di"]], 5, OTHER),
        ([["town", "kind", "n"], ["Ward A"], ["Ulm", "x", "p"], ["Ward B"], ["Bonn", "y", "q"]], 2, ALONE),
        ([["elapsed"], ["3:12"], [], ["k", "n"], ["a", 1], ["b", 2]], 2, "the line may be the header or a record"),
    ],
)
def test_sheets_are_parted_too(rows: list[list[Any]], row: int, problem: str) -> None:
    error = refusal(written(workbook(*rows)), name="book.xlsx")
    assert error.row == row
    assert error.problem.startswith(problem)


@pytest.mark.parametrize(
    "content",
    [
        "name,town\nAnn,Ulm\nBob,Bonn\n\nCy,Kiel\nDi,Hof\n",
        "name,town\nAnn,Ulm\n\nBob,Bonn\n\nward,nurse\nA,Di\n",
        "name,town\n\nAnn,Ulm\nBob,Bonn\n",
        'id,text\n1,"a\n\nward,nurse"\n2,b\n3,c\n',
        "name,phone,mail\nAnn,,\nBob,1,x\nCy,2,y\nDi,,\n",
        "name,town\nAnn,\nBob,Ulm\nCy,\nDi,Hof\n",
        "name,phone,mail\nAnn,,x\nBob,,\nCy,2,\nDi,,\nEd,,y\nFi,3,\n",
        "from,to\nn0,n1\nn1,n2\nn0,n2\n",
        "id,sex\n1,m\n2,f\n3,m\n4,f\n5,m\n6,f\n7,m\n8,f\n",
    ],
)
def test_records_stay_together(content: str) -> None:
    lines = [line for line in content.splitlines() if line]
    # One cell has two lines that are not blank.
    assert read_table(content.encode()).rows == len(lines) - 1 - content.count('"a\n')
