"""Delimiters, quotes, escapes and lines above the header that allow two readings: the right one, or refused."""

import io
import random

import pytest

from metrics.reading import read_table
from metrics.reading.escapes import find_escapes
from tests.reading.expectations import columns, refusal


def _cut_short(seed: int) -> str:
    """A table with decimal commas whose lines lack the empty cells at their ends, as spreadsheets write them."""
    drawn = random.Random(seed)
    rows = [[f"2{i:03}", f"{i},5", f"{i},25", drawn.choice(["", "x"]), drawn.choice(["", "y"])] for i in range(60)]
    return "code;height;weight;note;more\r\n" + "".join(";".join(row).rstrip(";") + "\r\n" for row in rows)


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("name;height;note\r\nBob;2,95\r\nCarl;1,52;x\r\n", 1),
        ("diag;city;salary\r\nI10;Oslo;6355,29;\r\nJ45;Rome;7457,24\r\n", 1),
        ("diag\tsalary\tval\r\nAsthma\t1.651,56\tNULL\r\nF32.1\t15.127,24\n", 1),
        ("act§bal§mail§sal\nja§(18,132.93)§u0§36,938.34\nnein§7,650.85§17,822.45\n", 1),
        ("note,city,zip,phone\n,A,51987,+49 763,x\n,B,09204,+49 151\nz,C,97090,+49 748\n", 2),
        *((_cut_short(seed), None) for seed in range(4)),
    ],
)
def test_a_header_that_another_delimiter_divides_is_no_title(content: str, line: int | None) -> None:
    error = refusal(content.encode(), name="x.csv")
    assert error.row is not None
    assert line is None or error.row == line


@pytest.mark.parametrize(
    "title", ["Sales 2024, north", "Sales| north", "# made 2024-03-01; by: office", "Sales 2,5", "Report;;", "Sales"]
)
def test_titles_with_delimiters_of_text_are_titles(title: str) -> None:
    content = title + "\nname;height;note\nBob;2,95;x, y\nCarl;1,52;u, v\nDora;1,61;w, z\n"
    assert columns(read_table(content.encode()))["height"] == ["2,95", "1,52", "1,61"]


@pytest.mark.parametrize("sign", [",", ";", "|", "\t"])
def test_a_plus_before_a_figure_is_no_part_of_a_delimiter(sign: str) -> None:
    rows = [["zip", "phone"], ["69130", "+49 515 34880"], ["03862", "+49 301 48180"], ["11111", "+49 301 48182"]]
    table = read_table("\n".join(sign.join(row) for row in rows).encode())
    assert (table.names, table.source.delimiter) == (("zip", "phone"), sign)
    doubled = read_table("\n".join((2 * sign).join(row) for row in rows).encode())
    assert columns(doubled)["phone"] == [row[1] for row in rows[1:]]


@pytest.mark.parametrize(
    "content",
    [
        "#;zip;phone\nKöln;69130;+49 515 34880\nMünchen;03862;+49 301 48180\n",
        "#,zip,phone\n11/2/2011,Ann Lee,+49 744 34336\n7/14/2016,Bo Li,+49 878 90165\n",
    ],
)
def test_a_sign_of_comments_alone_in_a_cell_is_a_name(content: str) -> None:
    table = read_table(content.encode())
    assert table.names == ("#", "zip", "phone")
    assert table.rows == 2


def test_words_below_such_a_name_may_be_a_part_of_the_header() -> None:
    assert refusal(b"#\tzip\tphone\nx\ty\tz\n1\t2\t3\n2\t3\t4\n3\t4\t5\n").row == 2


