"""What a text is proposed to be and what it is read as: one table of cases, and the questions that stay open."""

# The text of other scripts is the subject here.
# ruff: noqa: RUF001

import codecs
import gzip
from dataclasses import replace

import pandas as pd
import pytest

from metrics import k_anonymity
from metrics.errors import InputError
from metrics.reading import ReadPlan, propose, read_table
from tests.reading.expectations import SECRET, columns, refusal

PLAIN = {"a": ["1", "3"], "b": ["2", "4"]}

WITHOUT_A_QUESTION: dict[str, tuple[bytes, dict[str, list[str]]]] = {
    "comma": (b"a,b\n1,2\n3,4\n", PLAIN),
    "semicolon": (b"a;b\n1;2\n3;4\n", PLAIN),
    "tab": (b"a\tb\n1\t2\n3\t4\n", PLAIN),
    "bar": (b"a|b\n1|2\n3|4\n", PLAIN),
    "two bars": (b"a||b\n1||2\n3||4\n", PLAIN),
    "blanks": (b"a b\n1 2\n3 4\n", PLAIN),
    "CR LF": (b"a,b\r\n1,2\r\n3,4\r\n", PLAIN),
    "CR": (b"a,b\r1,2\r3,4\r", PLAIN),
    "mixed line ends": (b"a,b\r\n1,2\n3,4\r", PLAIN),
    "no last line end": (b"a,b\n1,2\n3,4", PLAIN),
    "blank lines at the end": (b"a,b\n1,2\n3,4\n\n \n".replace(b" ", b""), PLAIN),
    "blank lines between": (b"a,b\n1,2\n\n3,4\n", PLAIN),
    "blank lines above": (b"\n\na,b\n1,2\n3,4\n", PLAIN),
    "mark of UTF-8": (codecs.BOM_UTF8 + b"a,b\n1,2\n3,4\n", PLAIN),
    "two marks": (codecs.BOM_UTF8 * 2 + b"a,b\n1,2\n3,4\n", PLAIN),
    "mark of UTF-16": ("a,b\n1,2\n3,4\n".encode("utf-16"), PLAIN),
    "gzip": (gzip.compress(b"a,b\n1,2\n3,4\n"), PLAIN),
    "gzip of two parts": (gzip.compress(b"a,b\n1,2\n") + gzip.compress(b"3,4\n"), PLAIN),
    "delimiter named": (b"sep=;\na;b\n1;2\n3;4\n", PLAIN),
    "delimiters at the ends": (b"a,b,\n1,2,\n3,4,\n", PLAIN),
    "delimiter at the end of the header": (b"a,b,\n1,2\n3,4\n", PLAIN),
    "everything quoted": (b'"a","b"\n"1","2"\n"3","4"\n', PLAIN),
    "quoted line ends": (b'a,b\n"x\ny",2\n3,"4\r\n5"\n', {"a": ["x\ny", "3"], "b": ["2", "4\r\n5"]}),
    "doubled quotes": (b'a,b\n"say ""x""",2\n3,"4, 5"\n', {"a": ['say "x"', "3"], "b": ["2", "4, 5"]}),
    "quotes within a cell": (b'a,b\n5" p,2\n3,4\n', {"a": ['5" p', "3"], "b": ["2", "4"]}),
    "escaped quotes": (b'a,b\n"say \\"x\\", y",2\n3,4\n', {"a": ['say "x", y', "3"], "b": ["2", "4"]}),
    "blank before a quote": (b'a, b\n1, "2, 3"\n4, "5"\n', {"a": ["1", "4"], "b": ["2, 3", "5"]}),
    "first column without a name": (b",a\n1,x\n2,y\n", {"column 1": ["1", "2"], "a": ["x", "y"]}),
    "repeated name": (b"a,a\n1,2\n3,4\n", {"a": ["1", "3"], "a (2)": ["2", "4"]}),
    "name that is taken": (b"a,a,a (2)\n1,2,3\n3,4,5\n", {"a": ["1", "3"], "a (3)": ["2", "4"], "a (2)": ["3", "5"]}),
    "control characters of C1": ("a,b\n1,x\x85y\n3,4\n".encode(), {"a": ["1", "3"], "b": ["x\x85y", "4"]}),
    "dates with two blanks": (b"a,b\n1,May  3\n2,May 10\n", {"a": ["1", "2"], "b": ["May  3", "May 10"]}),
    "one column": (b"town\nOslo\nRome\n", {"town": ["Oslo", "Rome"]}),
    "decimal commas": (b"a;b\n1,5;2\n3,25;4\n", {"a": ["1,5", "3,25"], "b": ["2", "4"]}),
    "numbers that others add up to": (b"id,s\n1,a\n2,b\n3,c\n", {"id": ["1", "2", "3"], "s": ["a", "b", "c"]}),
    "one column of numbers": (b"n\n1\n2\n3\n", {"n": ["1", "2", "3"]}),
    "backslash before a quote": (b'"a","b"\n"C:\\","1"\n"z","2"\n', {"a": ["C:\\", "z"], "b": ["1", "2"]}),
    "years as names": (b"x,2019,2020\np,1,2\nq,3,4\n", {"x": ["p", "q"], "2019": ["1", "3"], "2020": ["2", "4"]}),
    "only text": (b"sex,job\nm,cook\nf,nurse\n", {"sex": ["m", "f"], "job": ["cook", "nurse"]}),
    "empty cells": (b"a,b\n,2\n3,\n", {"a": ["", "3"], "b": ["2", ""]}),
}


