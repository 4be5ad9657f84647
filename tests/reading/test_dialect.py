"""Delimiters and quotes told by a sample."""

import csv
import io
import random

import pytest

from metrics.reading import read_table
from metrics.reading.dialect import find_quote
from tests.reading.expectations import columns, refusal

ROWS = [["id", "name", "note"], *([str(i), f"n{i % 7}", "plain text"] for i in range(50))]


def written(rows: list[list[str]], delimiter: str, **options: object) -> bytes:
    target = io.StringIO()
    csv.writer(target, delimiter=delimiter, **options).writerows(rows)  # type: ignore[arg-type]
    return target.getvalue().encode()


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_each_delimiter(delimiter: str) -> None:
    table = read_table(written(ROWS, delimiter))
    assert table.names == ("id", "name", "note")
    assert table.source.delimiter == delimiter


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_other_delimiters_in_quoted_and_plain_cells(delimiter: str) -> None:
    seeded = random.Random(3)
    others = [other for other in ",;\t|" if other != delimiter]
    rows = [["id", "a", "b"]]
    rows += [[str(i), seeded.choice(others) * seeded.randrange(3) + "x", f"q{delimiter}q"] for i in range(60)]
    table = read_table(written(rows, delimiter))
    assert table.source.delimiter == delimiter
    assert columns(table)["b"] == [f"q{delimiter}q"] * 60


def test_decimal_commas_do_not_divide() -> None:
    table = read_table(b"name;weight;height\nAnna;1,5;2,5\nBo;3,25;4,75\n")
    assert table.names == ("name", "weight", "height")
    assert table.source.decimal == ","


def test_most_lines_decide_even_if_one_is_ragged() -> None:
    error = refusal(b"a;b\n1;2\n3;4;5\n6;7\n", name="x.csv")
    assert str(error).startswith("x.csv, line 3: the record has 3 fields, the header 2;")


def test_one_column() -> None:
    table = read_table(b"city\nTaipei\nPorto\n")
    assert columns(table) == {"city": ["Taipei", "Porto"]}
    assert table.source.delimiter is None


def test_one_column_of_prose_with_commas() -> None:
    table = read_table(b'note\nfirst, second\nthird\n"quoted, too"\n')
    assert columns(table) == {"note": ["first, second", "third", "quoted, too"]}


def test_delimiter_can_be_chosen() -> None:
    assert read_table(b"a,b;c\n1,2;3\n", delimiter=",").names == ("a", "b;c")
    assert read_table(b"a:b\n1:2\n", delimiter=":").names == ("a", "b")
    assert columns(read_table(b"a;b\nc;d\n", delimiter=",")) == {"a;b": ["c;d"]}


@pytest.mark.parametrize("choice", [{"delimiter": "\n"}, {"delimiter": "a" * 11}, {"quote": "''"}, {"escape": "x"}])
def test_impossible_choices(choice: dict[str, str]) -> None:
    assert "must be" in str(refusal(b"a,b\n1,2\n", name="x.csv", **choice))


@pytest.mark.parametrize("delimiter", ["||", "~|~", "、", "^", "::", "\t\t", "§"])
def test_delimiters_of_several_signs_or_none_of_ascii(delimiter: str) -> None:
    content = "\n".join(delimiter.join(row) for row in (["id", "name"], ["1", "x y"], ["2", ""])).encode()
    for table in (read_table(content, delimiter=delimiter), read_table(content) if delimiter != "、" else None):
        assert table is None or columns(table) == {"id": ["1", "2"], "name": ["x y", ""]}


def test_one_column_can_be_chosen() -> None:
    assert columns(read_table(b"a,b\n1,2\n", delimiter="")) == {"a,b": ["1,2"]}


def test_delimiter_that_is_the_quote() -> None:
    assert "are the same" in str(refusal(b"a,b\n1,2\n", name="x.csv", delimiter='"'))


def test_spreadsheet_hint_names_the_delimiter() -> None:
    table = read_table(b"sep=;\r\na;b,c\r\n1;2,3\r\n")
    assert table.names == ("a", "b,c")
    assert table.source.delimiter == ";"
    assert refusal(b"sep=;\na;b\n1;2\n3\n").row == 4


def test_single_quotes() -> None:
    table = read_table(b"'id','note'\n'1','a, b'\n'2','it''s'\n")
    assert columns(table) == {"id": ["1", "2"], "note": ["a, b", "it's"]}
    assert table.source.quote == "'"


def test_apostrophes_are_text() -> None:
    content = b"name,era\nO'Brien,'90s\n'tHooft,x\nSmith,'80s'\n"
    table = read_table(content)
    assert columns(table) == {"name": ["O'Brien", "'tHooft", "Smith"], "era": ["'90s", "x", "'80s'"]}
    assert table.source.quote == '"'


def test_quote_can_be_chosen_or_switched_off() -> None:
    assert columns(read_table(b"a,b\n'1',2\n3,4\n5,6\n", quote="'")) == {"a": ["1", "3", "5"], "b": ["2", "4", "6"]}
    assert columns(read_table(b'a,b\n5",2\n"3,4\n', quote="")) == {"a": ['5"', '"3'], "b": ["2", "4"]}


def test_double_quotes_win_over_apostrophes() -> None:
    assert find_quote("a,b\n'x',\"y\"\n'x',\"y\"\n") == '"'


def test_header_longer_than_the_sample() -> None:
    names = [f"column_{i}" for i in range(20_000)]
    table = read_table(written([names, ["1"] * len(names)], ";"))
    assert len(table.names) == 20_000
