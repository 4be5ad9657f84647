"""Files as they lie around: what was once read wrong is read right, or refused by its line."""

import codecs
import gzip
import io
import tarfile

import pytest

from metrics.reading import read_table
from metrics.reading.end_sign import BeforeEndSign, has_end_sign
from tests.reading.expectations import columns, refusal

ROWS = [("1", "anna", "5"), ("2", "bert", "7"), ("3", "cleo", "9"), ("4", "dana", "2"), ("5", "emil", "8")]
BODY = "".join(",".join(row) + "\n" for row in ROWS)
CONTENT = "id,name,n\n" + BODY
CELLS = {name: list(cells) for name, cells in zip(("id", "name", "n"), zip(*ROWS, strict=True), strict=True)}


def test_several_byte_order_marks_cut_nothing() -> None:
    for tail in ("", "(5 rows)"):
        content = codecs.BOM_UTF8 * 2 + (CONTENT + tail).encode()
        assert columns(read_table(content)) == CELLS


@pytest.mark.parametrize("sign", ["\x1a", "\x1a\r\n", "\x1a\x1a"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
def test_the_sign_of_the_end_is_no_text(sign: str, encoding: str) -> None:
    for text in (CONTENT, CONTENT.rstrip("\n")):
        content = (text + sign).encode(encoding)
        assert columns(read_table(content)) == CELLS
        assert columns(read_table(gzip.compress(content))) == CELLS
    assert columns(read_table(("town\nOslo\nRome\n" + sign).encode(encoding))) == {"town": ["Oslo", "Rome"]}


def test_the_sign_of_the_end_counts_at_the_end_alone() -> None:
    long = b"a\x1ab\n" * 1000
    assert not has_end_sign(io.BytesIO(long))
    for size in (1, 7, 100, -1):
        stream = BeforeEndSign(io.BytesIO(long + b"\x1a\n"))
        read = b""
        while piece := stream.read(size):
            read += piece
        assert read == long


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        ('2,"bert,7\n3,cleo,9\n4,dana",2\n', 3),
        ('2,bert,"7\n3,cleo,9\n4,dana,2"\n', 3),
        ('2,bert,"7\n3,cleo,9"\n', 3),
        ('2,bert,"\n3,cleo,9"\n', 3),
        ('"2,bert,7\n\n3,cleo,9\n\n4",dana,2\n', 3),
        ('2,"bert,7\n' + "".join(f"{i},anna,5\n" for i in range(9000)) + '4,"dana,2\n', 3),
    ],
)
def test_records_between_two_stray_quotes_are_not_swallowed(lines: str, line: int) -> None:
    assert refusal(_with(lines), name="x.csv").row == line


def _with(lines: str) -> bytes:
    return ("id,name,n\n1,anna,5\n" + lines + "5,emil,8\n6,finn,1\n").encode()


def test_cells_of_several_lines_may_hold_commas() -> None:
    cells = ["Main St, 5\n12345, Town", "a\nb,c\nd", "x\n\ny, z"]
    content = "id,text,n\n" + "".join(f'{i},"{cell}",7\n' for i, cell in enumerate(cells))
    assert columns(read_table(content.encode()))["text"] == cells
    swallowed = _with('2,"bert,7\n3,cleo,9\n4,dana",2\n')
    assert columns(read_table(swallowed, quote='"'))["name"][1] == "bert,7\n3,cleo,9\n4,dana"


def test_a_quote_left_open_before_doubled_ones() -> None:
    rows = "".join(f'{i},"{{""a"": {i}, ""b"": 1}}"\n' for i in range(5))
    assert refusal(f'id,text\n{rows}"5,"{{""a"": 5, ""b"": 1}}"\n'.encode()).row == 7


@pytest.mark.parametrize(
    "rows",
    [
        [f"2024-01-{i:02},north,flu" for i in range(1, 13)],
        [f"A{i:03},1980-01-{i:02}" for i in range(1, 13)],
        [f"{39 + i}, State-gov, {77516 + i}, Bachelors" for i in range(12)],
        [f"{i:05},north,{i}.5" for i in range(12)],
        ["5 High St,Rome,--,C", *(f"{i} Oak St,Oslo,--,{'CDE'[i % 3]}" for i in range(11))],
    ],
)
def test_a_first_record_is_no_header(rows: list[str]) -> None:
    content = ("\n".join(rows) + "\n").encode()
    error = refusal(content, name="x.csv")
    assert str(error).startswith("x.csv, line 1: the header is like the records below it")
    assert read_table(content, header_lines=0).rows == 12


