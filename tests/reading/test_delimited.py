"""Delimited files: every record kept, every fault named with its line."""

import gzip
import io
from pathlib import Path

import pyarrow as pa
import pytest

from metrics.reading import read_table, reader
from metrics.reading.parsing import Parsed
from tests.reading.expectations import SECRET, columns, refusal

MANY = 400_000
"""Records that fill several of the blocks pyarrow parses at a time."""


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", [True, False])
def test_line_ends(end: str, last: bool) -> None:
    content = end.join(["a,b", "1,x", "2,y"]) + end * last
    assert columns(read_table(content.encode())) == {"a": ["1", "2"], "b": ["x", "y"]}


def test_quoted_cells() -> None:
    table = read_table(b'a,b\n"1,5","say ""x"""\n"two\nlines",""\n"",z\n')
    assert columns(table) == {"a": ["1,5", "two\nlines", ""], "b": ['say "x"', "", "z"]}
    assert table.source.quote == '"'


def test_quoted_header() -> None:
    table = read_table(b'"first\nname","a,b"\n1,2\n')
    assert columns(table) == {"first\nname": ["1"], "a,b": ["2"]}


def test_quoted_header_behind_a_byte_order_mark() -> None:
    assert columns(read_table(b'\xef\xbb\xbf"a,x",b\n1,2\n')) == {"a,x": ["1"], "b": ["2"]}


def test_blank_lines_around_records() -> None:
    assert columns(read_table(b"\n\na,b\n\n1,x\n\n\n2,y\n\n")) == {"a": ["1", "2"], "b": ["x", "y"]}


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_empty_lines_of_one_column_are_in_doubt(end: str) -> None:
    content = f"a{end}{end}x{end}{end}".encode()
    assert str(refusal(content, name="x.csv")).startswith("x.csv, line 2: the line is empty, which in a table of one")
    assert columns(read_table(content, blank_lines="cells")) == {"a": ["", "x", ""]}
    assert columns(read_table(content, blank_lines="nothing")) == {"a": ["x"]}
    assert columns(read_table(f'a{end}x{end}""'.encode())) == {"a": ["x", ""]}
    quoted = f"a{end}" + f"x{end}" * 6 + f'""{end}{end}y{end}'
    assert columns(read_table(quoted.encode())) == {"a": ["x"] * 6 + ["", "y"]}


def test_every_line_that_holds_a_delimiter_is_a_record() -> None:
    assert columns(read_table(b"a,b\n,\n1,\n,\n", blank_lines="cells")) == {"a": ["", "1", ""], "b": ["", "", ""]}


def test_file_of_many_blocks(tmp_path: Path) -> None:
    path = tmp_path / "many.csv"
    path.write_text("id;group\n" + "".join(f"{i};g{i % 5}\n" for i in range(MANY)))
    table = read_table(path)
    assert table.rows == MANY
    assert columns(table)["id"] == [str(i) for i in range(MANY)]
    assert columns(table)["group"] == [f"g{i % 5}" for i in range(MANY)]


@pytest.mark.parametrize("encoding", ["utf-16-le", "cp1252", "big5"])
def test_transcoded_file_of_many_blocks(encoding: str) -> None:
    word = {"utf-16-le": "naïve 中", "cp1252": "Größe", "big5": "糖尿病"}[encoding]
    content = (f"id;{word}\n" + "".join(f"{i};{word}{i % 5}\n" for i in range(MANY))).encode(encoding)
    for source, compression in ((content, None), (gzip.compress(content, 1), "gzip")):
        table = read_table(source)
        assert table.rows == MANY
        assert columns(table) == {
            "id": [str(i) for i in range(MANY)],
            word: [f"{word}{i % 5}" for i in range(MANY)],
        }
        assert table.source.compression == compression


def test_quotes_first_seen_after_the_sample() -> None:
    content = b"a,b\n" + b"1,x\n" * MANY + b'2,"two\nlines"\n' + b"3,y\n"
    table = read_table(content)
    assert table.rows == MANY + 2
    assert columns(table)["b"][-2:] == ["two\nlines", "y"]


def test_record_larger_than_a_block() -> None:
    long = "word " * 900_000
    for cell in (long.strip(), long.strip().replace(" ", "\n")):
        table = read_table(f'a,b\n1,x\n2,"{cell}"\n3,y\n'.encode())
        assert columns(table) == {"a": ["1", "2", "3"], "b": ["x", cell, "y"]}


