"""What a text file is proposed to be, from its first lines, its end and what was chosen for it."""

import csv
import gzip
import io
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from metrics import InputError, propose, read_table
from metrics.reading import delimited
from metrics.reading.proposal import Proposal
from metrics.reading.source import input_source
from metrics.tables.dictionary_codes import BLANKS
from tests.reading.expectations import columns


@pytest.mark.parametrize(
    ("stored", "line_end"),
    [
        (str.encode, "\n"),
        (lambda text: gzip.compress(text.encode()), "\n"),
        (lambda text: text.encode("utf-16"), "\n"),
        (str.encode, "\r"),
        (lambda text: text.replace("age", "âge").encode("cp1252"), "\n"),
    ],
    ids=["UTF-8", "gzip", "UTF-16", "CR", "Windows-1252"],
)
def test_a_last_line_that_is_no_record_is_asked_about(stored: Callable[[str], bytes], line_end: str) -> None:
    content = stored(line_end.join(["age,d", *["31,flu", "42,cold"] * 75_000, "Total,", ""]))
    proposal = propose(content, name="t.csv")
    assert "footer" in [question.id for question in proposal.questions]
    assert read_table(content, plan=proposal.plan).rows == 150_000


def test_blank_lines_of_one_column_are_asked_about() -> None:
    proposal = propose(("x\n" + "q\n" * 600_000 + "\nq\n").encode())
    assert [question.id for question in proposal.questions] == ["blank_lines"]


@pytest.mark.parametrize(
    ("content", "names"),
    [
        ("sep=;\nage,d\n1,2\n3,4\n", ("age", "d")),  # the stated delimiter divides nothing
        ("sep=;\nage;d\n1;2\n3;4\n", ("age", "d")),
        ("sep=§\nid§age\n1§21\n2§33\n", ("id", "age")),
    ],
)
def test_a_stated_delimiter_is_used_if_it_divides(content: str, names: tuple[str, ...]) -> None:
    assert read_table(content.encode()).names == names


@pytest.mark.parametrize("first", range(1, 21, 3))
def test_a_beginning_that_ends_within_a_quoted_cell_raises_no_question(first: int) -> None:
    lines = [f'"{"x" * first}","illness"', *(f'"{number:06}","a cell, quoted"' for number in range(45_000))]
    assert read_table("\n".join(lines).encode(), header_lines=1).rows == 45_000


def proposed(text: str, **chosen: Any) -> Proposal:
    """The proposal for a text of the usual encoding."""
    return delimited.propose(input_source(text.encode(), "t.csv"), None, chosen)


def test_a_proposal_names_the_columns_and_shows_the_first_records() -> None:
    found = proposed("age,illness\n31, flu\n42,cold\n")
    assert found.questions == ()
    assert (found.plan.delimiter, found.plan.header_lines, found.plan.encoding) == (",", 1, "utf-8")
    assert found.names == ("age", "illness")
    assert found.preview == (("31", "flu"), ("42", "cold"))
    assert found.first_lines == ("age,illness", "31, flu", "42,cold")


def test_what_is_chosen_is_kept_and_not_asked_about() -> None:
    text = "5.1,3.5\n4.9,3.0\n"
    (question,) = proposed(text).questions
    assert question.id == "header"
    chosen = proposed(text, header_lines=1)
    assert chosen.questions == ()
    assert chosen.names == ("5.1", "3.5")
    with_lines = proposed("Report\n" + text, skip_lines=1, header_lines=0, omitted_columns=(1,))
    assert with_lines.questions == ()
    assert with_lines.preview == (("3.5",), ("3.0",))


def test_the_decimal_mark_is_that_of_the_numbers_below_the_header() -> None:
    assert proposed("age;stay\n31;1,5\n42;2,5\n").plan.decimal == ","
    assert proposed("age;stay 1,5\n31;1\n42;2\n").plan.decimal == "."
    assert proposed("age;stay\n31;1,5\n42;2,5\n", omitted_columns=(2,)).plan.decimal == "."


def test_dialects_that_are_as_plausible_become_answers_of_one_question() -> None:
    found = proposed("a,b;c\n1,2;3\n4,5;6\n")
    (question,) = found.questions
    delimiters = [answer.changes["delimiter"] for answer in question.answers]
    assert sorted(delimiters) == [",", ";"]
    assert found.plan.delimiter == delimiters[0]


def test_previews_are_short_however_long_the_file_is() -> None:
    found = proposed("age,note\n" + f"31,{'x' * 2000}\n" * 100)
    assert (len(found.first_lines), len(found.preview)) == (20, 10)
    assert max(map(len, found.first_lines)) == 500


@pytest.mark.parametrize("text", ["", " \n\n", "age,illness\n"])
def test_a_file_without_records_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        proposed(text)
    with pytest.raises(InputError):
        proposed("age,illness\n31,flu\n", skip_lines=2)


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
