"""Records and their lines, cut as pyarrow cuts them."""

import io

import pyarrow as pa
import pyarrow.csv
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.reading.lexer import Record, records, sample_lines, text_lines


def cut(text: str, delimiter: str = ",", quote: str = '"', **keep: bool) -> list[Record]:
    return list(records(sample_lines(text), delimiter, quote, **keep))


def test_line_of_a_record_is_where_it_starts() -> None:
    found = cut('a,b\n"x\n\ny",1\n\n"z",2\n')
    assert [record.line for record in found] == [1, 2, 5, 6]
    assert found[1].cells == ["x\n\ny", "1"]
    assert found[2].blank
    assert not found[3].blank


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(end: str) -> None:
    found = cut(f'a,b{end}"x{end}y",1{end}3,4')
    assert [record.cells for record in found] == [["a", "b"], [f"x{end}y", "1"], ["3", "4"]]


def test_other_unicode_line_separators_are_text() -> None:
    assert cut("a\u2028b,c\x85d\n")[0].cells == ["a\u2028b", "c\x85d"]


def test_quotes() -> None:
    assert cut('"x"y"z,w"')[0].cells == ['xy"z', 'w"']
    assert cut('5" p,"a""b"')[0].cells == ['5" p', 'a"b']
    assert cut('"",x')[0].cells == ["", "x"]
    assert not cut('""')[0].blank
    assert cut('a,"b', quote="")[0].cells == ["a", '"b']


def test_quote_left_open() -> None:
    found = cut('a\n"x\ny')
    assert not found[1].closed
    assert found[1].line == 2
    assert found[1].cells == ["x\ny"]


def test_counting_without_keeping() -> None:
    text = 'a,b,c\n"long\ntext",x,y\n1,"open\nend'
    kept, counted = cut(text), cut(text, keep=False)
    assert [(r.line, len(r.cells), r.closed) for r in kept] == [(r.line, len(r.cells), r.closed) for r in counted]
    assert counted[1].cells[0] == ""


def test_byte_order_mark_is_no_text() -> None:
    stream = io.BytesIO(b'\xef\xbb\xbf"a",b\n1,2')
    with text_lines(stream, "utf-8") as lines:
        assert list(lines) == ['"a",b\n', "1,2"]
    assert not stream.closed


@settings(deadline=None)
@given(st.text(alphabet='ab,"\n\r x', min_size=1, max_size=40))
def test_cells_are_those_of_pyarrow(text: str) -> None:
    """Any text that pyarrow reads as two columns, the lexer cuts into the same cells."""
    found = [record for record in cut(text) if not record.blank]
    options = pa.csv.ParseOptions(newlines_in_values=True)
    names = pa.csv.ReadOptions(column_names=["0", "1"])
    kinds = pa.csv.ConvertOptions(column_types={"0": pa.string(), "1": pa.string()}, null_values=[])
    try:
        table = pa.csv.read_csv(io.BytesIO(text.encode()), names, options, kinds)
    except pa.ArrowInvalid:
        assert not found or any(len(record.cells) != 2 for record in found) or len(found) == 1
    else:
        read = [list(row.values()) for row in table.to_pylist()]
        assert [record.cells for record in found] == read


@pytest.mark.parametrize("quote", ["", '"'])
def test_a_long_cell_of_escapes(quote: str) -> None:
    """Looking for the end of the cell anew at each of them would take a minute."""
    line = f"1,{quote}{2_000_000 * 'ab!c'}{quote}"
    (record,) = records([line], ",", quote, escape="!")
    assert record.cells == ["1", 2_000_000 * "abc"]
