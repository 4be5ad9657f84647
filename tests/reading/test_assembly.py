"""Names, missing markers and the decimal sign."""

import pytest

from metrics.reading import read_table
from tests.reading.expectations import columns, refusal


def test_cells_and_header_are_trimmed() -> None:
    table = read_table("\u3000a ;\tb\u00a0\n 1 ; x y \n1;x y\n".encode())
    assert columns(table) == {"a": ["1", "1"], "b": ["x y", "x y"]}


def test_nothing_is_missing_unless_declared() -> None:
    content = b"a,b\nNone,00123\nNA,\n?,nan\n"
    assert columns(read_table(content)) == {"a": ["None", "NA", "?"], "b": ["00123", "", "nan"]}
    table = read_table(content, missing=("NA ", "?", ""))
    assert columns(table) == {"a": ["None", None, None], "b": ["00123", None, "nan"]}
    assert table.source.missing == ("NA", "?", "")


def test_duplicate_names() -> None:
    error = refusal(b"a,b, a\n1,2,3\n", name="x.csv")
    assert str(error).startswith('x.csv, line 1, column "a": column 1 and column 3 have the same name;')


def test_names_differ_by_case() -> None:
    assert read_table(b"N,n\n1,2\n").names == ("N", "n")


def test_blank_name() -> None:
    error = refusal(b"\na, ,c\n1,2,3\n", name="x.csv")
    assert str(error) == "x.csv, line 2: column 2 has no name; name it in the header or remove it."


def test_delimiter_at_the_end_of_every_line() -> None:
    for content in (b"a;b;\n1;2;\n3;4;\n", b"a;b\n1;2;\n3;4;\n", b"a;b;\n1;2\n3;4\n"):
        assert columns(read_table(content)) == {"a": ["1", "3"], "b": ["2", "4"]}
    assert read_table(b"a;b;\n1;2;\n").source.notes == ("delimiters at the ends of the lines left out",)
    error = refusal(b"a;b;\n1;2;\n3;4;5\n", name="x.csv")
    assert "column 3 has no name, as if every line ended with a delimiter" in str(error)
    assert "from every line" in error.remedy
    assert refusal(b"a;b\n1;2;\n3;4\n", name="x.csv").row == 2


@pytest.mark.parametrize(
    ("cells", "sign"),
    [
        (["1,5", "2"], ","),
        (["1,5", "2.5"], "."),
        (["1.5", "2"], "."),
        (["1", "2"], "."),
        (["1,234", "5,678"], "."),
        (["1,234", "5,6"], ","),
        (["0,123", "x"], ","),
        (["1.234,5", "2,5"], ","),
        (["01.02.2024", "2,5"], ","),
        (["a,b", "[3,5)"], "."),
        (["-0,5", "+1,25"], ","),
    ],
)
def test_decimal_sign(cells: list[str], sign: str) -> None:
    table = read_table(("x;y\n" + "".join(f"{cell};1\n" for cell in cells)).encode())
    assert table.source.decimal == sign
    assert {column.decimal for column in table.columns} == {sign}
    assert columns(table)["x"] == cells


def test_decimal_sign_can_be_chosen() -> None:
    table = read_table(b"x;y\n1,234;1\n", decimal=",")
    assert table["x"].numbers is not None
    assert table["x"].numbers.tolist() == [1.234]
    assert "decimal" in str(refusal(b"x;y\n1;2\n", decimal=";"))
