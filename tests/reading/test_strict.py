"""A plan is followed strictly: every record becomes one record, or the first line that does not is named."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import InputError, read_table
from metrics.engines.duckdb_files import DuckDB
from metrics.reading import ReadPlan, strict
from metrics.reading.source import CHUNK, input_source
from metrics.reading.strict import PlannedFile, RecordRange, Scan, count_cell_by_cell, locate_records
from metrics.tables.dictionary_codes import BLANKS

PARTS = st.lists(st.sampled_from(["a", "bb", ",", "\n", "\r\n", "\r", '"', " ", "é"]), max_size=5).map("".join)
CELLS = st.one_of(
    PARTS.map(lambda part: '"' + part.replace('"', '""') + '"'), st.sampled_from(["abc", "12", "x" * 9, ""])
)


@pytest.fixture
def small_blocks() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strict, "_BLOCK", 64)
        patch.setattr(strict, "_SCANNED", 16)
        yield


@pytest.mark.usefixtures("small_blocks")
@given(
    rows=st.lists(st.tuples(CELLS, CELLS), min_size=8, max_size=20),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    last=st.booleans(),
)
def test_every_record_is_the_one_that_a_reader_line_by_line_finds(
    rows: list[tuple[str, str]], end: str, last: bool
) -> None:
    text = end.join(["h,i", *map(",".join, rows)]) + end * last
    _, *expected = csv.reader(io.StringIO(text, newline=""), strict=True)
    read = read_table(text.encode(), plan=ReadPlan("csv", encoding="utf-8", delimiter=","))
    found = [[cell or "" for cell in row] for row in read.head(len(expected) + 1)]
    assert found == [[cell.strip(BLANKS) for cell in row] for row in expected if row]


def test_a_column_left_out_for_lack_of_a_name_holds_no_cell_in_an_engine_either(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("age,d,\n" + "1,a,\n2,b,\n" * 10 + "1,a,VIP\n", encoding="utf-8")
    plan = ReadPlan("csv", encoding="utf-8", delimiter=",", omitted_columns=(3,))
    with pytest.raises(InputError, match="column 3, which has no name and is left out, contains cells"):
        read_table(path, plan=plan)
    with DuckDB() as engine, pytest.raises(InputError, match="column 3, which has no name and is left out"):
        engine.table(path, plan)


@pytest.mark.parametrize("header", [b"caf\xe9", b"ca\0"])
def test_a_header_that_is_not_text_is_refused(header: bytes) -> None:
    with pytest.raises(InputError, match=r"line 1: the line contains bytes that are not text in UTF-8"):
        read_table(header + b",b\n1,2\n", plan=ReadPlan("csv", encoding="utf-8", delimiter=","))


def planned(content: bytes, **plan: object) -> PlannedFile:
    return PlannedFile(
        input_source(content, "t.csv"), ReadPlan("csv", **{"encoding": "utf-8", "delimiter": ",", **plan})
    )


def scanned(content: bytes, pieces: int, width: int = 2, **plan: object) -> Scan:
    """A scan that is given the bytes in so many pieces."""
    scan = Scan(planned(content, **plan), width)
    size = -(-len(content) // pieces) or 1
    for start in range(0, len(content), size):
        scan.add(content[start : start + size])
    scan.finish()
    return scan


@pytest.mark.parametrize(
    ("content", "start", "first", "header"),
    [
        (b"a,b\n1,2\n", 4, 2, ["a", "b"]),
        (b"a,b\r\n1,2\r\n", 5, 2, ["a", "b"]),
        (b'"a\nx",b\n1,2\n', 8, 3, ["a\nx", "b"]),
    ],
)
def test_records_begin_below_the_header(content: bytes, start: int, first: int, header: list[str]) -> None:
    file = planned(content)
    found = locate_records(file, file.content(), complete=True)
    assert (found.start, found.first, found.width, found.header) == (start, first, 2, header)


def test_lines_before_the_header_are_skipped() -> None:
    file = planned(b"Report\n\na,b\n1,2\n", skip_lines=2)
    found = locate_records(file, file.content(), complete=True)
    assert (found.start, found.first, found.header) == (12, 4, ["a", "b"])


@pytest.mark.parametrize(
    ("content", "records", "sound"),
    [
        (b"1,2\n3,4\n", 2, True),
        (b"1,2\n\n3,4", 2, True),  # a blank line is no record of two columns, and the last line needs no end
        (b'"1\n1",2\r\n3,4\r\n', 2, True),
        (b'"say ""x""",2\n', 1, True),
        (b'1,"2\n3,4\n', 0, False),  # never closed
        (b'1 "x",2\n', 1, False),  # opens within a cell
        (b"1,2\r3,4\n", 1, False),  # a lone CR
        (b"1,2\n3,4\r", 2, False),
    ],
)
@pytest.mark.parametrize("pieces", [1, 3, 100])
def test_a_scan_counts_records_in_any_pieces(content: bytes, records: int, sound: bool, pieces: int) -> None:
    scan = scanned(content, pieces)
    assert scan.sound is sound
    assert scan.records == records or not sound


def test_a_scan_notices_line_ends_within_cells() -> None:
    assert scanned(b'"1\n1",2\n', 1).lines_in_cells
    assert not scanned(b'"1",2\n', 1).lines_in_cells
    assert scanned(b"1,2\r\n", 1).has_returns


def test_blank_lines_of_one_column_are_records_where_the_plan_says_so() -> None:
    assert scanned(b"1\n\n2\n", 1, width=1, delimiter="", blank_lines="cells").records == 3
    assert scanned(b"1\n\n2\n", 1, width=1, delimiter="", blank_lines="nothing").records == 2


def test_records_are_counted_cell_by_cell_or_the_first_faulty_line_is_named() -> None:
    body = RecordRange(["a", "b"], 2, 4, 2)
    file = planned(b"a,b\n")
    assert count_cell_by_cell(file, body, b'1,"2\n2"\n\n3,4\n') == 2
    for records, line in ((b"1,2\n3\n", 3), (b'1,2\n3,4\n5,"6', 4), (b'"1"x,2\n', 2)):
        with pytest.raises(InputError) as refused:
            count_cell_by_cell(file, body, records)
        assert refused.value.row == line


@pytest.mark.parametrize("before", range(4))
def test_delimiters_of_several_characters_become_one_wherever_a_chunk_ends(before: int) -> None:
    content = b"x" * (CHUNK - before) + b"~|~y\n1~|~2~3\n"
    file = planned(content, delimiter="~|~")
    expected = content.replace(b"~|~", file.separator.encode())
    assert len(file.separator) == 1
    assert b"".join(file.chunks()) == file.content() == expected
