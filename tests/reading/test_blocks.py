"""Records are the same wherever the blocks end in which a file is parsed and counted."""

import csv
import io
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import read_table
from metrics.reading import ReadPlan, strict
from metrics.tables.encoding import BLANKS

PARTS = st.lists(st.sampled_from(["a", "bb", ",", "\n", "\r\n", "\r", '"', " ", "é"]), max_size=5).map("".join)
CELLS = st.one_of(
    PARTS.map(lambda part: '"' + part.replace('"', '""') + '"'), st.sampled_from(["abc", "12", "x" * 9, ""])
)


@pytest.fixture(scope="module", autouse=True)
def small_blocks() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strict, "_BLOCK", 64)
        patch.setattr(strict, "_SCANNED", 16)
        yield


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
