"""What Python's csv module writes is read back, cell by cell."""

import csv
import gzip
import io

from hypothesis import example, given
from hypothesis import strategies as st

from metrics.reading import read_table
from metrics.tables.encoding import BLANKS
from tests.reading.expectations import columns

CHARACTERS = st.one_of(
    st.sampled_from(list("ab1 ,;\t|\"'\n\r.-*")),
    st.characters(exclude_categories=("Cs",), exclude_characters="\0\x1a\x1f"),
)
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16-le", "utf-16-be", "utf-16", "gb18030")


def written(rows: list[list[str]], delimiter: str, quote: str, end: str, quoting: int) -> str:
    target = io.StringIO()
    writer = csv.writer(target, delimiter=delimiter, quotechar=quote, lineterminator=end, quoting=quoting)  # type: ignore[arg-type]
    writer.writerows(rows)
    return target.getvalue()


@st.composite
def tables(draw: st.DrawFn, characters: st.SearchStrategy[str] = CHARACTERS) -> list[list[str]]:
    width = draw(st.integers(1, 4))
    cell = st.text(characters, max_size=6)
    rows = draw(st.lists(st.lists(cell, min_size=width, max_size=width), min_size=1, max_size=8))
    return [[f"c{i}" for i in range(width)], *rows]


@given(
    rows=tables(),
    delimiter=st.sampled_from(",;\t|"),
    quote=st.sampled_from("\"'"),
    end=st.sampled_from(["\n", "\r\n"]),
    encoding=st.sampled_from(ENCODINGS),
    everything=st.booleans(),
    packed=st.booleans(),
)
@example(
    rows=[["c0"], [""], ["\n"]], delimiter=",", quote='"', end="\n", encoding="utf-8", everything=True, packed=False
)
@example(rows=[["c0"], [" "]], delimiter=",", quote='"', end="\n", encoding="utf-8", everything=False, packed=False)
def test_any_cells_are_read_back_in_the_dialect_they_were_written_in(
    rows: list[list[str]], delimiter: str, quote: str, end: str, encoding: str, everything: bool, packed: bool
) -> None:
    awkward = any("\r" in cell or "\n" in cell for row in rows for cell in row)
    quoting = csv.QUOTE_ALL if everything or awkward else csv.QUOTE_MINIMAL
    content = written(rows, delimiter, quote, end, quoting).encode(encoding)
    table = read_table(
        gzip.compress(content, 1) if packed else content,
        delimiter=delimiter,
        quote=quote,
        encoding=encoding,
        escape="",
        skip_lines=0,
        header_lines=1,
        footer_lines=0,
        # A cell of blanks that stands alone looks like a blank line.
        blank_lines="cells",
    )
    header, *body = rows
    assert columns(read_table(content, plan=table.source.plan)) == columns(table)
    expected = {name: [row[place].strip(BLANKS) for row in body] for place, name in enumerate(header)}
    assert columns(table) == expected
