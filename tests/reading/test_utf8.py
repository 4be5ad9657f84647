"""The stream that pyarrow reads: what it notes on the way must not depend on where its pieces end."""

import codecs
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.reading import read_table
from metrics.reading.dialect import Dialect
from metrics.reading.utf8 import Utf8Stream
from tests.reading.expectations import columns

COMMA = Dialect(",", '"', "")


def passed(content: bytes, sizes: list[int], header: int = 0) -> Utf8Stream:
    """The stream after all of it was read in pieces of these sizes, then byte by byte."""
    stream = Utf8Stream(io.BytesIO(content), "utf-8", COMMA, header=header)
    read = [stream.read(size) for size in sizes]
    while piece := stream.read(1):
        read.append(piece)
    assert b"".join(read) == content
    return stream


@given(st.text('a",\n', max_size=12), st.lists(st.integers(1, 5), max_size=5))
def test_loose_quotes_are_seen_at_every_seam(text: str, sizes: list[int]) -> None:
    inner = f"\n{text}"
    quotes = [at for at in range(1, len(inner) - 1) if inner[at] == '"']
    # Every second quote closes: what stands before it does not matter, nor what stands behind the others.
    loose = any(inner[at + (1 if number % 2 else -1)] not in '",\n' for number, at in enumerate(quotes))
    stream = passed(text.encode(), sizes)
    assert stream.loose == loose
    assert stream.quoted == ('"' in text)


@pytest.mark.parametrize("marks", [1, 2])
def test_byte_order_marks_are_no_text(marks: int) -> None:
    stream = Utf8Stream(io.BytesIO(codecs.BOM_UTF8 * marks + b'"a","b"\n1,2\n'), "utf-8", COMMA)
    assert stream.read(100) == b'"a","b"\n1,2\n'
    assert stream.read(100) == b""
    assert not stream.loose


@pytest.mark.parametrize("size", [1, 3, 100])
def test_quotes_of_the_header_are_not_those_of_records(size: int) -> None:
    header, body = b'"a","b"\n', b"1,2\n" * 9
    assert not passed(header + body, [size], header=len(header)).quoted
    assert passed(header + body + b'"3",4\n', [size], header=len(header)).quoted
    assert passed(header + body, [size]).quoted


def test_a_quoted_line_end_far_below_a_quoted_header() -> None:
    plain = "x,y\n" * 50_000
    table = read_table(f'"a","b"\n{plain}1,"two\nlines"\n{plain}'.encode())
    assert table.rows == 100_001
    assert columns(table)["b"][50_000] == "two\nlines"


def test_a_header_whose_names_hold_line_ends() -> None:
    table = read_table(b'"a\nof b","c"\n1,2\n3,"4\n5"\n')
    assert columns(table) == {"a\nof b": ["1", "3"], "c": ["2", "4\n5"]}
