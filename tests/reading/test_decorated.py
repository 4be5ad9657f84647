"""Signs around every line of a table, tables that are drawn, and lines of one column that are no cells: refused."""

import io

import openpyxl
import pytest

from metrics.reading import read_table
from tests.reading.expectations import columns, refusal

LINES = ["id;town", "1;Ulm", "2;Bonn", "4;Kiel"]


def _with(before: str = "", after: str = "", sign: str = ";") -> bytes:
    lines = (f"{before.replace('%', str(n))}{line}{after}\n" for n, line in enumerate(LINES, 1))
    return "".join(lines).replace(";", sign).encode()


@pytest.mark.parametrize("sign", [";", "\t"])
@pytest.mark.parametrize(
    "before",
    [
        "> ",
        "+",
        "• ",
        "# ",
        "stdout: ",
        "[INFO] ",
        "data.csv:",
        "2021-03-04 10:00:0% INFO ",
        "10:00:0% > ",
        "4.3.2021 10:0% ",
        "Mar  4 10:00:0% host ",
        "[%] ",
        "(%) ",
        "%: ",
        "%. ",
        "%:",
        "00% ",
    ],
)
def test_the_same_signs_before_every_line(before: str, sign: str) -> None:
    error = refusal(_with(before, sign=sign), name="x.csv")
    assert error.row == 1
    assert "at the beginning of every line" in str(error)


@pytest.mark.parametrize("sign", [";", ","])
@pytest.mark.parametrize(
    ("before", "after"),
    [("", "<br/>"), ("", "^M"), ("", "\\n"), ("", "$"), ("", "\\"), ("(", ")"), ("{", "}"), ("[", "]")],
)
def test_the_same_signs_around_every_line(before: str, after: str, sign: str) -> None:
    error = refusal(_with(before, after, sign), name="x.csv")
    assert error.row == 1
    assert "every line" in str(error)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (_with("{", "},", ","), "every line"),
        (b'data.csv:"id","town"\ndata.csv:"1","Ulm"\ndata.csv:"2","Bonn"\n', "every line"),
        (b"> id;town\n> 1;Ulm\nPage;2\n" + b"> 2;Bonn\n> 3;Kiel\n> 4;Rome\n", "every line"),
        (b"['id', 'town']\n['1', 'Ulm']\n['2', 'Bonn']\n", "every line"),
        (b"id;town\n(1;Ulm),\n(2;Bonn),\n", "brackets"),
        (b"id,town\n(1,Ulm),\n(2,Bonn),\n", "brackets"),
        (b"{id|town}\n1|Ulm\n2|Bonn\n", "brackets"),
        (b"     1\tid\ttown\n     2\t7\tUlm\n     3\t8\tBonn\n", "numbers in a row"),
        ("┌────┬────┐\n│ id │ v  │\n├────┼────┤\n│ a  │ x  │\n└────┴────┘\n".encode(), "draw"),
        ("id│v\na│x\nb│y\n".encode(), "draw"),
        (b"--- /dev/null\n+++ b/t.csv\n@@ -0,0 +1,3 @@\n+a,b,c\n+1,2,3\n+2,3,4\n", "compare"),
        (b"id,name\n1,Ma=C5=82gorzata\n2,D=C4=85browski\n", "=C3=A9"),
        (b"id,age\n1,>=3D50\n2,<=3D90\n", "=C3=A9"),
        (b'"id","lev=\nel"\n1,x\n2,y\n', "=C3=A9"),
        (b'"id","level=\n"\n1,x\n2,y\n', "=C3=A9"),
        (b"year|rateEOL\n1966|49.5EOL\n1967|207.6EOL\n", "every line"),
        (b"id,sex *EOL\n1,mEOL\n2,fEOL\n", "every line"),
        (b"a,b,<br/>\n1,2,<br/>\n3,4,<br/>\n", "every line"),
        (
            b"##format=x\n#10:00:00 > town|id\n10:00:01 > Ulm|5\n10:00:02 > Hof|6\n10:00:03 > Kiel|7\n",
            "a date or a time",
        ),
        (b'"id"|"town"\n(">1"|x),\n("<2"|y),\n', "brackets"),
        (b"code\n5\n=====\n6\n", "a rule or a mark"),
    ],
)
def test_signs_that_programs_add_to_tables(content: bytes, problem: str) -> None:
    assert problem in str(refusal(content, name="x.csv"))


