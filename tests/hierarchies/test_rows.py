"""Small files without a header."""

import gzip
from pathlib import Path

import pytest

from metrics.hierarchies.rows import read_rows
from tests.reading.expectations import SECRET, refusal


def test_rows_keep_the_line_numbers_of_their_file(tmp_path: Path) -> None:
    path = tmp_path / "hierarchy_age.csv"
    path.write_text("1; 0-9 ;*\n\n2;0-9;*\n  \n11;10-19;*\n")
    rows = read_rows(path)
    assert rows.cells == [["1", "0-9", "*"], ["2", "0-9", "*"], ["11", "10-19", "*"]]
    assert rows.lines == [1, 3, 5]
    assert rows.name == "hierarchy_age.csv"


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16-le", "big5"])
def test_rows_are_read_with_every_delimiter_and_encoding(delimiter: str, encoding: str) -> None:
    text = "\r\n".join(delimiter.join(cells) for cells in (["台北", "北部", "*"], ["高雄", "南部", "*"]))
    for content in (text.encode(encoding), gzip.compress(text.encode(encoding))):
        assert read_rows(content).cells == [["台北", "北部", "*"], ["高雄", "南部", "*"]]


def test_commas_in_intervals_do_not_divide_cells() -> None:
    assert read_rows(b"1;[0, 5);[0, 10)\n7;[5, 10);[0, 10)\n").cells[1] == ["7", "[5, 10)", "[0, 10)"]


def test_quoted_line_ends_stay_in_their_cell_and_count_as_lines() -> None:
    rows = read_rows(b'"a, b",*\n"c\nd",*\ne,*\n')
    assert rows.cells == [["a, b", "*"], ["c\nd", "*"], ["e", "*"]]
    assert rows.lines == [1, 2, 4]


def test_rows_need_not_be_equally_long() -> None:
    assert read_rows(b"a;b;*\nc;*\n").cells == [["a", "b", "*"], ["c", "*"]]


def test_a_file_of_one_column_is_read() -> None:
    assert read_rows(b"a\nb\n").cells == [["a"], ["b"]]


def test_cells_stay_out_of_the_representation() -> None:
    assert SECRET not in repr(read_rows(SECRET.encode()))


def test_empty_binary_and_badly_quoted_row_files_are_refused() -> None:
    assert "the file is empty" in str(refusal(b"", rows=True, name="h.csv"))
    assert "the file is empty" in str(refusal(b" \n\n", rows=True, name="h.csv"))
    assert "NUL bytes" in str(refusal(bytes(range(256)), rows=True, name="h.csv"))
    assert "not delimited text" in str(refusal(b"PK\x03\x04", rows=True, name="h.xlsx"))
    error = refusal(f'a;*\n"{SECRET};*\nb;*\n'.encode(), rows=True, name="h.csv")
    assert str(error).startswith("h.csv, line 2: a quote")


def test_a_row_that_cannot_be_decoded_is_refused_with_its_line() -> None:
    content = "甲;*\n乙;*\n".encode() + b"\xff" + SECRET.encode() + b";*\n"
    assert refusal(content, rows=True, name="h.csv").row == 3
