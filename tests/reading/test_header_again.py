"""Files put behind one another: the header that comes again is no record, whatever its case and order."""

import pytest

from metrics.reading import read_table
from tests.reading.expectations import columns, refusal

AGAIN = "the record repeats the header"
LONG = "".join(f"{i},A{i}\n" for i in range(1000))


@pytest.mark.parametrize("header_lines", [None, 1])
@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("id,name,age\n1,A,5\n2,B,6\nid,name,age\n3,C,7\n4,D,8\n", 4),
        ("id,name,age\nid,name,age\n1,A,5\n2,B,6\n3,C,7\n", 2),
        ("id,name\n1,A\n2,B\nID,NAME\n3,C\n4,D\n", 4),
        ("id,name\n1,A\n2,B\nName,Id\nC,3\nD,4\n", 4),
        ("birth,diag\n14.03.1993,F32.1\n22.04.1965,I10\n15.08.2005,J45\ndiag,birth\nF32.1,14.03.1993\n", 5),
        ("id,name\n1,A\n2,B\n NAME , ID \n3,C\n4,D\n", 4),
        ("city,town\nOslo,Rome\nRome,Oslo\nLyon,Oslo\nTown,City\nOslo,Lyon\n", 5),
        ("id,name\n" + LONG + "id,name\n5,C\n", 1002),
        ("id,name\n" + LONG + "NAME,ID\nC,5\nNAME,ID\nC,5\n", 1002),
        ("Report\n\nid,name\n1,A\n2,B\nid,name\n3,C\n4,D\n", 6),
        ("n\n1\n2\nn\n3\n", 4),
        ("Größe;Ort\nUlm;x\nBonn;y\nGRÖSSE;ORT\nKiel;z\n", 4),
        ("GRÖSSE;ORT\nUlm;x\nBonn;y\nGröße;Ort\nKiel;z\n", 4),
    ],
)
def test_a_header_that_comes_again_is_refused_by_its_line(content: str, line: int, header_lines: int | None) -> None:
    skip = 2 if content.startswith("Report") else None
    error = refusal(content.encode(), name="x.csv", header_lines=header_lines, skip_lines=skip)
    assert (error.row, error.problem) == (line, AGAIN)
    assert "remove the line" in error.remedy


@pytest.mark.parametrize(
    "content",
    [
        "F,M\nM,F\nF,F\nM,M\nM,F\n",
        "t\nT\nF\nT\nF\n",
        "id,sex,m\n1,M,5\n2,F,6\n3,M,7\n",
        "id,name\n1,Name\n2,Id\n3,B\n",
    ],
)
def test_values_that_are_names_too_stay(content: str) -> None:
    assert read_table(content.encode(), header_lines=1).rows == content.count("\n") - 1


def test_of_records_alone_the_first_is_not_called_a_header() -> None:
    content = b"5,3\n1,2\n3,5\n5,3\n4,4\n"
    error = refusal(content, name="x.csv")
    assert (error.row, error.problem) == (1, "the header is like the records below it, as if it were one")
    assert list(columns(read_table(content, header_lines=0))) == ["column 1", "column 2"]


def test_labels_that_hold_the_names_are_no_record() -> None:
    labels = b"diag,city\nLabel of diag,Label of city\nE11.9,Berlin\nAsthma,Oslo\n"
    assert refusal(labels, name="x.csv").row == 2
    assert columns(read_table(labels.replace(b"Label of city", b"Label of citrus")))["city"][1:] == ["Berlin", "Oslo"]
