"""What stands beyond the first mebibyte of a file is asked about, whatever its encoding and line ends are."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from metrics import InputError, k_anonymity, propose, read_table
from metrics.engines.duckdb_files import DuckDB
from metrics.reading import ReadPlan


@pytest.mark.parametrize(
    ("stored", "line_end"),
    [
        (str.encode, "\n"),
        (lambda text: gzip.compress(text.encode()), "\n"),
        (lambda text: text.encode("utf-16"), "\n"),
        (str.encode, "\r"),
        (lambda text: text.replace("age", "âge").encode("cp1252"), "\n"),
    ],
    ids=["UTF-8", "gzip", "UTF-16", "CR", "Windows-1252"],
)
def test_a_last_line_that_is_no_record_is_asked_about(stored: Callable[[str], bytes], line_end: str) -> None:
    content = stored(line_end.join(["age,d", *["31,flu", "42,cold"] * 75_000, "Total,", ""]))
    proposal = propose(content, name="t.csv")
    assert "footer" in [question.id for question in proposal.questions]
    assert read_table(content, plan=proposal.plan).rows == 150_000


def test_blank_lines_of_one_column_are_asked_about() -> None:
    proposal = propose(("x\n" + "q\n" * 600_000 + "\nq\n").encode())
    assert [question.id for question in proposal.questions] == ["blank_lines"]


def test_a_column_left_out_for_lack_of_a_name_holds_no_cell_in_an_engine_either(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("age,d,\n" + "1,a,\n2,b,\n" * 10 + "1,a,VIP\n", encoding="utf-8")
    plan = ReadPlan("csv", encoding="utf-8", delimiter=",", omitted_columns=(3,))
    with pytest.raises(InputError, match="column 3, which has no name and is left out, contains cells"):
        read_table(path, plan=plan)
    with DuckDB() as engine, pytest.raises(InputError, match="column 3, which has no name and is left out"):
        engine.table(path, plan)


def test_notes_of_several_lines_are_left_out_whole() -> None:
    records = "".join(f"{number},x,{number}\n" for number in range(29))
    content = f'id,name,age\n{records}Total,,150\n"Source: city,\nand others"\n'.encode()
    proposal = propose(content)
    assert proposal.plan.footer_lines == 3
    assert read_table(content, plan=proposal.plan).rows == 29


@pytest.mark.parametrize("header", [b"caf\xe9", b"ca\0"])
def test_a_header_that_is_not_text_is_refused(header: bytes) -> None:
    with pytest.raises(InputError, match=r"line 1: the line contains bytes that are not text in UTF-8"):
        read_table(header + b",b\n1,2\n", plan=ReadPlan("csv", encoding="utf-8", delimiter=","))


@pytest.mark.parametrize(
    ("content", "names"),
    [
        ("sep=;\nage,d\n1,2\n3,4\n", ("age", "d")),  # the stated delimiter divides nothing
        ("sep=;\nage;d\n1;2\n3;4\n", ("age", "d")),
        ("sep=§\nid§age\n1§21\n2§33\n", ("id", "age")),
    ],
)
def test_a_stated_delimiter_is_used_if_it_divides(content: str, names: tuple[str, ...]) -> None:
    assert read_table(content.encode()).names == names


def test_columns_that_pandas_cut_are_read_as_it_writes_them() -> None:
    months = pd.period_range("2020-01", periods=4, freq="M")
    frame = pd.DataFrame({"age": pd.cut([1, 5, 9, 2], [0, 3, 6, 10]), "month": months})
    assert [row[0] for row in read_table(frame).head(4)] == ["(0, 3]", "(3, 6]", "(6, 10]", "(0, 3]"]
    assert read_table(frame).head(1)[0][1] == "2020-01"
    assert k_anonymity(frame, ["age"]) == 1


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