@pytest.mark.parametrize(
    ("titles", "answer"),
    [(b"Report,,\n", "Yes, the first line precedes it"), (b"Report\n\n", "Yes, the first 2 lines precede it")],
)
def test_the_lines_before_the_header_agree_in_number(titles: bytes, answer: str) -> None:
    answers = propose(titles + b"a,b,c\n" + NUMBERED).questions[0].answers
    assert any(one.label.startswith(answer) for one in answers)


@pytest.mark.parametrize("case", WITHOUT_A_QUESTION)
def test_unambiguous_files_are_read_without_a_question(case: str) -> None:
    content, expected = WITHOUT_A_QUESTION[case]
    proposal = propose(content)
    assert proposal.questions == ()
    assert list(proposal.names) == list(expected)
    table = read_table(content)
    assert columns(table) == expected
    assert [list(row) for row in proposal.preview] == table.head(10)
    assert columns(read_table(content, plan=ReadPlan.from_dict(table.source.plan.to_dict()))) == expected


NUMBERED = "".join(f"{number},x{number},5\n" for number in range(1, 9)).encode()
WITH_A_QUESTION: dict[str, tuple[bytes, str, str, int]] = {
    "titles": (b"Report\n\na,b,c\n" + NUMBERED, "titles", "--skip-lines 2", 8),
    "title of the width": (b"Report,,\na,b,c\n" + NUMBERED, "titles", "--skip-lines 1", 8),
    "note below": (b"a,b,c\n" + NUMBERED + b"Source: me\n", "footer", "--footer-lines 1", 8),
    "total": (b"a,b\n1,2\n3,4\nTotal,6\n", "footer", "--footer-lines 1", 2),
    "records of delimiters": (b"a,b,c\n" + NUMBERED + b",,\n,,\n", "footer", "--footer-lines 2", 8),
    "numbering that stops": (b"a,b,c\n" + NUMBERED + b"mean,,5\n", "footer", "--footer-lines 1", 8),
    "no header": (b"5.1,3.5,setosa\n4.9,3.0,setosa\n4.7,3.2,other\n", "header", "--header-lines 0", 3),
    "one column without a header": (b"1\n2\n3\n", "header", "--header-lines 0", 3),
    "three header lines": (b"n,1,2\nm,1,1\nh,l,r\n,,\n" + NUMBERED, "header", "--header-lines 4", 8),
    "row names of the id": (b"q,s\n1,a,x\n2,a,y\n3,b,x\n", "names", "--names 'column 1' q s", 3),
    "units": (b"a,b\nkg,years\n1,2\n3,4\n5,6\n", "header", "--header-lines 2", 3),
    "rule": (b"a,b\n---,---\n1,2\n3,4\n5,6\n", "header", "--header-lines 2", 3),
    "names again": (b"a,b\na,b\n1,2\n3,4\n", "header", "--header-lines 2", 2),
    "row names": (b'"x","y"\n"1",5,6\n"2",7,8\n', "names", "--names 'column 1' x y", 2),
    "delimiters at the ends of records": (
        b"a,b\n1,2,\n3,4,\n",
        "names",
        "--names a b 'column 3' --omit-columns 3",
        2,
    ),
    "two delimiters": (b"a,b;c\n1,2;3\n4,5;6\n", "delimiter", "--delimiter ';' --quote '\"'", 2),
    "empty lines of one column": (b"town\nOslo\n\nRome\n", "blank_lines", "--blank-lines nothing", 2),
    "quotes around records": (b'a,b\n1,x\n2,"y\n3,z"\n4,w\n', "delimiter", "--delimiter , --quote '\"'", 3),
    "Windows-1252": ("a,b\nJosé,Müller\nZoë,x\n".encode("cp1252"), "encoding", "--encoding cp1252", 2),
    "Windows-1250": ("a,b\nDvořák,Łódź\nżółw,x\n".encode("cp1250"), "encoding", "--encoding cp1250", 2),
    "Windows-1251": ("a,b\nМосква,Казань\nврач,x\n".encode("cp1251"), "encoding", "--encoding cp1251", 2),
    "Windows-1254": ("a,b\nAyşe,Muğla\nkışın,x\n".encode("cp1254"), "encoding", "--encoding cp1254", 2),
    "KOI8-R": ("a,b\nМосква,Казань\nВрач,x\n".encode("koi8-r"), "encoding", "--encoding koi8-r", 2),
    "Big5": ("姓名,城市\n王小明,台北市\n陳,高雄市\n".encode("big5"), "encoding", "--encoding big5", 2),
    "GB 18030": ("姓名,城市\n王小明,北京市\n陈,上海市\n".encode("gb18030"), "encoding", "--encoding gb18030", 2),
    "Shift-JIS": ("名前,都市\n山田です,東京都\nさくら,x\n".encode("cp932"), "encoding", "--encoding cp932", 2),
    "EUC-KR": ("이름,도시\n김철수,서울\n박,부산\n".encode("cp949"), "encoding", "--encoding cp949", 2),
    "UTF-16 without a mark": ("a,b\n1,x\n2,y\n".encode("utf-16-le"), "encoding", "--encoding utf-16-le", 2),
}