@pytest.mark.parametrize(
    ("content", "sign"),
    [
        ('"name,city,age"\n"Bob,Rome,3"\n"Eve,Oslo,4"\n"Al,Bonn,5"\n"Jo,Kiel,6"\n', "comma"),
        ('"a;b"\r\n"1;2"\r\n"3;4"\r\n', '";"'),
        ('"a;b"\n"1;""x;y"""\n"3;4"\n', '";"'),
        ("'a;b'\n'1;2'\n'3;4'\n", '";"'),
        ('"a::b"\n"1::2"\n"3::4"\n', '"::"'),
        ('"a^b^c"\n"1^2^3"\n"3^4^5"\n', '"^"'),
        ('"a;b;"\n"1;2"\n"3;4"\n', '";"'),
        ('"note,sku"\n"x,A8"\n"""a, b"",C3"\n"y,B7"\n"z,C2"\n', "comma"),
    ],
)
def test_quotes_around_whole_lines(content: str, sign: str) -> None:
    error = refusal(content.encode(), name="x.csv")
    assert f"the quotes stand around whole lines, which the sign {sign} divides" in str(error)
    assert read_table(content.encode(), delimiter="").names == (content.splitlines()[0][1:-1],)


@pytest.mark.parametrize(
    "content",
    ['"tags"\n"a,b"\n"c,d"\n', '"last, first"\n"Lee, Ann"\n"Li, Bo"\n', '"a;b"\n"x"\n"y;z;u"\n"v"\n'],
)
def test_quoted_cells_of_one_column_may_hold_delimiters(content: str) -> None:
    assert columns(read_table(content.encode())) == {
        content.split('"')[1]: [line.strip('"') for line in content.splitlines()[1:]]
    }


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("text\na\nend\\\nx;y\n", 4),
        ("city\nA\n\nB\n\nC\\\nD\n", 3),
        ('"b2"\n"12"\n""\n"7;\'N"\n', 4),
        ("city\n'\n;='\ny\nz\nx\n", 3),
        ("x,y\nend\\,“a, b”\n", 1),
        ('a,b\n"x ""y""",1\n"u \\"v\\" w",2\n', 3),
    ],
)
def test_a_doubt_is_not_settled_by_another_reading(content: str, line: int) -> None:
    assert refusal(content.encode(), name="x.csv").row == line


@pytest.mark.parametrize(
    ("text", "doubled"),
    [
        ('a,""\n"",b\n', False),
        ('"he said \\"hi\\"",""\n', False),
        ('"he said ""hi""",1\n', True),
        ('"""a"" b",1\n', True),
        ('"a ""b""",1\n', True),
    ],
)
def test_doubled_quotes_are_told_from_empty_cells(text: str, doubled: bool) -> None:
    assert find_escapes(lambda: io.BytesIO(text.encode()), "utf-8", '"').quotes is doubled


@pytest.mark.parametrize(
    "content",
    [
        '"BAL","x","E"\n1,"23","n",""\n2,"18","m",""\n3,"33","k",""\n',
        "BAL,x,E\n1,23,n,\n2,18,m,\n3,33,k,\n",
        '"BAL","x","E"\n"ann",23,"n",\n"bo",18,"n",\n',
        "a,b\n1,x,\n",
    ],
)
def test_row_names_before_an_empty_column_shift_nothing(content: str) -> None:
    error = refusal(content.encode(), name="x.csv")
    assert str(error).startswith("x.csv, line 1: the records have a cell more than the header")


@pytest.mark.parametrize(
    "content",
    [
        "id,b,c\n1001,x,y,\n1002,u,v,\n1003,x,w,\n",
        '"id","b","c"\n"1001","x","y",\n"1002","u","v",\n"1003","x","w",\n',
        '"id",b,c\n1001,x,y,\n1002,u,v,\n1003,x,"w",\n',
    ],
)
def test_delimiters_at_the_ends_of_records_alone(content: str) -> None:
    assert columns(read_table(content.encode())) == {
        "id": ["1001", "1002", "1003"],
        "b": ["x", "u", "x"],
        "c": ["y", "v", "w"],
    }


@pytest.mark.parametrize("begin", ["", "\ufeff"])
@pytest.mark.parametrize("sign", [",", "||"])
def test_a_byte_order_mark_before_a_quote(begin: str, sign: str) -> None:
    lines = [sign.join(f'"{cell}"' for cell in row) for row in (["id", "name"], ["1", "anna"], ["2", "bert"])]
    content = "\n".join([begin + lines[0], lines[1], "\ufeff" + lines[2], ""])
    assert refusal(content.encode(), name="x.csv").row == 3
    assert columns(read_table(content.replace('"', "").encode()))["id"] == ["1", "2"]