@pytest.mark.parametrize(
    "content",
    [
        "#,name\n#1,ann\n#2,bob\n#3,cy\n",
        "id_a,n\nid_1,x\nid_2,y\nid_3,z\n",
        "name,rate %\nann,5 %\nbob,6 %\n",
        "name,age (years)\nann,5 (a)\nbob,6 (b)\n",
        "[band],n\n[20-30),4\n[30-40),5\n",
        "Nr.,x\n1.,a\n2.,b\n",
        "id,price EUR\n1,5 EUR\n2,6 EUR\n",
        "id,CODE\n1,ACODE\n2,BCODE\n",
        "x,n.\na,1.\nb,2.\n",
        "1) age,n\n20,a\n30,b\n",
        "id,sum\n1,a=3D\n2,b=c\n",
        "id,sum\n1,=AF\n2,=FE\n",
        "time,n\n10:00,a\n10:05,b\n",
        "id,brackets\n1,(a)\n2,(b)\n",
    ],
)
def test_signs_of_cells_stay(content: str) -> None:
    header, *rows = [line.split(",") for line in content.splitlines()]
    assert columns(read_table(content.encode())) == dict(zip(header, map(list, zip(*rows, strict=True)), strict=True))


def test_a_choice_says_that_the_signs_are_cells() -> None:
    assert read_table(_with("> "), delimiter=";").names == ("> id", "town")
    assert read_table(_with("%: "), header_lines=0).rows == 4


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("zip\n62127\n<<<<<<< HEAD\n67802\n=======\n67803\n>>>>>>> b\n", 3),
        ("v\n72\n32\n..........\n91\n", 4),
        ("town\nUlm\nBonn\n---\nKiel\n", 4),
        ("age%;years\n23,5\n42,23\n67,30\n", 1),
        ("######\nsex^town\n######\nm^Ulm\nf^Bonn\n######\n", 3),
        ("####################\nname\n####################\nAnn\nBob\n####################\n", 3),
        ("zip\n62127\n(continued)\n67802\n", 3),
        ("sku\nB28y\nC13z\n\\.\n", 4),
        ("\\begin{tabular}{ll}\n\\hline\nid & v \\\\\n\\hline\na & x \\\\\n\\end{tabular}\n", 1),
        ('```csv\n"name~sex~age"\nAnn~f~3\n```\n', 1),
        ("town\nUlm\n<b>Notice</b>: Undefined index in x.php on line 12\nBonn\n", 3),
    ],
)
def test_lines_of_one_column_that_are_no_cells(content: str, line: int) -> None:
    assert refusal(content.encode(), name="x.csv").row == line
    assert read_table(content.encode(), delimiter="").rows


def test_runs_of_one_sign_are_values_where_others_are_shorter() -> None:
    assert columns(read_table(b"rating\n*****\n***\n****\n"))["rating"] == ["*****", "***", "****"]
    assert columns(read_table(b'note\nx\n"(continued)"\n'))["note"] == ["x", "(continued)"]


def _sheet(*cells: str) -> bytes:
    book = openpyxl.Workbook()
    for cell in cells:
        book.active.append([cell])
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


@pytest.mark.parametrize("sign", [";", ",", "|"])
def test_lines_within_the_cells_of_a_sheet(sign: str) -> None:
    lines = ["kind;town;name", "x;Ulm;Ann", "y;Bonn;Bob", "z;Kiel;Cy"]
    error = refusal(_sheet(*(line.replace(";", sign) for line in lines)), name="x.xlsx")
    assert "the cells hold whole lines" in str(error)


def test_texts_within_the_cells_of_a_sheet() -> None:
    cells = ["name, first", "Doe, Jane", "Roe, Rick"]
    assert columns(read_table(_sheet(*cells))) == {cells[0]: cells[1:]}
    assert columns(read_table(_sheet("tags", "a;b", "c;d")))["tags"] == ["a;b", "c;d"]