def test_years_and_numbers_in_a_row_are_names() -> None:
    rows = "".join(f"{town},{i},{i + 3},{i * 2}\n" for i, town in enumerate(["Oslo", "Rome", "Oslo", "Lyon"]))
    assert read_table(f"town,2019,2020,2021\n{rows}".encode()).names == ("town", "2019", "2020", "2021")
    assert read_table(f"Report on towns\ntown,2019,2020,2021\n{rows}".encode()).rows == 4
    assert read_table(f"town,1,2,3\n{rows}".encode()).names == ("town", "1", "2", "3")


def test_names_of_a_doubtful_header_are_not_told() -> None:
    error = refusal(b"Anna,Zq81secret,Zq81secret,flu\n", name="x.csv")
    assert error.column is None


def test_a_rule_is_no_record() -> None:
    below = "id,name,n\n--,----,---\n" + BODY
    assert "may be a rule" in str(refusal(("id,name,n\n---,---,---\n" + BODY).encode()))
    assert columns(read_table(("id|name|n\n---|---|---\n" + BODY.replace(",", "|")).encode())) == CELLS
    assert columns(read_table(below.encode())) == CELLS
    boxed = " id | name | n \n----+------+---\n" + BODY.replace(",", " | ") + "(5 rows)\n\n"
    assert columns(read_table(boxed.encode())) == CELLS
    rows = "".join("| " + " | ".join(row) + " |\n" for row in ROWS)
    table = read_table(f"| id | name | n |\n|---:|:---|---|\n{rows}".encode())
    assert columns(table) == CELLS
    assert "a rule under the header left out" in table.source.notes
    assert refusal(b"a,b\n-,-\nx,y\nu,v\n").row == 2
    other = " genre|sub | year \n-----------+------\n War|Kids | 1984\n Drama|War | 2010\n"
    assert "the rule under the header parts 2 columns" in str(refusal(other.encode()))


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (CONTENT + "\nx,y,z\n7,finn,3\n8,gita,5\n", 8),
        ("Report,2024,North\nby,office,x\n" + CONTENT, 2),
        ("Author,Jane\nDate,2024-03-01\n\nkey,value\nK1,5\nK2,6\nK3,7\n", 4),
        ("id,name,n\n1,anna,5\nSubtotal,,5\n2,bert,7\n3,cleo,9\n", 3),
        (CONTENT + "mean,,6\nsd,,2\n", 8),
        (CONTENT + ",,\n,,\n", 7),
        ('q1,q2\n0,1\n1,1\n1,0\n\ufeff"q1",q2\n0,0\n1,1\n', 5),
        ('"code"\n"A1"\n"B2"\n\ufeff"code"\n"A1"\n', 4),
        ("n\n1\n2\n\x0c\n3\n", 4),
        ('n\n"1"\n"2"\nn\n"3"\n"4"\n', 4),
        (CONTENT.replace("4,dana,2", "4,dana"), 5),
        ("id,remark\n1,good\n2,bad\n# 2024, second part\n3,good\n", 4),
        ("name\nanna\nbert\n// second part\ncleo\ndana\n", 4),
        ("n\n1\n2\n#part\n3\n4\n", 4),
        (CONTENT.replace("name,n\n", "name,n\n(years),\\N,\\N\n"), 2),
    ],
)
def test_what_is_no_record_is_refused_by_its_line(content: str, line: int) -> None:
    assert refusal(content.encode(), name="x.csv").row == line


def test_records_that_begin_as_comments_stay() -> None:
    rows = [f"#{i},#a,{i % 5}" for i in range(12)]
    table = read_table(("#,tag,votes\n" + "\n".join(rows) + "\n").encode())
    assert columns(table)["#"] == [f"#{i}" for i in range(12)]
    table = read_table(b'name\nanna\n"# of the second part"\ncleo\n')
    assert columns(table)["name"] == ["anna", "# of the second part", "cleo"]
    cut = "#,tag,votes\n" + "".join(f"#{i},a,{i % 5}\n" for i in range(11)) + "#11,a\n"
    assert refusal(cut.encode()).row == 13


