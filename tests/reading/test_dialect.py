"""Delimiter and quote are those that divide every record equally, or the line that does not is named."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.errors import InputError
from metrics.reading.dialect import Division, Sample, csv_rows, dialects, quote_fault
from metrics.tables.read_plan import ReadPlan
from tests.reading.expectations import SECRET

CELLS = st.text("ab 12,;|\t\"'\n", max_size=5)


def divisions(text: str, *chosen_fields: str, complete: bool = True, **plan: str) -> list[Division]:
    return dialects("t.csv", Sample(text, complete), ReadPlan("csv", **plan), frozenset(chosen_fields))


def cells(made: Division) -> list[list[str]]:
    return [row.cells for row in made.rows]


RECORDS = st.lists(st.lists(CELLS, min_size=2, max_size=2), min_size=1, max_size=5)


@given(RECORDS, st.sampled_from([",", ";", "|", "\t"]))
def test_what_a_writer_writes_is_divided_into_its_cells(records: list[list[str]], delimiter: str) -> None:
    sink = io.StringIO(newline="")
    csv.writer(sink, delimiter=delimiter, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(records)
    made = Sample(sink.getvalue()).divide(delimiter, '"')
    assert (cells(made), made.width, made.fault) == (records, 2, "")


def test_delimiters_of_several_characters_divide_and_stay_in_quoted_cells() -> None:
    assert cells(Sample('a||b\n"1||1"||2\n').divide("||", '"')) == [["a", "b"], ["1||1", "2"]]


def test_rows_know_the_line_on_which_they_begin() -> None:
    made = Sample('a,b\n\n"1\n1",2\n3,4\n', first=5).divide(",", '"')
    assert [row.line for row in made.rows] == [5, 7, 9]


def test_the_last_record_of_a_text_that_goes_on_is_left_out() -> None:
    assert len(Sample("a,b\n1,2\n3", complete=False).divide(",", '"').rows) == 2
    cut = Sample('a,b\n1,2\n3,"4', complete=False).divide(",", '"')
    assert (len(cut.rows), cut.fault) == (2, "")


@pytest.mark.parametrize(("text", "line"), [('a,b\n1,"2\n3,4\n', 2), ('a,b\n1,2\n"3"x,4\n', 3), ('a, "b"\n1,2\n', 1)])
def test_quotes_that_do_not_fit_are_a_fault_of_their_line(text: str, line: int) -> None:
    made = Sample(text).divide(",", '"')
    assert made.fault
    assert made.fault_line == line
    assert Sample(text).divide(",", "").fault == ""  # as text they fit


def test_a_division_tells_records_from_lines_around_and_between_them() -> None:
    made = Sample("Report\na,b,c\n1,2,3\n4,5\n6,7,8\n\nSource\n").divide(",", '"')
    assert made.width == 3
    assert [row.cells for row in made.even_rows] == [["a", "b", "c"], ["1", "2", "3"], ["6", "7", "8"]]
    assert [row.cells for row in made.uneven_rows] == [["4", "5"]]
    assert made.outer_rows == 2


def test_of_equally_frequent_record_widths_the_larger_is_chosen() -> None:
    assert Sample("a\nb,c\n").divide(",", '"').width == 2
    assert Sample("").divide(",", '"').width == 0


@pytest.mark.parametrize(
    ("text", "delimiter", "quote"),
    [
        ("a,b\n1,2\n", ",", '"'),
        ("a;b\n1,5;2\n", ";", '"'),
        ("a||b\n1||2\n3||4\n", "||", '"'),
        ("a~|~b\n1~|~2\n", "~|~", '"'),
        ("a b\n1 2\n", " ", '"'),
        ("'a','b,c'\n'1','2'\n", ",", "'"),
        ("town\nOslo\n", "", '"'),
    ],
)
def test_the_first_division_is_by_the_delimiter_and_quote_of_the_text(text: str, delimiter: str, quote: str) -> None:
    made = divisions(text)[0]
    assert (made.delimiter, made.quote) == (delimiter, quote)


def test_a_delimiter_that_is_settled_is_the_only_one_tried() -> None:
    assert [made.delimiter for made in divisions("a,b;c\n1,2;3\n")] == [";", ","]
    assert [made.delimiter for made in divisions("a,b;c\n1,2;3\n", "delimiter", delimiter=",")] == [","]
    with pytest.raises(InputError):
        divisions("a,b\n1\n2,3\n", "delimiter", delimiter=",")


def test_a_text_that_nothing_divides_names_the_line_but_none_of_its_cells() -> None:
    for text, line in ((f"a,b\n1,2\n{SECRET}\n3,4\n", 3), (f'a,b\n1,2\n3,"{SECRET}\n4,5\n', 3)):
        with pytest.raises(InputError) as refused:
            divisions(text)
        assert (refused.value.file, refused.value.row) == ("t.csv", line)
        assert SECRET not in str(refused.value)


def test_cells_that_blanks_align_are_refused() -> None:
    with pytest.raises(InputError, match="blanks"):
        divisions("a   b   c\n1   2   3\n4   5   6\n")


def test_a_fault_says_whether_a_quote_is_open_or_followed_by_text() -> None:
    faults = set()
    for text in ('1,"2', '"1"x'):
        with pytest.raises(csv.Error) as error:
            list(csv_rows([text], ",", '"', ""))
        faults.add(quote_fault(error.value, '"'))
    assert len(faults) == 2