@pytest.mark.parametrize(("begin", "end"), ["“”", "„“", "«»"])
def test_typographic_quotes_around_texts_alone(begin: str, end: str) -> None:
    rows = [["smoker", "salary"], ["true", "10,5"], ["false", "12,5"]]
    quoted = "\n".join(";".join(cell if "," in cell else begin + cell + end for cell in row) for row in rows)
    assert "typographic quotes" in str(refusal(quoted.encode()))
    some = f"id,n,text\n1,x,{begin}a{end}\n2,y,b\n3,z,c\n"
    assert columns(read_table(some.encode()))["text"] == [begin + "a" + end, "b", "c"]


def test_quoted_cells_may_hold_a_lone_typographic_quote() -> None:
    content = 'a,b,c\nx,"“ u","v”"\ny,u,v\n'
    assert columns(read_table(content.encode()))["b"] == ["“ u", "u"]


DUMPED = b"note\tother\nline 1\\nline 2\t\\N\nback\\\\slash\tz\ntab\\tbed\t\\N\n"


def test_letters_behind_backslashes_of_a_dump_are_in_doubt() -> None:
    error = refusal(DUMPED, name="x.tsv")
    assert error.row == 2
    assert error.remedy == "choose whether the backslash is an escape sign"
    escaped = columns(read_table(DUMPED, escape="\\"))
    assert escaped == {"note": ["line 1\nline 2", "back\\slash", "tab\tbed"], "other": ["\\N", "z", "\\N"]}
    assert columns(read_table(DUMPED, escape=""))["note"] == ["line 1\\nline 2", "back\\\\slash", "tab\\tbed"]


@pytest.mark.parametrize(
    "content",
    [
        DUMPED.replace(b"\t", b",").replace(b"\\\\", b"\\"),
        b"note\tother\nC:\\new\\dir\t1\nC:\\tmp\\user\t2\n",
        b"note\tother\nx\t\\N\ny\t\\N\n",
    ],
    ids=["no tabs", "paths", "nothing but no values"],
)
def test_other_backslashes_are_text(content: bytes) -> None:
    rows = [line.split("\t" if b"\t" in content else ",") for line in content.decode().splitlines()]
    assert columns(read_table(content)) == {
        name: [row[place] for row in rows[1:]] for place, name in enumerate(rows[0])
    }


ALONE = b"a;b;c\n1;2;3\n; ;\n4;5;6\n\n;;\n7;8;9\n"


def test_lines_of_delimiters_alone_are_records_or_nothing_as_chosen() -> None:
    error = refusal(ALONE, name="x.csv")
    assert error.row == 3
    assert error.remedy == "remove the line, or choose what empty lines are"
    assert columns(read_table(ALONE, blank_lines="cells"))["b"] == ["2", "", "5", "", "8"]
    without = read_table(ALONE, blank_lines="nothing")
    assert columns(without)["b"] == ["2", "5", "8"]
    assert "2 lines of delimiters alone left out" in without.source.notes


def test_empty_cells_in_quotes_are_a_record() -> None:
    assert columns(read_table(b'"a","b"\n"x","1"\n"",""\n"y","2"\n'))["a"] == ["x", "", "y"]


def test_lines_that_are_left_out_still_count_as_lines() -> None:
    error = refusal(ALONE + b"a;b;c\n10;11;12\n", name="x.csv", blank_lines="nothing")
    assert error.row == 8