@pytest.mark.parametrize("case", WITH_A_QUESTION)
def test_ambiguous_files_raise_a_question_whose_first_answer_is_right(case: str) -> None:
    content, identifier, options, records = WITH_A_QUESTION[case]
    proposal = propose(content, name="x.csv")
    question = next(question for question in proposal.questions if question.id == identifier)
    assert question.text.endswith("?")
    assert len(question.answers) > 1
    assert question.answers[0].options == options
    table = read_table(content, plan=proposal.plan)
    assert table.rows == records
    assert table.names == proposal.names
    assert options in refusal(content, name="x.csv").remedy


def test_another_answer_changes_the_plan() -> None:
    content = WITH_A_QUESTION["no header"][0]
    proposal = propose(content)
    plan = replace(proposal.plan, **proposal.questions[0].answers[1].changes)
    assert read_table(content, plan=plan).names == ("5.1", "3.5", "setosa")
    assert read_table(content, header_lines=1).rows == 2
    assert read_table(content, header_lines=0, names=["p", "q", "r"]).names == ("p", "q", "r")


REFUSED: dict[str, tuple[bytes, str, int | None]] = {
    "nothing": (b"", "the file is empty", None),
    "blanks alone": (b" \n\n", "the file is empty", None),
    "header alone": (b"a,b\n", "no records", None),
    "two encodings": ("a,b\né,ö\nü,x\n".encode() + b"\xe9,ab\n", "not text in UTF-8", 4),
    "cells aligned by three blanks": (b"a   b   c\n1   2   3\n4   5   6\n", "blanks align the cells", None),
    "binary": (bytes(range(256)) * 4, "NUL bytes", None),
    "NUL": (b"a,b\n1,x\0y\n2,z\n", "NUL bytes", None),
    "short record": (f"a,b\n1,{SECRET}\n3\n4,5\n".encode(), "the record has 1 field, most others 2", 3),
    "long record": (f"a,b\n1,{SECRET}\n3,4,\n4,5\n".encode(), "the record has 3 fields, most others 2", 3),
    "open quote": (f'a,b\n1,"{SECRET}\n3,4\n4,5\n'.encode(), "never closed", 2),
    "text behind a quote": (f'a,b\n1,2\n3,"{SECRET}"4\n4,5\n'.encode(), "text follows a closing quote", None),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_file_that_holds_no_readable_table_is_refused_with_the_line(case: str) -> None:
    content, problem, line = REFUSED[case]
    for source in (content, gzip.compress(content)) if content else (content,):
        error = refusal(source, name="x.csv")
        assert problem in error.problem
        assert line is None or error.row == line


BY_PLAN = ReadPlan("csv", encoding="utf-8", delimiter=",")
STRICT: dict[str, tuple[bytes, ReadPlan, str, int | None]] = {
    "short record far below": (b"a,b\n" + b"1,2\n" * 300_000 + b"3\n", BY_PLAN, "the record has 1 field", 300_002),
    "short header": (b"a\n1,2\n", BY_PLAN, "the header has 1 field", 1),
    "long header": (b"a,b,c\n1,2\n", BY_PLAN, "the header has 3 fields", 1),
    "other bytes": (b"a,b\n1,2\n\xff,4\n", BY_PLAN, "not text in UTF-8", 3),
    "too many lines skipped": (b"a,b\n1,2\n", ReadPlan("csv", delimiter=",", skip_lines=9), "fewer lines", None),
    "too many lines below": (
        b"a,b\n1,2\n",
        ReadPlan("csv", delimiter=",", footer_lines=1),
        "has a header but no records",
        None,
    ),
    "other number of names": (b"a,b\n1,2\n", ReadPlan("csv", delimiter=",", names=("a",)), "names 1 column", None),
    "no such column": (
        b"a,b\n1,2\n",
        ReadPlan("csv", delimiter=",", omitted_columns=(3,)),
        "leaves out a column",
        None,
    ),
    "cells in a column left out": (
        b"a,\n1,\n2,x\n",
        ReadPlan("csv", delimiter=",", omitted_columns=(2,)),
        "contains cells",
        None,
    ),
    "another kind": (b"a,b\n1,2\n", ReadPlan("parquet"), "another kind", None),
    "delimiter that is the quote": (b"a,b\n1,2\n", ReadPlan("csv", delimiter='"'), "are the same", None),
}


@pytest.mark.parametrize("case", STRICT)
def test_a_file_that_contradicts_its_reading_plan_is_refused_with_the_line(case: str) -> None:
    content, plan, problem, line = STRICT[case]
    error = refusal(content, name="x.csv", plan=plan)
    assert problem in error.problem
    assert error.row == line or line is None


def test_a_reading_plan_reports_what_it_leaves_out() -> None:
    content = b"Report\na,b,c\n1,2,3\n4,5,6\nend\n"
    plan = ReadPlan("csv", delimiter=",", skip_lines=1, footer_lines=1, omitted_columns=(2,))
    table = read_table(content, plan=plan)
    assert columns(table) == {"a": ["1", "4"], "c": ["3", "6"]}
    assert table.source.to_dict()["left_out"] == ["1 line before the header", "1 line after the records", "column 2"]


def test_the_header_lacks_a_delimiter_and_the_last_column_is_empty() -> None:
    """Read as they stand, the values move one column over; no reader can know which name is missing."""
    content = b"day,time place,note\n1,12:30,Oslo,\n2,13:30,Rome,\n"
    with pytest.raises(InputError, match="which column has no name"):
        read_table(content)


@pytest.mark.parametrize("ending", [b"\xe9,1\n", b"3\n", b"Total: 3\n"])
def test_a_fault_at_the_end_of_a_long_file_is_asked_about_or_refused(ending: bytes) -> None:
    content = b"a,b\n" + b"ex,1\n" * 220_000 + ending
    error = refusal(content, name="x.csv")
    assert error.row == 220_002 or "?" in error.problem


def test_a_chosen_encoding_must_decode_the_file() -> None:
    with pytest.raises(InputError, match="line 2: the line contains bytes that are not text in UTF-8"):
        propose("a,b\né,1\n".encode("cp1252"), encoding="utf-8")


def test_a_question_about_one_last_line_is_in_the_singular() -> None:
    answer = propose(b"a,b\n1,x\nTotal,2\n").questions[0].answers[0]
    assert "the last line is" in answer.label


def test_missing_markers_and_decimal_sign_of_a_text_file_can_be_chosen() -> None:
    table = read_table(b"a;b\n1,5;?\n2,5;x\n", missing=["?"])
    assert columns(table) == {"a": ["1,5", "2,5"], "b": [None, "x"]}
    assert table.source.plan.decimal == ","
    assert read_table(b"a;b\n1,5;2.5\n", decimal=".")["b"].decimal == "."


def test_an_unknown_choice_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="delimeter"):
        read_table(b"a,b\n1,2\n", delimeter=",")


def test_notes_of_several_lines_are_left_out_whole() -> None:
    records = "".join(f"{number},x,{number}\n" for number in range(29))
    content = f'id,name,age\n{records}Total,,150\n"Source: city,\nand others"\n'.encode()
    proposal = propose(content)
    assert proposal.plan.footer_lines == 3
    assert read_table(content, plan=proposal.plan).rows == 29


def test_columns_that_pandas_cut_are_read_as_it_writes_them() -> None:
    months = pd.period_range("2020-01", periods=4, freq="M")
    frame = pd.DataFrame({"age": pd.cut([1, 5, 9, 2], [0, 3, 6, 10]), "month": months})
    assert [row[0] for row in read_table(frame).head(4)] == ["(0, 3]", "(3, 6]", "(6, 10]", "(0, 3]"]
    assert read_table(frame).head(1)[0][1] == "2020-01"
    assert k_anonymity(frame, ["age"]) == 1
