"""Where bytes come from."""

import gzip
import io
from pathlib import Path

import pytest

from metrics.reading import read_table
from metrics.reading.source import input_source
from tests.reading.expectations import columns, refusal

TEXT = b"a,b\n1,x\n2,y\n"
CELLS = {"a": ["1", "2"], "b": ["x", "y"]}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "cells.csv"
    path.write_bytes(TEXT)
    return path


def test_path_gives_its_file_name(path: Path) -> None:
    for source in (path, str(path)):
        table = read_table(source)
        assert columns(table) == CELLS
        assert table.name == "cells.csv"


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, io.BytesIO])
def test_bytes_and_buffers_are_read_like_files(kind: type) -> None:
    table = read_table(kind(TEXT), name="upload.csv")
    assert columns(table) == CELLS
    assert table.name == "upload.csv"


def test_unnamed_bytes_are_called_a_table() -> None:
    assert read_table(TEXT).name == "table"


def test_an_open_file_is_read_from_its_position_and_left_open(path: Path) -> None:
    path.write_bytes(b"skipped\n" + TEXT)
    with path.open("rb") as file:
        file.readline()
        table = read_table(file)
        assert not file.closed
    assert columns(table) == CELLS
    assert table.name == "cells.csv"


def test_open_workbook_file_is_seekable(tmp_path: Path) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    for row in (["a"], ["x"]):
        book.active.append(row)
    book.save(tmp_path / "book.xlsx")
    with (tmp_path / "book.xlsx").open("rb") as file:
        assert columns(read_table(file)) == {"a": ["x"]}


def test_a_stream_that_cannot_seek_is_read() -> None:
    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    class Plain:
        name = 3

        def __init__(self) -> None:
            self._file = Pipe(TEXT)

        def read(self, size: int = -1) -> bytes:
            return self._file.read(size)

        def seekable(self) -> bool:
            return False

    assert columns(read_table(Plain())) == CELLS


def test_bytes_are_not_copied() -> None:
    content = bytearray(TEXT)
    held = input_source(content, None)
    content[4:5] = b"9"
    with held.raw() as stream:
        assert stream.read(100) == b"a,b\n9,x\n2,y\n"


def test_gzip_is_recognized_by_content(tmp_path: Path) -> None:
    path = tmp_path / "cells.csv"
    path.write_bytes(gzip.compress(TEXT[:6]) + gzip.compress(TEXT[6:]))
    table = read_table(path)
    assert columns(table) == CELLS
    assert table.source.plan.compression == "gzip"


def test_csv_named_gz_is_still_csv(tmp_path: Path) -> None:
    path = tmp_path / "cells.csv.gz"
    path.write_bytes(TEXT)
    assert read_table(path).source.plan.compression is None


@pytest.mark.parametrize("size", [10, 2000])
def test_a_truncated_gzip_file_is_refused(size: int) -> None:
    packed = gzip.compress(b"a,b\n" + b"".join(b"%d,%d\n" % (i, i * i) for i in range(2000)))
    assert "gzip" in str(refusal(packed[:size], name="x.gz"))


def test_a_gzip_file_with_a_wrong_checksum_is_refused_as_damaged() -> None:
    packed = bytearray(gzip.compress(TEXT))
    packed[-8] ^= 1
    assert "x.gz: the gzip file is damaged" in str(refusal(bytes(packed), name="x.gz"))


def test_text_that_begins_like_a_packer_is_text() -> None:
    assert columns(read_table(b"PAR1,BZh\n1,2\n")) == {"PAR1": ["1"], "BZh": ["2"]}
    assert columns(read_table(b"BZh;PAR1\n1;2\n")) == {"BZh": ["1"], "PAR1": ["2"]}


def test_a_missing_file_or_a_folder_is_refused(tmp_path: Path) -> None:
    assert "absent.csv: the file cannot be opened (no such file" in str(refusal(tmp_path / "absent.csv"))
    assert "cannot be opened" in str(refusal(tmp_path))


def test_a_number_or_a_text_stream_as_source_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="int"):
        read_table(3)
    with pytest.raises(TypeError, match="binary mode"):
        read_table(io.StringIO("a,b\n"))