def test_arrow_reads_into_dictionaries(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cells of a column are never text in Python nor in Arrow."""
    seen: list[pa.DataType] = []
    parse = reader.parse

    def watched(*arguments: object, **options: object) -> Parsed:
        parsed = parse(*arguments, **options)  # type: ignore[arg-type]
        seen.extend(column.type for column in parsed.cells)
        return parsed

    monkeypatch.setattr(reader, "parse", watched)
    read_table(b"a,b\n1,2\n")
    assert seen == [pa.dictionary(pa.int32(), pa.string())] * 2


def test_empty_files() -> None:
    for content in (b"", b"\n", b"\r\n\n", b"\xef\xbb\xbf", gzip.compress(b"")):
        assert str(refusal(content, name="x.csv")).startswith("x.csv: the file is empty;")


@pytest.mark.parametrize("content", [b"a,b\n", b"a,b", b"a\n", b"a", b"\n\na,b\n\n", b'"a\nx",b\n', b"sep=;\na;b"])
def test_header_alone(content: bytes) -> None:
    assert "the table has a header but no records" in str(refusal(content, name="x.csv"))


@pytest.mark.parametrize(
    ("content", "line", "found"),
    [
        ("a,b,c\n1,2,3\n1,{}\n4,5,6\n", 3, "2 fields"),
        ("a,b,c\n1,2,3\n{}\n4,5,6\n", 3, "1 field"),
        ("a,b,c\n1,2,3,{}\n4,5,6\n", 2, "4 fields"),
        ('a,b,c\n"1\n\n2",2,3\n\n"x\ny",{}\n4,5,6\n', 6, "2 fields"),
        ("a,b,c\r\n1,2,3\r\n1,{}\r\n", 3, "2 fields"),
        ("a,b,c\r1,2,3\r1,{}\r", 3, "2 fields"),
        ("a,b,c\n1,2,3\n1,{},3,4,5", 3, "5 fields"),
    ],
)
def test_ragged_record(content: str, line: int, found: str) -> None:
    error = refusal(content.format(SECRET).encode(), name="x.csv")
    assert str(error).startswith(f"x.csv, line {line}: the record has {found}, the header 3;")
    assert error.row == line


def test_ragged_record_far_down() -> None:
    content = b"a,b\n" + b'"1\n1",x\n' * MANY + f"{SECRET}\n".encode() + b"1,x\n" * 10
    assert refusal(content, name="x.csv").row == 2 * MANY + 2


@pytest.mark.parametrize("encoding", ["utf-16-le", "big5"])
def test_ragged_record_of_another_encoding(encoding: str) -> None:
    error = refusal(f"年齡,b\n糖,2\n1,2,{SECRET}\n".encode(encoding), name="x.csv")
    assert str(error).startswith("x.csv, line 3: the record has 3 fields, the header 2;")


def test_one_column_whose_record_divides() -> None:
    assert refusal(f"a\nx\n{SECRET},2\n".encode(), name="x.csv", delimiter=",").row == 3


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ('a,b\n1,x\n2,"{0}\n3,y\n4,z\n', 3),
        ('a,b\n1,x\n2,"{0}', 3),
        ('a,b\n1,x\n2,"', 3),
        ('a,b\n1,x\n2,"{0}""\n', 3),
        ('a,b\n1,"x\n\n",\n"{0},y\n4,z\n', 2),
        ('a,b\n"{0},y\n4,z\n', 2),
        ('a,b\n"1\n1",x\n2,"{0}\n3,y\n', 4),
        ('a,b\r\n1,x\r\n2,"{0}\r\n3,y\r\n', 3),
        ('a\nx\n"{0}\ny\n', 3),
    ],
)
def test_quote_never_closed(content: str, line: int) -> None:
    error = refusal(content.format(SECRET).encode(), name="x.csv")
    assert error.row == line
    if "\n\n" not in content:
        assert "a quote" in str(error)
        assert "never closed" in str(error)


@pytest.mark.parametrize("last", ['"x"', '"x\ny"', '"x"""', "x", '""', "", '"""x"', 'x"', '5" p'])
@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_last_quote_closed(last: str, end: str) -> None:
    assert read_table(f'a,b\n"1",2\n3,{last}{end}'.encode()).rows == 2


def test_quote_never_closed_in_a_long_rest() -> None:
    content = b'a,b\n1,"x"\n2,"' + b"3,y\n" * MANY
    assert refusal(content, name="x.csv").row == 3


def test_quote_never_closed_in_the_header() -> None:
    assert str(refusal(b'a,"b\n1,2\n3,4\n', name="x.csv")).startswith("x.csv, line 1: a quote")


@pytest.mark.parametrize("encoding", [None, "utf-8"])
def test_undecodable_bytes(encoding: str | None) -> None:
    lines = ["a,b", "中,1", "文,2", "字,3", "BAD,4", "符,5"]
    content = "\n".join(lines).encode().replace(b"BAD", b"\xff\xfe" + SECRET.encode())
    error = refusal(content, name="x.csv", encoding=encoding)
    assert str(error).startswith("x.csv, line 5: the line holds bytes that are not utf-8;")


def test_undecodable_bytes_far_down() -> None:
    content = "a,b\n中,1\n".encode() + b"x,1\n" * MANY + b"\xff,1\n" + b"x,1\n" * 10
    assert refusal(content, name="x.csv").row == MANY + 3


def test_undecodable_header_of_a_chosen_encoding() -> None:
    assert refusal("Größe,b\n1,2\n".encode("cp1252"), name="x.csv", encoding="utf-8").row == 1


def test_undecodable_bytes_of_a_chosen_encoding() -> None:
    error = refusal(b"a,b\n1,x\n\xff\xff,2\n", name="x.csv", encoding="big5")
    assert str(error).startswith("x.csv, line 3: the line holds bytes that are not big5;")
    error = refusal("a,b\n1,x\n".encode("utf-16-le") + b"\x00\xd8\x0a\x00", name="x.csv", encoding="utf-16-le")
    assert error.row == 3


def test_odd_byte_at_the_end_of_utf16() -> None:
    assert refusal("a,b\n1,x\n".encode("utf-16") + b"\x41", name="x.csv").row == 3


def test_nul_in_a_cell() -> None:
    content = b"a,b\n" + b"1,x\n" * MANY + b"2,w\0y\n3,z\n"
    table = read_table(content, name="x.csv")
    assert columns(table)["b"][-2:] == ["wy", "z"]
    assert table.source.notes == ("NUL characters left out",)


def test_first_of_several_faults() -> None:
    assert refusal("a,b\n中,2\n1,2,3\n".encode() + b"\xff,2\n1\n", name="x.csv", encoding="utf-8").row == 3
    assert refusal("a,b\n中,2\n".encode() + b"\xff,2\n1,2,3\n1\n", name="x.csv", encoding="utf-8").row == 3


def test_file_closed_after_an_error(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(b"a,b\n1,2,3\n")
    refusal(path)
    file = io.BytesIO(b"a,b\n1,2,3\n")
    refusal(file, name="x.csv")
    file.write(b"unlocked, for no view of it is left")
