"""Notes padded with delimiters and rules of signs are refused by their line; records that lack cells stay."""

from typing import Any

import pytest

from metrics.reading import read_table
from tests.reading.expectations import refusal
from tests.reading.test_excel import workbook, written

HEADER, ROWS = "id;town;n\n", ["1;Ulm;4\n", "2;Bonn;5\n", "3;Kiel;6\n"]
TOWNS: list[list[Any]] = [["town", "kind", "name"], ["Ulm", "x", "Ann"], ["Bonn", "y", "Bob"], ["Kiel", "z", "Cy"]]
NUMBERED: list[list[Any]] = [["id", "town", "n"], [1, "Ulm", 4], [2, "Bonn", 5], [3, "Kiel", 6]]


@pytest.mark.parametrize(
    "line",
    [
        "Page 2 of 7;;",
        "continued on next page;;",
        "continued;;",
        "Monthly report;;Page 2",
        "Error: connection lost;;",
        ";;printed 04.03.2021",
        ";Page 2;",
        "Station B;;",
    ],
)
@pytest.mark.parametrize("place", [1, 2])
def test_notes_padded_with_delimiters_are_refused(line: str, place: int) -> None:
    content = HEADER + "".join([*ROWS[:place], line + "\n", *ROWS[place:]])
    error = refusal(content.encode(), name="x.csv")
    assert error.row == place + 2
    assert "how many lines follow the last record" in str(error)
    assert read_table(content.encode(), footer_lines=0).rows == 4


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("Symbol|Name|ETF\nAA|Alpha|N\nAB|Beta|N\nFile Creation Time: 0304202110:00||\n", 4),
        ("id;town\n1;Ulm\nPage 2 of 7;\n2;\n3;Bonn\n4;\n", 3),
        ("id;town\n1;Ulm\ncontinued;\n2;Bonn\n3;Bonn\n", 3),
        ("town;kind\n" + "Ulm;x\nBonn;y\n" * 10 + "page 2, see above;\nUlm;x\n", 22),
        ("id;town;n\n1;Ulm;4\n2;Bonn;5\n3;Kiel;6\nError: connection lost;;\n", 5),
        ("id;town;n\n1;Ulm;4\n2;Bonn;5\n3;Kiel;6\n;;printed 04.03.2021\n", 5),
        ("town;kind;x;n\nUlm;a;b;1\nBonn;a;c;2\nDate:;;;Signature:\n", 4),
        ("street;ref\na;P-7\nb;P-8\nSubtotal;\nc;P-9\n", 4),
        ("remarks;name;age\n;Ann;3\nSection B;;\n;Bob;9\n;Cy;5\n;Di;7\n", 3),
    ],
)
def test_notes_in_tables_of_other_widths_are_refused(content: str, line: int) -> None:
    assert refusal(content.encode(), name="x.csv").row == line


@pytest.mark.parametrize(
    ("rows", "row"),
    [
        ([*NUMBERED, ["* preliminary figures"]], 5),
        ([*TOWNS, ["* preliminary figures"]], 5),
        ([*NUMBERED, [], ["Source: Eurostat"], ["Note: preliminary"]], 6),
        ([*TOWNS[:2], [], ["Source: Eurostat"], ["Note: preliminary"]], 4),
        ([*NUMBERED, ["Prepared by", "admin"]], 5),
        ([*NUMBERED, [None, None, "printed 4 March"]], 5),
        ([*NUMBERED, [None, None, "Total: 15"]], 5),
        ([*NUMBERED, [None, None, 15]], 5),
        ([*TOWNS, [None, None, 15]], 5),
        ([*NUMBERED[:2], ["continued"], *NUMBERED[2:]], 3),
        ([*TOWNS[:2], ["continued"], *TOWNS[2:]], 3),
        ([*NUMBERED[:2], ["---"] * 3, *NUMBERED[2:]], 3),
    ],
)
def test_notes_and_rules_in_sheets_are_refused(rows: list[list[Any]], row: int) -> None:
    assert refusal(written(workbook(*rows)), name="book.xlsx").row == row


@pytest.mark.parametrize("rule", ["...", "###", "=====", "-----", "***", "___", "\u2014\u2014\u2014", "\u2026"])
def test_rules_among_records_are_refused(rule: str) -> None:
    content = f"{HEADER}{ROWS[0]}{rule};{rule};{rule}\n{ROWS[1]}"
    assert refusal(content.encode(), name="x.csv").row == 3
    assert read_table(content.encode(), footer_lines=0).rows == 3


@pytest.mark.parametrize("rule", ["~~;~~~~;~", "~~~;~~~;", ":-:;:-:;:-:", ":--;:--;:--", "--:;--:;--:", "-:;:-;-"])
def test_rules_under_the_header_are_refused(rule: str) -> None:
    assert refusal(f"{HEADER}{rule}\n{''.join(ROWS)}".encode(), name="x.csv").row == 2
    cells = rule.replace(";", " | ")
    assert refusal(f"| id | v | w |\n| {cells} |\n| a | x | y |\n".encode(), name="x.csv").row == 2


@pytest.mark.parametrize(
    "content",
    [
        "id;town;n\n1;Ulm;4\n2;;\n3;Bonn;\n4;Kiel;5\n",
        "id;town;n\n1;Ulm;4\n2;Bonn;5\n3;;\n",
        "id;q1;q2;q3\n1;5;4;2\n2;3;1;1\n3;;;\n4;;;\n5;1;1;2\n",
        "name;phone;mail\nBob;12;b@x.org\nAnn;;\nCy;;\nDi;34;d@x.org\n",
        "name;remark\nAnn;see page 2\nBob;\nCy;\nVan Damme;\n",
        "id;remark\n1;Note: a\n2;\n3;Page 7\n4;\n",
        "remark;n\nsee above;5\n;7\nPage 7;\nPage 8;3\n",
        "age;sex\n30;m\n*;*\n-;-\n40;f\n",
        "a;b\n...;x\n...;...\ny;...\n",
        "op;name\n+;plus\n-;minus\n...;rest\n",
    ],
)
def test_records_that_lack_cells_stay(content: str) -> None:
    assert read_table(content.encode()).rows == content.count("\n") - 1