@pytest.mark.parametrize(
    ("content", "line"),
    [
        # A comment in between hides that semicolons divide, and its comma fits the decimal commas.
        ("well (1 = very, 5 = no);code;salary\n" + "a;b;1,5\n" * 5 + "# 2024, second\n" + "c;d;2,5\n" * 6, 1),
        (
            "time   mail     pay\n21:26  u0@x.org  22,154.48\n20:23  u1@x.org  30,745.53\n01:59  u2@x.org  22,245.94\n",
            1,
        ),
        ('"price";"zip"\n' + "'3.5';'47349'\n" * 30, 1),
        ('"price";"zip"\n' + "'3.5';'47349'\n" * 3, 2),
        ("pay\tnote\t\nvarchar(20)\tdate\n40.5\tx\n36.2\ty\n", 2),
        ('"born"\n16.03.1984\n09.03.2016"born"\n16.03.1984\n', 3),
        ("city\nRome\nOslo\nRomecity\nRome\nOslo\n", 4),
        ('"id"\none\\\ntwo\n1001\n1002\n', 2),
    ],
    ids=[
        "comment",
        "aligned",
        "quotes of names",
        "quotes of cells",
        "types",
        "joined in quotes",
        "joined",
        "escaped line end",
    ],
)
def test_what_a_third_corpus_got_wrong_is_refused(content: str, line: int) -> None:
    assert refusal(content.encode(), name="x.csv").row == line


def test_a_hint_at_the_delimiter_may_end_in_blanks() -> None:
    assert columns(read_table(b"sep=; \na;b\n1;2\n")) == {"a": ["1"], "b": ["2"]}


def test_words_that_end_with_the_name_are_values() -> None:
    assert columns(read_table(b"name\nsurname\nfirst name\nfile\n"))["name"] == ["surname", "first name", "file"]


@pytest.mark.parametrize(
    ("content", "one", "other"),
    [
        ("name, first;age;town\nDoe, J;30;Ulm\nRoe, K;40;Hof;x\nPoe, L;50;Kiel\n", "comma", '";"'),
        ("name, first;age;town\nDoe, J;30;Ulm\nRoe, K;40\nPoe, L;50;Kiel\n", "comma", '";"'),
        ("name, first\tage\ttown\nDoe, J\t30\tUlm\nRoe, K\t40\tHof\tx\nPoe, L\t50\tKiel\n", "comma", "tab"),
        ("name, first|age|town\nDoe, J|30|Ulm|\nRoe, K|40|Hof\nPoe, L|50|Kiel\n", "comma", '"|"'),
        ("age;sex;zip, town\n[20, 30[;m;1;a\n[30, 40[;f;2;b\n", "comma", '";"'),
        ("id;Gewicht, kg;x\n1;2,5;a\n2;3,5;b;\n3;4,5;c\n", "comma", '";"'),
        ("id,x|y,c\n1,a|b,z\n2,c|d,w,q\n", '"|"', "comma"),
        ("id,x;y,c\n1,a;b,z\n2,c;d,w,q\n", '";"', "comma"),
        ("a;b;c, d\n1\tx\tDoe, J\n2\ty\tRoe, K\n", "comma", "tab"),
        ("a:b:Last, First\n1:2:Doe, Jane\n3:4:Roe, Rick\n", "comma", '":"'),
    ],
)
def test_a_ragged_line_does_not_let_a_weaker_sign_win(content: str, one: str, other: str) -> None:
    error = refusal(content.encode(), name="x.csv")
    assert f"both the sign {one} and the sign {other} divide" in str(error)
    assert error.remedy == "choose the delimiter"


@pytest.mark.parametrize(
    "content",
    [
        "id,tags\n1,a;b;c\n2,d\n3,e;f\n",
        'id,"tags;more"\n1,"a;b;c"\n2,"d;e"\n3,"e;f"\n',
        "id;when: hour, day;n\n1;8: x, y;2\n2;9: z, w;3\n",
        "first, last;pay, net\nDoe, J;2,5\nRoe, K;3,5\n",
        "time, n\n10:30, 5\n11:30, 6\n",
    ],
)
def test_signs_of_texts_are_no_rivals(content: str) -> None:
    assert read_table(content.encode()).source.delimiter == (
        ";" if ";" in content.split('"')[0].split("\n")[0] else ","
    )