def test_empty_records_at_the_end_stay_where_there_are_others() -> None:
    assert read_table(b"a,b\n1,2\n,\n3,4\n,\n", blank_lines="cells").rows == 4


@pytest.mark.parametrize(
    "content",
    [
        '"id", "name", "n"\n' + "".join('"{}", "{}", "{}"\n'.format(*row) for row in ROWS),
        ' "id" , "name" , "n" \n' + "".join(' "{}" , "{}" , "{}" \n'.format(*row) for row in ROWS),
        "'id', 'name', 'n'\n" + "".join("'{}', '{}', '{}'\n".format(*row) for row in ROWS),
        CONTENT.replace("anna", ' "anna"'),
        CONTENT.replace(",", ",\t"),
    ],
)
def test_blanks_beside_delimiters(content: str) -> None:
    assert columns(read_table(content.encode())) == CELLS


def test_a_blank_before_a_quote_lets_the_cell_hold_delimiters() -> None:
    table = read_table(CONTENT.replace("anna", ' "anna, or ""ann"""').encode())
    assert columns(table)["name"][0] == 'anna, or "ann"'
    assert "blanks beside quotes left out" in table.source.notes


def test_of_two_even_delimiters_the_one_that_is_no_text() -> None:
    rows = "".join(f"{i},5;{i},25\n" for i in range(12))
    assert read_table(f"x, m;y, kg\n{rows}".encode()).names == ("x, m", "y, kg")
    assert "divide all or nearly all lines evenly" in str(refusal(b"a;b,c\nx;y,z\nu;v,w\n"))


def test_a_delimiter_of_several_signs_below_a_title() -> None:
    rows = "\n".join("~|~".join(row) for row in [("id", "name", "n"), *ROWS])
    assert columns(read_table(f"2024\n{rows}\n".encode(), skip_lines=1)) == CELLS
    assert read_table(f"Some report\n\n{rows}\n".encode()).source.delimiter == "~|~"
    # Where a quote is left open they must not fall apart.
    assert refusal(rows.replace("bert", '"bert').encode()).row is not None


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"<html>\n<table>\n<tr><td>a</td><td>b</td></tr>\n</table></html>", "web page"),
        (b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\nendobj\n", "PDF"),
        (b"INSERT INTO t VALUES (1, 'x');\nINSERT INTO t VALUES (2, 'y');\n", "SQL"),
        (b'[{"a": 1, "b": "x"},\n{"a": 2, "b": "y"}]\n', "JSON"),
        (b"<?xml version='1.0'?>\n<rows>\n<r a='1'/>\n</rows>\n", "XML"),
    ],
)
def test_other_kinds_of_files_are_named(content: bytes, kind: str) -> None:
    assert kind in str(refusal(content, name="x.csv"))


def test_archives_are_named() -> None:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        member = tarfile.TarInfo("table.csv")
        content = b"id,name\n" + b"".join(b"%d,Ann\n" % i for i in range(2000))
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
    assert "tar" in str(refusal(stream.getvalue(), name="x.csv"))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("id  name    n\n1   anna    5\n2   bert   17\n", "aligned by blanks"),
        ("Height, cm Weight, kg\n1,67       69,0\n1,93       43,4\n1,89       94,1\n", "aligned by blanks"),
        (
            "idsmokeralivegrade\n1 false maybe  0\n2 true  no     1\n10true  maybe  1\n11false yes    0\n",
            "aligned by blanks",
        ),
        (
            'client sum part\nC 301,05 "8,5 %"\n' + "".join(f'C{i} "{i} 285,4{i}" "{i},6 %"\n' for i in range(9)),
            "within quotes",
        ),
        ("“id”,“name”\n“1”,“anna”\n“2”,“bert”\n", "typographic quotes"),
    ],
)
def test_what_does_not_divide_is_named(content: str, problem: str) -> None:
    assert problem in str(refusal(content.encode()))
